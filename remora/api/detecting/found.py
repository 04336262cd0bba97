"""Findings of a pattern in a trace, or in each partition of one: sequences that are also tables and drawings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

from remora.api.cards import Card, Table, Tabular, standalone_svg, times_column
from remora.api.detecting.traces import Trace
from remora.terminal.console import counted
from reports.drawing.layout import Bar, Timeline, plain
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from semantics.errors import InputError
from semantics.events import Interval
from semantics.traces.instants import unknown_events
from semantics.traces.rows import Partition

FoundT = TypeVar("FoundT", Instance, Interval)

DRAWN, LISTED = 8, 20
"""So many instances, or partitions, are drawn or listed in a table."""

SMALL = 20
"""Of a trace with more occurrences that matter, those are drawn that lie within what was found."""


@dataclass(frozen=True, repr=False)
class Drawing:
    """A drawing that a notebook shows, and that can be saved.

    Attributes:
        title: what is drawn, in words.
        svg: the drawing as an SVG document.
    """

    title: str
    svg: str

    def __repr__(self) -> str:
        """Drawing, and how to see it where drawings are not shown."""
        return f'a drawing of {self.title}; .save("found.svg") writes it to a file'

    def _repr_svg_(self) -> str:
        """The drawing, for a notebook."""
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the drawing to a file, as SVG or as a page.

        Args:
            path: a file that ends in `.svg` or `.html`.

        Raises:
            InputError: it ends otherwise, or cannot be written.
        """
        file = Path(path)
        if file.suffix not in (".svg", ".html"):
            reason = f"a drawing is saved as SVG or as a page, not as {file.suffix or 'a file without a suffix'}"
            raise InputError(reason, place=os.fspath(path), remedy="End the name in .svg or .html.")
        page = "<!doctype html><meta charset='utf-8'><title>Detections</title>" if file.suffix == ".html" else ""
        try:
            file.write_text(page + self.svg, encoding="utf-8")
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", place=os.fspath(path)) from None


class Lazy(Sequence[Any]):
    """A sequence of a known length, whose items are made when somebody asks for one."""

    def __init__(self, length: int, make: Callable[[], Sequence[Any]]) -> None:
        self._length, self._make, self._items = length, make, tuple[Any, ...]()

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: Any) -> Any:
        if len(self._items) < self._length:
            self._items = tuple(self._make())
        return self._items[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self[:] == tuple(other)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, repr=False)
