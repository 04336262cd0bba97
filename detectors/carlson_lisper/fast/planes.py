"""Bit planes and sorted times of a stretch: where an event type occurs.

Plain functions over arrays. `detectors.carlson_lisper.fast.kernels` makes them callable from compiled loops.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from detectors.carlson_lisper.intervals import Letters, Times

BLOCK = 1 << 14
"""How many instants go through a loop at a time: its arrays stay in the processor's cache."""

LINE = 64
"""Bytes in a line of the processor's cache."""

LAST = int(np.iinfo(np.int64).max)
"""Later than every time."""

Plane: TypeAlias = NDArray[np.uint64]
"""A bit for each instant of a block, 64 to a word, the first one lowest."""


def lowest(bits: np.uint64) -> int:
    """The number of the lowest bit that is set; there must be one."""
    return (int(bits) & -int(bits)).bit_length() - 1


def highest(bits: np.uint64) -> int:
    """The number of the highest bit that is set; there must be one."""
    return int(bits).bit_length() - 1


def without_lowest(bits: np.uint64) -> np.uint64:
    """The same bits but for the lowest one that is set."""
    return bits & (bits - np.uint64(1))


def moved(word: np.uint64, before: np.uint64, ticks: int) -> np.uint64:
    """The bits of a word, and of the word before it, so many ticks later; from 1 to 63."""
    return (word << np.uint64(ticks)) | (before >> np.uint64(64 - ticks))


def digit(word: np.uint64, place: int) -> int:
    """The bit at a place of a word, as a number."""
    return int((word >> np.uint64(place)) & np.uint64(1))


def occurring(letters: Letters, place: int, mask: np.uint64) -> np.uint64:
    """A bit for each of the 64 letters from a place on: whether it has one of the bits of a mask."""
    found = letters[place : place + 64] & letters.dtype.type(mask) != 0
    word: np.uint64 = np.packbits(found, bitorder="little").view(np.uint64)[0]
    return word


def fill(letters: Letters, mask: int, plane: Plane) -> None:
    """Say of each letter of a block whether it has one of the bits of a mask."""
    whole = len(letters) >> 6
    for word in range(whole):
        plane[word] = occurring(letters, word << 6, np.uint64(mask))
    if whole << 6 < len(letters):
        wanted = letters.dtype.type(mask)
        bits = np.uint64(0)
        for index in range(len(letters) - (whole << 6)):
            if letters[(whole << 6) + index] & wanted:
                bits |= np.uint64(1) << np.uint64(index)
        plane[whole] = bits


def latest_in(plane: Plane, time: int, base: int) -> int:
    """The latest instant before a time in the plane of a block that begins at a base, or -1."""
    place = time - base
    if place <= 0:
        return -1
    word = (place - 1) >> 6
    bits = plane[word] & (np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(63 - ((place - 1) & 63)))
    while bits == np.uint64(0):
        word -= 1
        if word < 0:
            return -1
        bits = plane[word]
    return base + (word << 6) + highest(bits)


def planes(count: int) -> NDArray[np.uint64]:
    """Room for so many planes of a block."""
    return np.empty((count, (BLOCK >> 6) + 1), np.uint64)


def earlier(column: Times, place: int, time: int) -> int:
    """How many of the eight times from a place on are before a time."""
    return int(np.count_nonzero(column[place : place + 8] < time))


def prefetch(column: Times, place: int) -> None:
    """Say that an element will be read soon; nothing where code is not compiled."""


def latest_point(column: Times, hints: NDArray[np.int64], hint: int, time: int) -> int:
    """The latest time in a column before a time, or -1, searched from where the last search ended."""
    count = len(column)
    place = hints[hint]  # how many times come before, as far as known
    stride = 1
    if place + 8 <= count and column[place + 7] >= time and (place == 0 or column[place - 1] < time):
        # Which of the next ones it is, cannot be foreseen, so nothing branches on it.
        low = high = place + earlier(column, place, time)
    elif place < count and column[place] < time:
        while place + stride < count and column[place + stride] < time:
            place += stride
            stride *= 2
        low, high = place + 1, min(place + stride, count)
    else:
        while place - stride >= 0 and column[place - stride] >= time:
            place -= stride
            stride *= 2
        low, high = max(place - stride + 1, 0), place
    while low < high:
        middle = (low + high) >> 1
        if column[middle] < time:
            low = middle + 1
        else:
            high = middle
    if stride >= 8:  # the next search will go as far
        for ahead in range(8, 64, 8):
            prefetch(column, low + ahead)
    hints[hint] = low
    return column[low - 1] if low > 0 else -1
