"""Settings as their definitions say it of any two instances: a second opinion that runs no code of the first one.

It shares the records of settings and the type of instances with `semantics.atlas.catalogue`, and takes the order of
ties as an argument: which of two instances with equal start and end comes first, the definitions do not say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from semantics.atlas.catalogue import Setting
from semantics.atlas.contexts import CONTEXTS
from semantics.events import Time
from semantics.hinze_voisard.pairing import Instance, Instances, Listed, Selection

Ties: TypeAlias = Literal["latest", "earliest", "reversed"]
"""An order of instances with equal start and end.

- `latest`: the last occurrence of the trace that only one of both has makes it the later one; so is the order of time.
- `earliest`: the first occurrence of the trace that only one of both has makes it the earlier one.
- `reversed`: the reverse of `latest`.
"""

TIES: Mapping[Ties, Callable[[int], Any]] = MappingProxyType(
    {
        "reversed": lambda members: -members,
        "earliest": lambda members: [n for n in range(members.bit_length()) if members >> n & 1],
        "latest": lambda members: members,
    }
)
"""The keys of the orders of ties, by the occurrences."""

Pairs: TypeAlias = list[tuple[Instance, Instance]]


@dataclass(frozen=True)
class Definitions:
    """What the operators of a setting mean.

    Attributes:
        ties: the order of instances with equal start and end.
    """

    setting: Setting
    ties: Ties = "latest"

    def sequence(self, left: Instances, right: Instances, span: Time | None = None) -> Instances:
        """The instances of `left ; right`, whose ends are at most a span apart."""
        if isinstance(self.setting.pairing, Listed):
            return self._listed(self.setting.pairing, left, right, span, in_turn=True)
        pairs = [(x, y) for y in self._in_order(right) for x in self._in_order(left) if self._follows(x, y)]
        context = CONTEXTS[self.setting.pairing]
        if context.opens == "newest":
            pairs = [(x, y) for x, y in pairs if not any(x.end < z.end < y.end for z in left)]
        if context.opens == "oldest":
            for x, y in list(pairs):
                if (x, y) in pairs:
                    pairs = [(v, w) for v, w in pairs if (v, w) == (x, y) or (v != x and w != y)]
        if context.uses_up:
            used = [(x, y) for x, y in pairs if any(z.end < y.end and self._follows(x, z) for z in right)]
            pairs = [pair for pair in pairs if pair not in used]
        if context.together:
            return frozenset(_union([y, *(x for x, z in pairs if z == y)]) for _, y in pairs)
        return frozenset(map(_union, pairs))

    def conjunction(self, left: Instances, right: Instances, span: Time | None = None) -> Instances:
        """The instances of `left + right`, whose ends are at most a span apart."""
        if isinstance(self.setting.pairing, Listed):
            return self._listed(self.setting.pairing, left, right, span, in_turn=False)
        context = CONTEXTS[self.setting.pairing]
        if context.opens == "oldest":
            places = zip(self._in_order(left), self._in_order(right), strict=False)
            return frozenset(map(_union, places))
        found, since = set[Instance](), -1
        for now in sorted({one.end for one in left | right}):
            there = [[one for one in side if since < one.end <= now] for side in (left, right)]
            if context.opens == "newest":
                there = [[one for one in side if one.end == _latest(side, now)] for side in there]
            complete = [
                (one, there[1 - side]) for side in (0, 1) for one in there[side] if one.end == now and there[1 - side]
            ]
            for one, others in complete:
                together = [others] if context.together else [[each] for each in others]
                found |= {_union([one, *each]) for each in together}
            if complete and context.uses_up:
                since = now
        return frozenset(found)

    def _listed(
        self, listed: Listed, left: Instances, right: Instances, span: Time | None, *, in_turn: bool
    ) -> Instances:
        """The pairs of duplicate lists, of a sequence in turn, until nothing is left that is used up."""
        assert not listed.by_operand
        pairs = self._candidates(listed, left, right, span, in_turn=in_turn)
        if listed.consumption in ("keep", "lists"):
            return frozenset(map(_union, pairs))
        taken: Pairs = []
        for x, y in sorted(pairs, key=lambda pair: (self._key(pair[1]), self._key(pair[0]))):
            if not {x, y} & {one for pair in taken for one in pair}:
                taken.append((x, y))
        found = frozenset(map(_union, taken))
        if not taken or listed.consumption == "events":
            return found
        used = {one for pair in taken for one in pair}
        return found | self._listed(listed, left - used, right - used, span, in_turn=in_turn)

    def _candidates(
        self, listed: Listed, left: Instances, right: Instances, span: Time | None, *, in_turn: bool
    ) -> Pairs:
        """The pairs (tr[x, z], tr[y, w]) of Definitions 4.6 and 4.7, before any is used up."""
        if in_turn:
            closing = [((y.end, 0, self._key(y)), "right", y) for y in right]
            view = sorted(closing + [((x.end, 1, self._key(x)), "left", x) for x in left])
        else:
            sides = {(True, False): "left", (False, True): "right", (True, True): "both"}
            view = sorted((self._key(one), sides[one in left, one in right], one) for one in left | right)
        lists: list[tuple[str, list[Instance]]] = []
        for _, side, one in view:
            if lists and lists[-1][0] == side != "both":
                lists[-1][1].append(one)
            else:
                lists.append((side, [one]))
        return [
            (one, other)
            for x, (first, anterior) in enumerate(lists)
            for y, (second, posterior) in enumerate(lists)
            if (y == x + 1 if listed.consumption == "lists" else y > x)
            and ((first, second) == ("left", "right") if in_turn else first != second or first == "both")
            for one in _chosen(anterior, listed.anterior)
            for other in _chosen(
                [w for w in posterior if span is None or listed.posterior != "last" or w.end - one.end <= span],
                listed.posterior,
            )
            if (self._follows(one, other) or not in_turn)
            and not one.members & other.members
            and (span is None or abs(other.end - one.end) <= span)
        ]

    def _follows(self, one: Instance, other: Instance) -> bool:
        return one.end < (other.end if self.setting.clock == "points" else other.start)

    def _key(self, one: Instance) -> tuple[Time, Time, Any]:
        return one.end, one.start, TIES[self.ties](one.members)

    def _in_order(self, instances: Iterable[Instance]) -> list[Instance]:
        return sorted(instances, key=self._key)


def _union(parts: Iterable[Instance]) -> Instance:
    """The instance of all occurrences of some."""
    found = list(parts)
    members = 0
    for one in found:
        members |= one.members
    return Instance(min(one.start for one in found), max(one.end for one in found), members)


def _latest(side: Iterable[Instance], now: Time) -> Time | None:
    return max((one.end for one in side if one.end <= now), default=None)


def _chosen(listed: Sequence[Instance], selection: Selection) -> Sequence[Instance]:
    if selection == "all":
        return listed
    place = {"first": 1, "last": len(listed)}.get(str(selection), selection)
    return [one for number, one in enumerate(listed, 1) if number == place]
