"""Row groups of Parquet files: times of all rows, event types and partitions of those that are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow
from pyarrow import types

from semantics.native import run
from semantics.traces.parquet.page_kernel import CHOOSE, NUMBERS, PAGE, TEXTS
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


@dataclass(frozen=True)
class Group:
    """What a row group has.

    Attributes:
        times: of all rows, as an array of Arrow.
        names: the event types by their numbers in the group.
        counts: how many rows have each.
        rows: those of the event types that are asked for.
        types: the event type of each, as its number among these.
        partitions: those of the rows, piece by piece; none where they are not asked for.
    """

    times: Any
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
    """

    def __init__(
        self, path: str, file: Any, asked: Mapping[str, int], time: str, event: str, partition: str | None
    ) -> None:
        """Nothing has been read."""
        self._path, self._metadata, self._asked = path, file.metadata, asked
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
            RecursionError,
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
        if size > MOST_ROWS:
            raise Unreadable
        times = self._times(number, self._names[0], size)
        names, counts, rows, chosen = self._events(number, self._names[1], size)
        partitions = [each for name in self._names[2:] for each in self._texts(number, name, rows)]
        return Group(times, names, counts, rows, chosen, partitions)

    def _times(self, number: int, name: str, size: int) -> Any:
        found = self._pages(number, name)
        times = np.empty(size, np.int64)
        coded = int(found.coded[:, 3].sum())
        if coded:
            assert found.dictionary is not None  # there are numbers in it
            known = _times(found.data, *found.dictionary.reshape(-1).tolist())
            np.take(known, _numbers(found, np.arange(coded), len(known)), out=times[:coded])
        row = coded
        for told in found.plain.tolist():
            of_page = _times(found.data, *told)
            times[row : row + len(of_page)] = of_page
            row += len(of_page)
        kind = self._schema.field(name).type
        return pyarrow.Array.from_buffers(kind, size, [None, pyarrow.py_buffer(times)])

    def _events(self, number: int, name: str, size: int) -> tuple[list[str], Integers, Integers, Integers]:
        found = self._pages(number, name)
        if found.dictionary is None or len(found.plain) or found.coded[:, 2].max(initial=0) > _WIDEST:
            raise Unreadable
        pairs = _texts(found.data, found.dictionary, 0).reshape(-1, 2).tolist()
        names = [found.data[begin:end].tobytes().decode() for begin, end in pairs]
        asked, counts = np.full(1 << _WIDEST, -1, np.int64), np.zeros(1 << _WIDEST, np.int64)
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


def _times(data: Bytes, begin: int, end: int, _: int, count: int) -> Integers:
    """The numbers of 64 bits of a page."""
    if 8 * count > end - begin:
        raise Unreadable
    return np.frombuffer(data, np.int64, count, begin)


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
