"""Incremental duplicate lists: the pairs that an inserted instance adds and removes, and views that take some back.

The instances are put in in the order of the view. What depends on the last instance of a list that still grows is
*tentative*; everything else is settled as soon as it is said.
"""

from bisect import bisect_left
from collections.abc import Iterable, Set
from typing import Any, ClassVar, Self, TypeAlias, TypeVar

from semantics.events import Event, Time
from semantics.hinze_voisard.pairing import Listed, Selection

ItemT = TypeVar("ItemT")


class Stateful:
    """An object whose state can be stored: attributes that are plain, or have a state themselves."""

    STATE: ClassVar[tuple[str, ...]] = ()

    def state(self) -> Any:
        """The state, for a snapshot."""
        found = (getattr(self, name) for name in self.STATE)
        return [value.state() if isinstance(value, Stateful) else value for value in found]

    def restore(self, state: Any) -> None:
        """Take up a state."""
        for name, value in zip(self.STATE, state, strict=True):
            known = getattr(self, name)
            if isinstance(known, Stateful):
                known.restore(value)
            else:
                setattr(self, name, value)


class Occurrence(tuple[int, int]):
    """A primitive event: its place among those that end at one time (events by number, then time events by class)."""

    event: Event

    def __new__(cls, place: tuple[int, int], event: Event) -> Self:
        """An event with its place, by which alone it is compared."""
        self = super().__new__(cls, place)
        self.event = event
        return self


Instance: TypeAlias = tuple[Time, Time, tuple[Occurrence, ...]]
"""End, start, and the primitive events, the greatest place first: tuples are in the order of time."""

Pair: TypeAlias = tuple[Instance, Instance, int]
"""The earlier instance, the later one, and which of them can be of the left operand: `FIRST`, `SECOND`, or either."""

Pairs: TypeAlias = tuple[list[Pair], list[Pair]]  # Removed pairs, and added ones

FIRST, SECOND = 1, 2

LEFT, RIGHT, BOTH = 1, 2, 3  # The operands to which an instance belongs

WAYS = [
    [FIRST * (one & LEFT and other >> 1) | SECOND * (one >> 1 and other & LEFT) for one in range(BOTH + 1)]
    for other in range(BOTH + 1)
]
"""By the operands of a later instance, and of an earlier one: which of them can be of the left operand; 0 for none."""

_ALL, _LAST = 0, -1


def _place(selection: Selection) -> int:
    return selection if isinstance(selection, int) else {"all": _ALL, "last": _LAST, "first": 1}[selection]


def joined(*parts: Instance) -> Instance:
    """The composite instance of some."""
    ends, starts, members = zip(*parts, strict=True)
    return max(ends), min(starts), tuple(sorted({one for each in members for one in each}, reverse=True))


def paired(pairs: Iterable[Pair]) -> list[Instance]:
    """The composite instance of each pair."""
    found = []
    for (_, start, members), (end, other_start, others), _ in pairs:
        if others[-1] > members[0]:
            together = others + members
        else:
            together = tuple(sorted({*members, *others}, reverse=True))
        found.append((end, start if start < other_start else other_start, together))
    return found


