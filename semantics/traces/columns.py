"""Traces by columns: what `files.read_instants` accepts of points, many rows at a time, for some event types.

Whatever is unusual, an error above all, is left to the reader of rows, which knows what is wrong and where: here it is
the exception `Unusual`, after the instants before it.
"""

from __future__ import annotations

import csv
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, timedelta, timezone
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from semantics.arrow_arrays import integers, large_texts, numbers
from semantics.errors import InputError
from semantics.events import Value
from semantics.traces.instants import ReadReport
from semantics.traces.reading import USUAL, Reading
from semantics.traces.rows import MAX_EXACT, MAX_TIME, Origin, Partition, event_of, partition_of, value_of

BLOCK = 1 << 22
"""How many bytes of text are read at a time."""

BATCH_ROWS = 1 << 18
"""How many rows of Parquet are read at a time."""

FOUND_ROWS = 1 << 12
"""The cells of so many rows are found before these are taken."""

LONGEST_ROW = 1 << 20
"""A row of text that is longer is not read here, in bytes."""


class Unusual(Exception):
    """The rest of the trace is to be read row by row."""


@dataclass(frozen=True)
class Values:
    """Values of occurrences, as they stand in a file.

    Attributes:
        cells: an Arrow array.
        in_json: whether a cell is a scalar written in JSON, shape `(n,)`; None if none is.
    """

    cells: Any
    in_json: NDArray[np.bool_] | None = None

    def of(self, rows: NDArray[np.integer]) -> list[Value]:
        """The values of some rows."""
        cells: list[Any] = self.cells.take(integers(rows)).to_pylist()
        if self.in_json is None:
            return [value_of(cell, _NOWHERE, 0) for cell in cells]
        for place in np.flatnonzero(self.in_json[rows]).tolist():  # text has been checked
            cells[place] = value_of(json.loads(cells[place]), _NOWHERE, 0)
        return cells

    def at(self, rows: NDArray[np.integer]) -> Values:
        """Those of some rows."""
        return Values(self.cells.take(integers(rows)), None if self.in_json is None else self.in_json[rows])

    def followed_by(self, other: Values) -> Values:
        """These and others."""
        import pyarrow

        kinds = self.in_json
        if kinds is not None and other.in_json is not None:
            kinds = np.concatenate([kinds, other.in_json])
        return Values(pyarrow.concat_arrays([self.cells, other.cells]), kinds)


_NOWHERE = Origin("")


@dataclass(frozen=True)
class Rows:
    """Rows of complete instants, in order of time, of the event types that are asked for.

    Attributes:
        times: in ticks, shape `(n,)`.
        types: the event type, as its number among those that are asked for.
        partitions: the partition, as its number in `Columns.keys`; None where the trace is not partitioned.
        values: of the occurrences; None where they are not asked for.
    """

    times: NDArray[np.int64]
    types: NDArray[np.int64]
    partitions: NDArray[np.int64] | None
    values: Values | None

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.times)

    def at(self, rows: NDArray[np.integer]) -> Rows:
        """Some of them, in this order."""
        return Rows(
            self.times[rows],
            self.types[rows],
            None if self.partitions is None else self.partitions[rows],
            None if self.values is None else self.values.at(rows),
        )

    def followed_by(self, other: Rows) -> Rows:
        """These and later ones."""
        if not len(self):
            return other
        return Rows(
            np.concatenate([self.times, other.times]),
            np.concatenate([self.types, other.types]),
            None
            if self.partitions is None or other.partitions is None
            else np.concatenate([self.partitions, other.partitions]),
            None if self.values is None or other.values is None else self.values.followed_by(other.values),
        )


