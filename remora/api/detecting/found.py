"""Findings of a pattern in a trace, or in each partition of one: sequences that are also tables and drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, overload

from remora.api.cards import Card, Table, standalone_svg
from remora.api.detecting.plotting import Drawing
from remora.api.detecting.traces import Trace
from remora.api.frames import Tabular, times_column
from remora.terminal.texts import counted
from reports.drawing.layout import Bar, Timeline, plain
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from semantics.events import Interval, Time
from semantics.traces.instants import unknown_events
from semantics.traces.rows import Partition

FoundT = TypeVar("FoundT", Instance, Interval)

DRAWN = 8
"""So many instances are drawn, the first ones; the rest is in the table."""

LISTED = 20
"""So many are listed in the table."""

PARTITIONS = 20
"""So many partitions are listed, those with the most."""

SMALL = 20
"""Of a trace with more occurrences that matter, those are drawn that lie within what was found."""


@dataclass(frozen=True, repr=False)
class Found(Tabular, Sequence[FoundT], Generic[FoundT]):
    """Detections in the order of their ends: a sequence of instances, or of starts and ends alone.

    Attributes:
        pattern: what was looked for.
        trace: where.
        found: the instances (Def. 3.7), or the intervals.
        how: by which definition or detector, in words.
        whole: whether it is a sequence of instances.
    """

    pattern: Expression
    trace: Trace
    found: Sequence[FoundT]
    how: str
    whole: bool = True

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

        columns = {
            "start": times_column([each.start for each in self.found], self.trace.clock),
            "end": times_column([each.end for each in self.found], self.trace.clock),
        }
        if self.whole:
            columns["instance"] = pyarrow.array(
                [" ".join(one.text(self.trace.shown(one.time)) for one in _members(each)) for each in self.found],
                pyarrow.string(),
            )
        return pyarrow.table(columns)

    @overload
    def __getitem__(self, index: int) -> FoundT: ...
    @overload
    def __getitem__(self, index: slice) -> Found[FoundT]: ...
    def __getitem__(self, index: int | slice) -> FoundT | Found[FoundT]:
        """One of them, or some of them, which are drawn as well."""
        if isinstance(index, slice):
            return self._some(index)
        return self.found[index]

    def _some(self, index: slice) -> Found[FoundT]:
        return replace(self, found=self.found[index])

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
        """The first of them with the trace, or as much of it as lies within them; a row for each type of the pattern.

        Args:
            between: also what lies between them.
        """
        shown = self.found[:DRAWN]
        relevant = identifiers(self.pattern)
        occurrences = [each for each in self.trace if each.event in relevant]
        if shown and len(occurrences) > SMALL:
            spans = [(each.start, each.end) for each in shown]
            if between:
                spans = [(min(start for start, _ in spans), max(end for _, end in spans))]
            occurrences = [each for each in occurrences if any(one <= each.time <= two for one, two in spans)]
        noun = "instance" if self.whole else "interval"
        time = self.trace.shown
        bars = tuple(Bar(each.start, each.end, "left", True, _members(each), noun, _said(each, time)) for each in shown)
        return Timeline(
            plain(self.pattern),
            (self._counted(),),
            ("pattern", ""),
            tuple(occurrences),
            bars,
            compares=False,
            types=tuple(relevant) if occurrences else (),
            shown=time,
        )

    @property
    def _seen(self) -> Mapping[str, int]:
        """How often each event type of the log occurs, those of the pattern at least."""
        return self.trace.events

    def _counted(self) -> str:
        noun = "instance" if self.whole else "interval"
        return plain(f"{counted(len(self), noun)} in {self.trace.name or 'the trace'}, {self.how}")

    def card(self) -> Card:
        """How many there are, the first of them drawn, and a table of more."""
        warnings: list[str] = unknown_events(identifiers(self.pattern), self._seen)
        notes: tuple[str, ...] = (*self.trace.notes, *warnings)
        if not self.found and len(self.trace) > 2 * DRAWN:
            return Card(str(self.pattern), lines=(self._counted(),), notes=notes)
        drawing = self.timeline()
        blocks: list[Table | Timeline] = [drawing]
        if self.found and len(drawing.occurrences) < sum(self._seen.get(name, 0) for name in identifiers(self.pattern)):
            notes = ("drawn: only what occurs within what was found", *notes)
        if len(self) > DRAWN:
            rows = tuple(
                (
                    str(self.trace.shown(each.start)),
                    str(self.trace.shown(each.end)),
                    " ".join(one.text(self.trace.shown(one.time)) for one in _members(each)),
                )
                for each in self.found[:LISTED]
            )
            blocks.append(Table(("start", "end", "instance"), rows, frozenset({"start", "end"})))
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
    """

    pattern: Expression
    partition_by: str
    found: Mapping[Partition, Found[FoundT]]

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

        tables = [
            each.to_arrow().add_column(
                0, self.partition_by, pyarrow.array([None if key is None else str(key)] * len(each), "string")
            )
            for key, each in self.items()
            if len(each)
        ]
        if tables:
            return pyarrow.concat_tables(tables)
        nothing = next(iter(self.values()), Found[FoundT](self.pattern, Trace(()), (), "")).to_arrow()
        return nothing.add_column(0, self.partition_by, pyarrow.array([], "string"))

    def plot(self) -> Drawing:
        """A drawing of the first ones in the partition with most."""
        nothing: Found[FoundT] = Found(self.pattern, Trace(()), (), "")
        most = max(self.values(), key=len, default=nothing)
        return replace(most.plot(), title=self._counted())

    def _counted(self) -> str:
        return f"{counted(self.total, 'detection')} in {counted(len(self), 'partition')} by {self.partition_by}"

    def card(self) -> Card:
        """How many there are by partition."""
        most = sorted(self, key=lambda key: (-len(self[key]), str(key)))
        rows = tuple(("(none)" if key is None else str(key), f"{len(self[key]):,}") for key in most[:PARTITIONS])
        notes = dict.fromkeys(note for each in self.values() for note in each.trace.notes)
        if len(most) > PARTITIONS:
            notes[f"listed: the {PARTITIONS} with the most"] = None
        return Card(
            plain(self.pattern),
            lines=(self._counted(),),
            blocks=(Table((self.partition_by, "detections"), rows, frozenset({"detections"})),),
            notes=tuple(notes),
        )


def _members(each: Instance | Interval) -> tuple[Occurrence, ...]:
    return each.sorted_occurrences() if isinstance(each, Instance) else ()


def _said(each: Instance | Interval, time: Callable[[Time], Time | str]) -> str:
    """Label beside a bar, with times as they are shown."""
    if isinstance(each, Instance):
        return "{" + ", ".join(one.text(time(one.time)) for one in each.sorted_occurrences()) + "}"
    return f"[{time(each.start)}, {time(each.end)}]"
