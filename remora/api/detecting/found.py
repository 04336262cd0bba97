"""Instances of a pattern in a trace, by its definition or as a detector finds them, and how they are shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

from detectors.carlson_lisper.catalogue import AUTO
from detectors.carlson_lisper.protocol import instants
from remora.api.cards import Card, Tabular, standalone_svg, times_column
from remora.api.detecting.detection import Detection, DetectorLike, made
from remora.api.detecting.traces import Trace, TraceLike, are_all, as_trace, as_traces, name_of, reading_of
from remora.api.patterns.patterns import PatternLike, as_pattern
from remora.terminal.console import counted
from remora.terminal.progress import Tell, unheard
from reports.drawing.layout import Bar, Timeline, plain
from reports.page import Table
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, identifiers
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Occurrence, Stream, found_data
from semantics.carlson_lisper.restriction import restriction
from semantics.errors import InputError, LimitExceeded, unknown_events
from semantics.events import Interval
from semantics.traces.files import ArrowTable
from semantics.traces.rows import Partition, ReadReport

FoundT = TypeVar("FoundT", Instance, Interval)

DRAWN, LISTED = 8, 20  # So many instances, or partitions, are drawn or listed in a table
SMALL = 20  # Of a trace with more occurrences that matter, those are drawn that lie within what was found


@dataclass(frozen=True, repr=False)
class Drawing:
    """A drawing that a notebook shows, and that can be saved: its title in words, and an SVG document."""

    title: str
    svg: str

    def __repr__(self) -> str:
        return f'a drawing of {self.title}; .save("found.svg") writes it to a file'

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the drawing to a file whose name ends in `.svg`, or as a page to one that ends in `.html`."""
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
        self._length, self._items = length, cache(lambda: tuple(make()))

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: Any) -> Any:
        return self._items()[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self[:] == tuple(other)


@dataclass(frozen=True, repr=False)
class Found(Tabular, Sequence[FoundT], Generic[FoundT]):
    """Detections in the order of their ends: a sequence of instances (Def. 3.7), or of starts and ends alone.

    Attributes:
        trace: where; of a file or table that was evaluated by columns, the event types of the pattern alone.
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
            columns["instance"] = pyarrow.array((" ".join(self._texts(each)) for each in self.found), pyarrow.string())
        return pyarrow.table(columns)

    def _texts(self, each: Instance | Interval) -> list[str]:
        """The occurrences of an instance; none of an interval."""
        members = each.sorted_occurrences() if isinstance(each, Instance) else ()
        return [one.text(self.trace.shown(one.time)) for one in members]

    @overload
    def __getitem__(self, index: int) -> FoundT: ...
    @overload
    def __getitem__(self, index: slice) -> Found[FoundT]: ...
    def __getitem__(self, index: int | slice) -> FoundT | Found[FoundT]:
        if not isinstance(index, slice):
            return self.found[index]
        return replace(self, found=self.found[index], table=self.table and (lambda: self.to_arrow()[index]))

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[FoundT]:
        return iter(self.found)

    def plot(self) -> Drawing:
        """A drawing of the first ones with what else occurs meanwhile."""
        return Drawing(self._counted(), standalone_svg(self.timeline(between=True)))

    def timeline(self, *, between: bool = False) -> Timeline:
        """The first of them with the trace, or as much of it as lies within them, and perhaps between them."""
        relevant, bars, time = identifiers(self.pattern), [], self.trace.shown
        for each in self.found[:DRAWN]:
            members = each.sorted_occurrences() if isinstance(each, Instance) else ()
            said = f"{{{', '.join(self._texts(each))}}}" if members else f"[{time(each.start)}, {time(each.end)}]"
            noun = "instance" if self.whole else "interval"
            bars.append(Bar(each.start, each.end, "left", True, members, noun, said))
        occurrences = [each for each in self.trace if each.event in relevant]
        if bars and len(occurrences) > SMALL:
            spans = [(each.start, each.end) for each in bars]
            if between:
                spans = [(min(start for start, _ in spans), max(end for _, end in spans))]
            occurrences = [each for each in occurrences if any(one <= each.time <= two for one, two in spans)]
        drawn, types = tuple(occurrences), tuple(relevant) if occurrences else ()
        about = plain(self.pattern), (self._counted(),), ("pattern", ""), drawn, tuple(bars)
        return Timeline(*about, compares=False, types=types, shown=time)

    def _counted(self) -> str:
        noun = "instance" if self.whole else "interval"
        return plain(f"{counted(len(self), noun)} in {self.trace.name or 'the trace'}, {self.how}")

    def card(self) -> Card:
        """How many there are, the first of them drawn, and a table of more."""
        shown = self.trace.shown
        asked: frozenset[str] = identifiers(self.pattern)
        seen: Mapping[str, int] = self.seen or self.trace.events
        notes: tuple[str, ...] = (*self.trace.notes, *unknown_events(asked, seen))
        if not self.found and len(self.trace) > 2 * DRAWN:
            return Card(str(self.pattern), lines=(self._counted(),), notes=notes)
        drawing = self.timeline()
        blocks: list[Table | Timeline] = [drawing]
        if self.found and len(drawing.occurrences) < sum(seen.get(name, 0) for name in asked):
            notes = ("drawn: only what occurs within what was found", *notes)
        if len(self) > DRAWN:
            spans = ((str(shown(each.start)), str(shown(each.end)), self._texts(each)) for each in self[:LISTED])
            rows = tuple((start, end, " ".join(texts)) for start, end, texts in spans)
            blocks.append(Table(("start", "end", "instance"), rows, ("start", "end")))
            rest = f"; listed: the first {LISTED}" if len(self) > LISTED else ""
            notes = (f"drawn: the first {DRAWN}{rest}", *notes)
        return Card("", blocks=tuple(blocks), notes=notes)


@dataclass(frozen=True, repr=False)
class FoundByPartition(Tabular, Mapping[Partition, Found[FoundT]], Generic[FoundT]):
    """Detections by the value of a column: a mapping from the value to what was found in the rows that have it.

    The values are in the order in which they come first; `table` makes the table, where they were found by columns.
    """

    pattern: Expression
    partition_by: str
    found: Mapping[Partition, Found[FoundT]]
    table: Callable[[], Any] | None = field(default=None, compare=False)

    def __getitem__(self, key: Partition) -> Found[FoundT]:
        return self.found[key]

    def __iter__(self) -> Iterator[Partition]:
        return iter(self.found)

    def __len__(self) -> int:
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
        table = Table((self.partition_by, "detections"), rows, ("detections",))
        return Card(plain(self.pattern), lines=(self._counted(),), blocks=(table,), notes=tuple(notes))


def evaluate(
    pattern: PatternLike, trace: TraceLike, *, restricted: bool = False, intervals: bool = False, **options: Any
) -> Found[Any]:
    """All instances of a pattern in a trace, as the definition says (Def. 3.11).

    Args:
        trace: a trace, what one can be made of, or the path of a file; options say how it is read (`remora.Reading`).
        restricted: only a valid restriction (Def. 3.12): for each end, one instance with the latest start.
        intervals: only starts and ends, which works for much longer traces.

    Raises:
        InputError: the pattern or the trace cannot be read.
        LimitExceeded: there are too many candidates; the answer would not be complete.
    """
    meant = pattern_for(pattern, trace, options)
    where = as_trace(trace, options, meant)
    scenario = where.only(*identifiers(meant)).interpretation
    by_definition: Any = meant_intervals if intervals else meant_instances
    found = tuple(sorted(by_definition(meant, scenario, restricted=restricted), key=by_end))
    return Found(meant, where, found, "by Def. 3.12" if restricted else "by Def. 3.11", whole=not intervals)


def pattern_for(pattern: PatternLike, trace: TraceLike, options: Mapping[str, Any]) -> Expression:
    """The pattern, whose bounds may have units where the tick of the trace is stated."""
    return as_pattern(pattern, options.get("tick") or (trace.tick if isinstance(trace, Trace) else None))


def meant_instances(pattern: Expression, scenario: Interpretation, *, restricted: bool) -> Stream:
    """The instances of a pattern by definition, or a valid restriction of them (Def. 3.12)."""
    try:
        meaning = denotation(pattern, scenario)
    except LimitExceeded as error:
        remedy = "Use --level intervals for starts and ends, or `remora detect` for one instance per time."
        raise LimitExceeded(error.reason, remedy=remedy) from None
    return restriction(meaning) if restricted else meaning


def meant_intervals(
    pattern: Expression, scenario: Interpretation, *, restricted: bool, tell: Tell = unheard
) -> Iterator[Interval]:
    """The intervals of the instances of a pattern by definition, or of a valid restriction of them (Def. 3.12)."""
    from semantics.carlson_lisper.intervals import Intervals  # which brings NumPy

    spans = Intervals(pattern, scenario)
    for node in bottom_up(pattern):
        if isinstance(node, Operation):
            tell(node.definition.title)
            spans.matrix(node)
    yield from spans.restricted() if restricted else spans.intervals()


def by_end(found: Instance | Interval) -> tuple[object, ...]:
    """The order of what is found: by end, then start, then the occurrences."""
    return found.sort_key() if isinstance(found, Instance) else (found.end, found.start)


@overload
def detect(
    pattern: PatternLike, trace: TraceLike, *, detector: DetectorLike = ..., intervals: bool = ...,
    partition_by: None = ..., **options: Any,
) -> Found[Any]: ...  # fmt: skip
@overload
def detect(
    pattern: PatternLike, trace: TraceLike, *, detector: DetectorLike = ..., intervals: bool = ...,
    partition_by: str, **options: Any,
) -> FoundByPartition[Any]: ...  # fmt: skip
def detect(
    pattern: PatternLike,
    trace: TraceLike,
    *,
    detector: DetectorLike = AUTO,
    intervals: bool = False,
    partition_by: str | None = None,
    **options: Any,
) -> Found[Any] | FoundByPartition[Any]:
    """Detections in a trace: for each time at which the pattern occurs, an instance with the latest start.

    Args:
        trace: a trace, what one can be made of, or the path of a file; options say how it is read (`remora.Reading`).
        detector: "auto", the name of a detector, `package.module:object`, or a class or function that makes one.
        intervals: only starts and ends, which is faster.
        partition_by: a column, such as one of users or hosts; then each of its values is looked at by itself, and
            what comes back is a mapping from the value to what was found.

    Raises:
        InputError: the pattern, the trace or the detector cannot be used.
        WrongDetector: the detector breaks down, or reports what cannot be a detection.
    """
    meant = pattern_for(pattern, trace, options)
    if detector in (AUTO, "columns") and (isinstance(trace, str | os.PathLike | ArrowTable) or are_all(trace)):
        whole = _by_columns(meant, trace, options, intervals=intervals, partition_by=partition_by)
        if whole is not None:
            return whole
    apart: dict[Partition, Found[Any]] = {}
    for key, where in as_traces(trace, partition_by, options, meant).items():
        chosen = made(detector, meant, intervals=intervals, scale=where.scale)
        detection = Detection(meant, chosen.maker)
        stepper = detection.detectors[None]
        reports = (stepper.step(*each) for each in instants(where.only(*identifiers(meant)).interpretation))
        found = tuple(report for report in reports if report is not None) or tuple(each for _, each in detection.rest())
        apart[key] = Found(meant, where, found, f"detected by {chosen.name}", whole=not intervals)
    return apart[None] if partition_by is None else FoundByPartition(meant, partition_by, apart)


def _by_columns(
    pattern: Expression, given: Any, options: Mapping[str, Any], *, intervals: bool, partition_by: str | None
) -> Found[Any] | FoundByPartition[Any] | None:
    """Detections in a file, several, or a table, made when asked for; None where it is to be read row by row."""
    import polars as pl

    from remora.api.detecting.columns import ColumnDetection, Rendering, as_arrow
    from semantics.traces.scan import Unusual, scan

    report = ReadReport()
    try:
        scanned = scan(given, reading_of({"partition_by": partition_by, **options}))
        detection = ColumnDetection(scanned, [pattern], report, instances=not intervals, values=True)
        batches = list(detection.rows())
        found = pl.concat(detection.found(batches))
    except Unusual:
        return None
    rendering, rows = Rendering(scanned, [""]), pl.concat([batch for batch, _ in batches])
    reading = scanned.reading
    whole = Trace((), name_of(given), tuple(report.messages()), reading.tick, report.clock, reading.scale)

    def part(trace: Trace, found: pl.DataFrame, rows: pl.DataFrame) -> Found[Any]:
        occurrences = Lazy(len(rows), lambda: sorted(rendering.occurrences(rows), key=Occurrence.sort_key))
        return Found(
            pattern,
            replace(trace, occurrences=occurrences),
            Lazy(len(found), lambda: rendering.values(found)),
            "detected by columns",
            whole=not intervals,
            table=lambda: as_arrow(rendering.table(found)),
            seen=report.events,
        )

    if partition_by is None:
        return part(whole, found, rows)
    found_of, rows_of = (frame.partition_by("partition", as_dict=True) for frame in (found, rows))
    cells = scanned.rows.select(pl.col("partition").unique(maintain_order=True)).collect()["partition"]
    parts: dict[Partition, Found[Any]] = {}
    for cell, key in zip(cells.to_list(), scanned.partitions(cells), strict=True):
        inside = found_of.get((cell,), found.clear()).drop("partition")
        parts[key] = part(whole.part(partition_by, key, ()), inside, rows_of.get((cell,), rows.clear()))
    ordered = found.sort("partition", maintain_order=True)
    return FoundByPartition(pattern, partition_by, parts, table=lambda: as_arrow(rendering.table(ordered)))