class Lists(Stateful):
    """The duplicate lists of two operands, as far as later instances need them, in one round of consumption.

    They are `ordered` in a sequence, whose left operand opens and whose right one closes.
    """

    STATE = ("pool", "side", "count", "chosen", "used", "tentative")

    def __init__(self, listed: Listed, span: Time | None, *, ordered: bool, longest: Time | None) -> None:
        """`longest` is how many ticks an instance lasts at most, None for any."""
        self._listed, self._span, self.ordered = listed, span, ordered
        self._once = listed.consumption in ("events", "primitives", "reapply")
        self._primitives, self._longest = listed.consumption == "primitives", longest
        anterior, posterior = _place(listed.anterior), _place(listed.posterior)
        by_side = (anterior, anterior, posterior, anterior)
        self._anterior = by_side if listed.by_operand else (anterior,) * 4
        self._posterior = by_side if listed.by_operand and not ordered else (posterior,) * 4
        self.pool: list[tuple[Instance, int]] = []
        """The instances that can open a pair, with their operands: those selected in earlier lists."""
        self.side = self.count = 0
        """The operands of the current list, and its length."""
        self.chosen: list[Instance] = []
        """The instances selected in it so far, to open later pairs."""
        self.used: set[Instance | Occurrence] = set()
        """The instances that have closed a pair and cannot open one; or the primitive events that are used up."""
        self.tentative: list[Pair] = []
        """The pairs closed by the last instance of the current list so far, in the order of their openers."""

    def copy(self) -> Self:
        """An independent copy."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other.pool, other.chosen = self.pool.copy(), self.chosen.copy()
        other.used, other.tentative = self.used.copy(), self.tentative.copy()
        return other

    def put(self, one: Instance, side: int) -> Pairs:
        """Insert the next instance of the view: the pairs that change."""
        if side != self.side or side == BOTH:
            self._close()
            self.side, self.count = side, 0
        self.count += 1
        begin = self._begin(one[0])
        changed: Pairs = [], []
        if side != LEFT or not self.ordered:
            if self.pool and self.pool[0][0][0] < begin:  # so all of it reaches what closes
                del self.pool[: bisect_left(self.pool, begin, key=lambda each: each[0][0])]
            place = self._posterior[side]
            if place == _LAST:
                changed = self._pair_last(one, side, begin)
            elif place in (_ALL, self.count):
                changed = [], self._matches(one, side)
                if self._once and changed[1]:
                    self._use_up(changed[1])
        if side == LEFT or not self.ordered:
            place = self._anterior[side]
            if place == _ALL:
                if self.chosen and self.chosen[0][0] < begin:
                    self.chosen = [each for each in self.chosen if each[0] >= begin]
                self.chosen.append(one)
            elif place in (_LAST, self.count):
                self.chosen = [one]
        return changed

    def settled(self, until: Time) -> Time:
        """The time before which no pair changes: the one given, or that of the first tentative pair."""
        begin = self._begin(until)
        return min((other[0] for one, other, _ in self.tentative if one[0] >= begin), default=until)

    def open_since(self, until: Time) -> Time:
        """The end of the first instance that may still be consumed; the given time where there is none."""
        begin = self._begin(until)
        alive = (one[0] for one in [*(one for one, _ in self.pool), *self.chosen] if one[0] >= begin)
        return min(alive, default=until)

    def _close(self) -> None:
        """End the current list: its tentative pairs become final, its selected instances can open later ones."""
        if self._once and self.tentative:
            self._use_up(self.tentative)
        self.tentative = []
        if self.side == LEFT or (self.side and not self.ordered):
            found = [(one, self.side) for one in self.chosen if not self.used or self._is_free(one)]
            self.pool = found if self._listed.consumption == "lists" else self.pool + found
            self.chosen = []
            if not self._primitives:
                self.used.clear()

    def _is_free(self, one: Instance) -> bool:
        """Whether nothing of an instance is used up."""
        return self.used.isdisjoint(one[2]) if self._primitives else one not in self.used

    def _use_up(self, pairs: Iterable[Pair]) -> None:
        """Use up what pairs: the openers leave the pool, and what closes them, or shares an event, cannot open one."""
        for one, other, _ in pairs:
            if not self._primitives:
                self.used.add(other)
                for place, each in enumerate(self.pool):
                    if each[0] == one:
                        del self.pool[place]
                        break
                continue
            self.used.update(one[2], other[2])
            self.pool = [each for each in self.pool if self._is_free(each[0])]
            if self._longest is not None:  # what can still come, or waits to open, has nothing earlier
                since = min(each[0] for each in (other, *self.chosen[:1])) - self._longest
                self.used = {each for each in self.used if isinstance(each, Occurrence) and each.event.time >= since}

    def _pair_last(self, one: Instance, side: int, begin: Time) -> Pairs:
        """Re-pair the openers within the span with the new last instance of the list."""
        before = self.tentative
        if settled := sum(pair[0][0] < begin for pair in before):
            self._use_up(before[:settled] if self._once else ())
            before = before[settled:]
        self.tentative = self._matches(one, side)
        return before, self.tentative

    def _matches(self, one: Instance, side: int) -> list[Pair]:
        """The pairs that an instance closes; one at most where instances are consumed."""
        if self._primitives and not self._is_free(one):
            return []
        ways, start, found = WAYS[side], one[1], []
        for first, other in self.pool:
            if ways[other] and (first[0] < start or set(first[2]).isdisjoint(one[2])):
                found.append((first, one, ways[other]))
                if self._once:
                    break
        return found

    def _begin(self, end: Time) -> Time:
        """The first time of the span that ends at one."""
        return 0 if self._span is None else end - self._span


class Selecting(Lists):
    """The duplicate lists of a disjunction: what is selected stands as a pair with itself."""

    def put(self, one: Instance, side: int) -> Pairs:
        """Insert the next instance of the view: the pairs that change."""
        if side != self.side or side == BOTH:
            self.tentative, self.side, self.count = [], side, 0
        self.count += 1
        place = self._anterior[side]
        if place == _LAST:
            before, self.tentative = self.tentative, [(one, one, BOTH)]
            return before, self.tentative
        return [], [(one, one, BOTH)] if place == self.count else []


Key: TypeAlias = tuple[Time, int, Instance, int]
"""A place in a view: the end, whether it opens where that comes after what closes, the instance, its operands."""

Keys: TypeAlias = Set[Key]


def places(sides: Iterable[tuple[Instance, int]], *, ordered: bool) -> set[Key]:
    """The places of instances of some operands in the view of a sequence, or of a conjunction."""
    if not ordered:
        return {(one[0], 0, one, side) for one, side in sides if side}
    opening = {(one[0], 1, one, LEFT) for one, side in sides if side & LEFT}
    return opening | {(one[0], 0, one, RIGHT) for one, side in sides if side & RIGHT}


def net(changes: Iterable[tuple[Iterable[ItemT], Iterable[ItemT]]]) -> tuple[list[ItemT], list[ItemT]]:
    """What several changes remove on balance, and what they add."""
    more: dict[ItemT, int] = {}
    for change in changes:
        for by, found in zip((-1, 1), change, strict=True):
            for one in found:
                more[one] = more.get(one, 0) + by
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
        if not gone and not come:
            return [], []
        place = bisect_left(self.keys, min(gone | come))
        rest = sorted([*(key for key in self.keys[place:] if key not in gone), *come])
        changes = [(added, removed) for removed, added in self.said[place:]]
        if place < len(self.keys):
            self.lists = self.before[place]
        del self.keys[place:], self.before[place:], self.said[place:]
        for key in rest:
            self.keys.append(key)
            self.before.append(self.lists.copy())
            self.said.append(self.lists.put(key[2], key[3]))
        return net(changes + self.said[place:])

    def settle(self, until: Time) -> Time:
        """Forget what operands settled before a time allow; the time before which pairs do not change any more."""
        if place := bisect_left(self.keys, (until,)):
            del self.keys[:place], self.before[:place], self.said[:place]
        return self.base.settled(until)

    @property
    def base(self) -> Lists:
        """The lists before the first place."""
        return self.before[0] if self.before else self.lists

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
        touched = {key[2] for key in gone | come}.union(*(pair[:2] for pair in removed + added))
        before = self.left(touched)
        for key in gone:
            self.at[key[2]] -= {key}
        for key in come:
            self.at[key[2]] = self.at.get(key[2], frozenset()) | {key}
        for one in touched:
            if not self.at[one]:
                del self.at[one]
        self.used.difference_update(one for pair in removed for one in pair[:2])
        self.used.update(one for pair in added for one in pair[:2])
        after = self.left(touched)
        return (removed, added), before - after, after - before

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

    @property
    def kept(self) -> Any:
        """The state of each round."""
        return [one.state() for one in self.rounds]

    @kept.setter
    def kept(self, state: Any) -> None:
        self.rounds = [Round(self._empty.copy()) for _ in state]
        for one, kept in zip(self.rounds, state, strict=True):
            one.restore(kept)
