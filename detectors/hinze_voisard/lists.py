"""Incremental duplicate lists: the pairs that an inserted instance adds and removes.

The instances are put in in the order of the view. What depends on the last instance of a list that still grows is
*tentative*; everything else is settled as soon as it is said.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import chain
from typing import Any, ClassVar, Self, TypeAlias

from semantics.events import Event, Time
from semantics.hinze_voisard.pairing import Listed, Selection


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


class Occurrence:
    """A primitive event; the same object wherever it is used.

    Attributes:
        event: the event.
        place: where it is in the order of those that end at one time: events by number, then time events by class.
    """

    __slots__ = ("__weakref__", "event", "place")

    def __init__(self, event: Event, place: tuple[int, int]) -> None:
        self.event, self.place = event, place

    def __lt__(self, other: Occurrence) -> bool:
        return self.place < other.place


Instance: TypeAlias = tuple[Time, Time, tuple[Occurrence, ...]]
"""End, start, and the primitive events, the greatest place first: tuples are in the order of time."""

Pair: TypeAlias = tuple[Instance, Instance, int]
"""The earlier instance, the later one, and which of them can be of the left operand: `FIRST`, `SECOND`, or either."""

Pairs: TypeAlias = tuple[list[Pair], list[Pair]]
"""Removed pairs, and added ones."""

FIRST, SECOND = 1, 2

LEFT, RIGHT, BOTH = 1, 2, 3
"""The operands to which an instance belongs."""

WAYS = [
    [FIRST * (one & LEFT and other >> 1) | SECOND * (one >> 1 and other & LEFT) for one in range(BOTH + 1)]
    for other in range(BOTH + 1)
]
"""By the operands of a later instance, and of an earlier one: which of them can be of the left operand; 0 for none."""

_ALL, _LAST = 0, -1


def _place(selection: Selection) -> int:
    if isinstance(selection, int):
        return selection
    return {"all": _ALL, "last": _LAST, "first": 1}[selection]


def joined(pairs: Iterable[Pair]) -> list[Instance]:
    """The composite instance of each pair."""
    found = []
    for (_, start, members), (end, other_start, others), _ in pairs:
        if others[-1].place > members[0].place:
            together = others + members
        else:
            together = tuple(sorted(members + others, reverse=True))
        found.append((end, start if start < other_start else other_start, together))
    return found


def _end(each: tuple[Instance, int]) -> Time:
    return each[0][0]


def _disjoint(one: Instance, other: Instance) -> bool:
    members, others = one[2], other[2]
    if len(members) == 1 == len(others):
        return members[0] is not others[0]
    return not any(member in others for member in members)


class Lists(Stateful):
    """The duplicate lists of two operands, as far as later instances need them.

    Args:
        listed: what is selected and consumed; a consumption that is reapplied is here one round of it.
        span: how far apart the ends may be; None for any.
        ordered: whether it is a sequence, whose left operand opens and whose right one closes.
    """

    STATE = ("pool", "side", "count", "chosen", "used", "tentative")

    def __init__(self, listed: Listed, span: Time | None, *, ordered: bool) -> None:
        self._listed, self._span, self.ordered = listed, span, ordered
        self._once = listed.consumption in ("events", "reapply")
        anterior, posterior = _place(listed.anterior), _place(listed.posterior)
        by_side = (anterior, anterior, posterior, anterior)
        self._anterior = by_side if listed.by_operand else (anterior,) * 4
        self._posterior = by_side if listed.by_operand and not ordered else (posterior,) * 4
        self.pool: list[tuple[Instance, int]] = []
        """The instances that can open a pair, with their operands: those selected in earlier lists."""
        self.side = 0
        """The operands of the current list."""
        self.count = 0
        """The length of the current list."""
        self.chosen: list[Instance] = []
        """The instances selected in it so far, to open later pairs."""
        self.used: set[Instance] = set()
        """The instances that have closed a pair and cannot open one."""
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
                del self.pool[: bisect_left(self.pool, begin, key=_end)]
            place = self._posterior[side]
            if place == _LAST:
                changed = self._pair_last(one, side, begin)
            elif place in (_ALL, self.count):
                changed = [], self._pair(one, side)
        if side == LEFT or not self.ordered:
            self._choose(one, self._anterior[side], begin)
        return changed

    def settled(self, until: Time) -> Time:
        """The time before which no pair changes: the one given, or that of the first tentative pair."""
        begin = self._begin(until)
        return min((other[0] for one, other, _ in self.tentative if one[0] >= begin), default=until)

    def open_since(self, until: Time) -> Time:
        """The end of the first instance that may still be consumed; the given time where there is none."""
        begin = self._begin(until)
        alive = (one[0] for one in chain((one for one, _ in self.pool), self.chosen) if one[0] >= begin)
        return min(alive, default=until)

    def size(self) -> int:
        """How many instances it holds."""
        return len(self.pool) + len(self.chosen)

    def _close(self) -> None:
        """End the current list: its tentative pairs become final, its selected instances can open later ones."""
        if self.tentative:
            if self._once:
                self.used.update(other for _, other, _ in self.tentative)
                opened = {first for first, _, _ in self.tentative}
                self.pool = [each for each in self.pool if each[0] not in opened]
            self.tentative = []
        if self.side == LEFT or (self.side and not self.ordered):
            found = [(one, self.side) for one in self.chosen if one not in self.used]
            if self._listed.consumption == "lists":
                self.pool = found
            else:
                self.pool += found
            self.chosen = []
            self.used.clear()

    def _choose(self, one: Instance, place: int, begin: Time) -> None:
        if place == _ALL:
            if self.chosen and self.chosen[0][0] < begin:
                self.chosen = [each for each in self.chosen if each[0] >= begin]
            self.chosen.append(one)
        elif place in (_LAST, self.count):
            self.chosen = [one]

    def _pair(self, one: Instance, side: int) -> list[Pair]:
        found = self._matches(one, side)
        if self._once and found:
            del self.pool[next(number for number, each in enumerate(self.pool) if each[0] is found[0][0])]
            self.used.add(one)
        return found

    def _pair_last(self, one: Instance, side: int, begin: Time) -> Pairs:
        """Re-pair the openers within the span with the new last instance of the list."""
        before, added = self.tentative, self._matches(one, side)
        if before and before[0][0][0] < begin:
            settled = sum(pair[0][0] < begin for pair in before)
            self.tentative = before[:settled] + added
            return before[settled:], added
        self.tentative = added
        return before, added

    def _matches(self, one: Instance, side: int) -> list[Pair]:
        """The pairs that an instance closes; one at most where instances are consumed."""
        ways, start = WAYS[side], one[1]
        if not self._once:
            return [
                (first, one, way)
                for first, other in self.pool
                if (way := ways[other]) and (first[0] < start or _disjoint(first, one))
            ]
        for first, other in self.pool:
            if ways[other] and (first[0] < start or _disjoint(first, one)):
                return [(first, one, ways[other])]
        return []

    def _begin(self, end: Time) -> Time:
        """The first time of the span that ends at one."""
        return 0 if self._span is None else end - self._span
