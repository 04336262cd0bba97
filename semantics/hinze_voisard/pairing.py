"""Instances, and which instances of two operands pair: duplicate lists, selection, consumption (Defs. 4.4 to 4.7).

The view of two operands is the merge of both in the order of time, cut into duplicate lists: successive instances of
one operand. Those of an earlier and a later list pair if they are selected in their lists, match, and are not used up
(as repaired, see docs/profiles.md). Where times tie, what closes a sequence comes before what opens one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from semantics.events import Time


class Instance(NamedTuple):
    """A finite set of occurrences of a trace, with the least and the greatest of their times in ticks.

    The occurrence with the number n of the trace is the bit 1 << n of its members.
    """

    start: Time
    end: Time
    members: int


Instances: TypeAlias = frozenset[Instance]  # The meaning of an expression for a trace


def occurrence(number: int, time: Time) -> Instance:
    """The instance of an occurrence alone."""
    return Instance(time, time, 1 << number)


def joined(parts: Iterable[Instance]) -> Instance:
    """The instance of all occurrences of several ones; there is at least one."""
    start, end, members = zip(*parts, strict=True)
    together = 0
    for one in members:
        together |= one
    return Instance(min(start), max(end), together)


def pair(one: Instance, other: Instance) -> Instance:
    """The instance of the occurrences of both."""
    return Instance(min(one.start, other.start), max(one.end, other.end), one.members | other.members)


def by_time(instance: Instance) -> tuple[Time, Time, int]:
    """The key of the order of time: end, start, then the occurrences."""
    return (instance.end, instance.start, instance.members)


Clock: TypeAlias = Literal["points", "intervals"]
"""When one instance comes after another: it ends later, or it starts after the other one has ended."""

Follows: TypeAlias = Callable[[Instance, Instance], bool]
"""Whether the second instance comes after the first, in the time model of the setting."""

FOLLOWS: Mapping[Clock, Follows] = MappingProxyType(
    {"points": lambda one, other: one.end < other.end, "intervals": lambda one, other: one.end < other.start}
)

Pair: TypeAlias = tuple[Instance, Instance]  # Two instances that pair, the earlier one first

Selection: TypeAlias = Literal["first", "last", "all"] | int
"""Which instances of a duplicate list are selected; a number i is the i-th, counted from 1."""

Consumption: TypeAlias = Literal["keep", "lists", "events", "primitives", "reapply"]
"""Consumption mode.

