"""Row groups of Parquet files: times, event types and partitions of the rows that are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow
from pyarrow import types

from semantics.native import run
from semantics.traces.parquet.page_kernel import CHOOSE, NUMBERS, PAGE, TEXTS, TIMES
from semantics.traces.parquet.pages import Pages, Unreadable, pages
from semantics.traces.text_tables import Bytes, Integers

MOST_ROWS: Final = 1 << 22
"""A row group of more rows is read by batches, as its times are unpacked together."""

_WIDEST: Final = 16
"""The number of an event type in its dictionary has at most so many bits."""


@dataclass(frozen=True)
class Texts:
    """Texts of some rows.

    Attributes:
        data: bytes, in which texts stand.
        bounds: where each begins and ends, shape `(2 * n,)`.
        chosen: of each row the number of its text; None where each has one of its own.
    """

    data: Bytes
    bounds: Integers
    chosen: Integers | None


class Order(NamedTuple):
    """The order of times.

    Attributes:
        first: the first one.
        disorder: how many are less than the one before.
        last: the last one.
        least: the least one.
        greatest: the greatest one.
    """

    first: int
    disorder: int
    last: int
    least: int
    greatest: int


@dataclass(frozen=True)
class Group:
    """What a row group has.

    Attributes:
        times: of the rows that are asked for, or, where there is no `order`, of all, as an array of Arrow.
        order: that of the times of all rows.
        names: the event types by their numbers in the group.
        counts: how many rows have each.
        rows: those of the event types that are asked for.
        types: the event type of each, as its number among these.
        partitions: those of the rows, piece by piece; none where they are not asked for.
    """

    times: Any
    order: Order | None
    names: list[str]
    counts: Integers
    rows: Integers
    types: Integers
    partitions: list[Texts]


class GroupReader:
    """Reads row groups; each thread has one.

    Args:
        path: the file.
        file: it, opened by `arrow_rows.parquet_file`.
        asked: the numbers of event types.
        time: the column of times.
        event: the column of event types.
        partition: the column of partitions, if it is asked for.
        every_time: whether the times of all rows are wanted.
    """

    def __init__(
        self,
        path: str,
        file: Any,
        asked: Mapping[str, int],
        time: str,
        event: str,
        partition: str | None,
        *,
        every_time: bool,
    ) -> None:
        """Nothing has been read."""
        self._path, self._metadata, self._asked, self._every_time = path, file.metadata, asked, every_time
        self._schema = file.schema_arrow
        self._names = [name for name in (time, event, partition) if name is not None]
        columns = list(map(file.metadata.schema.column, range(len(file.metadata.schema))))
        self._room = np.empty(0, np.int64), np.empty(0, np.int64)
        self._columns = {column.path: (place, column) for place, column in enumerate(columns)}

    @property
    def is_possible(self) -> bool:
        """Whether the columns have types that are read here."""
        if not all(name in self._columns for name in self._names):
            return False
        kinds = [self._schema.field(name).type for name in self._names]
        texts = [each.value_type if types.is_dictionary(each) else each for each in kinds[1:]]
        columns = [self._columns[name][1] for name in self._names]
        return (
            _is_as_written(kinds[0], columns[0])
            and all(map(types.is_string, texts))
            and all(each.max_repetition_level == 0 and each.max_definition_level <= 1 for each in columns)
        )

    def __call__(self, number: int) -> Group | None:
        """What a row group has; None where Arrow is to read it, which also knows what is wrong."""
        try:
            return self._group(number)
        except (
            Unreadable,
            LookupError,
            TypeError,
            ValueError,
            OverflowError,
            OSError,
            pyarrow.ArrowException,
        ):
            return None

    def _pages(self, number: int, name: str) -> Pages:
        place, column = self._columns[name]
        chunk = self._metadata.row_group(number).column(place)
        begin = chunk.data_page_offset
        if chunk.has_dictionary_page and chunk.dictionary_page_offset:
            begin = min(begin, chunk.dictionary_page_offset)
        with Path(self._path).open("rb") as file:
            file.seek(begin)
            data = file.read(chunk.total_compressed_size)
        rows = self._metadata.row_group(number).num_rows
        how = chunk.compression, chunk.total_uncompressed_size, rows
        return pages(data, *how, nullable=column.max_definition_level == 1)

    def _group(self, number: int) -> Group:
        size = self._metadata.row_group(number).num_rows
        if not 0 < size <= MOST_ROWS:
            raise Unreadable
        names, counts, rows, chosen = self._events(number, self._names[1], size)
        times, order = self._times(number, self._names[0], np.arange(size) if self._every_time else rows)
        partitions = [each for name in self._names[2:] for each in self._texts(number, name, rows)]
        if self._every_time:
            kind = self._schema.field(self._names[0]).type
            column = pyarrow.Array.from_buffers(kind, size, [None, pyarrow.py_buffer(times)])
            return Group(column, None, names, counts, rows, chosen, partitions)
        return Group(times, order, names, counts, rows, chosen, partitions)

    def _times(self, number: int, name: str, rows: Integers) -> tuple[Integers, Order]:
        """The times of some rows, and the order of all: each page is looked at once."""
        found = self._pages(number, name)
        pieces = [(found.data, found.plain)]
        coded = int(found.coded[:, 3].sum())
        if coded:
            assert found.dictionary is not None  # there are numbers in it
            begin, end, _, cells = found.dictionary.tolist()
            if 8 * cells > end - begin:
                raise Unreadable
            known = np.frombuffer(found.data, np.int64, cells, begin)
            read = np.take(known, _numbers(found, np.arange(coded), cells))
            pieces.insert(0, (read.view(np.uint8), np.array([[0, 8 * coded, 0, coded]])))
        times, order, row = np.empty(len(rows), np.int64), np.zeros(6, np.int64), 0
        for data, told in pieces:
            if run(TIMES, data, told, len(told), row, rows, len(rows), times, order) < 0:
                raise Unreadable
            row += coded
        return times, Order(*order[1:].tolist())

    def _events(self, number: int, name: str, size: int) -> tuple[list[str], Integers, Integers, Integers]:
        found = self._pages(number, name)
        if found.dictionary is None or len(found.plain) or found.coded[:, 2].max(initial=0) > _WIDEST:
            raise Unreadable
        pairs = _texts(found.data, found.dictionary, 0).reshape(-1, 2).tolist()
        names = [found.data[begin:end].tobytes().decode() for begin, end in pairs]
        most = max(len(names), 1 << int(found.coded[:, 2].max(initial=0)))
        asked, counts = np.full(most, -1, np.int64), np.zeros(most, np.int64)
        asked[: len(names)] = [self._asked.get(each, -1) for each in names]
        if len(self._room[0]) < size:
            self._room = np.empty(size, np.int64), np.empty(size, np.int64)
        rows, chosen = self._room
        known = run(CHOOSE, found.data, found.coded, len(found.coded), asked, counts, rows, chosen)
        if known < 0 or counts[len(names) :].any():
            raise Unreadable
        return names, counts[: len(names)], rows[:known].copy(), chosen[:known].copy()

    def _texts(self, number: int, name: str, rows: Integers) -> Iterator[Texts]:
        found = self._pages(number, name)
        coded = int(found.coded[:, 3].sum())
        middle = int(np.searchsorted(rows, coded))
        if coded:
            assert found.dictionary is not None  # there are numbers in it
            known = _texts(found.data, found.dictionary, 0)
            yield Texts(found.data, known, _numbers(found, rows[:middle], len(known) // 2))
        if len(found.plain):
            yield Texts(found.data, _texts(found.data, found.plain, coded, rows[middle:]), None)


def _is_as_written(kind: Any, column: Any) -> bool:
    """Whether 64 bits in the file are those that Arrow has of it."""
    if column.physical_type != "INT64":
        return False
    if not types.is_timestamp(kind):
        return kind == pyarrow.int64() and str(column.logical_type) in (
            "None",
            "Int(bitWidth=64, isSigned=true)",
        )
    units = {"ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds"}
    return f"timeUnit={units.get(kind.unit)}," in str(column.logical_type)


def _numbers(found: Pages, rows: Integers, known: int) -> Integers:
    """The numbers of some rows in a dictionary of so many cells."""
    numbers = np.empty(len(rows), np.int64)
    how = found.data, found.coded, len(found.coded), 0, rows, len(rows), known
    if run(NUMBERS, *how, numbers) < len(rows):
        raise Unreadable
    return numbers


def _texts(data: Bytes, told: Integers, first: int, rows: Integers | None = None) -> Integers:
    """Where the texts of some rows begin and end, or all of them, in pages of which the first one begins with a row."""
    told = told.reshape(-1, PAGE)
    rows = np.arange(told[:, 3].sum()) if rows is None else rows
    bounds = np.empty(2 * len(rows), np.int64)
    if run(TEXTS, data, told, len(told), first, rows, len(rows), bounds) < len(rows):
        raise Unreadable
    return bounds
