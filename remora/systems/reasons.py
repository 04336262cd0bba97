"""Reasons why a pattern, rules or profiles find something in a log at a time, or do not."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from remora.api.cards import Card, Shown
from remora.api.detecting.traces import Trace, TraceLike, as_trace, name_of, reading_of, rows_of
from remora.systems.protocol import Face
from remora.terminal.console import counted, key_text
from reports.drawing.layout import Bar, Timeline
from semantics.carlson_lisper.expressions import Expression
from semantics.errors import InputError, unknown_events
from semantics.reasons.claims import Reason, Reasons
from semantics.systems import system_of_text
from semantics.traces.rows import Origin, Partition, ReadReport, Row, admissible, listed
from semantics.traces.watermark import Watermark, time_of


@dataclass(frozen=True, repr=False)
class Why(Shown):
    """The reasons of what is found at a time, or of what is not, as trees of claims.

    The document is what `remora why --format json` prints; notes say what was changed to accept the log.
    """

    heading: str
    reasons: Reasons
    document: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    timeline: Timeline | None = None

    @property
    def found(self) -> bool:
        """Whether there is an answer."""
        return bool(self.reasons.answers)

    def lines(self) -> Iterator[str]:
        """The trees, drawn."""
        yield self.heading
        for reason in (*self.reasons.answers, *self.reasons.missed):
            yield ""
            yield from reason.lines()
        yield from ("", *self.reasons.said) if self.reasons.said else ()

    def card(self) -> Card:
        """The trees, and the drawing of what is derived of a pattern."""
        return Card("", lines=tuple(self.lines()), blocks=tuple(filter(None, [self.timeline])), notes=self.notes)


def why(
    pattern: str | os.PathLike[str] | Expression,
    log: TraceLike | Iterable[Mapping[str, object]],
    *,
    at: object,
    partition_by: str | None = None,
    partition: Partition = None,
    only: Sequence[str] = (),
    until: object = None,
    **options: Any,
) -> Why:
    """Why something is found at a time, or why not: derivations by definition, and nearest misses.

    The pattern may be the path of a program of rules (`*.rules`) or a file of profiles (`*.profile`), of which `only`
    some types of answers, or profiles, matter; the log is what `remora.detect` and `remora.derive` take, and options
    say how it is read; times are in ticks, or as those of the log, whose rows after `until` are left out. Of a column
    `partition_by`, `partition` is the value that is meant. Raises `InputError`; `LimitExceeded` at too many ways.
    """
    trace = as_trace(log, options) if isinstance(log, Trace) and partition_by is None else None
    if trace is not None:
        options = {"tick": trace.tick, **options}
    text = str(pattern) if isinstance(pattern, Expression) else os.fspath(pattern)
    system = system_of_text(text)
    reasoning = cast(Face, system.module("remora")).why(text, options.get("tick"), only)
    reading, report = reading_of({"partition_by": partition_by, **options}), ReadReport()
    if system.suffix:
        reading = reading.with_tick(reasoning.tick, "file")
    time, watermark = time_of(at, reading, "--at"), Watermark.stated(until, reading)
    found: defaultdict[Partition, list[Row]] = defaultdict(list, {} if partition_by else {None: []})
    if trace is not None:  # which was read, perhaps with rows of a tick in an order
        of, report.clock = Origin(trace.name, "row"), trace.clock
        events = enumerate(trace, 1)
        found[None] = [Row(one.time, one.event, one.time, {"value": one.value}, None, of, n) for n, one in events]
        report.events.update(trace.events)
    else:
        read = rows_of(cast("TraceLike", log), reading, reasoning.form, report)
        for instant in admissible(read, reading, form=reasoning.form, report=report):
            for row in instant.rows:
                found[row.partition].append(row)
    key = _chosen(found, partition, partition_by)
    rows = [row for row in found[key] if watermark.says(row.time)]
    last = max((row.time for row in rows), default=time) if watermark.until is None else watermark.until
    reasons = reasoning.reasons(rows, time, report.shown, last)
    whose = f" of {partition_by} {key_text(key)}" if partition_by else ""
    heading = f"{text}{whose} at {report.shown(time)}: {'found' if reasons.answers else 'not found'}"
    document = {
        "schema": "remora/why/1",
        "language": system.language,
        "pattern": text,
        "log": name_of(log) if trace is None else trace.name,
        "at": time,
        "shown": report.shown(time),
        "reading": {**reading.stated(), **({} if until is None else {"until": watermark.until})},
        **({} if partition_by is None else {"partition": key}),
        "answers": [reason.as_data() for reason in reasons.answers],
        "missed": [reason.as_data() for reason in reasons.missed],
        "said": list(reasons.said),
        **reasons.data,
    }
    unknown = unknown_events(reasoning.asked, report.events) if reasoning.asked else ()
    until, left = report.shown(last), len(found[key]) - len(rows)
    later = f"the log is complete up to {until}: later rows may change what is said of {report.shown(time)}"
    left_out = f"left out {counted(left, 'row')} after {until} (--until)"
    told = {left_out: left, later: system.suffix and last < time}
    notes = (*report.messages(), *unknown, *(note for note, holds in told.items() if holds))
    drawn = None if system.suffix else _drawn(reasons, rows, reasoning.asked, report)
    return Why(heading, reasons, document, notes, drawn)


def _drawn(reasons: Reasons, rows: Sequence[Row], types: Collection[str], report: ReadReport) -> Timeline | None:
    """What occurs while the detections of a pattern last, with a bar for each operation in their derivations."""

    def bars(reason: Reason) -> list[Bar]:
        first, last = (at if isinstance(at, int) else at[0] for at in (reason.data["start"], reason.data["end"]))
        name, _, said = reason.said.rpartition(": ")[0].rpartition("  ")
        parts = [bar for part in reason.parts if part.data["claim"] == "instance" for bar in bars(part)]
        return [Bar(first, last, "both", differs=False, name=name, said=said), *parts] if reason.parts else []

    drawn = tuple(bar for answer in reasons.answers for bar in bars(answer))
    first, last = min((bar.start for bar in drawn), default=0), max((bar.end for bar in drawn), default=0)
    within = (row._replace(time=int(row.time)) for row in rows if row.event in types and first <= row.time <= last)
    return Timeline("", (), ("", ""), tuple(within), drawn, compares=False, shown=report.shown) if drawn else None


def _chosen(found: Mapping[Partition, object], wanted: Partition, partition_by: str | None) -> Partition:
    """The partition that is meant, by its key or as that is printed; the only one needs not be named."""
    if wanted in found and (wanted is not None or partition_by is None):
        return wanted
    meant = [key for key in found if partition_by and (wanted is None or key_text(key) == str(wanted))]
    if len(meant) != 1:
        many = "there are several logs" if wanted is None else f"{len(meant) or 'no'} logs are called {wanted!r}"
        named = f"Name one of the values of {partition_by} with --partition: {listed(map(key_text, found))}."
        raise InputError(many, place="--partition", remedy=named if partition_by else "Say --partition-by COLUMN.")
    return meant[0]
