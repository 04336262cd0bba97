"""Traces: read from files, taken from tables, or written down in a program."""

from __future__ import annotations

import difflib
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, cast, overload

from remora.api.arguments import as_arguments, brief, require_path
from remora.api.cards import Card, Shown, Table
from remora.api.patterns.patterns import PatternLike, as_pattern
from remora.terminal.texts import counted
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Interpretation, Occurrence, Time, interpretation
from semantics.carlson_lisper.traces import form_of, occurrence_of
from semantics.errors import InputError
from semantics.events import TraceForm, quoted
from semantics.traces.files import ArrowTable, TraceSource, read_rows
from semantics.traces.instants import ReadReport, admissible
from semantics.traces.reading import OPTIONS, Reading
from semantics.traces.rows import Origin, Partition, Row, event_of, partition_of, value_of
from semantics.traces.times import times_of

if TYPE_CHECKING:
    from reports.drawing.layout import Timeline
    from semantics.clock import Clock

DRAWN_TYPES = 12
"""So many event types of a trace are drawn, the most frequent ones."""

DRAWN = 60
"""So many occurrences of a trace are drawn, the first ones."""


TraceData: TypeAlias = "Mapping[str, object] | Iterable[Occurrence] | ArrowTable | Interpretation"
"""Source of a trace.

A mapping has for each event type its times, some perhaps with a value. Its type says less than it could: a checker that
is shown `{"a": [1, 2], "b": [(3, "x")]}` finds out no more.
"""


@dataclass(frozen=True, repr=False)
class Trace(Shown, Sequence[Occurrence]):
    """Trace of one scenario: occurrences in order of time (Def. 3.4, 3.5).

    Make one with `trace` or `read_trace`, which check it.

    Attributes:
        occurrences: by time, then event type.
        name: where it comes from; "" where it was written down.
        notes: what was changed to accept it, in words.
        tick: how long a tick is, such as "1s"; None where that was not said.
        clock: how times of day are counted; None where times are ticks.
    """

    occurrences: tuple[Occurrence, ...]
    name: str = ""
    notes: tuple[str, ...] = ()
    tick: str | None = None
    clock: Clock | None = None

    def shown(self, time: Time) -> Time | str:
        """A time as it is shown: in ticks, or as ISO 8601 where the trace has times of day."""
        return time if self.clock is None else self.clock.text(time)

    @property
    def interpretation(self) -> Interpretation:
        """Trace as a map from event types to primitive event streams (Def. 3.5)."""
        return interpretation(self.occurrences)

    @property
    def events(self) -> dict[str, int]:
        """How often each event type occurs, the most frequent first."""
        return dict(Counter(occurrence.event for occurrence in self.occurrences).most_common())

    def between(self, first: Time, last: Time) -> Trace:
        """The part of the trace from one time to another, in ticks, both included."""
        kept = tuple(occurrence for occurrence in self.occurrences if first <= occurrence.time <= last)
        return replace(self, occurrences=kept, name=f"{self.name or 'trace'} [{first}, {last}]", notes=())

    def without_values(self) -> Trace:
        """Trace without the values that occurrences carry, which the algebra never looks at."""
        kept = tuple(Occurrence(each.event, each.time) for each in self.occurrences)
        return replace(self, occurrences=kept)

    def only(self, *events: str) -> Trace:
        """The occurrences of some event types alone."""
        kept = tuple(occurrence for occurrence in self.occurrences if occurrence.event in events)
        return replace(self, occurrences=kept, notes=())

    @overload
    def __getitem__(self, index: int) -> Occurrence: ...
    @overload
    def __getitem__(self, index: slice) -> Trace: ...
    def __getitem__(self, index: int | slice) -> Occurrence | Trace:
        """One occurrence, or some of them as a trace."""
        if isinstance(index, slice):
            return replace(self, occurrences=self.occurrences[index], notes=())
        return self.occurrences[index]

    def __len__(self) -> int:
        """How many occurrences there are."""
        return len(self.occurrences)

    def __iter__(self) -> Iterator[Occurrence]:
        """The occurrences in order of time."""
        return iter(self.occurrences)

    def timeline(self) -> Timeline:
        """The drawing of its beginning."""
        from reports.drawing.layout import Timeline

        types = list(self.events)[:DRAWN_TYPES]
        shown = [occurrence for occurrence in self.occurrences if occurrence.event in types][:DRAWN]
        return Timeline("", (), ("", ""), tuple(shown), (), compares=False, shown=self.shown)

    def card(self) -> Card:
        """Its size, its event types where there are many occurrences, and the drawing of its beginning."""
        if not self.occurrences:
            return Card(self.name, lines=("a trace without occurrences",), notes=self.notes)
        drawing, events = self.timeline(), self.events
        first, last = self.occurrences[0].time, self.occurrences[-1].time
        size = f"{counted(len(self), 'occurrence')} of {counted(len(events), 'event type')}"
        shown = (f"{at:,}" if isinstance(at, int) else at for at in map(self.shown, (first, last)))
        size += f", from {' to '.join(shown)}"
        notes: tuple[str, ...] = self.notes
        blocks: tuple[Table | Timeline, ...] = (drawing,)
        if len(drawing.occurrences) < len(self):
            rows = tuple((quoted(event), f"{count:,}") for event, count in events.items())
            blocks = (Table(("event type", "occurrences"), rows, frozenset({"occurrences"})), drawing)
            notes = (f"drawn: the first {len(drawing.occurrences)} occurrences", *notes)
        return Card(self.name, lines=(size,), blocks=blocks, notes=notes)


