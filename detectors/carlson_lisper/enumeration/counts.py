"""Numbers of instances, exact and of any size, without the instances; of a pattern that is not ambiguous.

A set of instances that end at one instant is held as their number and, where that is asked for, the number of those
that start at each time: integers of the machine as long as the whole number is one, and of any size beyond. Instances
that are behind a set are counted by their own start alone: what they are behind depends on it, so a sequence multiplies
the number of those that start at a time with the number of what had ended by then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from detectors.carlson_lisper.enumeration.steps import NEVER, Behind
from semantics.carlson_lisper.occurrences import Occurrence, Time

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

MACHINE: Final = 1 << 62  # Numbers below are held as integers of the machine


@dataclass(frozen=True, slots=True)
class Tally:
    """How many instances there are, never none; and the times at which some start, with their numbers, where known."""

    total: int
    starts: Array | None = None
    numbers: Array | None = None


class Counting:
    """Sets of instances as their numbers."""

    def first(self, time: Time, occurrence: Occurrence, behind: Behind) -> Tally:
        """One instance, which starts when it ends."""
        return Tally(1, np.array([time], np.int64), np.ones(1, np.int64))

    def either(self, left: Tally | None, right: Tally | None) -> Tally | None:
        """The sum, in all and by start."""
        if left is None or right is None:
            return left or right
        total = left.total + right.total
        if left.starts is None or right.starts is None:
            return Tally(total)
        if left.starts[-1] < right.starts[0]:
            assert left.numbers is not None and right.numbers is not None
            numbers = np.concatenate([_exact(left.numbers, total), _exact(right.numbers, total)])
            return Tally(total, np.concatenate([left.starts, right.starts]), numbers)
        starts, one, other = _beside(left, right, total)
        return Tally(total, starts, one + other)

    def together(self, left: Tally | None, right: Tally | None) -> Tally | None:
        """The product; a union starts at the earlier of two starts."""
        if left is None or right is None:
            return None
        total = left.total * right.total
        if left.starts is None or right.starts is None:
            return Tally(total)
        starts, one, other = _beside(left, right, total)
        from_one, from_other = (np.cumsum(each[::-1])[::-1] for each in (one, other))
        return Tally(total, starts, one * from_other + other * (from_one - one))

    def since(self, ended: Tally | None, start: Time) -> Tally | None:
        """The number of those that start at a time or later."""
        if ended is None:
            return None
        assert ended.starts is not None and ended.numbers is not None
        place = int(np.searchsorted(ended.starts, start))
        if not place:
            return ended
        left = ended.numbers[place:]
        total = int(left.sum())
        return Tally(total, ended.starts[place:], left) if total else None

    def sequel(self, right: Tally | None, lefts: KeptNumbers) -> Tally | None:
        """The sum, over the instances, of the number of what had ended when they started."""
        return None if right is None else lefts.before(right)

    def kept(self, *, starts: bool, ends: bool) -> KeptNumbers:
        """A store of nothing so far."""
        return KeptNumbers(self, starts, ends)


def _exact(numbers: Array, total: int) -> Array:
    """Numbers whose sums and products up to a total are exact."""
    return numbers if total < MACHINE or numbers.dtype == object else numbers.astype(object)


def _beside(left: Tally, right: Tally, total: int) -> tuple[Array, Array, Array]:
    """The times at which instances of either start, and the numbers of both there."""
    assert left.starts is not None and right.starts is not None
    assert left.numbers is not None and right.numbers is not None
    starts = np.union1d(left.starts, right.starts)
    found = []
    for own, numbers in ((left.starts, left.numbers), (right.starts, right.numbers)):
        exact = _exact(numbers, total)
        spread = np.zeros(len(starts), exact.dtype)
        spread[np.searchsorted(starts, own)] = exact
        found.append(spread)
    return starts, found[0], found[1]


class KeptNumbers:
    """The number of all instances of an operand so far: by start, and by end, where that is asked for."""

    def __init__(self, counting: Counting, starts: bool, ends: bool) -> None:
        self._counting, self._by_start, self._by_end = counting, starts, ends
        self._all: Tally | None = None
        self._ends, self._starts, self._numbers = (np.zeros(0, np.int64) for _ in range(3))

    def add(self, time: Time, ended: Tally | None) -> None:
        """Add what ends at a time."""
        if ended is None:
            return
        kept = ended if self._by_start else Tally(ended.total)
        self._all = self._counting.either(self._all, kept)
        if self._by_end:
            starts = [0] if kept.starts is None else kept.starts
            numbers = [kept.total] if kept.numbers is None else kept.numbers
            assert self._all is not None
            self._ends = np.concatenate([self._ends, np.full(len(starts), time)])
            self._starts = np.concatenate([self._starts, starts])
            whole = np.array(numbers, object if self._all.total >= MACHINE else np.int64)
            self._numbers = np.concatenate([self._numbers, whole])

    def all(self, useless: Time) -> Tally | None:
        """The number of those that start later than `useless`."""
        if self._by_start and useless > NEVER:
            self._all = self._counting.since(self._all, useless + 1)
            if self._by_end:
                alive = self._starts > useless
                self._ends, self._starts, self._numbers = (
                    each[alive] for each in (self._ends, self._starts, self._numbers)
                )
        return self._all

    def before(self, right: Tally) -> Tally | None:
        """The sum, over instances that started, of the number of those that had ended."""
        kept = self._all
        if kept is None:
            return None
        bound = kept.total * right.total
        if not self._by_end:
            if not self._by_start:
                return Tally(bound)
            assert kept.numbers is not None
            return Tally(bound, kept.starts, _exact(kept.numbers, bound) * right.total)
        assert right.starts is not None and right.numbers is not None
        so_far = np.concatenate([np.zeros(1, np.int64), np.cumsum(_exact(right.numbers, bound))])
        later = right.total - so_far[np.searchsorted(right.starts, self._ends, "right")]
        products = _exact(self._numbers, bound) * later
        total = int(products.sum())
        if not self._by_start or not total:
            return Tally(total) if total else None
        starts, places = np.unique(self._starts, return_inverse=True)
        numbers = np.zeros(len(starts), products.dtype)
        np.add.at(numbers, places, products)
        return Tally(total, starts, numbers)
