"""Nodes of a profile: each says, time after time, which instances are new and which are no longer there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, TypeAlias

from detectors.hinze_voisard.lists import FIRST, LEFT, RIGHT, SECOND, Instance, Occurrence, joined
from detectors.hinze_voisard.views import Growing, Pairs, Reapplied, Replayed, View
from semantics.events import Time
from semantics.hinze_voisard.profiles import Absent, Logical, OfClass, Paired, Part, Selected
from semantics.settings.lists import Selection

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
        """All of them are known."""
        return now + 1


class UnionNode(Node):
    """The instances of several operands, each once."""

    counts: Counts

    def __init__(self, operands: Iterable[Node]) -> None:
        self._above(operands)
        self.counts = Counts()

    def step(self, now: Time) -> Delta:
        """What is new in one of them, or no longer in any."""
        changes = [one.step(now) for one in self.operands]
        if not any(removed or added for removed, added in changes):
            return NOTHING
        return self.counts.changed(
            (one for removed, _ in changes for one in removed), (one for _, added in changes for one in added)
        )

    def settle(self, now: Time) -> Time:
        """What is settled in all of them."""
        settled = min(one.settle(now) for one in self.operands)
        self.counts.forget(settled)
        return settled

    def size(self) -> int:
        """With those that can still change."""
        return super().size() + len(self.counts.times)


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


class PairedNode(Node):
    """The pairs of a sequence or conjunction."""

    STATE = ("sides",)
    view: View
    counts: Counts

    def __init__(self, part: Paired, left: Node, right: Node) -> None:
        self._above((left, right))
        self.left, self.right = left, right
        listed, span = part.listed, part.span
        reapplied = listed.consumption == "reapply"
        self.growing = self.steady and not reapplied
        kind = Growing if self.growing else Reapplied if reapplied else Replayed
        self.view = kind(listed, span, ordered=part.operator == ";")
        if "last" in _closing(part):
            self.steady, self.settles = False, self.settles and span is not None
            self.undone = "another last one of its list can follow"
        if reapplied:
            self.steady = self.settles = False
            self.undone = "what is left over pairs otherwise when a round before uses some of it"
            self.unbounded = "what is left over is kept for a further round"
        elif span is None and listed.consumption != "lists":
            kept = "selected" if listed.consumption == "keep" else "not used up"
            self.unbounded = f"without a span everything that is {kept} can pair with what comes later"
        elif span is None and "all" in _opening(part):
            self.unbounded = "without a span all of a list can pair, and it can grow for ever"
        self.sides: dict[Instance, int] = {}
        self.counts = Counts()
        self.pairs: Pairs = ([], [])
        self._many = 32

    def step(self, now: Time) -> Delta:
        """The pairs that change; `pairs` has them too."""
        left, right = self.left.step(now), self.right.step(now)
        if not (left[1] or right[1] or left[0] or right[0]):
            self.pairs = ([], [])
            return NOTHING
        if self.growing:
            after = dict.fromkeys(left[1], LEFT)
            for one in right[1]:
                after[one] = after.get(one, 0) | RIGHT
            self.pairs = removed, added = self.view.change({}, after)
        else:
            self.pairs = removed, added = self._replayed(left, right)
        if not removed and not added:
            return NOTHING
        if self.steady:
            return (), list(dict.fromkeys(map(joined, added))) if len(added) > 1 else [joined(added[0])]
        return self.counts.changed(map(joined, removed), map(joined, added))

    def _replayed(self, left: Delta, right: Delta) -> Pairs:
        changed = {one for delta in (*left, *right) for one in delta}
        before = {one: self.sides.get(one, 0) for one in changed}
        for side, (removed, added) in ((LEFT, left), (RIGHT, right)):
            for one in removed:
                self.sides[one] &= ~side
            for one in added:
                self.sides[one] = self.sides.get(one, 0) | side
        after = {one: self.sides[one] for one in changed}
        for one, side in after.items():
            if not side:
                del self.sides[one]
        return self.view.change(before, after)

    def settle(self, now: Time) -> Time:
        """The operands' time, and what the view has not settled."""
        until = min(self.left.settle(now), self.right.settle(now))
        settled = self.view.settle(until)
        if len(self.sides) > self._many:
            self.sides = {one: side for one, side in self.sides.items() if one[0] >= until}
            self._many = 2 * len(self.sides) + 32
        self.counts.forget(settled)
        return settled

    def size(self) -> int:
        """With those of the view."""
        return super().size() + self.view.size() + len(self.sides) + len(self.counts.times)


