"""The node: what every expression of a profile says, and the counts that several ways to an instance need."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, TypeAlias

from detectors.hinze_voisard.lists import Instance, Occurrence
from detectors.hinze_voisard.views import View
from semantics.events import Time

Delta: TypeAlias = tuple[Sequence[Instance], Sequence[Instance]]
"""Instances that are no longer there, and new ones."""

NOTHING: Delta = ((), ())

Timer: TypeAlias = Callable[[Time], Occurrence]
"""The time event of a class at a time."""

FOREVER: Time = 1 << 62
"""After all times."""


class Stateful:
    """What has a state of its own: plain attributes, views, and counts."""

    STATE: ClassVar[tuple[str, ...]] = ()
    counts: Counts | None = None
    view: View | None = None

    def state(self) -> Any:
        """All that it holds."""
        view, counts = self.view and self.view.state(), self.counts and self.counts.times
        return [[getattr(self, name) for name in self.STATE], view, counts]

    def restore(self, state: Any) -> None:
        """Hold what a state says."""
        values, view, counts = state
        for name, value in zip(self.STATE, values, strict=True):
            setattr(self, name, value)
        if self.view is not None:
            self.view.restore(view)
        if self.counts is not None:
            self.counts.times = counts


class Node(Stateful, ABC):
    """An expression of a profile.

    Attributes:
        steady: whether it never takes back an instance, and each ends when it is new.
        settles: whether a bounded time after its end nothing of it changes.
        unbounded: why the engine holds more and more of it as time goes on; "" where it does not.
        undone: why it can take back an instance; "" where it never does.
    """

    steady = settles = True
    unbounded = undone = ""

    @abstractmethod
    def step(self, now: Time) -> Delta:
        """What changes at a time; times increase."""

    @abstractmethod
    def settle(self, now: Time) -> Time:
        """After a step: forget what is not needed; and the time before which instances change no more."""

    def due(self, now: Time) -> Time:
        """The first time after one at which it changes by itself."""
        return min((one.due(now) for one in self.operands), default=FOREVER)

    operands: tuple[Node, ...] = ()

    def _above(self, operands: Iterable[Node]) -> None:
        """Be above operands, and only as steady and bounded as they are."""
        self.operands = tuple(operands)
        self.steady = all(one.steady for one in self.operands)
        self.settles = all(one.settles for one in self.operands)
        if not self.steady:
            self.undone = "an operand can take back instances"
        if not self.settles:
            self.unbounded = "an operand can change for ever"

    def size(self) -> int:
        """How many instances are held."""
        return sum(one.size() for one in self.operands)


class Counts:
    """How often instances are there, of those that may still change."""

    def __init__(self) -> None:
        self.times: dict[Instance, int] = {}
        self._many = 32

    def changed(self, removed: Iterable[Instance], added: Iterable[Instance]) -> Delta:
        """What is there no more, and what is there and was not."""
        net: dict[Instance, int] = {}
        for one in added:
            net[one] = net.get(one, 0) + 1
        for one in removed:
            net[one] = net.get(one, 0) - 1
        gone, new = [], []
        for one, more in net.items():
            before = self.times.get(one, 0)
            if before + more:
                self.times[one] = before + more
                if not before:
                    new.append(one)
            elif before:
                del self.times[one]
                gone.append(one)
        return gone, new

    def forget(self, until: Time) -> None:
        """Forget what ends before a time."""
        if len(self.times) > self._many:
            self.times = {one: times for one, times in self.times.items() if one[0] >= until}
            self._many = 2 * len(self.times) + 32


class CountingNode(Node):
    """A node above operands that counts how often each instance is there."""

    counts: Counts

    def __init__(self, operands: Iterable[Node]) -> None:
        self._above(operands)
        self.counts = Counts()

    def settle(self, now: Time) -> Time:
        """What is settled in all operands."""
        settled = min(one.settle(now) for one in self.operands)
        self.counts.forget(settled)
        return settled

    def size(self) -> int:
        """With the instances that can still change."""
        return super().size() + len(self.counts.times)
