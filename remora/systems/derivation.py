"""Derivation: the events that a program of rules, or a file of profiles, finds in a log, as rows."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from remora.api.arguments import brief, require_path
from remora.api.cards import Card, Tabular, times_column
from remora.api.detecting.traces import TraceLike, column_of, reading_of, rows_of
from remora.systems.protocol import Face
from remora.terminal.console import counted
from reports.page import Table
from semantics.clock import Clock
from semantics.errors import InputError
from semantics.events import quoted
from semantics.systems import SYSTEMS, system_of_text
from semantics.traces.rows import ReadReport, admissible
from semantics.traces.watermark import Watermark

LISTED = 20  # So many events are listed in the table


@dataclass(frozen=True, repr=False)
class Derived(Tabular, Sequence[Mapping[str, Any]]):
    """Events that a program derives, ordered by time, then start, then type: a sequence of dictionaries.

    Attributes:
        program: the file with the rules or profiles.
        events: each with `start`, `time` (ticks), `event` and its attributes, `pending` (true) where later rows may
            change it, and `partition` where one was asked for.
        how: by what they were derived, in words.
        notes: what was changed to accept the log, and what the reader should know besides.
        clock: how times of day are counted; None where times are ticks.
    """

    program: str
    events: tuple[Mapping[str, Any], ...]
    how: str
    notes: tuple[str, ...] = ()
    clock: Clock | None = None

    def __getitem__(self, index: Any) -> Any:
        return self.events[index]

    def __len__(self) -> int:
        return len(self.events)

    def rows(self) -> list[dict[str, Any]]:
        """A dictionary for each, as `remora eval` prints them: for a table of your own."""
        shown = (lambda time: time) if self.clock is None else self.clock.text
        return [{**each, "start": shown(each["start"]), "time": shown(each["time"])} for each in self.events]

    def to_arrow(self) -> Any:
        """A PyArrow table with a column for every attribute; times are ticks, or timestamps where they are of day."""
        import pyarrow

        names = dict.fromkeys(("start", "time", "event", *(name for each in self.events for name in each)))
        times = {name: times_column([each[name] for each in self.events], self.clock) for name in ("start", "time")}
        cells = {name: [each.get(name) for each in self.events] for name in names if name not in times}
        remedy = "Take `rows`, whose values may be of any kind."
        return pyarrow.table({**times, **{name: column_of(name, found, remedy) for name, found in cells.items()}})

    def card(self) -> Card:
        """How many there are of each type, and a table of the first ones."""
        types = Counter(each["event"] for each in self.events)
        listed = ", ".join(f"{number:,} {quoted(name)}" for name, number in types.most_common())
        said = f"{counted(len(self), 'event')} derived, {self.how}" + (f": {listed}" if len(types) > 1 else "")
        rows = []
        for row in self.rows()[:LISTED]:
            start, time, event = (row.pop(name) for name in ("start", "time", "event"))
            for name, value in row.items():
                if isinstance(value, list):
                    row[name] = " ".join(f"{one['event']}@{one['time']}" for one in value)
            rows.append((str(start), str(time), quoted(event), ", ".join(f"{name} = {row[name]}" for name in row)))
        table = Table(("start", "time", "event", "attributes"), tuple(rows), ("start", "time"))
        rest = (f"listed: the first {LISTED}",) if len(self) > LISTED else ()
        return Card(self.program, lines=(said,), blocks=(table,) if rows else (), notes=(*rest, *self.notes))


def derive(
    program: str | os.PathLike[str],
    log: TraceLike | Iterable[Mapping[str, object]],
    *,
    partition_by: str | None = None,
    until: object = None,
    **options: Any,
) -> Derived:
    """Derived events of a program of rules (`*.rules`) or a file of profiles (`*.profile`) in a log.

    The log is a path, or a table of pandas, Polars, PyArrow or DuckDB, or dictionaries: with the columns `time` and
    `event`, perhaps `start`, and attributes; `remora.Reading` says how it is read. With `partition_by` each value of
    that column is looked at by itself, and is the `partition` of an event. The log is complete up to its last row, and
    what later rows may change is `pending`; or up to `until`, a time beyond which nothing is said. Raises `InputError`.
    """
    require_path(program)
    system = system_of_text(os.fspath(program))
    if not system.suffix:
        suffixes = " or ".join(one.suffix for one in SYSTEMS.values() if one.suffix)
        remedy = f"Name a file that ends in {suffixes}; a pattern is for remora.detect."
        raise InputError(f"{brief(os.fspath(program))} is no program", remedy=remedy)
    made = cast(Face, system.module("remora")).read(Path(program), options.get("tick"))
    reading = reading_of({"partition_by": partition_by, **options}).with_tick(made.tick, "file")
    report, watermark = ReadReport(), Watermark.stated(until, reading)
    rows = rows_of(cast("TraceLike", log), reading, made.form, report)
    instants = admissible(rows, reading, form=made.form, report=report)
    found = [
        {**event, **({} if partition_by is None else {"partition": partition})}
        for event, partition in made.derived(instants, watermark)
    ]
    found.sort(key=lambda event: (event["time"], event["start"], event["event"]))
    notes = (*report.messages(), *watermark.messages("event", report.shown), *made.warnings(report))
    return Derived(os.fspath(program), tuple(found), made.how, notes, report.clock)
