"""Arrow arrays of numbers and texts; PyArrow's own conversions load pandas, which takes longer than to read a file."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow
from numpy.typing import NDArray
from pyarrow import types


def integers(numbers: NDArray[np.integer]) -> Any:
    """An array of 64-bit integers."""
    data = np.ascontiguousarray(numbers, np.int64)
    return pyarrow.Array.from_buffers(pyarrow.int64(), len(data), [None, pyarrow.py_buffer(data)])


def numbers(column: Any) -> NDArray[np.int64]:
    """The numbers of an array of integers without nulls."""
    kind = np.int32 if column.type == pyarrow.int32() else np.int64
    if kind == np.int64 and column.type != pyarrow.int64():
        column = column.cast(pyarrow.int64())
    found: NDArray[np.integer] = np.frombuffer(column.buffers()[1] or b"", kind)
    return found[column.offset : column.offset + len(column)].astype(np.int64, copy=False)


def cells_of(column: Any, places: NDArray[np.integer]) -> list[Any]:
    """Some cells of an array; to take them by PyArrow loads a module of it, which takes longer than to read a file."""
    wide = types.is_large_string(column.type)
    if column.null_count or not (wide or types.is_string(column.type)):
        cells: list[Any] = column.take(integers(places)).to_pylist()
        return cells
    _, bounds, data = column.buffers()
    ends = np.frombuffer(bounds or b"", np.int64 if wide else np.int32)[column.offset :]
    text, pairs = bytes(data or b""), zip(ends[places].tolist(), ends[places + 1].tolist(), strict=True)
    if text.isascii():
        whole = text.decode()
        return [whole[begin:end] for begin, end in pairs]
    return [text[begin:end].decode() for begin, end in pairs]


def texts_of(column: Any) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The bytes of an array of texts without nulls, one after the other, and where each begins and ends."""
    _, bounds, data = column.buffers()
    ends = np.frombuffer(bounds or b"", np.int32)[column.offset : column.offset + len(column) + 1]
    return np.frombuffer(data or b"", np.uint8), ends.astype(np.int64)


def large_texts(
    data: bytes | NDArray[np.uint8], bounds: NDArray[np.int64], missing: NDArray[np.bool_] | None = None
) -> Any:
    """An array of texts with 64-bit offsets.

    Args:
        data: the texts in UTF-8, one after the other.
        bounds: where each begins, and the end of the last one.
        missing: which are null; None for none.
    """
    mask = None if missing is None else pyarrow.py_buffer(np.packbits(~missing, bitorder="little"))
    buffers = [mask, pyarrow.py_buffer(np.ascontiguousarray(bounds)), pyarrow.py_buffer(data)]
    return pyarrow.Array.from_buffers(pyarrow.large_string(), len(bounds) - 1, buffers)
