"""Views of two operands: the pairs of duplicate lists under insertions and deletions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import count
from typing import Any, Protocol, TypeAlias

from detectors.hinze_voisard.lists import LEFT, RIGHT, Instance, Lists, Pair, Pairs
from semantics.events import Time
from semantics.hinze_voisard.pairing import Listed

Sides: TypeAlias = Mapping[Instance, int]
"""By instance the operands to which it belongs; 0 for none."""

Key: TypeAlias = tuple[Time, int, Instance, int]
"""A place in a view: the end, whether it opens where that comes after what closes, the instance, its operands."""


def places(sides: Iterable[tuple[Instance, int]], *, ordered: bool) -> Iterator[Key]:
    """The places of instances in the view of a sequence, or of a conjunction."""
    for one, side in sides:
        if not ordered:
            if side:
                yield one[0], 0, one, side
            continue
        if side & RIGHT:
            yield one[0], 0, one, RIGHT
        if side & LEFT:
            yield one[0], 1, one, LEFT


class View(Protocol):
    """Maintains the pairs of two operands under changes."""

    def change(self, before: Sides, after: Sides) -> Pairs:
        """Change the operands of instances: the pairs that change."""

    def settle(self, until: Time) -> Time:
        """Forget what operands settled before a time allow; the time before which pairs do not change any more."""

    def size(self) -> int:
        """How many instances are held."""

    def state(self) -> Any:
        """The state, for a snapshot."""

    def restore(self, state: Any) -> None:
        """Take up a state."""


class Net:
    """The net effect of several changes of pairs."""

    def __init__(self) -> None:
        self._more: dict[Pair, int] = {}

    def change(self, removed: Iterable[Pair], added: Iterable[Pair]) -> None:
        """Add a change."""
        for pair in removed:
            self._more[pair] = self._more.get(pair, 0) - 1
        for pair in added:
            self._more[pair] = self._more.get(pair, 0) + 1

    def pairs(self) -> Pairs:
        """The pairs removed on balance, and those added."""
        changed = self._more.items()
        return [pair for pair, more in changed if more < 0], [pair for pair, more in changed if more > 0]


class Growing(Lists):
    """A view that only grows at its end."""

    def change(self, before: Sides, after: Sides) -> Pairs:
        """Insert new instances; none ends before those that are there."""
        net = Net()
        for _, _, one, side in sorted(places(after.items(), ordered=self.ordered)):
            net.change(*self.put(one, side))
        return net.pairs()

    def settle(self, until: Time) -> Time:
        """Only tentative pairs change."""
        return self.settled(until)


class Replayed:
    """A view that may change further back: the lists before each place are kept, and replayed from there on."""

    def __init__(self, listed: Listed, span: Time | None, *, ordered: bool) -> None:
        self.lists, self._ordered = Lists(listed, span, ordered=ordered), ordered
        self.keys: list[Key] = []
        self.before: list[Lists] = []
        """The lists before each place."""
        self.said: list[Pairs] = []
        """The pairs that changed at each place."""

    def change(self, before: Sides, after: Sides) -> Pairs:
        """Replay from the first changed place on: the net change of pairs."""
        gone = set(places(before.items(), ordered=self._ordered))
        come = set(places(after.items(), ordered=self._ordered))
        if gone:
            both = gone & come
            gone, come = gone - both, come - both
        if not gone and not come:
            return [], []
        place = bisect_left(self.keys, min(gone | come))
        net = Net()
        if place < len(self.keys):
            self.lists = self.before[place]
            for removed, added in self.said[place:]:
                net.change(added, removed)
        rest = sorted([*(key for key in self.keys[place:] if key not in gone), *come])
        del self.keys[place:], self.before[place:], self.said[place:]
        self.keys += rest
        for _, _, one, side in rest:
            self.before.append(self.lists.copy())
            self.said.append(self.lists.put(one, side))
            net.change(*self.said[-1])
        return net.pairs()

    def settle(self, until: Time) -> Time:
        """Forget the places before a time."""
        place = bisect_left(self.keys, (until,))
        if place:
            del self.keys[:place], self.before[:place], self.said[:place]
        return (self.before[0] if self.before else self.lists).settled(until)

    def open_since(self, until: Time) -> Time:
        """The end of the first instance that may still be consumed, where operands are settled up to a time."""
        return (self.before[0] if self.before else self.lists).open_since(until)

    def size(self) -> int:
        """How many instances the places and the lists hold."""
        return len(self.keys) + self.lists.size()

    def state(self) -> Any:
        """The places, with the lists before each."""
        return [self.lists.state(), self.keys, [one.state() for one in self.before], self.said]

    def restore(self, state: Any) -> None:
        """Take up a state."""
        lists, self.keys, before, self.said = state
        self.lists.restore(lists)
        self.before = [self.lists.copy() for _ in before]
        for one, kept in zip(self.before, before, strict=True):
            one.restore(kept)


class Round:
    """A round of `reapply`: its view, and the instances that it consumes."""

    def __init__(self, view: Replayed) -> None:
        self.view, self._many = view, 32
        self.sides: dict[Instance, int] = {}
        self.used: set[Instance] = set()

    def change(self, before: Sides, after: Sides) -> tuple[Pairs, Sides, Sides]:
        """The pairs that change; before and after, the operands of the instances left over that change."""
        known = dict(before)
        removed, added = self.view.change(before, after)
        for pair in (*removed, *added):
            for one in pair[:2]:
                known.setdefault(one, self.sides.get(one, 0))
        used = {one for one in known if one in self.used}
        for pair in removed:
            self.used.difference_update(pair[:2])
        for pair in added:
            self.used.update(pair[:2])
        for one, side in after.items():
            self.sides[one] = side
            if not side:
                del self.sides[one]
        left_before = {one: 0 if one in used else side for one, side in known.items()}
        left = {one: 0 if one in self.used else self.sides.get(one, 0) for one in known}
        same = [one for one, side in left.items() if left_before[one] == side]
        for one in same:
            del left_before[one], left[one]
        return (removed, added), left_before, left

    def left(self) -> Sides:
        """The instances that are left over."""
        return {one: side for one, side in self.sides.items() if one not in self.used}

    def settle(self, until: Time, *, last: bool) -> tuple[Time, Time]:
        """The times before which pairs and left-over instances are settled; the last round keeps all for a next one."""
        settled = self.view.settle(until)
        left = min(settled, self.view.open_since(until))
        if not last and len(self.sides) > self._many:
            for one in [one for one in self.sides if one[0] < left]:
                del self.sides[one]
                self.used.discard(one)
            self._many = 2 * len(self.sides) + 32
        return settled, left


class Reapplied:
    """A view with consumption `reapply`: the instances left over by a round are paired in the next one."""

    def __init__(self, listed: Listed, span: Time | None, *, ordered: bool) -> None:
        self._view = partial(Replayed, listed, span, ordered=ordered)
        self.rounds: list[Round] = []

    def change(self, before: Sides, after: Sides) -> Pairs:
        """Propagate changes from round to round; one that consumes nothing is the last."""
        net = Net()
        for number in count():
            if number == len(self.rounds):
                if number:
                    if not self.rounds[-1].used:
                        break
                    before, after = {}, self.rounds[-1].left()
                self.rounds.append(Round(self._view()))
            elif not before and not after:
                break
            (removed, added), before, after = self.rounds[number].change(before, after)
            net.change(removed, added)
        return net.pairs()

    def settle(self, until: Time) -> Time:
        """The time up to which all rounds are settled."""
        settled = until
        for one in self.rounds:
            pairs, until = one.settle(until, last=one is self.rounds[-1])
            settled = min(settled, pairs)
        return min(settled, until)  # a further round may begin with what is left

    def size(self) -> int:
        """How many instances all rounds hold."""
        return sum(one.view.size() for one in self.rounds)

    def state(self) -> Any:
        """The state of each round: places, operands, consumed instances."""
        return [[one.view.state(), one.sides, one.used] for one in self.rounds]

    def restore(self, state: Any) -> None:
        """Take up a state."""
        self.rounds = []
        for view, sides, used in state:
            one = Round(self._view())
            one.view.restore(view)
            one.sides, one.used = sides, used
            self.rounds.append(one)
