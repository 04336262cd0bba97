"""Instances of a pattern in a trace: by its definition, or as a detector finds them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast, overload

from remora.api.arguments import as_arguments
from remora.api.cards import Card, Table
from remora.api.detecting.makers import AUTO, DetectorLike
from remora.api.detecting.traces import Trace, TraceLike, as_pattern_and_trace, as_traces
from remora.api.frames import Tabular, times_column
from remora.api.patterns.patterns import PatternLike, as_pattern
from remora.terminal.progress import Tell, unheard
from remora.terminal.texts import counted
from reports.drawing.layout import Bar, Timeline, plain
from semantics.carlson_lisper.denotation import Watch, denotation, unwatched
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, identifiers
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Occurrence, Stream
from semantics.carlson_lisper.restriction import restriction
from semantics.errors import LimitExceeded
from semantics.events import Interval, Time
from semantics.traces.instants import unknown_events

if TYPE_CHECKING:
    from remora.api.detecting.partitioned import FoundByPartition
    from remora.api.detecting.plotting import Drawing
    from semantics.traces.rows import Partition

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
                [
                    " ".join(one.text(self.trace.shown(one.time)) for one in _members(each))
                    for each in self.found
                ],
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
        bars = tuple(
            Bar(each.start, each.end, "left", True, _members(each), noun, _said(each, time)) for each in shown
        )
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


# ------------------------------------------------------------------------------------------------------- definition


@overload
def evaluate(
    pattern: PatternLike,
    trace: TraceLike,
    *,
    restricted: bool = ...,
    intervals: Literal[False] = ...,
    **options: Any,
) -> Found[Instance]: ...
@overload
def evaluate(
    pattern: PatternLike,
    trace: TraceLike,
    *,
    restricted: bool = ...,
    intervals: Literal[True],
    **options: Any,
) -> Found[Interval]: ...
def evaluate(
    pattern: PatternLike,
    trace: TraceLike,
    *,
    restricted: bool = False,
    intervals: bool = False,
    **options: Any,
) -> Found[Instance] | Found[Interval]:
    """All instances of a pattern in a trace, as the definition says (Def. 3.11).

    Args:
        pattern: an expression or its text.
        trace: a trace, what one can be made of, or the path of a file.
        restricted: only a valid restriction (Def. 3.12): for each end, one instance with the latest start.
        intervals: only starts and ends, which works for much longer traces.
        options: how the trace is read (`remora.Reading`), such as `time="when", tick="1s"`.

    Raises:
        InputError: the pattern or the trace cannot be read.
        LimitExceeded: there are too many candidates; the answer would not be complete.
    """
    meant, where = as_pattern_and_trace(pattern, trace, options)
    how = "by Def. 3.12" if restricted else "by Def. 3.11"
    scenario = where.only(*identifiers(meant)).interpretation
    with as_arguments():
        if intervals:
            spans = meant_intervals(meant, scenario, restricted=restricted)
            return Found(meant, where, tuple(sorted(spans, key=by_end)), how, whole=False)
        found = meant_instances(meant, scenario, restricted=restricted)
        return Found(meant, where, tuple(sorted(found, key=by_end)), how)


def meant_instances(
    pattern: Expression, scenario: Interpretation, *, restricted: bool, watched: Watch = unwatched
) -> Stream:
    """The instances of a pattern by definition, or a valid restriction of them.

    Args:
        restricted: whether only a valid restriction (Def. 3.12) is wanted.
        watched: is shown the candidates of each comprehension.

    Raises:
        LimitExceeded: there are too many candidates.
    """
    try:
        meaning = denotation(pattern, scenario, watched=watched)
    except LimitExceeded as error:
        raise LimitExceeded(
            error.reason,
            remedy="Use --level intervals for starts and ends, or `remora detect` for one instance per time.",
        ) from None
    return restriction(meaning) if restricted else meaning


def meant_intervals(
    pattern: Expression, scenario: Interpretation, *, restricted: bool, tell: Tell = unheard
) -> Iterator[Interval]:
    """The starts and ends of the instances of a pattern by definition, or of a valid restriction of them.

    Args:
        restricted: whether only a valid restriction (Def. 3.12) is wanted.
        tell: is told the title of each operator before it is evaluated.

    Raises:
        LimitExceeded: the trace is too long.
    """
    from semantics.carlson_lisper.intervals import Grid, IntervalStream  # which brings NumPy

    grid = Grid(identifiers(pattern), scenario)
    for node in bottom_up(pattern):
        if isinstance(node, Operation):
            tell(node.definition.title)
            grid.evaluate(node)
    spans = IntervalStream(grid.times, grid.evaluate(pattern))
    yield from spans.restricted() if restricted else spans.intervals()


def by_end(found: Instance | Interval) -> tuple[object, ...]:
    """The order of what is found: by end, then start, then the occurrences."""
    return found.sort_key() if isinstance(found, Instance) else (found.end, found.start)


# ---------------------------------------------------------------------------------------------------------- detector


@overload
def detect(
    pattern: PatternLike,
    trace: TraceLike,
    *,
    detector: DetectorLike = ...,
    intervals: Literal[False] = ...,
    partition_by: None = ...,
    **options: Any,
) -> Found[Instance]: ...
@overload
def detect(
    pattern: PatternLike,
    trace: TraceLike,
    *,
    detector: DetectorLike = ...,
    intervals: Literal[True],
    partition_by: None = ...,
    **options: Any,
) -> Found[Interval]: ...
@overload
def detect(
    pattern: PatternLike,
    trace: TraceLike,
    *,
    detector: DetectorLike = ...,
    intervals: Literal[False] = ...,
    partition_by: str,
    **options: Any,
) -> FoundByPartition[Instance]: ...
@overload
def detect(
    pattern: PatternLike,
    trace: TraceLike,
    *,
    detector: DetectorLike = ...,
    intervals: Literal[True],
    partition_by: str,
    **options: Any,
) -> FoundByPartition[Interval]: ...
def detect(
    pattern: PatternLike,
    trace: TraceLike,
    *,
    detector: DetectorLike = AUTO,
    intervals: bool = False,
    partition_by: str | None = None,
    **options: Any,
) -> Found[Instance] | Found[Interval] | FoundByPartition[Instance] | FoundByPartition[Interval]:
    """What a detector finds in a trace: for each time at which the pattern occurs, an instance with the latest start.

    Args:
        pattern: an expression or its text.
        trace: a trace, what one can be made of, or the path of a file.
        detector: "auto", the name of a detector, `package.module:object`, or a class or function that makes one.
        intervals: only starts and ends, which is faster.
        partition_by: a column, such as one of users or hosts; then each of its values is looked at by itself, and
            what comes back is a mapping from the value to what was found.
        options: how the trace is read (`remora.Reading`), such as `time="when", tick="1s"`.

    Raises:
        InputError: the pattern, the trace or the detector cannot be used.
        WrongDetector: the detector breaks down, or reports what cannot be a detection.
    """
    if detector in (AUTO, "columns") and not isinstance(trace, Trace):
        from remora.api.detecting.column_findings import found_by_columns  # which brings Polars

        asked = as_pattern(pattern, options.get("tick"))
        with as_arguments():
            whole = found_by_columns(asked, trace, options, intervals=intervals, partition_by=partition_by)
        if whole is not None:
            return whole
    if partition_by is not None:
        from remora.api.detecting.partitioned import FoundByPartition

        tick = options.get("tick") or (trace.tick if isinstance(trace, Trace) else None)
        asked = as_pattern(pattern, tick)
        traces = as_traces(trace, partition_by, options, asked)
        apart = {key: _detected(asked, where, detector, intervals=intervals) for key, where in traces.items()}
        return FoundByPartition(asked, partition_by, cast("dict[Partition, Found[Instance]]", apart))
    return _detected(*as_pattern_and_trace(pattern, trace, options), detector, intervals=intervals)


def _detected(
    meant: Expression, where: Trace, detector: DetectorLike, *, intervals: bool
) -> Found[Instance] | Found[Interval]:
    from detectors.carlson_lisper.protocol import instants
    from remora.api.detecting.makers import made

    fed = list(instants(where.only(*identifiers(meant)).interpretation))
    with as_arguments():
        chosen = made(detector, meant, intervals=intervals)
    stepper = chosen.maker()
    reports = (stepper.step(time, values) for time, values in fed)
    found = tuple(report for report in reports if report is not None)
    how = f"detected by {chosen.name}"
    if intervals:
        return Found(
            meant, where, tuple(each for each in found if isinstance(each, Interval)), how, whole=False
        )
    return Found(meant, where, tuple(each for each in found if isinstance(each, Instance)), how)
