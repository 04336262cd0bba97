"""Nodes of profiles, one for each expression: their instances as they change from time to time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, TypeAlias

from detectors.hinze_voisard import lists as views
from detectors.hinze_voisard.lists import LEFT, RIGHT, Instance, Lists, Occurrence, Pairs, Selecting, Stateful
from semantics.events import Time
from semantics.hinze_voisard.profiles import Absent, Paired, Selected

Delta: TypeAlias = tuple[Sequence[Instance], Sequence[Instance]]  # Removed instances, and added ones

NOTHING: Delta = ((), ())

Timer: TypeAlias = Callable[[Time], Occurrence]  # The time event of a class at a time
FOREVER: Time = 1 << 62  # After all times


class Node(Stateful, ABC):
    """An expression of a profile.

    It is `steady` if it never takes back an instance, and each ends when it is new; it `settles` if nothing of it
    changes a bounded time after its end. `unbounded` and `undone` say why the engine holds more and more of it, and why
    it can take back an instance, if so. An instance lasts at most `longest` ticks, None for any number.
    """

    steady: bool
    settles: bool
    longest: Time | None

    def __init__(self, operands: Iterable[Node] = ()) -> None:
        """A node is only as steady and bounded as its operands are."""
        self.operands = tuple(operands)
        self.steady = all(one.steady for one in self.operands)
        self.settles = all(one.settles for one in self.operands)
        lengths = [one.longest for one in self.operands]
        self.longest = None if None in lengths else max(filter(None, lengths), default=0)
        self.undone = "" if self.steady else "an operand can take back instances"
        self.unbounded = "" if self.settles else "an operand can change for ever"

    @abstractmethod
    def step(self, now: Time) -> Delta:
        """The instances removed and added at a time; times increase."""

    def settle(self, now: Time) -> Time:
        """Forget settled instances after a step; the time before which instances do not change any more."""
        return min((one.settle(now) for one in self.operands), default=now + 1)

    def due(self, now: Time) -> Time:
        """The next time after `now` at which the node changes without an event."""
        return min((one.due(now) for one in self.operands), default=FOREVER)


class CountingNode(Node):
    """A node above operands that counts multiplicities of the instances that may still change."""

    STATE: ClassVar[tuple[str, ...]] = ("times",)

    def __init__(self, operands: Iterable[Node]) -> None:
        super().__init__(operands)
        self.times: dict[Instance, int] = {}
        self._many = 32

    def changed(self, removed: Iterable[Instance], added: Iterable[Instance]) -> Delta:
        """The instances whose multiplicity becomes zero, and those whose multiplicity was zero."""
        more: dict[Instance, int] = {}
        for by, found in ((1, added), (-1, removed)):
            for one in found:
                more[one] = more.get(one, 0) + by
        gone, new = [], []
        for one, by in more.items():
            before = self.times.pop(one, 0)
            if before + by:
                self.times[one] = before + by
                if not before:
                    new.append(one)
            elif before:
                gone.append(one)
        return gone, new

    def forget(self, until: Time) -> None:
        """Forget what ends before a time."""
        if len(self.times) > self._many:
            self.times = {one: times for one, times in self.times.items() if one[0] >= until}
            self._many = 2 * len(self.times) + 32

    def settle(self, now: Time) -> Time:
        settled = super().settle(now)
        self.forget(settled)
        return settled


class OfClassNode(Node):
    """The events of a class, as they have arrived."""

    def __init__(self) -> None:
        super().__init__()
        self.arrived: list[Instance] = []

    def step(self, now: Time) -> Delta:
        found, self.arrived = self.arrived, []
        return (), found


class UnionNode(CountingNode):
    """The instances of several operands, each once."""

    def step(self, now: Time) -> Delta:
        changes = [one.step(now) for one in self.operands]
        return self.changed(*([one for change in changes for one in change[side]] for side in (0, 1)))


class AbsentNode(Node):
    """A negation: the times that end a span without an instance of the operand."""

    STATE = ("ends", "said", "begin")

    def __init__(self, part: Absent, operand: Node, timer: Timer) -> None:
        super().__init__((operand,))
        self.span, self._timer, self.longest = part.span, timer, 0
        self.ends: list[Time] = []
        self.said: dict[Time, Instance] = {}
        self.begin: Time | None = None

    def step(self, now: Time) -> Delta:
        if self.begin is None:
            self.begin = now
        removed, added = self.operands[0].step(now)
        for one in removed:
            del self.ends[bisect_left(self.ends, one[0])]
        for one in added:
            insort(self.ends, one[0])
        reached = {now}.union(*(range(one[0], min(one[0] + self.span, now) + 1) for one in (*removed, *added)))
        gone, new = [], []
        for time in sorted(reached):
            number = bisect_left(self.ends, time - self.span)
            occurs = number < len(self.ends) and self.ends[number] <= time
            free = time >= self.begin + self.span and not occurs
            if free and time not in self.said:
                self.said[time] = (time, time, (self._timer(time),))
                new.append(self.said[time])
            elif not free and time in self.said:
                gone.append(self.said.pop(time))
        return gone, new

    def due(self, now: Time) -> Time:
        begin = now if self.begin is None else self.begin
        free = max(now + 1, begin + self.span, self.ends[-1] + self.span + 1 if self.ends else 0)
        return min(free, super().due(now))

    def settle(self, now: Time) -> Time:
        settled = super().settle(now)
        del self.ends[: bisect_left(self.ends, settled - self.span)]
        self.said = {time: one for time, one in self.said.items() if time >= settled}
        return settled


class SelectedNode(Node):
    """The i-th instance of the operand in the order of time."""

    STATE = ("before", "ordered", "one")

    def __init__(self, part: Selected, operand: Node) -> None:
        super().__init__((operand,))
        self._place = part.place
        self.before = 0
        self.ordered: list[Instance] = []
        self.one: Instance | None = None

    def step(self, now: Time) -> Delta:
        removed, added = self.operands[0].step(now)
        if self.before >= self._place:
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
        settled = super().settle(now)
        number = bisect_left(self.ordered, (settled,))
        self.before += number
        del self.ordered[:number]
        if self.before >= self._place:
            self.ordered.clear()
            return now + 1
        return settled


class PairedNode(CountingNode):
    """The pairs of a sequence or conjunction; or what is selected of a disjunction, each as a pair with itself."""

    STATE = ("sides", "view", "times")

    def __init__(self, part: Paired, left: Node, right: Node, *, apart: bool) -> None:
        """`apart` says whether the operands are classes of which no event belongs to both."""
        super().__init__((left, right))
        listed, span, self.ordered = part.listed, part.span, part.operator == ";"
        chosen, pairs = (listed.anterior, listed.posterior), part.operator != "|"
        self.primitive = isinstance(left, OfClassNode) and isinstance(right, OfClassNode)
        """Whether different pairs are always different instances, and what pairs are primitive events."""
        if listed.consumption == "reapply" and chosen == ("all", "all"):  # of what is left nothing matches
            listed = replace(listed, consumption="events")
        if listed.consumption == "primitives" and self.primitive:
            listed = replace(listed, consumption="events")
        reapplied = listed.consumption == "reapply"
        lists = (Lists if pairs else Selecting)(listed, span, ordered=self.ordered, longest=self.longest)
        self.view = views.Reapplied(lists) if reapplied else views.View(lists, steady=self.steady)
        self._put = lists.put if self.steady and not reapplied else None
        either = listed.by_operand and not self.ordered  # one selection applies to lists that open and that close
        if "last" in (chosen if either else chosen[1:]):
            self.steady, self.settles = False, self.settles and span is not None
            self.undone = "another last one of its list can follow"
        if reapplied:
            if not (apart and self.ordered and listed.in_turn):
                self.steady = self.settles = False
                self.undone = "what is left over pairs otherwise when a round before uses some of it"
            self.unbounded = "what is left over is kept for a further round"
        elif listed.consumption == "primitives" and self.longest is None:
            self.unbounded = "what is used up is kept, as an instance that has begun at any time can have it"
        elif span is None and pairs and listed.consumption != "lists":
            kept = "selected" if listed.consumption == "keep" else "not used up"
            self.unbounded = f"without a span everything that is {kept} can pair with what comes later"
        elif span is None and pairs and "all" in (chosen if either else chosen[:1]):
            self.unbounded = "without a span all of a list can pair, and it can grow for ever"
        if pairs:
            self.longest = None if span is None or self.longest is None else self.longest + span
        self.sides: dict[Instance, int] = {}
        self.pairs: Pairs = ([], [])

    def step(self, now: Time) -> Delta:
        left, right = [one.step(now) for one in self.operands]
        if not (left[1] or right[1] or left[0] or right[0]):
            self.pairs = [], []
            return NOTHING
        if self._put is not None and len(left[1]) + len(right[1]) == 1:
            self.pairs = self._put(left[1][0], LEFT) if left[1] else self._put(right[1][0], RIGHT)
        else:
            self.pairs = self._changed(left, right)
        gone, new = map(views.paired, self.pairs)
        return (gone, new) if self.primitive else self.changed(gone, new)

    def _changed(self, left: Delta, right: Delta) -> Pairs:
        changed = {one for delta in (*left, *right) for one in delta}
        before = views.places([(one, self.sides.get(one, 0)) for one in changed], ordered=self.ordered)
        for side, (removed, added) in ((LEFT, left), (RIGHT, right)):
            for one in removed:
                self.sides[one] &= ~side
            for one in added:
                self.sides[one] = self.sides.get(one, 0) | side
        after = views.places([(one, self.sides[one]) for one in changed], ordered=self.ordered)
        for one in changed:
            if not self.sides[one]:
                del self.sides[one]
        return self.view.change(before - after, after - before)

    def settle(self, now: Time) -> Time:
        until = min(one.settle(now) for one in self.operands)
        settled = self.view.settle(until)
        self.sides = {one: side for one, side in self.sides.items() if one[0] >= until}
        self.forget(settled)
        return until if self.steady else settled


Row: TypeAlias = tuple[tuple[str, Instance], ...]  # Names with their instances, in the order of names


class Clause(Stateful):
    """The bindings of a clause of a logical conjunction: names with instances.

    It has clauses, of which all have to hold or one, or a node; a pair binds the names of both its operands.
    """

    STATE = ("rows",)

    def __init__(
        self,
        node: Node | None = None,
        names: tuple[str, ...] = (),
        clauses: tuple[Clause, ...] = (),
        *,
        conjunction: bool = False,
    ) -> None:
        self.node, self.names, self.clauses, self.conjunction = node, names, clauses, conjunction
        self.rows: dict[Row, int] = {}
        """Multiplicities of the bindings, of a clause of a conjunction."""

    def step(self, now: Time) -> list[tuple[Row, int]]:
        """The net changes of multiplicities at a time."""
        more: dict[Row, int] = {}
        for row, by in self._joined(now) if self.conjunction else self._found(now):
            more[row] = more.get(row, 0) + by
        return [(row, by) for row, by in more.items() if by]

    def _found(self, now: Time) -> Iterator[tuple[Row, int]]:
        for clause in self.clauses:
            yield from clause.step(now)
        if self.node is None:
            return
        delta = self.node.step(now)
        if len(self.names) == 1:
            for more, found in zip((-1, 1), delta, strict=True):
                yield from ((((self.names[0], one),), more) for one in found)
        elif self.names[0] != self.names[1] and isinstance(self.node, PairedNode):  # no event pairs with itself
            for pairs, more in zip(self.node.pairs, (-1, 1), strict=True):
                for one, other, ways in pairs:
                    for way, both in ((views.FIRST, (one, other)), (views.SECOND, (other, one))):
                        if ways & way:
                            yield tuple(sorted(zip(self.names, both, strict=True))), more

    def _joined(self, now: Time) -> Iterator[tuple[Row, int]]:
        """Join the changes of each clause with the rows of the others, by names."""
        changes = [clause.step(now) for clause in self.clauses]
        for clause, change in zip(self.clauses, changes, strict=True):
            rows = [(dict(row), more) for row, more in change]
            for other in self.clauses:
                if other is not clause and rows:
                    rows = [
                        ({**row, **dict(known)}, more * times)
                        for row, more in rows
                        for known, times in other.rows.items()
                        if all(row.get(name, one) == one for name, one in known)
                    ]
            yield from ((tuple(sorted(row.items())), more) for row, more in rows)
            for row, more in change:
                clause.rows[row] = clause.rows.get(row, 0) + more
                if not clause.rows[row]:
                    del clause.rows[row]


class ConjunctionNode(CountingNode):
    """The logical conjunction: the instances of all bindings with which its clauses hold; later ones may join these."""

    def __init__(self, clause: Clause, operands: Iterable[Node]) -> None:
        super().__init__(operands)
        self.clause, self.longest = clause, None
        self.unbounded = "a binding can join later ones of the other clauses"

    def step(self, now: Time) -> Delta:
        together = [(views.joined(*(one for _, one in row)), more) for row, more in self.clause.step(now)]
        return self.changed(*([one for one, more in together for _ in range(by * more)] for by in (-1, 1)))