class Columns:
    """A trace file that is read by columns.

    Attributes:
        path: the file.
        format: "csv", "jsonl" or "parquet".
        events: the event types that are asked for; those of others need not keep Def. 3.4.
        reading: how it is read.
        report: is told what was read.
        values: whether values are asked for.
        keys: the partitions, by the numbers that rows have.
    """

    def __init__(
        self,
        path: str,
        format: str,
        events: Sequence[str],
        reading: Reading,
        report: ReadReport,
        *,
        values: bool,
    ) -> None:
        """A regular file; arguments as the attributes."""
        self.keys: list[Partition] = []
        self._numbers: dict[Partition, int] = {}
        self.path, self.format, self.events = path, format, events
        self.reading, self.report, self.values = reading, report, values

    def number_of(self, cell: object) -> int:
        """The number of the partition that a cell names; a new one gets the next number."""
        key = partition_of(cell, _NOWHERE, 0)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.keys)
            self.keys.append(key)
        return number

    def rows(self) -> Iterator[Rows]:
        """The rows.

        Raises:
            Unusual: what follows can only be read, or refused, row by row.
        """
        self.report.partition_by = self.reading.partition_by
        read = _parquet if self.format == "parquet" else _text
        kept: Rows | None = None
        try:
            for rows, last in read(self):
                kept = rows if kept is None else kept.followed_by(rows)
                self._require_admissible(kept)
                complete = int(np.searchsorted(kept.times, last))  # a row of the last time may follow
                if complete:
                    yield kept.at(np.arange(complete))
                    kept = kept.at(np.arange(complete, len(kept)))
        except (OSError, EOFError, InputError, ImportError, ValueError, csv.Error, zlib.error) as error:
            raise Unusual from error
        if kept is not None and len(kept):
            yield kept

    def _require_admissible(self, rows: Rows) -> None:
        """Make sure that rows of one event type and one partition have different times.

        Raises:
            Unusual: two have not.
        """
        same = rows.times[1:] == rows.times[:-1]
        if not same.any():
            return
        together = np.flatnonzero(np.append(same, False) | np.append(False, same))
        columns = [rows.types[together], rows.times[together]]
        if rows.partitions is not None:
            columns.insert(0, rows.partitions[together])
        order = np.lexsort(columns)
        twice = np.ones(max(len(order) - 1, 0), np.bool_)
        for column in columns:
            twice &= column[order][1:] == column[order][:-1]
        if twice.any():
            raise Unusual


def about_rows(path: str, format: str) -> int:
    """About how many rows a file has: those that a Parquet file states, or a text file's size by its first lines.

    Raises:
        Unusual: it cannot be read.
    """
    try:
        if format == "parquet":
            from pyarrow import parquet

            return int(parquet.read_metadata(path).num_rows)
        with Path(path).open("rb") as file:
            head = file.read(1 << 16)
        return Path(path).stat().st_size * head.count(b"\n") // max(len(head), 1)
    except Exception as error:
        raise Unusual from error


def _require_columns(names: Sequence[str], reading: Reading) -> None:
    """Make sure that the columns are there, each once, and that none says when events begin.

    Raises:
        Unusual: they are not.
    """
    needed = {reading.time, reading.event} | ({reading.value} - {USUAL.value})
    if reading.partition_by is not None:
        needed.add(reading.partition_by)
    if len(set(names)) < len(names) or not needed <= set(names) or reading.start in names:
        raise Unusual
    if reading.partition_by in (reading.time, reading.event, reading.value):
        raise Unusual
    if reading.value in (reading.time, reading.event):
        raise Unusual


# ----------------------------------------------------------------------------------------------------------- times


class _Clocked(NamedTuple):
    """How times are counted; see `scanning.Clocked`."""

    dated: bool
    factor: int
    divisor: int
    shift: int
    has_zone: bool
    rounds: bool


def _clocked(first: object, reading: Reading, report: ReadReport) -> _Clocked:
    """How times are counted, by the first of them.

    Raises:
        Unusual: they are not counted here.
        InputError: it is no time.
    """
    clock = reading.clock
    if clock is None:
        return _Clocked(False, 1, 1, 0, False, False)
    from semantics.traces.times import Times

    told = ReadReport()
    times = Times(clock, replace(reading, round=True), _NOWHERE, told)
    times.of(first, 0)
    report.clock = told.clock
    if times.kind == "number":
        ratio = times.factor / clock.tick
        return _Clocked(False, ratio.numerator, ratio.denominator, 0, False, reading.round)
    nanoseconds = clock.tick * 10**9
    if nanoseconds.denominator != 1 or (clock.counts_days and clock.zone is not None):
        raise Unusual
    fixed = isinstance(clock.zone, timezone)
    shift = clock.zone.utcoffset(None) if isinstance(clock.zone, timezone) else timedelta(0)
    has_zone = fixed or clock.zone is UTC or clock.counts_days
    ahead = 0 if clock.counts_days or shift is None else int(Fraction(shift.total_seconds()) * 10**9)
    return _Clocked(True, 1, int(nanoseconds), ahead, has_zone, reading.round)


