"""Traces: read from files, taken from tables, or written down in a program."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import index
from typing import Any, SupportsIndex, TypeAlias, cast, overload

from remora.api.arguments import brief, require_path
from remora.api.cards import Card, Shown
from remora.terminal.console import counted
from reports.drawing.layout import Timeline
from reports.page import Table
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Interpretation, Occurrence, Time, interpretation
from semantics.carlson_lisper.traces import form_of, occurrence_of
from semantics.clock import Clock
from semantics.errors import InputError, nearest
from semantics.events import TraceForm, quoted
from semantics.traces.files import ArrowTable, TraceSource, read_rows
from semantics.traces.reading import OPTIONS, Reading
from semantics.traces.rows import Origin, Partition, ReadReport, Row, admissible, event_of, partition_of, value_of
from semantics.traces.times import times_of

DRAWN_TYPES, DRAWN = 12, 60
"""So many event types of a trace are drawn, the most frequent ones, and of their occurrences the first ones."""

TraceData: TypeAlias = "Mapping[str, object] | Iterable[Occurrence] | ArrowTable | Interpretation"
"""Source of a trace; a mapping has for each event type its times, some perhaps with a value."""


@dataclass(frozen=True, repr=False)
class Trace(Shown, Sequence[Occurrence]):
    """Trace of one scenario: occurrences in order of time (Def. 3.4, 3.5).

    Make one with `trace` or `read_trace`, which check it.

    Attributes:
        name: where it comes from; "" where it was written down.
        notes: what was changed to accept it, in words.
        tick: how long a tick is, such as "1s"; None where that was not said.
        clock: how times of day are counted; None where times are ticks.
        scale: more than 1 where times are moments: occurrences of one tick come one after the other (`ties`).
    """

    occurrences: Sequence[Occurrence]
    name: str = ""
    notes: tuple[str, ...] = ()
    tick: str | None = None
    clock: Clock | None = None
    scale: int = 1

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
        return replace(self, occurrences=tuple(Occurrence(each.event, each.time) for each in self.occurrences))

    def only(self, *events: str) -> Trace:
        """The occurrences of some event types alone."""
        kept = tuple(occurrence for occurrence in self.occurrences if occurrence.event in events)
        return replace(self, occurrences=kept, notes=())

    def part(self, partition_by: str | None, key: Partition, occurrences: Sequence[Occurrence]) -> Trace:
        """A trace of the same origin: that of a partition, where there is a column of them."""
        named = f"{partition_by} {'(none)' if key is None else key}" if partition_by else ""
        name = ", ".join(filter(None, (self.name, named)))
        return replace(self, occurrences=tuple(occurrences), name=name)

    @overload
    def __getitem__(self, index: int) -> Occurrence: ...
    @overload
    def __getitem__(self, index: slice) -> Trace: ...
    def __getitem__(self, index: int | slice) -> Occurrence | Trace:
        found: Any = self.occurrences[index]
        return replace(self, occurrences=found, notes=()) if isinstance(index, slice) else found

    def __len__(self) -> int:
        return len(self.occurrences)

    def __iter__(self) -> Iterator[Occurrence]:
        return iter(self.occurrences)

    def timeline(self) -> Timeline:
        """The drawing of its beginning."""
        types = list(self.events)[:DRAWN_TYPES]
        shown = [occurrence for occurrence in self.occurrences if occurrence.event in types][:DRAWN]
        return Timeline("", (), ("", ""), tuple(shown), (), compares=False, shown=self.shown)

    def card(self) -> Card:
        """Its size, its event types where there are many occurrences, and the drawing of its beginning."""
        if not self.occurrences:
            return Card(self.name, lines=("a trace without occurrences",), notes=self.notes)
        drawing, events = self.timeline(), self.events
        first, last = (self.shown(self.occurrences[place].time) for place in (0, -1))
        size = f"{counted(len(self), 'occurrence')} of {counted(len(events), 'event type')}, from {first} to {last}"
        if len(drawing.occurrences) == len(self):
            return Card(self.name, lines=(size,), blocks=(drawing,), notes=self.notes)
        rows = tuple((quoted(event), f"{count:,}") for event, count in events.items())
        table = Table(("event type", "occurrences"), rows, ("occurrences",))
        notes = (f"drawn: the first {len(drawing.occurrences)} occurrences", *self.notes)
        return Card(self.name, lines=(size,), blocks=(table, drawing), notes=notes)


TraceLike: TypeAlias = "Trace | TraceData | str | os.PathLike[str] | Sequence[str | os.PathLike[str]]"
"""A trace, what one can be made of, or the path of a file with one, a pattern of paths, or several of them."""


def trace(data: TraceData, **options: Any) -> Trace:
    """A trace that is there already; options say how it is read (`remora.Reading`), such as `sort=True`.

    Args:
        data: event types with the times at which they occur, as in `{"fail": [3, 9], "ok": [(12, "anna")]}`;
            occurrences; or a table of pandas, Polars or PyArrow with the columns `time`, `event` and perhaps `value`.
            Times are integer ticks, or with `tick` also dates. Those of a mapping are sorted in any case.

    Raises:
        InputError: it is no trace (Def. 3.4).
    """
    return as_trace(data, options)


def read_trace(path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], **options: Any) -> Trace:
    """The trace in a file: CSV `time,event,value`, JSON Lines with these keys, or Parquet with these columns.

    The file may be compressed with gzip or zstd. There may be a pattern of paths, several paths, or with `sql=True`
    a query of DuckDB. Options say how it is read (`remora.Reading`), such as `time="when", tick="1s"`.

    Raises:
        InputError: it is no trace; names the line and what would accept it.
    """
    return as_trace(_required(path), options)


def read_traces(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], partition_by: str, **options: Any
) -> dict[Partition, Trace]:
    """A trace for each value of a column, such as a user, a host or a case; otherwise as `read_trace`."""
    return as_traces(_required(path), partition_by, options, None)


def _required(path: TraceLike) -> TraceLike:
    if not are_all(path):
        require_path(path)
    return path


def as_trace(given: TraceLike, options: Mapping[str, Any], pattern: Expression | None = None) -> Trace:
    """The trace that is meant; types that the pattern does not mention, if there is one, never refuse the trace."""
    return as_traces(given, None, options, pattern)[None]


def as_traces(
    given: TraceLike, partition_by: str | None, options: Mapping[str, Any], pattern: Expression | None
) -> dict[Partition, Trace]:
    """A trace for each value of a column, in the order in which they come first; of occurrences, it is their `value`.

    Without a column, the one trace is that of the partition None.
    """
    if isinstance(given, Trace) and partition_by is None:
        _require_about_data(reading_of(options), "tick")
        return {None: given}
    found: defaultdict[Partition, list[Occurrence]] = defaultdict(list, {} if partition_by else {None: []})
    reading, report = reading_of({"partition_by": partition_by, **options}), ReadReport()
    form = form_of(pattern)
    rows = rows_of(given, reading, form, report)
    for instant in admissible(rows, reading, form=form, report=report):
        for row in instant.rows:
            ordered = reading.ties is None or form.types is None or row.event in form.types
            found[row.partition] += [occurrence_of(row)] * ordered
    if partition_by is not None:
        report.partition_by = partition_by
        report.without_partition = report.without_partition or len(found.get(None, ()))
    whole = Trace((), name_of(given), tuple(report.messages()), reading.tick, report.clock, reading.scale)
    if isinstance(given, Trace):
        whole = replace(given, notes=(*given.notes, *whole.notes), scale=max(given.scale, reading.scale))
    return {key: whole.part(partition_by, key, sorted(each, key=Occurrence.sort_key)) for key, each in found.items()}


def name_of(given: object) -> str:
    """Name of a trace: the path of its file, or the first of several and how many more there are."""
    if are_all(given):
        first, *others = map(os.fspath, cast("Sequence[str]", given))
        return f"{first} and {counted(len(others), 'file')} more" if others else first
    return os.fspath(given) if isinstance(given, str | os.PathLike) else ""


def reading_of(options: Mapping[str, Any]) -> Reading:
    """The reading that options of a function state."""
    for name in options:
        if name not in OPTIONS:
            remedy = nearest(name, OPTIONS, f"A log is read with {', '.join(OPTIONS)}.")
            raise InputError(f"there is no option {name}", remedy=remedy)
    return Reading(**options)


def _require_about_data(reading: Reading, *known: str) -> None:
    for name in reading.stated():
        if name not in known:
            raise InputError(f"{name} is about files and tables, and this is neither", remedy="Leave it out.")


def are_all(data: object, kinds: type | tuple[type, ...] = (str, os.PathLike)) -> bool:
    """Whether several files, or values of other kinds, make a log."""
    return isinstance(data, list | tuple) and bool(data) and all(isinstance(each, kinds) for each in data)


def rows_of(data: TraceLike, reading: Reading, form: TraceForm, report: ReadReport) -> Iterable[Row]:
    """The rows of what a trace can be made of."""
    if are_all(data, Mapping):
        data = _table_of(cast("Sequence[Mapping[str, object]]", data))
    if isinstance(data, str | os.PathLike | ArrowTable) or are_all(data):
        return read_rows(cast("TraceSource", data), reading, form=form, report=report)
    known = ("sort", "same_time", "tick", "zone", "epoch", "round", "partition_by")
    _require_about_data(reading, *known, *(() if isinstance(data, Mapping) else ("ties",)))
    if reading.partition_by not in (None, "value"):
        reason = f"occurrences have no {brief(reading.partition_by)}: they have an event type, a time and a value"
        raise InputError(reason, remedy='Write partition_by="value", or give a table or a list of dictionaries.')
    if not isinstance(data, Iterable | Interpretation) or isinstance(data, bytes):
        remedy = "Collect it first: frame.collect()." if hasattr(data, "collect") else _NO_OCCURRENCES
        raise InputError(f"{brief(data)} is no trace", remedy=remedy)
    rows = _rows_of_values(data, reading, report)
    return sorted(rows, key=lambda row: (row.time, row.event)) if isinstance(data, Mapping) else rows


def _table_of(records: Sequence[Mapping[str, object]]) -> ArrowTable:
    import pyarrow

    names = dict.fromkeys(name for record in records for name in record)
    remedy = "Make them all of one kind; write ints of more than 64 bits as text."
    columns = {str(name): column_of(name, [record.get(name) for record in records], remedy) for name in names}
    return cast(ArrowTable, pyarrow.table(columns))


def column_of(name: str, values: list[object], remedy: str) -> Any:
    """Values as an Arrow array; `InputError` where they are of several kinds, or an int has more than 64 bits."""
    import pyarrow

    try:
        return pyarrow.array(values, from_pandas=True)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, OverflowError) as error:
        reason = f"the values of {brief(name)} make no column: {error}"
        raise InputError(reason, remedy=remedy) from None


_NO_OCCURRENCES = (
    'Write {"fail": [3, 9]}, give remora.Occurrence("fail", 3), or a table with the columns time, event and value.'
    " For a file: remora.read_trace(path)."
)


def _rows_of_values(data: Any, reading: Reading, report: ReadReport) -> Iterator[Row]:
    read_time, partitioned = times_of(reading, report), reading.partition_by is not None
    origin = Origin("interpretation" if isinstance(data, Interpretation) else "trace", "row")
    values = _of_mapping(data, origin) if isinstance(data, Mapping) else data
    for number, each in enumerate(data.occurrences() if isinstance(data, Interpretation) else values, 1):
        if not isinstance(each, Occurrence):
            raise origin.error(number, f"a {type(each).__name__} is no occurrence", _NO_OCCURRENCES)
        event, time, value = each
        if _is_integer(time):  # such as an integer of NumPy's
            with suppress(TypeError):  # an array says that it is one, and may be longer
                time = index(cast(SupportsIndex, time))
        try:
            tick, event, value = read_time(time), event_of(event), value_of(value)
            partition = partition_of(value) if partitioned else None
        except InputError as error:
            raise origin.at(number, error) from None
        yield Row(tick, event, tick, {"value": value}, partition, origin, number)


def _of_mapping(data: Mapping[Any, object], origin: Origin) -> Iterator[Occurrence]:
    for event, times in data.items():
        table = isinstance(times, ArrowTable) and hasattr(times, "columns")
        if table or are_all(times, Mapping) or isinstance(times, Mapping | Trace | Interpretation):
            reason = f"{brief(event)} has a mapping, a table or a trace, where times of an event type are expected"
            pairs = 'Write times with values as pairs: {"ok": [(12, "anna")]}.'
            raise origin.error(0, reason, f"{pairs} For a dictionary of traces, ask for each.")
        if isinstance(times, tuple) and len(times) > 1 and all(map(_is_integer, times)):
            reason = f"{times} can be several times of {event}, or one time with a value"
            remedy = f"Write {list(times)} for several times, [(time, value)] for one with a value."
            raise origin.error(0, reason, remedy)
        one = isinstance(times, str | tuple) or not isinstance(times, Iterable)
        for each in (times,) if one else cast("Iterable[Any]", times):
            yield Occurrence(event, *(each if isinstance(each, tuple) and len(each) == 2 else (each,)))


def _is_integer(given: object) -> bool:
    return isinstance(given, SupportsIndex) and not isinstance(given, bool)