def _opening(part: Paired) -> tuple[Selection, ...]:
    """What is selected in lists that open pairs."""
    either = part.listed.by_operand and part.operator == ","
    return (part.listed.anterior, part.listed.posterior)[: 1 + either]


def _closing(part: Paired) -> tuple[Selection, ...]:
    """What is selected in lists that close pairs."""
    either = part.listed.by_operand and part.operator == ","
    return (part.listed.posterior, part.listed.anterior)[: 1 + either]


class AbsentNode(Node):
    """The times at which nothing has occurred for a span."""

    STATE = ("ends", "said", "begin")

    def __init__(self, part: Absent, operand: Node, timer: Timer) -> None:
        self._above((operand,))
        self.span, self._timer = part.span, timer
        self.ends: list[Time] = []
        self.said: dict[Time, Instance] = {}
        self.begin: Time | None = None

    def step(self, now: Time) -> Delta:
        """The time itself, and those before that changes of the operand reach."""
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
        """What is settled of the operand."""
        settled = self.operands[0].settle(now)
        del self.ends[: bisect_left(self.ends, settled - self.span)]
        for time in [time for time in self.said if time < settled]:
            del self.said[time]
        return settled

    def size(self) -> int:
        """With the times that are remembered."""
        return super().size() + len(self.ends) + len(self.said)


class SelectedNode(Node):
    """The instance with a place in the order of time."""

    STATE = ("before", "ordered", "one")

    def __init__(self, part: Selected, operand: Node) -> None:
        self._above((operand,))
        self._place = part.place
        self.before = 0
        self.ordered: list[Instance] = []
        self.one: Instance | None = None

    def step(self, now: Time) -> Delta:
        """Another one has the place, or none."""
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
        """What is settled of the operand is counted; nothing changes when the one that has the place is."""
        settled = self.operands[0].settle(now)
        number = bisect_left(self.ordered, (settled,))
        self.before += number
        del self.ordered[:number]
        if self.before >= self._place:
            self.ordered.clear()
            return now + 1
        return settled

    def size(self) -> int:
        """With those in order that may change."""
        return super().size() + len(self.ordered)


Row: TypeAlias = tuple[tuple[str, Instance], ...]
"""Names with their instances, in the order of names."""


class Relation(Stateful, ABC):
    """The bindings of a clause: names with instances."""

    STATE = ("rows",)

    def __init__(self) -> None:
        self.rows: dict[Row, int] = {}
        """How often each binding is there."""

    @abstractmethod
    def found(self, now: Time) -> Iterator[tuple[Row, int]]:
        """How many more times bindings are there."""

    def step(self, now: Time) -> list[tuple[Row, int]]:
        """The bindings that change, each with how many more times it is there; `rows` has them when it is over."""
        net: Counter[Row] = Counter()
        for row, more in self.found(now):
            net[row] += more
        return [(row, more) for row, more in net.items() if more]

    def change(self, changes: Iterable[tuple[Row, int]]) -> None:
        """Take changes over."""
        for row, more in changes:
            self.rows[row] = self.rows.get(row, 0) + more
            if not self.rows[row]:
                del self.rows[row]


class InstancesRelation(Relation):
    """The instances of a part, by a name."""

    def __init__(self, node: Node, name: str) -> None:
        super().__init__()
        self.node, self._name = node, name

    def found(self, now: Time) -> Iterator[tuple[Row, int]]:
        """One binding for each."""
        removed, added = self.node.step(now)
        yield from ((((self._name, one),), -1) for one in removed)
        yield from ((((self._name, one),), 1) for one in added)


class PairsRelation(Relation):
    """The pairs of a sequence or conjunction, by the names of its operands."""

    def __init__(self, node: PairedNode, left: str, right: str) -> None:
        super().__init__()
        self.node, self._left, self._right = node, left, right

    def found(self, now: Time) -> Iterator[tuple[Row, int]]:
        """One binding for each way in which a pair is of the operands."""
        self.node.step(now)
        if self._left == self._right:
            return  # no event pairs with itself
        for pairs, more in zip(self.node.pairs, (-1, 1), strict=True):
            for one, other, ways in pairs:
                if ways & FIRST:
                    yield self._row(one, other), more
                if ways & SECOND:
                    yield self._row(other, one), more

    def _row(self, left: Instance, right: Instance) -> Row:
        return tuple(sorted({self._left: left, self._right: right}.items()))