TraceLike: TypeAlias = "Trace | TraceData | str | os.PathLike[str] | Sequence[str | os.PathLike[str]]"
"""A trace, what one can be made of, or the path of a file with one, a pattern of paths, or several of them."""


def trace(data: TraceData, **options: Any) -> Trace:
    """A trace that is there already.

    Args:
        data: event types with the times at which they occur, as in `{"fail": [3, 9], "ok": [(12, "anna")]}`;
            occurrences; or a table of pandas, Polars or PyArrow with the columns `time`, `event` and perhaps `value`.
            Times are integer ticks, or with `tick` also dates. Those of a mapping are sorted in any case.
        options: how it is read (`remora.Reading`), such as `sort=True`.

    Raises:
        InputError: it is no trace (Def. 3.4).
    """
    return _trace(data, options, None)


def read_trace(path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], **options: Any) -> Trace:
    """The trace in a file: CSV `time,event,value`, JSON Lines with these keys, or Parquet with these columns.

    Args:
        path: the file, which may be compressed with gzip or zstd; a pattern of paths, or several of them; or with
            `sql=True` a query of DuckDB.
        options: how it is read (`remora.Reading`), such as `time="when", tick="1s"`.

    Raises:
        InputError: it is no trace; names the line and what would accept it.
    """
    if not are_paths(path):
        require_path(path)
    return _trace(path, options, None)


def read_traces(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], partition_by: str, **options: Any
) -> dict[Partition, Trace]:
    """A trace for each value of a column, such as a user, a host or a case; otherwise as `read_trace`."""
    if not are_paths(path):
        require_path(path)
    return as_traces(path, partition_by, options, None)


def as_trace(given: TraceLike) -> Trace:
    """The trace that is meant: itself, made of something, or read from a file."""
    return _trace(given, {}, None)


def as_traces(
    given: TraceLike, partition_by: str, options: Mapping[str, Any], pattern: Expression | None
) -> dict[Partition, Trace]:
    """A trace for each value of a column, in the order in which they come first.

    Args:
        given: what a trace can be made of; of occurrences, the column is their `value`.
        pattern: the pattern that it is read for, if there is one.

    Raises:
        InputError: it is no trace, or there is no such column.
    """
    if not isinstance(given, Trace):
        return _read(given, options, pattern, partition_by)
    return {
        key: replace(
            each,
            name=", ".join(filter(None, (given.name, each.name))),
            notes=(*given.notes, *each.notes),
            tick=given.tick,
            clock=given.clock,
        )
        for key, each in _read(given.occurrences, options, pattern, partition_by).items()
    }


def as_pattern_and_trace(
    pattern: PatternLike, given: TraceLike, options: Mapping[str, Any]
) -> tuple[Expression, Trace]:
    """The pattern and the trace that are meant, read for each other.

    Types that the pattern does not mention never refuse the trace; its bounds may have units where the tick is stated.

    Raises:
        InputError: one of them is none.
    """
    tick = options.get("tick") or (given.tick if isinstance(given, Trace) else None)
    meant = as_pattern(pattern, tick)
    return meant, _trace(given, options, meant)