class Found(Tabular, Sequence[FoundT], Generic[FoundT]):
    """Detections in the order of their ends: a sequence of instances, or of starts and ends alone.

    Attributes:
        pattern: what was looked for.
        trace: where; of a file or table that was evaluated by columns, the event types of the pattern alone.
        found: the instances (Def. 3.7), or the intervals.
        how: by which definition or detector, in words.
        whole: whether it is a sequence of instances.
        table: makes the table, where they were found by columns.
        seen: how often each event type of the log occurs, where that is more than the trace has.
    """

    pattern: Expression
    trace: Trace
    found: Sequence[FoundT]
    how: str
    whole: bool = True
    table: Callable[[], Any] | None = field(default=None, compare=False)
    seen: Mapping[str, int] | None = field(default=None, compare=False)

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """Their starts and ends, in ticks."""
        return tuple(Interval(each.start, each.end) for each in self.found)

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary for each, as `remora detect --format jsonl` prints them: for a table of your own."""
        from remora.api.claiming.data import found_data

        return [found_data(each, self.trace.shown) for each in self.found]

    def to_arrow(self) -> Any:
        """A PyArrow table with a row for each: `start`, `end`, and of instances `instance`, their occurrences as text.

        Times are ticks, or timestamps where the trace has times of day. In a file or a table, instances also have
        `rows`, the numbers of their rows there, counted from 0.
        """
        import pyarrow

        if self.table is not None:
            return self.table()
        clock = self.trace.clock
        columns = {name: times_column([getattr(each, name) for each in self.found], clock) for name in ("start", "end")}
        if self.whole:
            columns["instance"] = pyarrow.array(map(self._occurrences, self.found), pyarrow.string())
        return pyarrow.table(columns)

    def _occurrences(self, each: FoundT) -> str:
        return " ".join(one.text(self.trace.shown(one.time)) for one in _members(each))

    @overload
    def __getitem__(self, index: int) -> FoundT: ...
    @overload
    def __getitem__(self, index: slice) -> Found[FoundT]: ...
    def __getitem__(self, index: int | slice) -> FoundT | Found[FoundT]:
        """One of them, or some of them, which are drawn as well."""
        if isinstance(index, slice):
            table = None if self.table is None else lambda: self.to_arrow()[index]
            return replace(self, found=self.found[index], table=table)
        return self.found[index]

    def __len__(self) -> int:
        """How many there are."""
        return len(self.found)

    def __iter__(self) -> Iterator[FoundT]:
        """In order of their ends."""
        return iter(self.found)

    def plot(self) -> Drawing:
        """A drawing of the first ones with what else occurs meanwhile."""
        return Drawing(self._counted(), standalone_svg(self.timeline(between=True)))

    def timeline(self, *, between: bool = False) -> Timeline:
        """The first of them with the trace, or as much of it as lies within them, and perhaps between them."""
        shown = self.found[:DRAWN]
        relevant = identifiers(self.pattern)
        occurrences = [each for each in self.trace if each.event in relevant]
        if shown and len(occurrences) > SMALL:
            spans = [(each.start, each.end) for each in shown]
            if between:
                spans = [(min(start for start, _ in spans), max(end for _, end in spans))]
            occurrences = [each for each in occurrences if any(one <= each.time <= two for one, two in spans)]
        noun = "instance" if self.whole else "interval"
        bars = tuple(Bar(each.start, each.end, "left", True, _members(each), noun, self._said(each)) for each in shown)
        return Timeline(
            plain(self.pattern),
            (self._counted(),),
            ("pattern", ""),
            tuple(occurrences),
            bars,
            compares=False,
            types=tuple(relevant) if occurrences else (),
            shown=self.trace.shown,
        )

    def _said(self, each: FoundT) -> str:
        time = self.trace.shown
        if isinstance(each, Instance):
            return "{" + ", ".join(one.text(time(one.time)) for one in _members(each)) + "}"
        return f"[{time(each.start)}, {time(each.end)}]"

    def _counted(self) -> str:
        noun = "instance" if self.whole else "interval"
        return plain(f"{counted(len(self), noun)} in {self.trace.name or 'the trace'}, {self.how}")

    def card(self) -> Card:
        """How many there are, the first of them drawn, and a table of more."""
        asked: frozenset[str] = identifiers(self.pattern)
        seen: Mapping[str, int] = self.seen or self.trace.events
        shown = self.trace.shown
        notes: tuple[str, ...] = (*self.trace.notes, *unknown_events(asked, seen))
        if not self.found and len(self.trace) > 2 * DRAWN:
            return Card(str(self.pattern), lines=(self._counted(),), notes=notes)
        drawing = self.timeline()
        blocks: list[Table | Timeline] = [drawing]
        if self.found and len(drawing.occurrences) < sum(seen.get(name, 0) for name in asked):
            notes = ("drawn: only what occurs within what was found", *notes)
        if len(self) > DRAWN:
            rows = ((str(shown(each.start)), str(shown(each.end)), self._occurrences(each)) for each in self[:LISTED])
            blocks.append(Table(("start", "end", "instance"), tuple(rows), frozenset({"start", "end"})))
            rest = f"; listed: the first {LISTED}" if len(self) > LISTED else ""
            notes = (f"drawn: the first {DRAWN}{rest}", *notes)
        return Card("", blocks=tuple(blocks), notes=notes)


@dataclass(frozen=True, repr=False)
class FoundByPartition(Tabular, Mapping[Partition, Found[FoundT]], Generic[FoundT]):
    """Detections by the value of a column: a mapping from the value to what was found in the rows that have it.

    Attributes:
        pattern: what was looked for.
        partition_by: the column.
        found: by value, in the order in which they come first; also where nothing was found.
        table: makes the table, where they were found by columns.
    """

    pattern: Expression
    partition_by: str
    found: Mapping[Partition, Found[FoundT]]
    table: Callable[[], Any] | None = field(default=None, compare=False)

    def __getitem__(self, key: Partition) -> Found[FoundT]:
        """Detections in the rows with a value."""
        return self.found[key]

    def __iter__(self) -> Iterator[Partition]:
        """The values, in the order in which they come first."""
        return iter(self.found)

    def __len__(self) -> int:
        """How many values there are."""
        return len(self.found)

    @property
    def total(self) -> int:
        """How many were found in all of them together."""
        return sum(map(len, self.found.values()))

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary for each, with its `partition`, one partition after the other."""
        return [{"partition": key, **row} for key, each in self.items() for row in each.rows()]

    def to_arrow(self) -> Any:
        """A PyArrow table with a row for each: a column of partitions, named as theirs, then as `Found.to_arrow`."""
        import pyarrow

        if self.table is not None:
            return self.table()
        tables = []
        for key, each in self.items() if self.total else [(None, self._most())]:
            keys = pyarrow.array([None if key is None else str(key)] * len(each), "string")
            tables.append(each.to_arrow().add_column(0, self.partition_by, keys))
        return pyarrow.concat_tables(tables)

    def _most(self) -> Found[FoundT]:
        """What was found in the partition with most."""
        return max(self.values(), key=len, default=Found(self.pattern, Trace(()), (), ""))

    def plot(self) -> Drawing:
        """A drawing of the first ones in the partition with most."""
        return replace(self._most().plot(), title=self._counted())

    def _counted(self) -> str:
        return f"{counted(self.total, 'detection')} in {counted(len(self), 'partition')} by {self.partition_by}"

    def card(self) -> Card:
        """How many there are by partition."""
        most = sorted(self, key=lambda key: (-len(self[key]), str(key)))
        rows = tuple(("(none)" if key is None else str(key), f"{len(self[key]):,}") for key in most[:LISTED])
        notes = dict.fromkeys(note for each in self.values() for note in each.trace.notes)
        if len(most) > LISTED:
            notes[f"listed: the {LISTED} with the most"] = None
        return Card(
            plain(self.pattern),
            lines=(self._counted(),),
            blocks=(Table((self.partition_by, "detections"), rows, frozenset({"detections"})),),
            notes=tuple(notes),
        )


def _members(each: Instance | Interval) -> tuple[Occurrence, ...]:
    return each.sorted_occurrences() if isinstance(each, Instance) else ()
