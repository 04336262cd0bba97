"""Settings as their definitions say it of any two instances: a second opinion that runs no code of the first one.

Duplicate lists are those of `semantics.hinze_voisard.literal`; the definitions do not say which of two instances with
equal start and end comes first.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from semantics.atlas.catalogue import Setting, Spans
from semantics.events import Time
from semantics.hinze_voisard.literal import Pairing
from semantics.hinze_voisard.pairing import Instance, Instances, Listed

Ties: TypeAlias = Literal["latest", "earliest", "reversed"]
"""An order of instances with equal start and end.

The last occurrence that only one of both has makes it the later one (`latest`, the order of time) or the earlier one
(`reversed`); or the first occurrence that only one has makes it the earlier one (`earliest`).
"""

TIES: Mapping[Ties, Callable[[int], Any]] = MappingProxyType(
    {
        "reversed": lambda members: -members,
        "earliest": lambda members: [n for n in range(members.bit_length()) if members >> n & 1],
        "latest": lambda members: members,
    }
)
"""The keys of the orders of ties, by the occurrences."""


@dataclass(frozen=True)
class Definitions:
    """Operators of a setting by their definitions, with an order of instances with equal start and end."""

    setting: Setting
    ties: Ties = "latest"

    def sequence(self, left: Instances, right: Instances, span: Time | None = None) -> Instances:
        context = self.setting.pairing
        if isinstance(context, Listed):
            return self._listed(";", context, left, right, span)
        pairs = [(x, y) for y in self._in_order(right) for x in self._in_order(left) if self._follows(x, y)]
        pairs = [(x, y) for x, y in pairs if span is None or y.end <= x.end + span]
        if context.adjacent:
            pairs = [(x, y) for x, y in pairs if max(TIES["earliest"](x.members)) + 1 == TIES["earliest"](y.members)[0]]
        if context.opens == "first":
            pairs = [(x, y) for x, y in pairs if all(x.end <= v.end for v, w in pairs if w == y)]
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
        context = self.setting.conjoined
        if isinstance(context, Listed):
            return self._listed(",", context, left, right, span)
        if context.opens == "oldest":
            return frozenset(map(_union, zip(self._in_order(left), self._in_order(right), strict=False)))
        found, since = set[Instance](), -1
        for now in sorted({one.end for one in left | right}):
            there = [[one for one in side if since < one.end <= now] for side in (left, right)]
            if context.opens == "newest":
                latest = [max((one.end for one in side if one.end <= now), default=None) for side in (left, right)]
                there = [[one for one in side if one.end == end] for side, end in zip(there, latest, strict=True)]
            complete = [
                (one, there[1 - side]) for side in (0, 1) for one in there[side] if one.end == now and there[1 - side]
            ]
            for one, others in complete:
                others = [each for each in others if span is None or one.end <= each.end + span]
                if not context.contained:
                    others = [x for x in others if not (x.start < one.start <= one.end < x.end)]
                    others = [x for x in others if not (one.start < x.start <= x.end < one.end)]
                together = [others] if context.together else [[each] for each in others]
                found |= {_union([one, *each]) for each in together}
            if complete and context.uses_up:
                since = now
        return frozenset(found)

    @property
    def spans(self) -> Spans:
        return self.setting.spans

    @property
    def restricted(self) -> bool:
        return self.setting.restricted

    def rem(self, operand: Instances) -> Instances:
        """The instances that no other one with the same end comes after."""
        return frozenset(x for x in operand if not any(x.end == y.end and self._key(x) < self._key(y) for y in operand))

    @staticmethod
    def negation(left: Instances, right: Instances) -> Instances:
        return frozenset(one for one in left if all(each.start < one.start or each.end > one.end for each in right))

    @staticmethod
    def restriction(operand: Instances, bound: Time) -> Instances:
        return frozenset(one for one in operand if one.end <= one.start + bound)

    def _listed(self, operator: str, listed: Listed, left: Instances, right: Instances, span: Time | None) -> Instances:
        """The pairs of duplicate lists by Definitions 4.4 to 4.7 word for word."""
        slips = {"reapplied-lists"} if listed.in_step else set[str]()  # the third table, as printed
        listed = replace(listed, consumption="reapply") if listed.in_step else listed
        pairing = Pairing(operator, listed, span, slips, self._key, self._follows)
        return frozenset(map(_union, pairing.pairs(left, right)))

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