def _trace(given: TraceLike, options: Mapping[str, Any], pattern: Expression | None) -> Trace:
    if isinstance(given, Trace):
        with as_arguments():
            _require_about_data(reading_of(options), "tick")
        return given
    return _read(given, options, pattern, None)[None]


def _read(
    given: TraceData | str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    options: Mapping[str, Any],
    pattern: Expression | None,
    partition_by: str | None,
) -> dict[Partition, Trace]:
    """The trace of each partition; without a column that partitions, that of the partition None."""
    found: defaultdict[Partition, list[Occurrence]] = defaultdict(list, {} if partition_by else {None: []})
    with as_arguments():
        reading, report = reading_of({"partition_by": partition_by, **options}), ReadReport()
        form = form_of(pattern)
        rows = rows_of(given, reading, form, report)
        for instant in admissible(rows, form=form, sort=reading.sort, same_time=reading.same_time, report=report):
            for row in instant.rows:
                found[row.partition].append(occurrence_of(row))
        if partition_by is not None:
            report.partition_by = partition_by
            report.without_partition = report.without_partition or len(found.get(None, ()))
    traces, notes = {}, tuple(report.messages())
    for key, occurrences in found.items():
        part = f"{partition_by} {'(none)' if key is None else key}" if partition_by else ""
        name = ", ".join(filter(None, (name_of(given), part)))
        traces[key] = Trace(
            tuple(sorted(occurrences, key=Occurrence.sort_key)), name, notes, reading.tick, report.clock
        )
    return traces


def name_of(given: object) -> str:
    """Name of a trace: the path of its file, or the first of several and how many more there are."""
    if are_paths(given):
        first, *others = map(os.fspath, cast("Sequence[str]", given))
        return f"{first} and {counted(len(others), 'file')} more" if others else first
    return os.fspath(given) if isinstance(given, str | os.PathLike) else ""


def _require_about_data(reading: Reading, *known: str) -> None:
    for name in reading.stated():
        if name not in known:
            raise InputError(f"{name} is about files and tables, and this is neither", remedy="Leave it out.")


# ------------------------------------------------------------------------------------------------------------- rows


def _time_and_type(row: Row) -> tuple[Time, str]:
    return row.time, row.event


def rows_of(data: TraceLike, reading: Reading, form: TraceForm, report: ReadReport) -> Iterable[Row]:
    """The rows of what a trace can be made of."""
    if _is_records(data):
        data = _table_of(cast("Sequence[Mapping[str, object]]", data))
    if isinstance(data, str | os.PathLike | ArrowTable) or are_paths(data):
        return read_rows(cast("TraceSource", data), reading, form=form, report=report)
    if isinstance(data, Mapping):
        _require_one_trace(data)
    _require_about_data(reading, "sort", "same_time", "tick", "zone", "epoch", "round", "partition_by")
    if reading.partition_by not in (None, "value"):
        raise InputError(
            f"occurrences have no {brief(reading.partition_by)}: they have an event type, a time and a value",
            remedy='Write partition_by="value", or give a table or a list of dictionaries.',
        )
    if isinstance(data, Interpretation):
        return _occurrence_rows(data.occurrences(), _Maker("interpretation", reading, report))
    maker = _Maker("trace", reading, report)
    if isinstance(data, Mapping):
        return sorted(_mapping_rows(data, maker), key=_time_and_type)
    if isinstance(data, Iterable) and not isinstance(data, bytes):
        return _occurrence_rows(cast("Iterable[Occurrence]", data), maker)
    remedy = "Collect it first: frame.collect()." if hasattr(data, "collect") else _NO_OCCURRENCES
    raise InputError(f"{brief(data)} is no trace", remedy=remedy)


def reading_of(options: Mapping[str, Any]) -> Reading:
    """The reading that options of a function state.

    Raises:
        InputError: there is no such option.
    """
    for name in options:
        if name not in OPTIONS:
            near = difflib.get_close_matches(name, OPTIONS, n=1)
            remedy = f"Did you mean {near[0]}?" if near else f"A log is read with {', '.join(OPTIONS)}."
            raise InputError(f"there is no option {name}", remedy=remedy)
    return Reading(**options)


