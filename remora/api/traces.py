"""Traces: read from files, taken from tables, or written down in a program."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, TypeAlias, cast, overload, runtime_checkable

from remora.api.arguments import as_arguments, brief, in_python, require_path
from remora.api.cards import Card, Shown, Table, counted
from semantics.carlson_lisper.interpretations import Interpretation, interpretation
from semantics.carlson_lisper.occurrences import Occurrence, Time
from semantics.carlson_lisper.traces import admissible, occurrence_of, read_rows
from semantics.errors import InputError
from semantics.traces.files import Format
from semantics.traces.instants import ReadReport, SameTime
from semantics.traces.rows import Origin, Partition, Row, event_of, time_of, value_of

if TYPE_CHECKING:
    from reports.layout import Timeline

DRAWN_TYPES = 12
"""So many event types of a trace are drawn, the most frequent ones."""

DRAWN = 60
"""So many occurrences of a trace are drawn, the first ones."""


@runtime_checkable
class ArrowTable(Protocol):
    """A table that can be handed on by Arrow's C interface: one of pandas, Polars, PyArrow or DuckDB."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The table as a stream of record batches."""


TraceData: TypeAlias = "Mapping[str, object] | Iterable[Occurrence] | ArrowTable | Interpretation"
"""What a trace can be made of.

A mapping has for each event type its times, some perhaps with a value. Its type says less than it could: a checker that
is shown `{"a": [1, 2], "b": [(3, "x")]}` finds out no more.
"""


@dataclass(frozen=True, repr=False)
class Trace(Shown, Sequence[Occurrence]):
    """What happened in one scenario: occurrences in order of time (Def. 3.4, 3.5).

    Make one with `trace` or `read_trace`, which check it.

    Attributes:
        occurrences: by time, then event type.
        name: where it comes from; "" where it was written down.
        notes: what was changed to accept it, in words.
    """

    occurrences: tuple[Occurrence, ...]
    name: str = ""
    notes: tuple[str, ...] = ()

    @property
    def interpretation(self) -> Interpretation:
        """The same as a map from event types to primitive event streams (Def. 3.5)."""
        return interpretation(self.occurrences)

    @property
    def events(self) -> dict[str, int]:
        """How often each event type occurs, the most frequent first."""
        return dict(Counter(occurrence.event for occurrence in self.occurrences).most_common())

    def between(self, first: Time, last: Time) -> Trace:
        """The part of the trace from one time to another, in ticks, both included."""
        kept = tuple(occurrence for occurrence in self.occurrences if first <= occurrence.time <= last)
        return Trace(kept, f"{self.name or 'trace'} [{first}, {last}]")

    def without_values(self) -> Trace:
        """The same occurrences without the values that they carry, which the algebra never looks at."""
        kept = tuple(Occurrence(each.event, each.time) for each in self.occurrences)
        return Trace(kept, self.name, self.notes)

    def only(self, *events: str) -> Trace:
        """The occurrences of some event types alone."""
        return Trace(
            tuple(occurrence for occurrence in self.occurrences if occurrence.event in events), self.name
        )

    @overload
    def __getitem__(self, index: int) -> Occurrence: ...
    @overload
    def __getitem__(self, index: slice) -> Trace: ...
    def __getitem__(self, index: int | slice) -> Occurrence | Trace:
        """One occurrence, or some of them as a trace."""
        return (
            Trace(self.occurrences[index], self.name) if isinstance(index, slice) else self.occurrences[index]
        )

    def __len__(self) -> int:
        """How many occurrences there are."""
        return len(self.occurrences)

    def __iter__(self) -> Iterator[Occurrence]:
        """The occurrences in order of time."""
        return iter(self.occurrences)

    def timeline(self) -> Timeline:
        """The drawing of its beginning."""
        from reports.layout import Timeline

        types = list(self.events)[:DRAWN_TYPES]
        shown = [occurrence for occurrence in self.occurrences if occurrence.event in types][:DRAWN]
        return Timeline("", (), ("", ""), tuple(shown), (), compares=False)

    def card(self) -> Card:
        """Its size, its event types where there are many occurrences, and the drawing of its beginning."""
        if not self.occurrences:
            return Card(self.name, lines=("a trace without occurrences",), notes=self.notes)
        drawing, events = self.timeline(), self.events
        first, last = self.occurrences[0].time, self.occurrences[-1].time
        size = f"{counted(len(self), 'occurrence')} of {counted(len(events), 'event type')}"
        size += f", from {first:,} to {last:,}"
        notes: tuple[str, ...] = self.notes
        blocks: tuple[Table | Timeline, ...] = (drawing,)
        if len(drawing.occurrences) < len(self):
            rows = tuple((event, f"{count:,}") for event, count in events.items())
            blocks = (Table(("event type", "occurrences"), rows, frozenset({"occurrences"})), drawing)
            notes = (f"drawn: the first {len(drawing.occurrences)} occurrences", *notes)
        return Card(self.name, lines=(size,), blocks=blocks, notes=notes)


TraceLike: TypeAlias = "Trace | TraceData | str | os.PathLike[str]"
"""A trace, what one can be made of, or the path of a file with one."""


