"""Duplicate lists as they grow: what pairs when one instance after another is put in, and what no longer does.

The instances are put in in the order of the view. What depends on the last instance of a list that still grows is
*tentative*; everything else is settled as soon as it is said.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, TypeAlias

from semantics.events import Event, Time
from semantics.settings.lists import Listed, Selection


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

FIRST, SECOND = 1, 2

LEFT, RIGHT, BOTH = 1, 2, 3
"""The operands to which an instance belongs."""

_ALL, _LAST = 0, -1


def _place(selection: Selection) -> int:
    if isinstance(selection, int):
        return selection
    return {"all": _ALL, "last": _LAST, "first": 1}[selection]


def joined(pair: Pair) -> Instance:
    """The instance of the primitive events of both."""
    (_, start, members), (end, other_start, others), _ = pair
    if others[-1].place > members[0].place:
        together = others + members
    else:
        together = tuple(sorted(members + others, reverse=True))
    return end, start if start < other_start else other_start, together


def _disjoint(one: Instance, other: Instance) -> bool:
    members, others = one[2], other[2]
    if len(members) == 1 == len(others):
        return members[0] is not others[0]
    return not any(member in others for member in members)


class Lists:
    """The duplicate lists of two operands, as far as later instances need them.

    Args:
        listed: what is selected and consumed; a consumption that is reapplied is here one round of it.
        span: how far apart the ends may be; None for any.
        ordered: whether it is a sequence, whose left operand opens and whose right one closes.
    """

    def __init__(self, listed: Listed, span: Time | None, *, ordered: bool) -> None:
        self._listed, self._span, self._ordered = listed, span, ordered
        self._once = listed.consumption in ("events", "reapply")
        anterior, posterior = _place(listed.anterior), _place(listed.posterior)
        by_side = (anterior, anterior, posterior, anterior)
        self._anterior = by_side if listed.by_operand else (anterior,) * 4
        self._posterior = by_side if listed.by_operand and not ordered else (posterior,) * 4
        self.pool: list[tuple[Instance, int]] = []
        """What can open a pair: what was selected in the lists before, with its operands."""
        self.side = 0
        """The operands of the list that grows."""
        self.count = 0
        """How long it is."""
        self.chosen: list[Instance] = []
        """What is selected in it for later pairs, so far."""
        self.used: set[Instance] = set()
        """What has closed a pair and can open none."""
        self.run: list[Instance] = []
        """What of it can be its last instance within the span."""
        self.tentative: dict[Instance, tuple[Instance, int]] = {}
        """The pairs with a last instance of the list that grows."""

    @property
    def selected(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What is selected in the earlier and in the later list, by operands: a place, 0 for all, -1 for the last."""
        return self._anterior, self._posterior

    def copy(self) -> Lists:
        """The same lists, which grow on their own."""
        other = object.__new__(Lists)
        vars(other).update(vars(self))
        other.pool, other.chosen, other.used = self.pool.copy(), self.chosen.copy(), self.used.copy()
        other.run, other.tentative = self.run.copy(), self.tentative.copy()
        return other

    def state(self) -> Any:
        """All that it holds."""
        return [self.pool, self.side, self.count, self.chosen, self.used, self.run, self.tentative]

    def with_state(self, state: Any) -> Lists:
        """Lists of this kind that hold what a state says."""
        other = object.__new__(Lists)
        vars(other).update(vars(self))
        other.pool, other.side, other.count, other.chosen, other.used, other.run, other.tentative = state
        return other

    def put(self, one: Instance, side: int, removed: list[Pair], added: list[Pair]) -> None:
        """Put in the next instance of the view; what no longer pairs and what does is appended."""
        if side != self.side or side == BOTH:
            self._close()
            self.side, self.count = side, 0
        self.count += 1
        if side != LEFT or not self._ordered:
            place = self._posterior[side]
            if place == _LAST:
                self._pair_last(one, side, removed, added)
            elif place in (_ALL, self.count):
                self._pair(one, side, added)
        if side == LEFT or not self._ordered:
            self._choose(one, self._anterior[side])

    def settled(self, until: Time) -> Time:
        """A time before which nothing changes: the one given, or that of the first pair that can be undone."""
        undone = (other[0] for one, (other, _) in self.tentative.items() if self._reaches(one, until))
        return min(undone, default=until)

    def open_since(self, until: Time) -> Time:
        """The end of the first instance that may be used up later; up to a time at which all others are put in."""
        alive = (
            one for one in chain((one for one, _ in self.pool), self.chosen) if self._reaches(one, until)
        )
        return min((one[0] for one in alive), default=until)

    def size(self) -> int:
        """How many instances it holds."""
        return len(self.pool) + len(self.chosen) + len(self.run)

    def _close(self) -> None:
        """The list ends: its tentative pairs are settled, and what is selected in it can open later ones."""
        if self.tentative:
            if self._once:
                self.used.update(other for other, _ in self.tentative.values())
                self.pool = [each for each in self.pool if each[0] not in self.tentative]
            self.tentative = {}
        self.run = []
        if self.side == LEFT or (self.side and not self._ordered):
            found = [(one, self.side) for one in self.chosen if one not in self.used]
            if self._listed.consumption == "lists":
                self.pool = found
            else:
                self.pool += found
            self.chosen = []
            self.used.clear()

    def _choose(self, one: Instance, place: int) -> None:
        if place == _ALL:
            if self._span is not None and self.chosen and not self._reaches(self.chosen[0], one[0]):
                self.chosen = [each for each in self.chosen if self._reaches(each, one[0])]
            self.chosen.append(one)
        elif place in (_LAST, self.count):
            self.chosen = [one]

    def _pair(self, one: Instance, side: int, added: list[Pair]) -> None:
        self._forget(one[0])  # so all of the pool reaches it
        if not self._once and self._ordered:
            added += [(first, one, FIRST) for first, _ in self.pool if _disjoint(first, one)]
            return
        for number, (first, other_side) in enumerate(self.pool):
            if ways := self._ways(first, other_side, one, side):
                added.append((first, one, ways))
                if self._once:
                    del self.pool[number]
                    self.used.add(one)
                    return

    def _pair_last(self, one: Instance, side: int, removed: list[Pair], added: list[Pair]) -> None:
        if self.count == 1:
            self._forget(one[0])
        if not self.pool or not self._reaches(self.pool[-1][0], one[0]):
            return
        if not self._once:
            self._pair_each_with_last(one, side, removed, added)
            return
        if self._span is None:
            self.run = [one]
        else:
            self.run.append(one)
        before, self.tentative = self.tentative, self._once_with_last(side)
        removed.extend((one, *last) for one, last in before.items() if self.tentative.get(one) != last)
        added.extend((one, *last) for one, last in self.tentative.items() if before.get(one) != last)

    def _pair_each_with_last(self, one: Instance, side: int, removed: list[Pair], added: list[Pair]) -> None:
        """Pair all that reaches the last instance with it, and no longer with the one before."""
        least = -1 if self._span is None else one[0] - self._span
        tentative, ordered, last = self.tentative, self._ordered, (one, FIRST)
        for first, other_side in self.pool:
            if first[0] < least:
                continue
            before = tentative.get(first)
            if before is not None:
                removed.append((first, before[0], before[1]))
            ways = self._ways(first, other_side, one, side) if not ordered else FIRST * _disjoint(first, one)
            if ways:
                tentative[first] = last if ordered else (one, ways)
                added.append((first, one, ways))
            elif before is not None:
                del tentative[first]

    def _once_with_last(self, side: int) -> dict[Instance, tuple[Instance, int]]:
        """The pairs with the last instance of the list within the span of each that opens one, each used once.

        What can open pairs is in the order of time, and so are the last instances that it reaches.
        """
        once: dict[Instance, tuple[Instance, int]] = {}
        run, span, taken = self.run, self._span, None
        many = len(run)
        number = many if span is None else 0
        for first, other_side in self.pool:
            if span is not None:
                end = first[0] + span
                while number < many and run[number][0] <= end:
                    number += 1
            last = run[number - 1] if number else None
            if last is None or last is taken:
                continue
            if ways := self._ways(first, other_side, last, side):
                once[first] = last, ways
                taken = last
        return once

    def _ways(self, first: Instance, side: int, one: Instance, other_side: int) -> int:
        """Which of two instances that match can be of the left operand; 0 where they do not match."""
        if self._span is not None and first[0] + self._span < one[0]:
            return 0
        if self._ordered:  # what ends at one time closes before it opens
            ways = FIRST
        else:
            ways = FIRST if side & LEFT and other_side & RIGHT else 0
            ways |= SECOND if side & RIGHT and other_side & LEFT else 0
        return ways if ways and _disjoint(first, one) else 0

    def _reaches(self, first: Instance, end: Time) -> bool:
        return self._span is None or first[0] + self._span >= end

    def _forget(self, now: Time) -> None:
        """Forget what is out of the span of everything to come."""
        if self._span is not None and self.pool and not self._reaches(self.pool[0][0], now):
            self.pool = [each for each in self.pool if self._reaches(each[0], now)]
