"""Pages of the column chunks of a Parquet file (the Apache Parquet format, `parquet.thrift`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow
from numpy.typing import NDArray

from semantics.native import run
from semantics.traces.parquet.page_kernel import DATA, DICTIONARY, HEADER, HEADERS, PAGE, PAGES

_CODECS: Final = ("ZSTD", "SNAPPY", "GZIP", "BROTLI")
"""Those of Parquet that Arrow has by the same names."""

_MOST: Final = 1 << 12
"""A column chunk of more pages is not read here."""


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
    headers = np.empty((_MOST, HEADER), np.int64)
    number = run(HEADERS, np.frombuffer(chunk, np.uint8), len(chunk), rows, _MOST, headers)
    if number < 0:
        raise Unreadable
    kinds, sizes, packed, cells, *_, begins = headers[:number].T
    if sizes.sum() > most or cells[kinds == DATA].sum() != rows:
        raise Unreadable
    view, places = memoryview(chunk), zip(begins.tolist(), packed.tolist(), strict=True)
    bodies = [view[begin : begin + size] for begin, size in places]
    data = np.frombuffer(_unpacked(bodies, sizes.tolist(), compression), np.uint8)
    told = np.empty((number, PAGE), np.int64)
    coded = run(PAGES, data, headers, number, int(nullable), told)
    if coded < 0:
        raise Unreadable
    first = int(kinds[0] == DICTIONARY)
    return Pages(data, told[0] if first else None, told[first : first + coded], told[first + coded :])


def _unpacked(bodies: Sequence[memoryview], sizes: Sequence[int], compression: str) -> Any:
    """Bodies of pages, unpacked, one after the other."""
    if compression == "UNCOMPRESSED":
        return b"".join(bodies)
    if compression not in _CODECS:
        raise Unreadable
    codec = pyarrow.Codec(compression.lower())
    if compression == "ZSTD":  # which takes frames one after the other for one
        # Bytes get memory that was used before; a buffer of Arrow gets new memory, which costs page faults.
        return codec.decompress(b"".join(bodies), sum(sizes), asbytes=True)
    return b"".join(map(codec.decompress, bodies, sizes))