def trace(data: TraceData, *, sort: bool = False, same_time: SameTime | None = None) -> Trace:
    """A trace that is there already.

    Args:
        data: event types with the times at which they occur, as in `{"fail": [3, 9], "ok": [(12, "anna")]}`;
            occurrences; or a table of pandas, Polars or PyArrow with the columns `time`, `event` and perhaps `value`.
            Times are integer ticks.
        sort: accept occurrences or rows that are out of time order; those of a mapping are sorted in any case.
        same_time: accept an event type that occurs twice at one time, and keep this occurrence.

    Raises:
        InputError: it is no trace (Def. 3.4).
    """
    if isinstance(data, Trace):
        return data
    if isinstance(data, ArrowTable):
        rows: Iterable[Row] = _table_rows(data, Origin("table", "row"))
    elif isinstance(data, Interpretation):
        rows = _occurrence_rows(data.occurrences(), Origin("interpretation", "row"))
    elif isinstance(data, Mapping):
        rows = sorted(_mapping_rows(data, Origin("trace", "row")), key=_time_and_type)
    elif isinstance(data, Iterable) and not isinstance(data, str | bytes):
        rows = _occurrence_rows(data, Origin("trace", "row"))
    else:
        raise InputError(f"{brief(data)} is no trace", remedy=_NO_OCCURRENCES)
    return _trace(rows, "", sort, same_time)


def read_trace(
    path: str | os.PathLike[str],
    *,
    format: Format | None = None,
    sort: bool = False,
    same_time: SameTime | None = None,
) -> Trace:
    """The trace in a file: CSV `time,event,value`, JSON Lines with these keys, or Parquet with these columns.

    Args:
        path: the file.
        format: its format, where the suffix and the first bytes do not tell.
        sort: accept rows that are out of time order, and sort them.
        same_time: accept an event type that occurs twice at one time, and keep this occurrence.

    Raises:
        InputError: it is no trace; names the line and what would accept it.
    """
    require_path(path)
    return _trace(read_rows(path, format=format), os.fspath(path), sort, same_time)


def read_traces(
    path: str | os.PathLike[str],
    partition_by: str,
    *,
    format: Format | None = None,
    sort: bool = False,
    same_time: SameTime | None = None,
) -> dict[Partition, Trace]:
    """A trace for each value of a column, such as a user, a host or a case; otherwise as `read_trace`."""
    from semantics.carlson_lisper.traces import read_partitions

    require_path(path)
    report = ReadReport()
    with as_arguments():
        found = read_partitions(
            path, partition_by, format=format, sort=sort, same_time=same_time, report=report
        )
    name, notes = os.fspath(path), tuple(map(in_python, report.messages()))
    return {
        key: Trace(tuple(one.occurrences()), f"{name}, {partition_by} {key}", notes)
        for key, one in found.items()
    }


def as_trace(given: TraceLike) -> Trace:
    """The trace that is meant: itself, made of something, or read from a file."""
    if isinstance(given, Trace):
        return given
    return read_trace(given) if isinstance(given, str | os.PathLike) else trace(given)


def _trace(rows: Iterable[Row], name: str, sort: bool, same_time: SameTime | None) -> Trace:
    report = ReadReport()
    with as_arguments():
        found = [
            occurrence_of(row)
            for instant in admissible(rows, sort=sort, same_time=same_time, report=report)
            for row in instant.rows
        ]
    notes = tuple(map(in_python, report.messages()))
    return Trace(tuple(sorted(found, key=Occurrence.sort_key)), name, notes)


# ------------------------------------------------------------------------------------------------------------- rows


def _time_and_type(row: Row) -> tuple[Time, str]:
    return row.time, row.event


def _row(time: object, event: object, value: object, origin: Origin, number: int) -> Row:
    if _is_integer(time):  # such as an integer of NumPy's
        with suppress(TypeError):  # an array says that it is one, and may be longer
            time = index(cast(SupportsIndex, time))
    tick = time_of(time, origin, number)
    attributes = {"value": value_of(value, origin, number)}
    return Row(tick, event_of(event, origin, number), tick, attributes, None, origin, number)


def _mapping_rows(data: Mapping[Any, object], origin: Origin) -> Iterator[Row]:
    number = 0
    for event, times in data.items():
        for each in _listed(event, times, origin):
            number += 1
            time, value = each if isinstance(each, tuple) and len(each) == 2 else (each, None)
            yield _row(time, event, value, origin, number)


def _listed(event: object, times: object, origin: Origin) -> Iterable[object]:
    """The times of an event type, one or several, some perhaps with a value.

    Raises:
        InputError: they can be read in two ways, or values would be lost.
    """
    if isinstance(times, Mapping):
        raise origin.error(
            0,
            f"the times of {event} are a mapping, whose values would be lost",
            'Write times with values as pairs: {"ok": [(12, "anna"), (15, "ben")]}.',
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


def _occurrence_rows(data: Iterable[Occurrence], origin: Origin) -> Iterator[Row]:
    for number, each in enumerate(data, 1):
        if not isinstance(each, Occurrence):
            raise InputError(
                f"a {type(each).__name__} is no occurrence",
                place=origin.place(number),
                remedy=_NO_OCCURRENCES,
            )
        yield _row(each.time, each.event, each.value, origin, number)


def _table_rows(table: ArrowTable, origin: Origin) -> Iterator[Row]:
    import pyarrow

    found: Any = pyarrow.table(table)
    missing = [name for name in ("time", "event") if name not in found.column_names]
    if missing:
        raise origin.error(
            0,
            f"there is no column {' and no column '.join(missing)}; there are {', '.join(found.column_names)}",
            "Rename the columns to time, event and value.",
        )
    times, events = found.column("time").to_pylist(), found.column("event").to_pylist()
    values = found.column("value").to_pylist() if "value" in found.column_names else [None] * len(times)
    for number, (time, event, value) in enumerate(zip(times, events, values, strict=True), 1):
        yield _row(time, event, value, origin, number)
