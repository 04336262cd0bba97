"""Another place for the instances that a sequence may still use, with the contract of `CandidateQueue`.

A sequence whose right instances are at most τ ticks long asks for the latest instance before a time that is at most τ
ticks back, after all pushes of earlier instants. What was pushed ends at different instants, so at most τ of the
pushed instances end too late, and the answer is among the τ + 1 that were pushed last. The store here keeps no more.
"""

from __future__ import annotations

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, SequenceStep
from semantics.carlson_lisper.expressions import Label
from semantics.carlson_lisper.occurrences import Instance, Time


class StaticQueue:
    """The queue of Section 5.3: a static array, two markers that go round, binary search.

    Contract: as that of `CandidateQueue`, for a time before which at most `size - 1` of the instances end too late.
    An instance that finds the array full takes the place of the oldest.
    """

    __slots__ = ("_first", "_instances", "_next", "_size")

    def __init__(self, size: int) -> None:
        """An empty queue with room for so many instances."""
        self._size = size
        self._instances: list[Instance] = [NON_OCCURRENCE] * size
        self._first = 0  # both markers only grow; the place of a marker is its remainder
        self._next = 0

    def push(self, instance: Instance) -> None:
        """Add an instance that starts and ends later than all that are kept."""
        self._instances[self._next % self._size] = instance
        self._next += 1
        if self._next - self._first > self._size:
            self._first += 1

    def latest_before(self, time: Time) -> Instance:
        """The instance with the greatest start among those that end before the time, or ⟨⟩."""
        position = self._position(time)
        return self._instances[(position - 1) % self._size] if position > self._first else NON_OCCURRENCE

    def evict_before(self, time: Time) -> Instance:
        """Forget the instances that end before the time; the one of them with the greatest start, or ⟨⟩."""
        position = self._position(time)
        if position <= self._first:
            return NON_OCCURRENCE
        self._first = position
        return self._instances[(position - 1) % self._size]

    def _position(self, time: Time) -> int:
        """The marker of the first instance that does not end before the time."""
        low, high = self._first, self._next
        while low < high:
            low, high = self._halved(low, high, time)
        return low

    def _halved(self, low: int, high: int, time: Time) -> tuple[int, int]:
        """The half of the markers from `low` to `high` where the search goes on: one round, proved for all rounds."""
        middle = (low + high) // 2
        if self._instances[middle % self._size].end < time:
            return middle + 1, high
        return low, middle

    def contents(self) -> list[Instance]:
        """The instances in order."""
        return [self._instances[marker % self._size] for marker in range(self._first, self._next)]

    def __len__(self) -> int:
        """How many instances are kept."""
        return self._next - self._first

    def __repr__(self) -> str:
        """The instances in order."""
        return repr(self.contents())


class RecentSequenceStep(SequenceStep):
    """Eⁱ = Eʲ ;_τ Eᵏ: the sequence of Figure 2, with the τ + 1 left instances that were remembered last.

    One instance less than Figure 4 keeps, and nothing to evict.
    """

    __slots__ = ("bound", "ticks")

    def __init__(self, ticks: int) -> None:
        """With the label τ in ticks."""
        super().__init__()
        self.ticks = ticks
        self.bound: Label = ticks + 1
        self.queue = StaticQueue(ticks + 1)
