"""Views of two operands: the pairs of duplicate lists under insertions and deletions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Set
from typing import Any, ClassVar, TypeAlias, TypeVar

from detectors.hinze_voisard.lists import LEFT, RIGHT, Instance, Lists, Pairs, Stateful
from semantics.events import Time

Key: TypeAlias = tuple[Time, int, Instance, int]
"""A place in a view: the end, whether it opens where that comes after what closes, the instance, its operands."""

Keys: TypeAlias = Set[Key]
ItemT = TypeVar("ItemT")


def places(sides: Iterable[tuple[Instance, int]], *, ordered: bool) -> set[Key]:
    """The places of instances of some operands in the view of a sequence, or of a conjunction."""
    if not ordered:
        return {(one[0], 0, one, side) for one, side in sides if side}
    opening = {(one[0], 1, one, LEFT) for one, side in sides if side & LEFT}
    return opening | {(one[0], 0, one, RIGHT) for one, side in sides if side & RIGHT}


def net(changes: Iterable[tuple[Iterable[ItemT], Iterable[ItemT]]]) -> tuple[list[ItemT], list[ItemT]]:
    """What several changes remove on balance, and what they add."""
    more: dict[ItemT, int] = {}
    for removed, added in changes:
        for one in removed:
            more[one] = more.get(one, 0) - 1
        for one in added:
            more[one] = more.get(one, 0) + 1
    return [one for one, times in more.items() if times < 0], [one for one, times in more.items() if times > 0]


class View(Stateful):
    """Maintains the pairs of two operands under changes.

    A view of steady operands grows at its end. Another one keeps the lists before each place, and is replayed from the
    first changed place on.
    """

    STATE: ClassVar[tuple[str, ...]] = ("kept",)

    def __init__(self, lists: Lists, *, steady: bool = False) -> None:
        self.lists, self._steady = lists, steady
        self.keys: list[Key] = []
        self.before: list[Lists] = []
        """The lists before each place."""
        self.said: list[Pairs] = []
        """The pairs that changed at each place."""

    def change(self, gone: Keys, come: Keys) -> Pairs:
        """Take out places and put in others: the net change of pairs."""
        if self._steady:
            return net([self.lists.put(one, side) for _, _, one, side in sorted(come)])
        if len(come) == 1 and not gone:
            (key,) = come
            if not self.keys or self.keys[-1] < key:
                return self._put(key)
        if not gone and not come:
            return [], []
        place = bisect_left(self.keys, min(gone | come))
        rest = sorted([*(key for key in self.keys[place:] if key not in gone), *come])
        changes = [(added, removed) for removed, added in self.said[place:]]
        if place < len(self.keys):
            self.lists = self.before[place]
        del self.keys[place:], self.before[place:], self.said[place:]
        changes += [self._put(key) for key in rest]
        return net(changes)

    def _put(self, key: Key) -> Pairs:
        self.keys.append(key)
        self.before.append(self.lists.copy())
        changed = self.lists.put(key[2], key[3])
        self.said.append(changed)
        return changed

    def settle(self, until: Time) -> Time:
        """Forget what operands settled before a time allow; the time before which pairs do not change any more."""
        if place := bisect_left(self.keys, (until,)):
            del self.keys[:place], self.before[:place], self.said[:place]
        return self.base.settled(until)

    @property
    def base(self) -> Lists:
        """The lists before the first place."""
        return self.before[0] if self.before else self.lists

    def size(self) -> int:
        """How many instances the places and the lists hold."""
        return len(self.keys) + self.lists.size()

    @property
    def kept(self) -> Any:
        """The lists before the first place, and the places."""
        return [self.base.state(), self.keys]

    @kept.setter
    def kept(self, state: Any) -> None:
        base, keys = state
        self.keys, self.before, self.said = [], [], []
        self.lists.restore(base)
        self.change(set(), set(keys))


class Round(View):
    """A round of `reapply`: the view of what the rounds before leave over, and what it leaves over itself."""

    STATE = ("kept", "at", "used")

    def __init__(self, lists: Lists) -> None:
        super().__init__(lists)
        self.at: dict[Instance, frozenset[Key]] = {}
        """The places of each instance that can still be consumed, or be left over again."""
        self.used: set[Instance] = set()
        """The instances that are in a pair."""
        self._many = 32

    def turn(self, gone: Keys, come: Keys) -> tuple[Pairs, Keys, Keys]:
        """The pairs that change, and the places that are left over no more, or left over instead."""
        removed, added = self.change(gone, come)
        changed = [one for pair in (*removed, *added) for one in pair[:2]]
        if not changed and not gone:
            self._put_in(come)
            return (removed, added), gone, {key for key in come if key[2] not in self.used}
        touched = {*changed, *(key[2] for key in gone), *(key[2] for key in come)}
        before = self.left(touched)
        for key in gone:
            self.at[key[2]] -= {key}
        self._put_in(come)
        for one in touched:
            if not self.at[one]:
                del self.at[one]
        self.used.difference_update(one for pair in removed for one in pair[:2])
        self.used.update(one for pair in added for one in pair[:2])
        after = self.left(touched)
        return (removed, added), before - after, after - before

    def _put_in(self, come: Keys) -> None:
        for key in come:
            self.at[key[2]] = self.at.get(key[2], frozenset()) | {key}

    def left(self, among: Set[Instance]) -> Keys:
        """The places of some instances that are left over."""
        return {key for one in among - self.used for key in self.at.get(one, ())}

    def leave(self, until: Time, *, last: bool) -> tuple[Time, Time]:
        """The times before which pairs and left-over instances are settled; the last round keeps all for a next one."""
        settled = self.settle(until)
        left = min(settled, self.base.open_since(until))
        if not last and len(self.at) > self._many:
            self.at = {one: keys for one, keys in self.at.items() if one[0] >= left}
            self.used.intersection_update(self.at)
            self._many = 2 * len(self.at) + 32
        return settled, left


class Reapplied(Stateful):
    """A view with consumption `reapply`: the instances left over by a round are paired in the next one.

    The last round has used nothing; when it first does, a next one begins with all that it leaves over.
    """

    STATE = ("kept",)

    def __init__(self, lists: Lists) -> None:
        self._empty = lists
        self.rounds = [Round(lists.copy())]

    def change(self, gone: Keys, come: Keys) -> Pairs:
        """Propagate changes from round to round."""
        changes: list[Pairs] = []
        for one in self.rounds:
            if not gone and not come:
                return net(changes)
            changed, gone, come = one.turn(gone, come)
            changes.append(changed)
        while self.rounds[-1].used:
            left = self.rounds[-1].left(self.rounds[-1].at.keys())
            self.rounds.append(Round(self._empty.copy()))
            changes.append(self.rounds[-1].turn(set(), left)[0])
        return net(changes)

    def settle(self, until: Time) -> Time:
        """The time up to which all rounds are settled."""
        settled = until
        for one in self.rounds:
            pairs, until = one.leave(until, last=one is self.rounds[-1])
            settled = min(settled, pairs)
        return min(settled, until)  # a further round may begin with what is left

    def size(self) -> int:
        """How many instances all rounds hold."""
        return sum(one.size() for one in self.rounds)

    @property
    def kept(self) -> Any:
        """The state of each round."""
        return [one.state() for one in self.rounds]

    @kept.setter
    def kept(self, state: Any) -> None:
        self.rounds = [Round(self._empty.copy()) for _ in state]
        for one, kept in zip(self.rounds, state, strict=True):
            one.restore(kept)
