"""Reasons why a pattern, rules or profiles find something in a log at a time, or do not."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from remora.api.cards import Card, Shown
from remora.api.detecting.traces import Trace, TraceLike, as_trace, name_of, reading_of, rows_of
from remora.systems.protocol import Face
from remora.terminal.console import key_text
from semantics.carlson_lisper.expressions import Expression
from semantics.errors import InputError, unknown_events
from semantics.reasons.claims import Reasons
from semantics.systems import system_of_text
from semantics.traces.rows import Origin, Partition, ReadReport, Row, admissible, listed
from semantics.traces.watermark import time_of


@dataclass(frozen=True, repr=False)
class Why(Shown):
    """The reasons of what is found at a time, or of what is not, as trees of claims.

    The document is what `remora why --format json` prints; notes say what was changed to accept the log.
    """

    heading: str
    reasons: Reasons
    document: Mapping[str, Any]
    notes: tuple[str, ...] = ()

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
        """The trees."""
        return Card("", lines=tuple(self.lines()), notes=self.notes)


def why(
    pattern: str | os.PathLike[str] | Expression,
    log: TraceLike | Iterable[Mapping[str, object]],
    *,
    at: object,
    partition_by: str | None = None,
    partition: Partition = None,
    only: Sequence[str] = (),
    **options: Any,
) -> Why:
    """Why something is found at a time, or why not: derivations by definition, and nearest misses.

    The pattern may be the path of a program of rules (`*.rules`) or a file of profiles (`*.profile`), of which `only`
    some types of answers, or profiles, matter; the log is what `remora.detect` and `remora.derive` take, and options
    say how it is read; the time is in ticks, or as those of the log. With `partition_by`, a column, `partition` is the
    value that is meant. Raises `InputError`, and `LimitExceeded` where there are too many ways to derive an answer.
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
    time = time_of(at, reading, "--at")
    found: defaultdict[Partition, list[Row]] = defaultdict(list, {} if partition_by else {None: []})
    if trace is not None:  # which was read, perhaps with rows of a tick in an order
        of, report.clock = Origin(trace.name, "row"), trace.clock
        events = enumerate(trace, 1)
        found[None] = [Row(one.time, one.event, one.time, {"value": one.value}, None, of, n) for n, one in events]
        report.events.update(trace.events)
    else:
        rows = rows_of(cast("TraceLike", log), reading, reasoning.form, report)
        for instant in admissible(rows, reading, form=reasoning.form, report=report):
            for row in instant.rows:
                found[row.partition].append(row)
    key = _chosen(found, partition, partition_by)
    reasons = reasoning.reasons(found[key], time, report.shown)
    whose = f" of {partition_by} {key_text(key)}" if partition_by else ""
    heading = f"{text}{whose} at {report.shown(time)}: {'found' if reasons.answers else 'not found'}"
    document = {
        "schema": "remora/why/1",
        "language": system.language,
        "pattern": text,
        "log": name_of(log) if trace is None else trace.name,
        "at": time,
        "shown": report.shown(time),
        "reading": reading.stated(),
        **({} if partition_by is None else {"partition": key}),
        "answers": [reason.as_data() for reason in reasons.answers],
        "missed": [reason.as_data() for reason in reasons.missed],
        "said": list(reasons.said),
        **reasons.data,
    }
    unknown = unknown_events(reasoning.asked, report.events) if reasoning.asked else ()
    last = max((row.time for row in found[key]), default=time)
    pending = f"the last row is at {report.shown(last)}: later ones may change what is said of {report.shown(time)}"
    notes = (*report.messages(), *unknown, *([pending] if system.suffix and last < time else ()))
    return Why(heading, reasons, document, notes)


def _chosen(found: Mapping[Partition, object], wanted: Partition, partition_by: str | None) -> Partition:
    """The partition that is meant, by its key or as that is printed; the only one needs not be named."""
    if wanted in found and (wanted is not None or partition_by is None):
        return wanted
    meant = list(found) if wanted is None else [key for key in found if key_text(key) == str(wanted)]
    if partition_by is None:
        raise InputError(f"there is no partition {wanted}", place="--partition", remedy="Say --partition-by COLUMN.")
    if len(meant) != 1:
        many = "there are several logs" if wanted is None else f"{len(meant) or 'no'} logs are called {wanted!r}"
        remedy = f"Name one of the values of {partition_by} with --partition: {listed(map(key_text, found))}."
        raise InputError(many, place="--partition", remedy=remedy)
    return meant[0]