# ------------------------------------------------------------------------------------------------------------ text


class _Table:
    """Texts and their numbers."""

    def __init__(self, known: Sequence[bytes] = ()) -> None:
        """The texts that have the first numbers."""
        from semantics.traces import scanning

        self.known = len(known)
        self._make(max(1024, 4 * len(known)), max(1 << 14, 2 * sum(map(len, known))))
        text, offsets = np.frombuffer(b"".join(known), np.uint8), np.cumsum([0, *map(len, known)])
        scanning.refill(text, offsets, self.known, self.slots, self.offsets, self.text)

    def _make(self, slots: int, size: int) -> None:
        places = 1 << (slots - 1).bit_length()
        self.slots = np.full(places, -1, np.int64)
        self.offsets = np.zeros(places // 2 + 1, np.int64)
        self.text = np.zeros(size, np.uint8)
        self.counts = np.zeros(places // 2, np.int64)

    def grow_if_full(self) -> None:
        """Make room for as many texts again, if there may be none for one more."""
        from semantics.traces import scanning

        text, offsets, counts = self.text, self.offsets, self.counts
        if 2 * self.known + 2 <= len(self.slots) and offsets[self.known] + scanning.LONGEST <= len(text):
            return
        self._make(2 * len(self.slots), 2 * len(text) + scanning.LONGEST)
        scanning.refill(text, offsets, self.known, self.slots, self.offsets, self.text)
        self.counts[: len(counts)] = counts

    def texts(self, begin: int) -> list[str]:
        """The texts from a number on."""
        offsets = self.offsets[begin : self.known + 1].tolist()
        data = self.text[offsets[0] : offsets[-1]].tobytes()
        return [data[first - offsets[0] : last - offsets[0]].decode() for first, last in pairwise(offsets)]


@dataclass(frozen=True)
class _Layout:
    """Where the cells of text are.

    Attributes:
        clocked: how times are counted.
        places: of CSV; see `scanning.scan_csv`.
        delimiter: of CSV, as a byte.
        keys: of JSON Lines, in their order.
        roles: of these; see `scanning.scan_json`.
    """

    clocked: _Clocked
    places: Sequence[int] = ()
    delimiter: int = 0
    keys: Sequence[bytes] = ()
    roles: Sequence[int] = ()


class _Text:
    """Reads blocks of text."""

    def __init__(self, columns: Columns, layout: _Layout) -> None:
        from semantics.traces import scanning

        self._columns, self._layout, self._scanning = columns, layout, scanning
        self._events = _Table([name.encode() for name in columns.events])
        self._parts = _Table()
        self._keys: list[int] = []
        self._bounds = np.full((FOUND_ROWS, 9), -1, np.int64)
        self._bounds[:, 8] = scanning.NOTHING
        clocked = layout.clocked
        kind = scanning.ISO if clocked.dated else scanning.TICKS
        self._clock = scanning.Clocked(kind, *clocked[1:])
        self._known_names = self._events.known
        self._last, self._rounded, self._missing = -1, 0, 0
        self._json = (
            np.frombuffer(b"".join(layout.keys), np.uint8),
            np.cumsum([0, *map(len, layout.keys)]),
            np.array(layout.roles, np.int64),
        )

    def block(self, block: bytes) -> tuple[Rows, int, int]:
        """The rows of whole lines, the time of the last row, and how many bytes were read.

        Raises:
            Unusual: a row is to be read otherwise.
            UnicodeDecodeError: this is not UTF-8.
        """
        if b"\0" in block:
            raise Unusual
        if not block.isascii():
            block.decode()
        scanning, layout = self._scanning, self._layout
        cells = np.frombuffer(block, np.uint8)
        least = max(len(block) // 8, 16)  # a row of an event type that is asked for is hardly shorter
        times, types, parts, ends = (np.empty(least, np.int64) for _ in range(4))
        values, kinds = (
            np.empty(len(block) if self._columns.values else 0, np.uint8),
            np.empty(least, np.uint8),
        )
        meta = np.array([0, 0, 0, 0, self._last, self._rounded, self._missing], np.int64)
        place = 0
        while place < len(block):
            if layout.keys:
                why, found, after = scanning.scan_json(
                    cells, place, *self._json, layout.clocked.dated, self._bounds
                )
            else:
                places = np.array(layout.places, np.int64)
                why, found, after = scanning.scan_csv(cells, place, places, layout.delimiter, self._bounds)
            if why != scanning.END:
                raise Unusual
            place = after
            if not found:
                break
            taken = 0
            while taken < found:
                meta[1], meta[2] = self._events.known, self._parts.known
                why, more = scanning.take(
                    cells,
                    self._bounds[taken:],
                    found - taken,
                    len(self._columns.events),
                    self._clock,
                    *(self._events.slots, self._events.offsets, self._events.text, self._events.counts),
                    *(self._parts.slots, self._parts.offsets, self._parts.text),
                    *(times, types, parts, values, ends, kinds, meta),
                )
                self._events.known, self._parts.known = int(meta[1]), int(meta[2])
                taken += more
                if why == scanning.UNUSUAL:
                    raise Unusual
                if why == scanning.FULL:
                    self._events.grow_if_full()
                    self._parts.grow_if_full()
                    if meta[0] >= len(times):
                        times, types, parts, ends, kinds = (
                            np.concatenate([each, each]) for each in (times, types, parts, ends, kinds)
                        )
        count, size = int(meta[0]), int(meta[3])
        self._last, self._rounded, self._missing = int(meta[4]), int(meta[5]), int(meta[6])
        self._tell()
        rows = Rows(
            times[:count].copy(),
            types[:count].copy(),
            None
            if self._columns.reading.partition_by is None
            else np.array(self._keys, np.int64)[parts[:count]],
            _values(values[:size], ends[:count], kinds[:count]) if self._columns.values else None,
        )
        return rows, self._last, place

    def _tell(self) -> None:
        """Say in the report what was read, and number the partitions."""
        columns, report = self._columns, self._columns.report
        names = [*columns.events, *self._events.texts(len(columns.events))]
        for name in names[self._known_names :]:
            event_of(name, _NOWHERE, 0)
        self._known_names = len(names)
        counts = self._events.counts[: len(names)].tolist()
        report.events = Counter({name: count for name, count in zip(names, counts, strict=True) if count})
        report.rows, report.rounded = sum(counts), self._rounded
        if columns.reading.partition_by is None:
            return
        report.without_partition = self._missing
        for text in self._parts.texts(len(self._keys)):
            cell = json.loads(text) if text and self._layout.keys else text or None
            self._keys.append(columns.number_of(cell))


def _values(text: NDArray[np.uint8], ends: NDArray[np.int64], kinds: NDArray[np.uint8]) -> Values:
    from semantics.traces.scanning import JSON, NOTHING

    return Values(large_texts(text.copy(), np.append(np.int64(0), ends), kinds == NOTHING), kinds == JSON)


def _text(columns: Columns) -> Iterator[tuple[Rows, int]]:
    """The rows of blocks of text, with the time of the last row of each."""
    from semantics.compiled import AVAILABLE
    from semantics.traces.lines import decompressed

    if not AVAILABLE:  # then reading by rows is faster
        raise Unusual
    with Path(columns.path).open("rb") as file, closing(decompressed(file)) as stream:
        head = stream.readline(LONGEST_ROW)
        if not head.endswith(b"\n"):
            raise Unusual
        head = head.removeprefix(b"\xef\xbb\xbf")
        if columns.format == "csv":
            first = stream.readline(LONGEST_ROW)
            layout, rest = _csv_layout(head, first, columns), first
        else:
            layout, rest = _json_layout(head, columns), head
        text, more = _Text(columns, layout), b"more"
        while more:
            more = stream.read(BLOCK)
            block = rest + more
            if not block:
                return
            if not more and not block.endswith(b"\n"):
                block += b"\n"
            rows, last, read = text.block(block[: block.rfind(b"\n") + 1])
            rest = block[read:]
            if len(rest) > LONGEST_ROW or (rest and not more):
                raise Unusual
            yield rows, last


def _csv_layout(head: bytes, first: bytes, columns: Columns) -> _Layout:
    """Where cells are, by the header and the first row.

    Raises:
        Unusual: they are not where they are looked for here.
    """
    reading = columns.reading
    delimiter = reading.delimiter or ","
    (names,) = csv.reader([head.decode()], strict=True, delimiter=delimiter)
    _require_columns(names, reading)
    cells = next(csv.reader([first.decode()], strict=True, delimiter=delimiter), [])
    if len(delimiter.encode()) > 1 or len(cells) != len(names):
        raise Unusual
    places = {name: place for place, name in enumerate(names)}
    return _Layout(
        _clocked(cells[places[reading.time]], reading, columns.report),
        (
            len(names),
            places[reading.time],
            places[reading.event],
            places.get(reading.partition_by or "", -1) if reading.partition_by is not None else -1,
            places.get(reading.value, -1) if columns.values else -1,
        ),
        ord(delimiter),
    )


def _json_layout(head: bytes, columns: Columns) -> _Layout:
    """Which members rows have, by the first one.

    Raises:
        Unusual: they are not where they are looked for here.
    """
    reading = columns.reading
    try:
        members: list[tuple[str, object]] = json.loads(head, object_pairs_hook=lambda pairs: pairs)
        cells = dict(members)
    except (ValueError, TypeError, RecursionError) as error:
        raise Unusual from error
    names = [name for name, _ in members]
    _require_columns(names, reading)
    if reading.delimiter is not None:
        raise Unusual
    roles = {reading.time: 0, reading.event: 1}
    if columns.values:
        roles.setdefault(reading.value, 3)
    if reading.partition_by is not None:
        roles[reading.partition_by] = 2
    return _Layout(
        _clocked(cells[reading.time], reading, columns.report),
        keys=[name.encode() for name in names],
        roles=[roles.get(name, -1) for name in names],
    )


# --------------------------------------------------------------------------------------------------------- Parquet


def _parquet(columns: Columns) -> Iterator[tuple[Rows, int]]:
    """The rows of record batches, with the time of the last row of each."""
    import pyarrow

    from semantics.traces.formats import parquet_file, require_short_cells

    reading = columns.reading
    try:
        with parquet_file(columns.path) as file:
            names = list(file.schema_arrow.names)
            _require_columns(names, reading)
            if reading.delimiter is not None:
                raise Unusual
            asked = [reading.time, reading.event]
            if reading.partition_by is not None:
                asked.append(reading.partition_by)
            if columns.values and reading.value in names:
                asked.append(reading.value)
            require_short_cells(file.metadata, asked, Origin(columns.path))
            batches = _Batches(columns)
            for batch in file.iter_batches(BATCH_ROWS, columns=asked):
                if len(batch):
                    yield batches.rows(batch)
    except pyarrow.ArrowException as error:
        raise Unusual from error


class _Batches:
    """Reads record batches."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._names = {name: number for number, name in enumerate(columns.events)}
        self._parts: dict[object, int] = {}
        self._clocked: _Clocked | None = None
        self._last = -1

    def rows(self, batch: Any) -> tuple[Rows, int]:
        """The rows of a batch, and the time of the last one.

        Raises:
            Unusual: a row is to be read otherwise.
        """
        columns, reading, report = self._columns, self._columns.reading, self._columns.report
        times = self._times(batch.column(reading.time))
        if times[0] < self._last or (times[1:] < times[:-1]).any():
            raise Unusual
        self._last = int(times[-1])
        codes, names = _codes(batch.column(reading.event))
        if any(type(name) is not str for name in names):
            raise Unusual
        known = [self._names.setdefault(event_of(name, _NOWHERE, 0), len(self._names)) for name in names]
        counts = np.bincount(codes, minlength=len(names)).tolist()
        report.rows += len(batch)
        report.events.update({name: count for name, count in zip(names, counts, strict=True) if count})
        types = np.array(known, np.int64)[codes]
        found = np.flatnonzero(types < len(columns.events))
        partitions = values = None
        if reading.partition_by is not None:
            keys = batch.column(reading.partition_by)
            report.without_partition += keys.null_count
            partitions = self._partitions(keys.take(integers(found)))
        if columns.values:
            values = _cells(batch, reading.value, found)
        return Rows(times[found], types[found], partitions, values), self._last

    def _times(self, column: Any) -> NDArray[np.int64]:
        import pyarrow
        from pyarrow import types

        found: NDArray[np.int64]
        ticks: NDArray[np.int64]

        if column.null_count:
            raise Unusual
        if self._clocked is None:
            first = (
                column[0].cast(pyarrow.string()).as_py()
                if types.is_timestamp(column.type)
                else column[0].as_py()
            )
            self._clocked = _clocked(first, self._columns.reading, self._columns.report)
        clocked = self._clocked
        if types.is_timestamp(column.type) and clocked.dated:
            if column.type.tz is None and not clocked.has_zone:
                raise Unusual
            found = numbers(column.cast(pyarrow.timestamp("ns", column.type.tz)))
            found = found - (clocked.shift if column.type.tz is None else 0)
        elif (types.is_integer(column.type) or types.is_float64(column.type)) and not clocked.dated:
            found = numbers(column)
            if types.is_float64(column.type) and int(found.max()) >= MAX_EXACT:
                raise Unusual
        else:
            raise Unusual
        if int(found.min()) < 0 or (not clocked.dated and int(found.max()) > MAX_TIME // clocked.factor):
            raise Unusual
        if clocked.factor == clocked.divisor:
            return found
        scaled = found * clocked.factor
        ticks = scaled // clocked.divisor
        rest = int((ticks * clocked.divisor != scaled).sum())
        if rest and not clocked.rounds:
            raise Unusual
        self._columns.report.rounded += rest
        return ticks

    def _partitions(self, column: Any) -> NDArray[np.int64]:
        codes, cells = _codes(column)
        known = self._parts
        numbers = [
            known[cell] if cell in known else known.setdefault(cell, self._columns.number_of(cell))
            for cell in cells
        ]
        return np.array(numbers, np.int64)[codes]


def _codes(column: Any) -> tuple[NDArray[np.int64], list[Any]]:
    """The cells of a column that occur, and of each row the number of its cell among these."""
    from pyarrow import types

    kind = column.type.value_type if types.is_dictionary(column.type) else column.type
    if not (types.is_string(kind) or types.is_large_string(kind) or types.is_integer(kind)):
        raise Unusual
    if types.is_dictionary(column.type) and len(column.dictionary) > len(column):
        column = column.dictionary_decode()  # the dictionary grows from batch to batch
    if not types.is_dictionary(column.type):
        column = column.dictionary_encode("encode")
    if column.null_count:  # of a dictionary
        column = column.dictionary_decode().dictionary_encode("encode")
    cells = column.dictionary.to_pylist()
    codes = numbers(column.indices)
    used = np.bincount(codes, minlength=len(cells)) > 0
    if used.all():
        return codes, cells
    kept = np.flatnonzero(used).tolist()
    return (np.cumsum(used) - 1)[codes], [cells[place] for place in kept]


def _cells(batch: Any, name: str, rows: NDArray[np.integer]) -> Values:
    import pyarrow
    from pyarrow import types

    if name not in batch.schema.names:
        return Values(pyarrow.nulls(len(rows)))
    column = batch.column(name)
    if types.is_dictionary(column.type):
        column = column.take(integers(rows)).dictionary_decode()
        return Values(column)
    simple = (types.is_integer, types.is_floating, types.is_boolean, types.is_string, types.is_large_string)
    if not any(each(column.type) for each in simple) or types.is_float16(column.type):
        raise Unusual
    return Values(column.take(integers(rows)))