- `keep`: nothing (all pairs, x ≤ y).
- `lists`: each duplicate list pairs with the next one alone (unique pairs, x = y).
- `events`: each instance is in one pair at most, the pairs that are complete first being taken first.
- `primitives`: likewise each primitive event, in whatever instances it is (unique composite events, Section 5).
- `reapply`: as `events`, and again on what is left, until nothing matches.
"""


@dataclass(frozen=True)
class Listed:
    """How duplicate lists pair: what is selected in the earlier and the later list, and what is used up.

    Or `by_operand`: in the left and the right one, wherever they stand. The last one is the last within the span. Lists
    are `in_step` where, as in the third table, beside the first ones the second ones pair and so on, or back from the
    last ones.
    """

    anterior: Selection
    posterior: Selection
    consumption: Consumption
    by_operand: bool = False
    in_step: bool = False

    @property
    def in_turn(self) -> bool:
        """Whether in a sequence the n-th list that opens pairs with the n-th one that closes, whatever the span.

        So no event that closes lies between the two of a pair, unless it is in the same list.
        """
        return self.anterior in ("first", "last") and self.posterior in ("first", "all")

    def disjunction(self, left: Instances, right: Instances) -> Instances:
        """The instances of a disjunction: those selected of each duplicate list (Def. 4.5)."""
        if self.anterior == "all":
            return left | right
        return frozenset(one for each in _lists_without_roles(left, right) for one in selected(each, self.anterior))

    def sequence(self, left: Instances, right: Instances, follows: Follows, span: Time | None) -> Iterator[Pair]:
        """The pairs of a sequence; the span is how far apart their ends may be, None for any."""
        return self._pairs(left, right, span, follows)

    def conjunction(self, left: Instances, right: Instances, span: Time | None) -> Iterator[Pair]:
        """The pairs of a conjunction, the earlier one first; the span is how far apart they may end, None for any."""
        return self._pairs(left, right, span, None)

    def _pairs(self, left: Instances, right: Instances, span: Time | None, follows: Follows | None) -> Iterator[Pair]:
        """The candidates; those that are left when events are used up, round after round where that is reapplied."""
        while True:
            candidates = self._candidates(left, right, span, follows)
            if self.consumption in ("keep", "lists"):
                yield from candidates
                return
            found = _once(candidates, primitive=self.consumption == "primitives")
            yield from found
            if self.consumption != "reapply" or not found:
                return
            used = {instance for both in found for instance in both}
            left, right = left - used, right - used

    def _candidates(
        self, left: Instances, right: Instances, span: Time | None, follows: Follows | None
    ) -> Iterator[Pair]:
        """The pairs of selected instances of an earlier and a later list that match."""
        lists, step = self.lists(left, right, follows), 1 if follows is None else 2

        def of_both(one: Instance, other: Instance) -> bool:
            return (one in left and other in right) or (one in right and other in left)

        matches = of_both if follows is None else follows

        def every() -> Iterator[Pair]:
            for place in range(0, len(lists), step):
                for one in self.chosen(lists[place], left, follows):
                    for later in lists[place + 1 :: step][: 1 if self.consumption == "lists" else None]:
                        for other in self.chosen(later, left, follows, one, span):
                            yield one, other

        def in_step() -> Iterator[Pair]:
            for ones, later in zip(lists[::step], lists[1::step], strict=False):
                last = self.posterior == "last"
                kept = _within(later, ones[-1], span)[::-1]
                yield from zip(*((ones[::-1], kept) if last else (ones, later)), strict=False)

        for one, other in in_step() if self.in_step else every():
            if one.members & other.members or (span is not None and abs(other.end - one.end) > span):
                continue
            if matches(one, other):
                yield one, other

    def lists(self, left: Instances, right: Instances, follows: Follows | None) -> list[list[Instance]]:
        """The duplicate lists of the view of two operands, in which they have roles where one follows the other."""
        return _lists_without_roles(left, right) if follows is None else _lists_with_roles(left, right)

    def chosen(
        self,
        listed: Sequence[Instance],
        left: Instances,
        follows: Follows | None,
        earlier: Instance | None = None,
        span: Time | None = None,
    ) -> Sequence[Instance]:
        """The instances selected in a list, or in one that is later than an instance: the last is within the span."""
        position = self.anterior if earlier is None else self.posterior
        if follows is None and self.by_operand:
            position = self.anterior if listed[0] in left else self.posterior
        if position == "last" and earlier is not None:
            listed = _within(listed, earlier, span)
        return selected(listed, position)


def _within(later: Sequence[Instance], one: Instance, span: Time | None) -> Sequence[Instance]:
    """The instances of a later list that count where the last ones are selected."""
    return later if span is None else [other for other in later if other.end <= one.end + span]


def selected(listed: Sequence[Instance], selection: Selection) -> Sequence[Instance]:
    """Selection in a duplicate list."""
    match selection:
        case "first":
            return listed[:1]
        case "last":
            return listed[-1:]
        case "all":
            return listed
        case place:
            return listed[place - 1 : place]


def _lists_with_roles(left: Instances, right: Instances) -> list[list[Instance]]:
    """The duplicate lists of a sequence, by turns of the left and of the right operand; the first is of the left."""
    closing = [(one.end, 0, by_time(one), one) for one in right]
    opening = [(one.end, 1, by_time(one), one) for one in left]
    runs = groupby(sorted(closing + opening), key=itemgetter(1))
    lists = [(opens, [each[-1] for each in group]) for opens, group in runs]
    return [found for _, found in lists[1 if lists and not lists[0][0] else 0 :]]


def _lists_without_roles(left: Instances, right: Instances) -> list[list[Instance]]:
    """The duplicate lists of a view without roles; what belongs to both operands is a list of its own."""
    ordered = sorted(left | right, key=by_time)
    sides = [(one in left, one in right) for one in ordered]
    alone = [(side, place if all(side) else -1) for place, side in enumerate(sides)]
    runs = groupby(zip(alone, ordered, strict=True), key=itemgetter(0))
    return [[one for _, one in run] for _, run in runs]


def _once(candidates: Iterable[Pair], *, primitive: bool) -> list[Pair]:
    """Pairs with each instance, or each primitive event, in one at most: complete first, then opened first."""
    found, used, members = [], set[Instance](), 0
    for one, other in sorted(candidates, key=lambda both: (by_time(both[1]), by_time(both[0]))):
        together = one.members | other.members
        if not together & members if primitive else one not in used and other not in used:
            used |= {one, other}
            members |= together
            found.append((one, other))
    return found
