"""Fingerprints of rows: what they mean in universes, computed from what the representatives of their operands mean.

A row is an operation on classes of terms. It is computed here, in threads, or by the workers of Spark, which are told
the representatives alone: whoever needs what these mean computes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discovery.carlson_lisper.universes import Planes, Universe, Words, mixed
from semantics.carlson_lisper.operators import OPERATORS

Ids: TypeAlias = NDArray[np.int64]  # Numbers of classes or of rows; -1 where there is none

BINARY = tuple(name for name, definition in OPERATORS.items() if not definition.bounded)
VARIABLE = -1  # The operation of a row that is a variable
CHUNK = 1 << 14  # So many rows are computed at once, which fits the cache of a core
KEPT = 6  # What representatives of this size or a smaller one mean is kept


@dataclass
class Rows:
    """Operations on classes: variables have the operation -1, restrictions to a bound those after the others."""

    operation: NDArray[np.int8]
    left: Ids
    right: Ids

    @classmethod
    def none(cls) -> Rows:
        """No rows."""
        return cls(np.zeros(0, np.int8), np.zeros(0, np.int64), np.zeros(0, np.int64))

    def __len__(self) -> int:
        return len(self.operation)

    @classmethod
    def joined(cls, parts: Sequence[Rows]) -> Rows:
        """Several of them, one after the other."""
        every = [cls.none(), *parts]
        names = ("operation", "left", "right")
        return cls(*(np.concatenate([getattr(part, name) for part in every]) for name in names))

    def chosen(self, which: Ids | NDArray[np.bool_]) -> Rows:
        """Some of them."""
        return Rows(self.operation[which], self.left[which], self.right[which])


class Meanings:
    """What the representatives of classes mean in universes, of which larger terms are made."""

    def __init__(self, universes: Sequence[Universe], variables: Sequence[str]) -> None:
        self.universes, self.variables = universes, tuple(variables)
        self.rows = Rows.none()  # by class
        self.size_of: Ids = np.zeros(0, np.int64)
        self._kept: dict[int, Planes] = {}  # by universe, of the first classes

    def __reduce__(self) -> tuple[object, ...]:
        """Everything but what is kept, for workers of Spark."""
        state = {name: value for name, value in vars(self).items() if name != "_kept"}
        return Meanings, (self.universes, self.variables), {**state, "_kept": {}}

    def settle(self, rows: Rows, size: int) -> None:
        """Add the representatives of a size."""
        self.rows = Rows.joined([self.rows, rows])
        self.size_of = np.concatenate([self.size_of, np.full(len(rows), size)])

    def of(self, classes: Ids, universe: int) -> Planes:
        """What classes mean in a universe."""
        kept = self._kept.get(universe)
        few = 0 if kept is None else kept.shape[1]
        large = np.flatnonzero(classes >= few)
        if kept is not None and not len(large):
            return kept[:, classes]
        own, places = np.unique(classes[large], return_inverse=True)
        found = self.of_rows(self.rows.chosen(own), universe)[:, places]
        if kept is None or len(large) == len(classes):
            return found
        every = kept[:, np.minimum(classes, few - 1)]
        every[:, large] = found
        return every

    def of_rows(self, rows: Rows, universe: int) -> Planes:
        """What rows mean in a universe."""
        found = np.empty((len(self.universes[universe].instances), len(rows)), np.uint64)
        for some in self._chunks(rows):
            found[:, some] = self._of_one_operation(rows.chosen(some), universe)
        return found

    def _of_one_operation(self, rows: Rows, universe: int) -> Planes:
        asked, operation = self.universes[universe], int(rows.operation[0])
        if operation == VARIABLE:
            return np.concatenate([asked.streams[self.variables[place]] for place in rows.left], axis=1)
        if operation >= len(BINARY):
            return asked.apply("tim", [self.of(rows.left, universe)], operation - len(BINARY))
        return asked.apply(BINARY[operation], [self.of(rows.left, universe), self.of(rows.right, universe)])

    def _chunks(self, rows: Rows) -> list[Ids]:
        """Places of rows of one operation each."""
        parts = [np.flatnonzero(rows.operation == one) for one in np.unique(rows.operation)]
        return [part[begin : begin + CHUNK] for part in parts for begin in range(0, len(part), CHUNK)]

    def fingerprints(self, rows: Rows, universes: Sequence[int], prints: Words) -> Words:
        """Fingerprints of rows with what universes tell of them taken in."""
        few = np.arange(np.searchsorted(self.size_of, KEPT, side="right"))
        found = prints.copy()

        def keep(universe: int) -> None:
            if self._kept.get(universe, few[None, :0]).shape[1] < len(few):
                self._kept[universe] = self.of_rows(self.rows.chosen(few), universe)

        def take(chunk: Ids) -> None:
            some, told = rows.chosen(chunk), prints[chunk]
            for number in universes:
                told = mixed(told, self.universes[number].told(self._of_one_operation(some, number)))
            found[chunk] = told

        with ThreadPoolExecutor() as threads:
            list(threads.map(keep, universes))
            list(threads.map(take, self._chunks(rows)))
        return found


Fingerprinting: TypeAlias = Callable[[Meanings, Rows, Sequence[int], Words], Words]
"""Computes the fingerprints of rows with what universes tell taken in, wherever it does."""

locally: Fingerprinting = Meanings.fingerprints  # in threads of this process