class EitherRelation(Relation):
    """The bindings of several clauses, of which one has to hold."""

    def __init__(self, clauses: Iterable[Relation]) -> None:
        super().__init__()
        self.clauses = tuple(clauses)

    def found(self, now: Time) -> Iterator[tuple[Row, int]]:
        """Those of each."""
        for clause in self.clauses:
            yield from clause.step(now)


class JoinedRelation(EitherRelation):
    """The bindings with which all of several clauses hold: equal names are the same instance."""

    def found(self, now: Time) -> Iterator[tuple[Row, int]]:
        """What changes in one clause with all that is known of the others."""
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
            clause.change(change)


class ConjunctionNode(Node):
    """The logical conjunction: the instances of all bindings with which its clauses hold."""

    counts: Counts

    def __init__(self, relation: Relation, operands: Iterable[Node]) -> None:
        self._above(operands)
        self.relation = relation
        self.unbounded = "a binding can join later ones of the other clauses"
        self.counts = Counts()

    def step(self, now: Time) -> Delta:
        """The instances of the bindings that change."""
        changes = self.relation.step(now)
        if not changes:
            return NOTHING
        together = [(_together(one for _, one in row), more) for row, more in changes]
        return self.counts.changed(
            (one for one, more in together for _ in range(-more)),
            (one for one, more in together for _ in range(more)),
        )

    def settle(self, now: Time) -> Time:
        """What is settled in all clauses; bindings are kept, as later ones may share a name with them."""
        settled = min(one.settle(now) for one in self.operands)
        self.counts.forget(settled)
        return settled

    def size(self) -> int:
        """With the bindings."""
        return super().size() + len(self.counts.times)


def _together(instances: Iterable[Instance]) -> Instance:
    ends, starts, members = zip(*instances, strict=True)
    return max(ends), min(starts), tuple(sorted({one for each in members for one in each}, reverse=True))


# ------------------------------------------------------------------------------------------------------- building


class Building:
    """Makes the nodes of a profile.

    Args:
        timer: the time event that ends a negation at a time.
    """

    def __init__(self, timer: Timer) -> None:
        self._timer = timer
        self.nodes: list[tuple[Part, Node]] = []
        """The parts with their nodes, operands first."""
        self.leaves: list[OfClassNode] = []
        self.stateful: list[Stateful] = []
        """What has a state of its own, in the order in which it was made."""

    def node(self, part: Part) -> Node:
        """The node of a part."""
        node: Node
        match part:
            case OfClass():
                node = OfClassNode(part)
                self.leaves.append(node)
            case Paired("|", left, right):
                node = UnionNode(map(self.node, (left, right)))
            case Paired(_, left, right):
                node = PairedNode(part, self.node(left), self.node(right))
            case Absent(operand):
                node = AbsentNode(part, self.node(operand), self._timer)
            case Selected(operand):
                node = SelectedNode(part, self.node(operand))
            case Logical(True):
                nodes: list[Node] = []
                relation = self._relation(part, "", nodes)
                node = ConjunctionNode(relation, nodes)
            case Logical(_, clauses):
                node = UnionNode(map(self.node, clauses))
        self.stateful.append(node)
        self.nodes.append((part, node))
        return node

    def _relation(self, part: Part, place: str, nodes: list[Node]) -> Relation:
        relation: Relation
        match part:
            case Logical(conjunction, clauses):
                kind = JoinedRelation if conjunction else EitherRelation
                relation = kind(
                    self._relation(clause, f"{place}.{number}", nodes)
                    for number, clause in enumerate(clauses)
                )
            case Paired("," | ";", left, right):
                node = self.node(part)
                assert isinstance(node, PairedNode)
                nodes.append(node)
                relation = PairsRelation(node, _name(left, f"{place}l"), _name(right, f"{place}r"))
            case _:
                nodes.append(self.node(part))
                relation = InstancesRelation(nodes[-1], _name(part, place))
        self.stateful.append(relation)
        return relation


def _name(part: Part, place: str) -> str:
    return part.name if isinstance(part, OfClass) and part.name else f"#{place}"
