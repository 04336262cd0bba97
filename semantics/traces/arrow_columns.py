"""Parquet files and Arrow tables by columns."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import pyarrow
from numpy.typing import NDArray
from pyarrow import types

from semantics.ahead import side_by_side
from semantics.arrow_arrays import cells_of, integers, numbers, texts_of
from semantics.native import AVAILABLE, is_compiled
from semantics.traces.arrow_rows import (
    MOST_BYTES,
    parquet_file,
    readable,
    record_batches,
    require_short_cells,
)
from semantics.traces.columns import (
    Clocked,
    Columns,
    Rows,
    Unusual,
    Values,
    clocked_by,
    require_columns,
)
from semantics.traces.formats import require_csv
from semantics.traces.parquet.groups import Group, GroupReader, Order, Texts
from semantics.traces.parquet.page_kernel import KERNELS
from semantics.traces.rows import MAX_EXACT, MAX_TIME, NOWHERE, Origin, event_of
from semantics.traces.scanning import NEVER

BATCH_ROWS = 1 << 17
"""How many rows of Parquet or of a table are read at a time."""

MANY: Final = 1 << 21
"""So many rows of Parquet are worth the time to compile what unpacks them."""

MOST_THREADS: Final = 4
"""So many threads at most unpack row groups."""


def arrow_rows(columns: Columns) -> Iterator[tuple[Rows, int]]:
    """The rows of record batches, with the time of the last row of each."""
    return _parquet_rows(columns) if columns.table is None else _table_rows(columns)


def _parquet_rows(columns: Columns) -> Iterator[tuple[Rows, int]]:
    """The rows of record batches, with the time of the last row of each."""
    reading = columns.reading
    try:
        with parquet_file(columns.path) as file:
            names = list(file.schema_arrow.names)
            require_columns(names, reading)
            require_csv(reading, NOWHERE, "Parquet")
            asked = [reading.time, reading.event]
            if reading.partition_by is not None:
                asked.append(reading.partition_by)
            if columns.values and reading.value in names:
                asked.append(reading.value)
            yield from _group_rows(file, asked, columns)
    except pyarrow.ArrowException as error:
        raise Unusual from error


def _group_rows(file: Any, asked: Sequence[str], columns: Columns) -> Iterator[tuple[Rows, int]]:
    """The rows of row groups, unpacked here as far as they matter, where they are written in the usual way."""
    reader, reading, origin = _Batches(columns), columns.reading, Origin(columns.path)
    known = {name: number for number, name in enumerate(columns.events)}
    names = reading.time, reading.event, reading.partition_by
    number_of_threads = min(os.cpu_count() or 1, MOST_THREADS)
    every_time = reading.clock is not None or file.schema_arrow.field(reading.time).type != pyarrow.int64()
    groups = [
        GroupReader(columns.path, file, known, *names, every_time=every_time)
        for _ in range(number_of_threads)
    ]
    if columns.values or not groups[0].is_possible or not _is_worth_while(file.metadata.num_rows):
        yield from map(reader.rows, filter(len, record_batches(file, asked, origin, BATCH_ROWS)))
        return
    readable(file, asked, origin)
    for number, group in enumerate(side_by_side(range(file.metadata.num_row_groups), groups)):
        if group is None:
            batches = record_batches(file, asked, origin, BATCH_ROWS, [number])
            yield from map(reader.rows, filter(len, batches))
        else:
            yield reader.group_rows(group)


def _is_worth_while(rows: int) -> bool:
    """Whether so many rows are worth the time to compile the kernels, where that is still to be done."""
    return AVAILABLE and (rows >= MANY or all(map(is_compiled, KERNELS)))


def _table_rows(columns: Columns) -> Iterator[tuple[Rows, int]]:
    """The rows of the record batches of a table, with the time of the last row of each."""
    try:
        require_columns(columns.table.column_names, columns.reading)
        yield from map(_Batches(columns).rows, filter(len, columns.table.to_batches(BATCH_ROWS)))
    except pyarrow.ArrowException as error:
        raise Unusual from error


class _Batches:
    """Reads record batches."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._names = {name: number for number, name in enumerate(columns.events)}
        self._cells: Any = None
        self._parts = np.empty(0, np.int64)
        self._texts: tuple[NDArray[np.uint8], NDArray[np.int64]] | None = None
        self._clocked: Clocked | None = None
        self._last = -1
        self._bytes = 0

    def rows(self, batch: Any) -> tuple[Rows, int]:
        """The rows of a batch, and the time of the last one.

        Raises:
            Unusual: a row is to be read otherwise.
        """
        columns, reading, report = self._columns, self._columns.reading, self._columns.report
        times = self._times(batch.column(reading.time))
        codes, counts, names = _codes(batch.column(reading.event))
        if any(type(name) is not str for name in names):
            raise Unusual
        known = [self._names.setdefault(event_of(name, NOWHERE, 0), len(self._names)) for name in names]
        self._count(names, counts)
        numbers = np.array(known, np.int64)
        found = np.flatnonzero((numbers < len(columns.events))[codes])
        partitions = values = None
        if reading.partition_by is not None:
            keys = batch.column(reading.partition_by)
            report.without_partition += keys.null_count
            partitions = self._partitions(keys, found)
        if columns.values:
            values = Values(self._values(batch, found))
        return Rows(times[found], numbers[codes[found]], partitions, values), self._last

    def group_rows(self, group: Group) -> tuple[Rows, int]:
        """As `rows`, of a row group."""
        if group.order is None:
            times = self._times(group.times)[group.rows]
        else:
            times = group.times
            self._note(group.order, MAX_TIME)
            self._later(group.order.first, group.order.last)
        for name in group.names:
            event_of(name, NOWHERE, 0)
        self._count(group.names, group.counts.tolist())
        partitions = None
        if self._columns.reading.partition_by is not None:
            partitions = np.concatenate([self._named(texts) for texts in group.partitions])
        return Rows(times, group.types, partitions, None), self._last

    def _named(self, texts: Texts) -> NDArray[np.int64]:
        """The numbers of the partitions that texts name."""
        keys = self._columns.keys
        if texts.chosen is None:
            return keys.of_texts(texts.data, texts.bounds, np.arange(0, len(texts.bounds), 2))
        if self._cells is not texts.data:  # it is that of many pages
            self._cells, self._parts = texts.data, np.full(len(texts.bounds) // 2, -1, np.int64)
        is_used = np.zeros(len(self._parts), np.bool_)
        is_used[texts.chosen] = True
        fresh = np.flatnonzero(is_used & (self._parts < 0))
        self._parts[fresh] = keys.of_texts(texts.data, texts.bounds, 2 * fresh)
        found: NDArray[np.int64] = self._parts[texts.chosen]
        return found

    def _count(self, names: Sequence[str], counts: Sequence[int]) -> None:
        """Put into the report how many rows there are of each event type."""
        report = self._columns.report
        report.rows += sum(counts)
        report.events.update({name: count for name, count in zip(names, counts, strict=True) if count})

    def _times(self, column: Any) -> NDArray[np.int64]:
        found: NDArray[np.int64]

        if column.null_count:
            raise Unusual
        if self._clocked is None:
            first = (
                column[0].cast(pyarrow.string()).as_py()
                if types.is_timestamp(column.type)
                else column[0].as_py()
            )
            self._clocked = clocked_by(first, self._columns.reading, self._columns.report)
        clocked = self._clocked
        if types.is_timestamp(column.type) and clocked.dated:
            found = numbers(column.cast(pyarrow.timestamp("ns", column.type.tz)))
            if column.type.tz is None:
                ahead = clocked.offsets.of(found) if len(clocked.offsets.ahead) else np.array([NEVER])
                if (ahead == NEVER).any():
                    raise Unusual
                found = found - ahead
        elif (types.is_integer(column.type) or types.is_float64(column.type)) and not clocked.dated:
            found = numbers(column)
            if types.is_float64(column.type) and int(found.max()) >= MAX_EXACT:
                raise Unusual
        else:
            raise Unusual
        self._note(_order_of(found), None if clocked.dated else MAX_TIME // clocked.factor)
        ticks = found
        if clocked.factor != clocked.divisor:
            scaled = found * clocked.factor
            ticks = scaled // clocked.divisor
            rest = int((ticks * clocked.divisor != scaled).sum())
            if rest and not clocked.rounds:
                raise Unusual
            self._columns.report.rounded += rest
        self._later(int(ticks[0]), int(ticks[-1]))
        return ticks

    def _note(self, order: Order, most: int | None) -> None:
        """Take note of the order of times, none of which may be negative or more than so many."""
        if order.least < 0 or (most is not None and order.greatest > most):
            raise Unusual
        self._columns.note_disorder(order.disorder)

    def _later(self, first: int, last: int) -> None:
        """Take note of a batch by its times, which may come before those of the batch before where rows are sorted."""
        self._columns.note_disorder(int(first < self._last))
        self._last = last

    def _partitions(self, column: Any, rows: NDArray[np.integer]) -> NDArray[np.int64]:
        """The numbers that partitions have in the columns, of some rows."""
        if not types.is_dictionary(column.type) or column.null_count or column.dictionary.null_count:
            codes, _, cells = _codes(column.take(integers(rows)))
            return self._columns.keys.of_cells(cells)[codes]
        if self._cells is None or not self._cells.equals(column.dictionary):  # it is that of many batches
            self._cells, self._parts = column.dictionary, np.full(len(column.dictionary), -1, np.int64)
            self._texts = texts_of(self._cells) if types.is_string(self._cells.type) else None
        codes = numbers(column.indices)[rows]
        is_fresh = np.zeros(len(self._parts), np.bool_)
        is_fresh[codes[self._parts[codes] < 0]] = True
        fresh = np.flatnonzero(is_fresh)
        if len(fresh):
            _require_simple(self._cells.type)
            if self._texts is not None:
                self._parts[fresh] = self._columns.keys.of_texts(*self._texts, fresh)
            else:
                self._parts[fresh] = self._columns.keys.of_cells(cells_of(self._cells, fresh))
        found: NDArray[np.int64] = self._parts[codes]
        return found

    def _values(self, batch: Any, rows: NDArray[np.integer]) -> Any:
        """The values of some rows, as an array that is no dictionary.

        Raises:
            Unusual: they are no scalars that JSON has, or they take more room than they do in the file.
        """
        name = self._columns.reading.value
        if name not in batch.schema.names:
            return pyarrow.nulls(len(rows))
        column = batch.column(name)
        if types.is_string_view(column.type):
            column = column.cast(pyarrow.large_string())
        if not types.is_dictionary(column.type):
            require_short_cells(column, name, NOWHERE)
            simple = (types.is_integer, types.is_floating, types.is_boolean, *_TEXTS)
            if not any(each(column.type) for each in simple) or types.is_float16(column.type):
                raise Unusual
            return column.take(integers(rows))
        column = column.take(integers(rows))
        if require_short_cells(column.dictionary, name, NOWHERE) * len(rows) > MOST_BYTES:
            from pyarrow import compute  # which takes time to load

            lengths = compute.binary_length(column.dictionary).take(column.indices)
            self._bytes = (compute.sum(lengths).as_py() or 0) + self._bytes * self._columns.reading.sort
            if self._bytes > MOST_BYTES:  # row by row, a text is held once
                raise Unusual
        return column.dictionary_decode()


_TEXTS = (types.is_string, types.is_large_string)


def _order_of(times: NDArray[np.int64]) -> Order:
    disorder, first, last = int((times[1:] < times[:-1]).sum()), int(times[0]), int(times[-1])
    return Order(
        first, disorder, last, *((int(times.min()), int(times.max())) if disorder else (first, last))
    )


def _require_simple(kind: Any) -> None:
    """Make sure that cells are text or integers.

    Raises:
        Unusual: they are not.
    """
    if not (types.is_string(kind) or types.is_large_string(kind) or types.is_integer(kind)):
        raise Unusual


def _codes(column: Any) -> tuple[NDArray[np.int64], list[int], list[Any]]:
    """Of each row the number of its cell among those in a list; how many rows have each; and that list."""
    if types.is_string_view(column.type):
        column = column.cast(pyarrow.large_string())
    _require_simple(column.type.value_type if types.is_dictionary(column.type) else column.type)
    if types.is_dictionary(column.type) and len(column.dictionary) > len(column):
        column = column.dictionary_decode()  # the dictionary grows from batch to batch
    if not types.is_dictionary(column.type):
        column = column.dictionary_encode("encode")
    if column.null_count:  # of a dictionary
        column = column.dictionary_decode().dictionary_encode("encode")
    codes = numbers(column.indices)
    counts = np.bincount(codes, minlength=len(column.dictionary))
    used = counts > 0
    kept = np.flatnonzero(used)
    codes = codes if used.all() else (np.cumsum(used) - 1)[codes]
    return codes, counts[kept].tolist(), cells_of(column.dictionary, kept)
