"""Pages of the column chunks of a Parquet file (the Apache Parquet format, `parquet.thrift`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow
from numpy.typing import NDArray

from semantics.native import run
from semantics.traces.parquet.page_kernel import NUMBERS

_DATA, _DICTIONARY, _DATA_2 = 0, 2, 3
"""Types of pages."""

_PLAIN, _PLAIN_DICTIONARY, _RLE, _RLE_DICTIONARY = 0, 2, 3, 8
"""Encodings."""

_WIDEST: Final = 32
"""A number has at most so many bits."""


class Unreadable(Exception):
    """A column chunk is damaged, or written in another way than is read here."""


@dataclass(frozen=True)
class Page:
    """A page without nulls.

    Attributes:
        data: its bytes, unpacked.
        place: where cells begin.
        count: how many there are.
        is_dictionary: whether its cells are those that numbers in the pages after it mean.
        width: the bits of such numbers; 0 where cells are written themselves.
    """

    data: NDArray[np.uint8]
    place: int
    count: int
    is_dictionary: bool
    width: int


def pages(chunk: bytes, compression: str, most: int, rows: int, *, nullable: bool) -> Iterator[Page]:
    """The pages of a column chunk.

    Args:
        chunk: its bytes.
        compression: their codec, as Arrow names it.
        most: so many bytes they have at most, unpacked.
        rows: so many cells they have at most.
        nullable: whether it is written which cells are null.

    Raises:
        Unreadable: there is something else, or a cell is null.
    """
    codec = None if compression == "UNCOMPRESSED" else pyarrow.Codec(compression.lower())
    place = 0
    while place < len(chunk):
        header, place = _struct(chunk, place)
        kind, size, packed = (header.get(field) for field in (1, 2, 3))
        head = header.get({_DATA: 5, _DICTIONARY: 7, _DATA_2: 8}.get(kind, -1))
        if type(head) is not dict or not 0 <= size <= most or not 0 <= packed <= len(chunk) - place:
            raise Unreadable
        if not 0 <= head[1] <= rows:
            raise Unreadable
        levels = head.get(5, 0) + head.get(6, 0) if kind == _DATA_2 else 0
        if not 0 <= levels <= min(size, packed):
            raise Unreadable
        body = memoryview(chunk)[place + levels : place + packed]
        if codec is not None and (kind != _DATA_2 or head.get(7, True)):
            body = codec.decompress(body, size - levels)
        data, before = np.frombuffer(body, np.uint8), memoryview(chunk)[place : place + levels]
        place += packed
        yield _page(kind, head, data, np.frombuffer(before, np.uint8), nullable=nullable)


def _page(
    kind: int, head: dict[int, Any], data: NDArray[np.uint8], levels: NDArray[np.uint8], *, nullable: bool
) -> Page:
    count, encoding, begin = head[1], head[4 if kind == _DATA_2 else 2], 0
    if kind == _DICTIONARY:
        if encoding not in (_PLAIN, _PLAIN_DICTIONARY):
            raise Unreadable
        return Page(data, 0, count, True, 0)
    if kind == _DATA_2:
        if head[2] or head.get(6):
            raise Unreadable
        if nullable:
            _require_present(levels, 0, len(levels), count)
    elif nullable:
        begin = 4 + int.from_bytes(data[:4].tobytes(), "little")
        if head[3] != _RLE or len(data) < begin:
            raise Unreadable
        _require_present(data, 4, begin, count)
    if encoding == _PLAIN:
        return Page(data, begin, count, False, 0)
    width = int(data[begin])
    if encoding not in (_PLAIN_DICTIONARY, _RLE_DICTIONARY) or not 0 < width <= _WIDEST:
        raise Unreadable
    return Page(data, begin + 1, count, False, width)


def _require_present(levels: NDArray[np.uint8], begin: int, end: int, count: int) -> None:
    """Make sure that no cell is null.

    Raises:
        Unreadable: one is.
    """
    repeated, place = _varint(levels[begin : begin + 10].tobytes(), 0)
    if not repeated & 1 and repeated >> 1 >= count and begin + place < end and levels[begin + place] == 1:
        return
    found = np.empty(count, np.int64)
    if run(NUMBERS, levels, begin, end, 1, 0, np.arange(count), count, 2, found) < count or not found.all():
        raise Unreadable


def _struct(data: bytes, place: int) -> tuple[dict[int, Any], int]:
    """A struct in the compact protocol of Thrift by the numbers of its fields, and the place after it."""
    found: dict[int, Any] = {}
    number = 0
    while kind := data[place]:
        place += 1
        if kind >> 4:
            number += kind >> 4
        else:
            number, place = _integer(data, place)
        found[number], place = _value(data, place, kind & 15)
    return found, place + 1


def _value(data: bytes, place: int, kind: int) -> tuple[Any, int]:
    match kind:
        case 1 | 2:
            return kind == 1, place
        case 3:
            return data[place], place + 1
        case 4 | 5 | 6:
            return _integer(data, place)
        case 7:
            return None, place + 8
        case 8:
            length, place = _varint(data, place)
            return None, place + length
        case 12:
            return _struct(data, place)
        case _:
            raise Unreadable


def _integer(data: bytes, place: int) -> tuple[int, int]:
    value, place = _varint(data, place)
    return (value >> 1) ^ -(value & 1), place


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[place] & 127) << shift
        shift, place = shift + 7, place + 1
        if data[place - 1] < 128:
            return value, place
        if shift > 63:
            raise Unreadable
