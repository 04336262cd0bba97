"""What was found of a pattern in one trace: a sequence that is also a table and a drawing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from remora.api.cards import Card, Table
from remora.api.detecting.traces import Trace
from remora.api.frames import Tabular, times_column
from remora.terminal.texts import counted
from reports.drawing.layout import Bar, Timeline, plain
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from semantics.events import Interval, Time
from semantics.traces.instants import unknown_events

if TYPE_CHECKING:
    from remora.api.detecting.plotting import Drawing

FoundT = TypeVar("FoundT", Instance, Interval)

DRAWN = 8
"""So many instances are drawn, the first ones; the rest is in the table."""

LISTED = 20
"""So many are listed in the table."""

SMALL = 20
"""Of a trace with more occurrences that matter, those are drawn that lie within what was found."""


@dataclass(frozen=True, repr=False)
class Found(Tabular, Sequence[FoundT], Generic[FoundT]):
    """What was found, in order of its end: a sequence of instances, or of starts and ends alone.

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

        if hasattr(self.found, "to_arrow"):
            return self.found.to_arrow()

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
            return replace(self, found=self.found[index])
        return self.found[index]

    def __len__(self) -> int:
        """How many there are."""
        return len(self.found)

    def __iter__(self) -> Iterator[FoundT]:
        """In order of their ends."""
        return iter(self.found)

    def plot(self) -> Drawing:
        """A drawing of how many were found by which time, and of the first ones with what else occurs meanwhile."""
        from remora.api.detecting.plotting import Drawing, detections_over_time, stacked

        ends = [each.end for each in self.found]
        over_time = detections_over_time(plain(self.pattern), ends, self.trace)
        return Drawing(self._counted(), stacked(over_time, self.timeline(between=True)))

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
    def _relevant(self) -> int:
        """How many occurrences of the trace are of an event type of the pattern."""
        return sum(self.trace.events.get(name, 0) for name in identifiers(self.pattern))

    def _counted(self) -> str:
        noun = "instance" if self.whole else "interval"
        return plain(f"{counted(len(self), noun)} in {self.trace.name or 'the trace'}, {self.how}")

    def card(self) -> Card:
        """How many there are, the first of them drawn, and a table of more."""
        warnings: list[str] = unknown_events(identifiers(self.pattern), self.trace.events)
        notes: tuple[str, ...] = (*self.trace.notes, *warnings)
        if not self.found and len(self.trace) > 2 * DRAWN:
            return Card(str(self.pattern), lines=(self._counted(),), notes=notes)
        drawing = self.timeline()
        blocks: list[Table | Timeline] = [drawing]
        if self.found and len(drawing.occurrences) < self._relevant:
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


def _members(each: Instance | Interval) -> tuple[Occurrence, ...]:
    return each.sorted_occurrences() if isinstance(each, Instance) else ()


def _said(each: Instance | Interval, time: Callable[[Time], Time | str]) -> str:
    """What stands beside a bar, with times as they are shown."""
    if isinstance(each, Instance):
        return "{" + ", ".join(one.text(time(one.time)) for one in each.sorted_occurrences()) + "}"
    return f"[{time(each.start)}, {time(each.end)}]"
