"""Views of two operands, one of which may lose instances: the lists are put together again from there on."""

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
"""Instances with the operands to which they belong; 0 for none."""

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
    """The pairs of two operands as these change."""

    def change(self, before: Sides, after: Sides) -> Pairs:
        """What instances had and have for operands changes: the pairs that change."""

    def settle(self, until: Time) -> Time:
        """Operands change no more before a time: forget what for; and the time before which pairs change no more."""

    def size(self) -> int:
        """How many instances are held."""

    def state(self) -> Any:
        """All that is held."""

    def restore(self, state: Any) -> None:
        """Hold what a state says."""


class Net:
    """What several changes of pairs come to."""

    def __init__(self) -> None:
        self._more: dict[Pair, int] = {}

    def change(self, removed: Iterable[Pair], added: Iterable[Pair]) -> None:
        """Another change."""
        for pair in removed:
            self._more[pair] = self._more.get(pair, 0) - 1
        for pair in added:
            self._more[pair] = self._more.get(pair, 0) + 1

    def pairs(self) -> Pairs:
        """The pairs that are no longer there in the end, and the new ones."""
        changed = self._more.items()
        return [pair for pair, more in changed if more < 0], [pair for pair, more in changed if more > 0]


class Growing(Lists):
    """A view at whose end alone something is put in."""

    def change(self, before: Sides, after: Sides) -> Pairs:
        """Put in what is new; all of it ends later than what was there, or at its time."""
        net = Net()
        for _, _, one, side in sorted(places(after.items(), ordered=self.ordered)):
            net.change(*self.put(one, side))
        return net.pairs()

    def settle(self, until: Time) -> Time:
        """Only tentative pairs change."""
        return self.settled(until)


class Replayed:
    """A view in which something may change further back: lists are kept as they were before each place."""

    def __init__(self, listed: Listed, span: Time | None, *, ordered: bool) -> None:
        self.lists, self._ordered = Lists(listed, span, ordered=ordered), ordered
        self.keys: list[Key] = []
        self.before: list[Lists] = []
        """The lists before each place."""
        self.said: list[Pairs] = []
        """The pairs that changed at each place."""

    def change(self, before: Sides, after: Sides) -> Pairs:
        """Put in and take out, and say how pairs changed in all from the first such place on."""
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
        """Forget the places before a time, at which nothing changes."""
        place = bisect_left(self.keys, (until,))
        if place:
            del self.keys[:place], self.before[:place], self.said[:place]
        return (self.before[0] if self.before else self.lists).settled(until)

    def open_since(self, until: Time) -> Time:
        """The end of the first instance that may be used up later; operands change no more before a time."""
        return (self.before[0] if self.before else self.lists).open_since(until)

    def size(self) -> int:
        """How many instances the places and the lists hold."""
        return len(self.keys) + self.lists.size()

    def state(self) -> Any:
        """The places, with the lists before each."""
        return [self.lists.state(), self.keys, [one.state() for one in self.before], self.said]

    def restore(self, state: Any) -> None:
        """Take up the places."""
        lists, self.keys, before, self.said = state
        self.lists.restore(lists)
        self.before = [self.lists.copy() for _ in before]
        for one, kept in zip(self.before, before, strict=True):
            one.restore(kept)


class Round:
    """A round of what is reapplied: its view, and what is used up in it."""

    def __init__(self, view: Replayed) -> None:
        self.view, self._many = view, 32
        self.sides: dict[Instance, int] = {}
        self.used: set[Instance] = set()

    def change(self, before: Sides, after: Sides) -> tuple[Pairs, Sides, Sides]:
        """The pairs that change, and how what is left changes."""
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
        """What is not used up."""
        return {one: side for one, side in self.sides.items() if one not in self.used}

    def settle(self, until: Time, *, last: bool) -> tuple[Time, Time]:
        """The times before which pairs, and what is left, change no more; the last round keeps all for a next one."""
        settled = self.view.settle(until)
        left = min(settled, self.view.open_since(until))
        if not last and len(self.sides) > self._many:
            for one in [one for one in self.sides if one[0] < left]:
                del self.sides[one]
                self.used.discard(one)
            self._many = 2 * len(self.sides) + 32
        return settled, left


class Reapplied:
    """What is left over is paired again, round after round."""

    def __init__(self, listed: Listed, span: Time | None, *, ordered: bool) -> None:
        self._view = partial(Replayed, listed, span, ordered=ordered)
        self.rounds: list[Round] = []

    def change(self, before: Sides, after: Sides) -> Pairs:
        """Each round takes what the one before leaves; one that uses nothing up is the last."""
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
        """What is left of a round changes as long as something of it can be used up."""
        settled = until
        for one in self.rounds:
            pairs, until = one.settle(until, last=one is self.rounds[-1])
            settled = min(settled, pairs)
        return min(settled, until)  # a further round may begin with what is left

    def size(self) -> int:
        """How many instances all rounds hold."""
        return sum(one.view.size() for one in self.rounds)

    def state(self) -> Any:
        """Of each round the places, what there is, and what is used up."""
        return [[one.view.state(), one.sides, one.used] for one in self.rounds]

    def restore(self, state: Any) -> None:
        """Take up the rounds."""
        self.rounds = []
        for view, sides, used in state:
            one = Round(self._view())
            one.view.restore(view)
            one.sides, one.used = sides, used
            self.rounds.append(one)