def are_paths(data: object) -> bool:
    """Whether several files make a log."""
    return isinstance(data, list | tuple) and bool(data) and all(isinstance(each, str | os.PathLike) for each in data)


def _is_records(data: object) -> bool:
    return isinstance(data, list | tuple) and bool(data) and all(isinstance(each, Mapping) for each in data)


def _table_of(records: Sequence[Mapping[str, object]]) -> ArrowTable:
    """Dictionaries as a table, with a column for every key."""
    import pyarrow

    columns: dict[str, Any] = {}
    for name in dict.fromkeys(name for record in records for name in record):
        try:
            columns[str(name)] = pyarrow.array([record.get(name) for record in records], from_pandas=True)
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError) as error:
            raise InputError(
                f"the values of {brief(name)} are of several kinds: {error}", remedy="Make them all of one kind."
            ) from None
    return cast(ArrowTable, pyarrow.table(columns))


class _Maker:
    """Makes rows of values."""

    def __init__(self, name: str, reading: Reading, report: ReadReport) -> None:
        self.origin, self._read_time = Origin(name, "row"), times_of(reading, report)
        self._partitioned = reading.partition_by is not None

    def row(self, time: object, event: object, value: object, number: int) -> Row:
        if _is_integer(time):  # such as an integer of NumPy's
            with suppress(TypeError):  # an array says that it is one, and may be longer
                time = index(cast(SupportsIndex, time))
        origin = self.origin
        tick = self._read_time(time, origin, number)
        attributes = {"value": value_of(value, origin, number)}
        partition = partition_of(attributes["value"], origin, number) if self._partitioned else None
        return Row(tick, event_of(event, origin, number), tick, attributes, partition, origin, number)


def _mapping_rows(data: Mapping[Any, object], maker: _Maker) -> Iterator[Row]:
    number = 0
    for event, times in data.items():
        for each in _listed(event, times, maker.origin):
            number += 1
            time, value = each if isinstance(each, tuple) and len(each) == 2 else (each, None)
            yield maker.row(time, event, value, number)


def _require_one_trace(data: Mapping[Any, object]) -> None:
    """Refuse a dictionary of traces."""
    for key, each in data.items():
        table = isinstance(each, ArrowTable) and hasattr(each, "columns")
        if table or _is_records(each) or isinstance(each, Trace | Interpretation):
            raise InputError(
                f"this is a dictionary of traces ({brief(key)} has a trace of its own), and one trace is asked for",
                remedy="Ask for each: {key: remora.detect(pattern, each) for key, each in traces.items()}. Of one table"
                ' with a column of keys: partition_by="key".',
            )


def _listed(event: object, times: object, origin: Origin) -> Iterable[object]:
    """The times of an event type, one or several, some perhaps with a value."""
    if isinstance(times, Mapping):
        raise origin.error(
            0,
            f"the times of {event} are a mapping, whose values would be lost",
            'Write times with values as pairs: {"ok": [(12, "anna"), (15, "ben")]}. For a dictionary of traces, ask for'
            " each: {key: remora.detect(pattern, each) for key, each in traces.items()}.",
        )
    if isinstance(times, tuple) and len(times) > 1 and all(map(_is_integer, times)):
        raise origin.error(
            0,
            f"{times} can be several times of {event}, or one time with a value",
            f"Write {list(times)} for several times, [(time, value)] for one with a value.",
        )
    if isinstance(times, str | tuple) or not isinstance(times, Iterable):
        return (times,)
    return cast("Iterable[object]", times)


def _is_integer(given: object) -> bool:
    return isinstance(given, SupportsIndex) and not isinstance(given, bool)


_NO_OCCURRENCES = (
    'Write {"fail": [3, 9]}, give remora.Occurrence("fail", 3), or a table with the columns time, event and value.'
    " For a file: remora.read_trace(path)."
)


def _occurrence_rows(data: Iterable[Occurrence], maker: _Maker) -> Iterator[Row]:
    for number, each in enumerate(data, 1):
        if not isinstance(each, Occurrence):
            raise InputError(
                f"a {type(each).__name__} is no occurrence", place=maker.origin.place(number), remedy=_NO_OCCURRENCES
            )
        yield maker.row(each.time, each.event, each.value, number)
