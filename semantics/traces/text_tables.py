"""Tables of texts and their numbers, in which kernels look for bytes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from semantics.native import address, loaded
from semantics.traces import scanning

Integers: TypeAlias = NDArray[np.int64]

Bytes: TypeAlias = NDArray[np.uint8]


class TextTable:
    """An open hash table of different texts, numbered in the order in which they came.

    Attributes:
        known: how many there are.
        slots: their numbers; -1 where it is free.
        offsets: where each begins in `text`, and the end of the last one.
        words: of each the last bytes as a number.
        counts: how many rows had each, if somebody counts.
        text: them, one after the other; what is there remains as it is.
    """

    def __init__(self, known: Sequence[bytes] = ()) -> None:
        """The texts that have the first numbers."""
        self._make(max(1024, 4 * len(known)), max(1 << 14, 2 * sum(map(len, known))))
        self._fill(np.frombuffer(b"".join(known), np.uint8), np.cumsum([0, *map(len, known)]))

    def _make(self, slots: int, size: int) -> None:
        places = 1 << (slots - 1).bit_length()
        self.known = 0
        self.slots = np.full(places, -1, np.int64)
        self.offsets = np.zeros(places // 2 + 1, np.int64)
        self.words = np.zeros(places // 2, np.int64)
        self.counts = np.zeros(places // 2, np.int64)
        self.text = np.zeros(size, np.uint8)

    def _fill(self, data: Bytes, bounds: Integers) -> None:
        """Add texts for which there is room."""
        self._number(data, bounds, np.arange(len(bounds) - 1), np.empty(len(bounds) - 1, np.int64))

    def _number(self, data: Bytes, bounds: Integers, places: Integers, numbers: Integers) -> int:
        """Number some of the texts between bounds, as long as there is room; of how many the number is known."""
        known = np.array([self.known])
        arrays = (self.slots, self.offsets, self.words, self.text, known, numbers)
        given = (address(data), address(bounds), address(places), len(places))
        done = loaded(scanning.NUMBER)(*given, len(self.slots) - 1, len(self.text), *map(address, arrays))
        self.known = int(known[0])
        return done

    def numbers(self, data: Bytes, bounds: Integers, places: Integers) -> Integers:
        """The numbers of some texts between bounds, of at most `scanning.LONGEST` bytes each; new ones are added."""
        found, done = np.empty(len(places), np.int64), 0
        while done < len(places):
            done += self._number(data, bounds, places[done:], found[done:])
            self.grow_if_full()
        return found

    def grow_if_full(self) -> None:
        """Make room for three times as many more texts, if there may be none for one."""
        known, text, offsets, counts = self.known, self.text, self.offsets, self.counts
        if 2 * known + 2 < len(self.slots) and offsets[known] + scanning.LONGEST <= len(text):
            return
        self._make(4 * len(self.slots), 2 * len(text) + scanning.LONGEST)
        self._fill(text, offsets[: known + 1])
        self.counts[: len(counts)] = counts


def texts_between(data: Bytes, bounds: Integers) -> list[str]:
    """The texts between bounds."""
    ends = bounds.tolist()
    first, text = ends[0], data[ends[0] : ends[-1]].tobytes()
    if text.isascii():
        whole = text.decode()
        return [whole[begin - first : end - first] for begin, end in pairwise(ends)]
    return [text[begin - first : end - first].decode() for begin, end in pairwise(ends)]
