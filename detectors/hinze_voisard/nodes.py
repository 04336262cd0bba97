"""Nodes of profiles, one for each expression: classes, disjunctions, negations and selections."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from detectors.hinze_voisard.lists import Instance, Occurrence, Stateful
from semantics.events import Time
from semantics.hinze_voisard.profiles import Absent, OfClass, Selected

Delta: TypeAlias = tuple[Sequence[Instance], Sequence[Instance]]
"""Removed instances, and added ones."""

NOTHING: Delta = ((), ())

Timer: TypeAlias = Callable[[Time], Occurrence]
"""The time event of a class at a time."""

FOREVER: Time = 1 << 62
"""After all times."""


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
        """The instances removed and added at a time; times increase."""

    @abstractmethod
    def settle(self, now: Time) -> Time:
        """Forget settled instances after a step; the time before which instances do not change any more."""

    def due(self, now: Time) -> Time:
        """The next time after `now` at which the node changes without an event."""
        return min((one.due(now) for one in self.operands), default=FOREVER)

    operands: tuple[Node, ...] = ()

    def _above(self, operands: Iterable[Node]) -> None:
        """Set the operands; the node is only as steady and bounded as they are."""
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


class Counts(Stateful):
    """Multiplicities of the instances that may still change."""

    STATE = ("times",)

    def __init__(self) -> None:
        self.times: dict[Instance, int] = {}
        self._many = 32

    def changed(self, removed: Iterable[Instance], added: Iterable[Instance]) -> Delta:
        """The instances whose multiplicity becomes zero, and those whose multiplicity was zero."""
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
    """A node above operands that counts multiplicities of instances."""

    STATE = ("counts",)

    def __init__(self, operands: Iterable[Node]) -> None:
        self._above(operands)
        self.counts = Counts()

    def settle(self, now: Time) -> Time:
        """The time up to which all operands are settled."""
        settled = min(one.settle(now) for one in self.operands)
        self.counts.forget(settled)
        return settled

    def size(self) -> int:
        """The instances of the operands, and those that can still change."""
        return super().size() + len(self.counts.times)


class OfClassNode(Node):
    """The events of a class."""

    def __init__(self, part: OfClass) -> None:
        self.part = part
        self.arrived: list[Instance] = []

    def step(self, now: Time) -> Delta:
        """The events that have arrived."""
        if not self.arrived:
            return NOTHING
        found, self.arrived = self.arrived, []
        return (), found

    def settle(self, now: Time) -> Time:
        """Events are never removed: settled up to now."""
        return now + 1


class UnionNode(CountingNode):
    """The instances of several operands, each once."""

    def step(self, now: Time) -> Delta:
        """The instances that are new in one operand, or gone from all."""
        changes = [one.step(now) for one in self.operands]
        if not any(removed or added for removed, added in changes):
            return NOTHING
        return self.counts.changed(
            (one for removed, _ in changes for one in removed), (one for _, added in changes for one in added)
        )


class AbsentNode(Node):
    """A negation: the times that end a span without an instance of the operand."""

    STATE = ("ends", "said", "begin")

    def __init__(self, part: Absent, operand: Node, timer: Timer) -> None:
        self._above((operand,))
        self.span, self._timer = part.span, timer
        self.ends: list[Time] = []
        self.said: dict[Time, Instance] = {}
        self.begin: Time | None = None

    def step(self, now: Time) -> Delta:
        """Check the current time, and the times within a span after each changed instance."""
        if self.begin is None:
            self.begin = now
        removed, added = self.operands[0].step(now)
        for one in removed:
            del self.ends[bisect_left(self.ends, one[0])]
        for one in added:
            insort(self.ends, one[0])
        reached = {now}
        for one in (*removed, *added):
            reached.update(range(one[0], min(one[0] + self.span, now) + 1))
        gone, new = [], []
        for time in sorted(reached):
            free = time >= self.begin + self.span and not self._occurs(time)
            if free and time not in self.said:
                self.said[time] = (time, time, (self._timer(time),))
                new.append(self.said[time])
            elif not free and time in self.said:
                gone.append(self.said.pop(time))
        return (gone, new) if gone or new else NOTHING

    def _occurs(self, time: Time) -> bool:
        number = bisect_left(self.ends, time - self.span)
        return number < len(self.ends) and self.ends[number] <= time

    def due(self, now: Time) -> Time:
        """The next time at which the span is over, or the operand changes by itself."""
        last = self.ends[-1] if self.ends else None
        begin = now if self.begin is None else self.begin
        free = max(now + 1, begin + self.span, 0 if last is None else last + self.span + 1)
        return min(free, super().due(now))

    def settle(self, now: Time) -> Time:
        """The time up to which the operand is settled."""
        settled = self.operands[0].settle(now)
        del self.ends[: bisect_left(self.ends, settled - self.span)]
        for time in [time for time in self.said if time < settled]:
            del self.said[time]
        return settled

    def size(self) -> int:
        """The instances of the operand, and the remembered times."""
        return super().size() + len(self.ends) + len(self.said)


class SelectedNode(Node):
    """The i-th instance of the operand in the order of time."""

    STATE = ("before", "ordered", "one")

    def __init__(self, part: Selected, operand: Node) -> None:
        self._above((operand,))
        self._place = part.place
        self.before = 0
        self.ordered: list[Instance] = []
        self.one: Instance | None = None

    def step(self, now: Time) -> Delta:
        """The change of the i-th instance."""
        removed, added = self.operands[0].step(now)
        if self.before >= self._place or not (removed or added):
            return NOTHING
        for one in removed:
            del self.ordered[bisect_left(self.ordered, one)]
        for one in added:
            insort(self.ordered, one)
        place = self._place - self.before - 1
        before, self.one = self.one, self.ordered[place] if place < len(self.ordered) else None
        if before == self.one:
            return NOTHING
        return [before] if before else (), [self.one] if self.one else ()

    def settle(self, now: Time) -> Time:
        """Count settled instances instead of keeping them; once the i-th is settled, nothing changes any more."""
        settled = self.operands[0].settle(now)
        number = bisect_left(self.ordered, (settled,))
        self.before += number
        del self.ordered[:number]
        if self.before >= self._place:
            self.ordered.clear()
            return now + 1
        return settled

    def size(self) -> int:
        """The instances of the operand, and those whose order may change."""
        return super().size() + len(self.ordered)
