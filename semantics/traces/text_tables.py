"""Tables of texts and their numbers, in which kernels look for bytes; the partitions of a trace are one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from semantics.native import AVAILABLE, address, loaded
from semantics.traces import scanning
from semantics.traces.rows import NOWHERE, Partition, partition_of

Integers: TypeAlias = NDArray[np.int64]

Bytes: TypeAlias = NDArray[np.uint8]


class TextTable:
    """An open hash table of different texts, numbered in the order in which they came.

    Attributes:
        known: how many there are.
        slots: their numbers; -1 where it is free.
        offsets: where each begins in `text`, and the end of the last one.
        words: of each the second number that `scanning.mixed` makes.
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


class Keys:
    """The partitions of a trace by their numbers, in the order in which they came; one thread adds, others read.

    Attributes:
        texts: as long as all of them are short texts, their bytes one after the other, and where each begins and ends.
    """

    def __init__(self) -> None:
        """None is known."""
        self.texts: tuple[Bytes, Integers] | None = None
        self._table: TextTable | None = None
        self._listed: list[Partition] = []
        self._numbers: dict[Partition, int] = {}
        if AVAILABLE:
            self._table = TextTable()
            self.texts = self._table.text, self._table.offsets[:1]

    def __len__(self) -> int:
        """How many are known."""
        texts = self.texts
        return len(self._listed) if texts is None else len(texts[1]) - 1

    def __getitem__(self, number: int) -> Partition:
        """The partition of a number."""
        texts = self.texts
        return (
            self._listed[number]
            if texts is None
            else texts_between(texts[0], texts[1][number : number + 2])[0]
        )

    def of_texts(self, data: Bytes, bounds: Integers, places: Integers) -> Integers:
        """The numbers of the partitions that are named by some of the texts between bounds; new ones get the next."""
        is_short = int((bounds[places + 1] - bounds[places]).max(initial=0)) <= scanning.LONGEST
        if self._table is None or not is_short:
            ends = zip(bounds[places].tolist(), bounds[places + 1].tolist(), strict=True)
            return self.of_cells([data[begin:end].tobytes().decode() for begin, end in ends])
        numbers, known = self._table.numbers(data, bounds, places), len(self)
        new = self._table.offsets[known : self._table.known + 1]
        partition_of(
            self._table.text[new[0] : new[-1]].tobytes().decode(), NOWHERE, 0
        )  # looks at all characters
        self.texts = self._table.text, self._table.offsets[: self._table.known + 1]
        return numbers

    def of_cells(self, cells: Sequence[Any]) -> Integers:
        """The numbers of the partitions that some cells name; new ones get the next."""
        if self._table is not None:
            encoded = [cell.encode() for cell in cells if type(cell) is str]
            if len(encoded) == len(cells) and max(map(len, encoded), default=0) <= scanning.LONGEST:
                bounds = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
                return self.of_texts(
                    np.frombuffer(b"".join(encoded), np.uint8), bounds, np.arange(len(cells))
                )
            self._listed = [self[number] for number in range(len(self))]
            self._numbers = {key: number for number, key in enumerate(self._listed)}
            self.texts = self._table = None
        get = self._numbers.get  # an integer is its own partition
        found = [get(cell) if type(cell) is int else None for cell in cells]
        both = zip(cells, found, strict=True)
        return np.array([self._number_of(cell) if known is None else known for cell, known in both], np.int64)

    def _number_of(self, cell: object) -> int:
        key = partition_of(cell, NOWHERE, 0)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._listed)
            self._listed.append(key)
        return number
