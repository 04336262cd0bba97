"""Instances, and which instances of two operands pair: duplicate lists, selection, consumption (Defs. 4.4 to 4.7).

The view of two operands is the merge of both in the order of time, cut into duplicate lists: successive instances of
one operand. An instance of an earlier list and one of a later list pair if they are selected in their lists, match, and
are not used up (the definitions as repaired, see docs/profiles.md). Where times tie, what closes a sequence comes
before what opens one; a conjunction knows no roles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from semantics.events import Time


class Instance(NamedTuple):
    """A finite set of occurrences of a trace.

    Attributes:
        start: the least time of its occurrences, in ticks.
        end: the greatest one: the time at which it occurs.
        members: the occurrences, as bits: the occurrence with the number n of the trace is the bit 1 << n.
    """

    start: Time
    end: Time
    members: int


Instances: TypeAlias = frozenset[Instance]
"""The meaning of an expression for a trace."""


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

Pair: TypeAlias = tuple[Instance, Instance]
"""Two instances that pair, the earlier one first."""

Selection: TypeAlias = Literal["first", "last", "all"] | int
"""Which instances of a duplicate list are selected; a number i is the i-th, counted from 1."""

Consumption: TypeAlias = Literal["keep", "lists", "events", "reapply"]
"""Consumption mode.

- `keep`: nothing (all pairs, x ≤ y).
- `lists`: each duplicate list pairs with the next one alone (unique pairs, x = y).
- `events`: each instance is in one pair at most, the pairs that are complete first being taken first.
- `reapply`: as `events`, and again on what is left, until nothing matches.
"""


@dataclass(frozen=True)
class Listed:
    """How duplicate lists pair.

    Attributes:
        anterior: what is selected in the earlier list.
        posterior: what is selected in the later list; of the last one only what is within the span counts.
        consumption: what is used up.
        by_operand: whether `anterior` is of the left operand and `posterior` of the right one, wherever they stand.
    """

    anterior: Selection
    posterior: Selection
    consumption: Consumption
    by_operand: bool = False

    @property
    def in_turn(self) -> bool:
        """Whether in a sequence the n-th list that opens pairs with the n-th one that closes, whatever the span.

        Of each one event opens, and what closes first may close: it is within the span of what opens if any later one
        is. So no event that closes lies between the two of a pair, unless it is in the same list.
        """
        return self.anterior in ("first", "last") and self.posterior in ("first", "all")

    def sequence(self, left: Instances, right: Instances, follows: Follows, span: Time | None) -> Iterator[Pair]:
        """The pairs of a sequence; the span is how far apart their ends may be, None for any."""

        def candidates(left: Instances, right: Instances) -> list[Pair]:
            lists = _lists_with_roles(left, right)
            anteriors, posteriors = lists[0::2], lists[1::2]
            return [
                (one, other)
                for place, earlier in enumerate(anteriors)
                for one in selected(earlier, self.anterior)
                for later in posteriors[place : place + 1 if self.consumption == "lists" else None]
                for other in _closing(one, later, self.posterior, span)
                if follows(one, other) and _may_pair(one, other, span)
            ]

        return self._consumed(left, right, candidates)

    def conjunction(self, left: Instances, right: Instances, span: Time | None) -> Iterator[Pair]:
        """The pairs of a conjunction, the earlier one first; the span is how far apart they may end, None for any."""

        def candidates(left: Instances, right: Instances) -> list[Pair]:
            lists = list(_lists_without_roles(left, right))
            return [
                (one, other)
                for place, earlier in enumerate(lists)
                for one in selected(earlier, self._of(earlier, left, self.anterior))
                for later in lists[place + 1 : place + 2 if self.consumption == "lists" else None]
                for other in _closing(one, later, self._of(later, left, self.posterior), span)
                if ((one in left and other in right) or (one in right and other in left))
                and _may_pair(one, other, span)
            ]

        return self._consumed(left, right, candidates)

    def _consumed(
        self, left: Instances, right: Instances, candidates: Callable[[Instances, Instances], list[Pair]]
    ) -> Iterator[Pair]:
        """The candidates that are left when events are used up, round after round where that is reapplied."""
        if self.consumption in ("keep", "lists"):
            yield from candidates(left, right)
            return
        while found := _once(candidates(left, right)):
            yield from found
            if self.consumption == "events":
                return
            used = {instance for both in found for instance in both}
            left, right = left - used, right - used

    def _of(self, listed: Sequence[Instance], left: Instances, position: Selection) -> Selection:
        """The selection of a list: that of its position, or of its operand."""
        if not self.by_operand:
            return position
        return self.anterior if listed[0] in left else self.posterior


def _closing(one: Instance, later: Sequence[Instance], selection: Selection, span: Time | None) -> Sequence[Instance]:
    """Selection in a later list; of `last`, only instances within the span count."""
    if selection == "last" and span is not None:
        return [other for other in later if other.end <= one.end + span][-1:]
    return selected(later, selection)


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


def _may_pair(one: Instance, other: Instance, span: Time | None) -> bool:
    """Whether two instances share no occurrence and end within the span."""
    return not one.members & other.members and (span is None or abs(other.end - one.end) <= span)


def _lists_with_roles(left: Instances, right: Instances) -> list[list[Instance]]:
    """The duplicate lists of a sequence, by turns of the left and of the right operand; the first is of the left."""
    closing = [(one.end, 0, by_time(one), one) for one in right]
    opening = [(one.end, 1, by_time(one), one) for one in left]
    runs = groupby(sorted(closing + opening), key=itemgetter(1))
    lists = [(opens, [each[-1] for each in group]) for opens, group in runs]
    return [found for _, found in lists[1 if lists and not lists[0][0] else 0 :]]


def _lists_without_roles(left: Instances, right: Instances) -> Iterator[list[Instance]]:
    """The duplicate lists of a view without roles; what belongs to both operands is a list of its own."""
    current: list[Instance] = []
    side: tuple[bool, bool] | None = None
    for instance in sorted(left | right, key=by_time):
        operands = (instance in left, instance in right)
        if current and (operands != side or operands == (True, True)):
            yield current
            current = []
        current, side = [*current, instance], operands
    if current:
        yield current


def _once(candidates: Iterable[Pair]) -> list[Pair]:
    """Pairs with each instance in one at most: complete first, then opened first."""
    found, used = [], set[Instance]()
    for one, other in sorted(candidates, key=lambda both: (by_time(both[1]), by_time(both[0]))):
        if one not in used and other not in used:
            used |= {one, other}
            found.append((one, other))
    return found
