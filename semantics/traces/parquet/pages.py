"""Pages of the column chunks of a Parquet file (the Apache Parquet format, `parquet.thrift`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow
from numpy.typing import NDArray

from semantics.native import run
from semantics.traces.parquet.page_kernel import NUMBERS, PAGE

_DATA, _DICTIONARY = 0, 2
"""Types of pages; those of the second version of the format are not read here."""

_PLAIN, _PLAIN_DICTIONARY, _RLE, _RLE_DICTIONARY = 0, 2, 3, 8
"""Encodings."""

_CODECS: Final = ("ZSTD", "SNAPPY", "GZIP", "BROTLI")
"""Those of Parquet that Arrow has by the same names."""

_WIDEST: Final = 32
"""A number has at most so many bits."""


class Unreadable(Exception):
    """A column chunk is damaged, or written in another way than is read here."""


@dataclass(frozen=True)
class Pages:
    """The pages of a column chunk without nulls.

    Attributes:
        data: their bytes, unpacked, one page after the other.
        dictionary: where the cells of the dictionary begin and end, 0, and how many there are; None if there is none.
        coded: of each page whose cells are numbers in the dictionary, where they begin and end, how many bits each
            has, and how many there are; shape `(n, 4)`.
        plain: likewise of the pages after these, which have the cells themselves; with 0 for the bits.
    """

    data: NDArray[np.uint8]
    dictionary: NDArray[np.int64] | None
    coded: NDArray[np.int64]
    plain: NDArray[np.int64]


def pages(chunk: bytes, compression: str, most: int, rows: int, *, nullable: bool) -> Pages:
    """The pages of a column chunk.

    Args:
        chunk: its bytes.
        compression: their codec, as Arrow names it.
        most: so many bytes they have at most, unpacked.
        rows: so many cells they have.
        nullable: whether it is written which cells are null.

    Raises:
        Unreadable: there is something else, or a cell is null.
    """
    heads, bodies, place = [], [], 0
    while place < len(chunk):
        header, place = _struct(chunk, place)
        kind, size, packed = header[1], header[2], header[3]
        head = header[{_DATA: 5, _DICTIONARY: 7}[kind]]
        if size < 0 or not 0 <= packed <= len(chunk) - place or not 0 <= head[1] <= rows:
            raise Unreadable
        heads.append((kind == _DICTIONARY, size, head))
        bodies.append(memoryview(chunk)[place : place + packed])
        place += packed
    sizes = [size for _, size, _ in heads]
    if sum(sizes) > most or sum(head[1] for is_dictionary, _, head in heads if not is_dictionary) != rows:
        raise Unreadable
    data = np.frombuffer(_unpacked(bodies, sizes, compression), np.uint8)
    found: list[list[list[int]]] = [[], [], []]
    end = 0
    for is_dictionary, size, head in heads:
        begin, end = end, end + size
        place = _after_levels(data, begin, end, head) if nullable and not is_dictionary else begin
        width = 0
        if not is_dictionary and head[2] in (_PLAIN_DICTIONARY, _RLE_DICTIONARY):
            width, place = int(data[place]), place + 1
            if not 0 < width <= _WIDEST or not found[0] or found[2]:
                raise Unreadable
        elif head[2] not in (_PLAIN, _PLAIN_DICTIONARY) or (is_dictionary and any(found)):
            raise Unreadable
        found[0 if is_dictionary else 1 if width else 2].append([place, end, width, head[1]])
    dictionary, coded, plain = (np.array(each, np.int64).reshape(-1, PAGE) for each in found)
    return Pages(data, dictionary if len(dictionary) else None, coded, plain)


def _unpacked(bodies: Sequence[memoryview], sizes: Sequence[int], compression: str) -> Any:
    """Bodies of pages, unpacked, one after the other."""
    if compression == "UNCOMPRESSED":
        return b"".join(bodies)
    if compression not in _CODECS:
        raise Unreadable
    codec = pyarrow.Codec(compression.lower())
    if compression == "ZSTD":  # which takes frames one after the other for one
        return codec.decompress(b"".join(bodies), sum(sizes))
    return b"".join(map(codec.decompress, bodies, sizes))


def _after_levels(data: NDArray[np.uint8], begin: int, end: int, head: dict[int, Any]) -> int:
    """The place after what says which cells are null.

    Raises:
        Unreadable: one is.
    """
    first = begin + 4
    after = first + int.from_bytes(data[begin:first].tobytes(), "little")
    if head[3] != _RLE or after > end:
        raise Unreadable
    run_of_ones, length = _varint(data[first:after].tobytes(), 0)
    if run_of_ones & 1 or run_of_ones >> 1 < head[1] or data[first + length] != 1:
        rows, levels = np.arange(head[1]), np.empty(head[1], np.int64)
        page = np.array([first, after, 1, head[1]])
        if run(NUMBERS, data, page, 1, 0, rows, len(rows), 2, levels) < len(rows) or not levels.all():
            raise Unreadable
    return after


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
