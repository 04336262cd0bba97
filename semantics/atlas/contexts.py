"""The contexts of Snoop: which initiators a terminator pairs with, and which of them it uses up.

After Chakravarthy, Krishnaprasad, Anwar and Kim (Composite events for active databases, 1994); over intervals after
Adaikkalavan and Chakravarthy (SnoopIB, 2006). What they leave open is read so: all that occurs at one instant arrives
together; at a sequence what terminates acts before what initiates is stored; a conjunction is completed by whichever
side comes last, and an occurrence may fill both sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import Literal, TypeAlias

from semantics.hinze_voisard.pairing import Follows, Instance, Instances, by_time, joined, pair

Arrivals: TypeAlias = tuple[list[Instance], list[Instance]]
"""Arrivals at an instant from the left and from the right, in the order of time."""


def arrivals(left: Instances, right: Instances) -> Iterator[Arrivals]:
    """Arrivals by instant."""
    tagged = sorted([(by_time(one), 0, one) for one in left] + [(by_time(one), 1, one) for one in right])
    for _, group in groupby(tagged, key=lambda each: each[2].end):
        found: Arrivals = ([], [])
        for _, side, instance in group:
            found[side].append(instance)
        yield found


@dataclass(frozen=True)
class Context:
    """Which of the initiators that are open a terminator pairs with, and what is used up.

    A conjunction is read with both sides as initiators, each of which terminates it too.

    Attributes:
        opens: all; the most recent ones, which newer ones replace; or the oldest one, which is used up with its
            terminator.
        uses_up: whether initiators are used up, at the end of the instant at which they pair.
        together: whether they are in one instance with the terminator, or each in one of its own.
    """

    opens: Literal["all", "newest", "oldest"]
    uses_up: bool = False
    together: bool = False

    def sequence(self, left: Instances, right: Instances, follows: Follows) -> Iterator[Instance]:
        """The instances of a sequence."""
        stored: list[Instance] = []
        for initiators, terminators in arrivals(left, right):
            used: set[Instance] = set()
            for other in terminators:
                open_ = [one for one in stored if follows(one, other)]
                if self.opens == "oldest":
                    open_ = open_[:1]
                    stored = [one for one in stored if one not in open_]
                used.update(open_)
                yield from self._made(other, open_)
            if self.uses_up:
                stored = [one for one in stored if one not in used]
            stored = initiators if self.opens == "newest" and initiators else stored + initiators

    def conjunction(self, left: Instances, right: Instances) -> Iterator[Instance]:
        """The instances of a conjunction."""
        stored: tuple[list[Instance], list[Instance]] = ([], [])
        for new in arrivals(left, right):
            if self.opens == "newest":
                stored = (new[0] or stored[0], new[1] or stored[1])
            else:
                stored = (stored[0] + new[0], stored[1] + new[1])
            if self.opens == "oldest":
                while stored[0] and stored[1]:
                    yield pair(stored[0].pop(0), stored[1].pop(0))
                continue
            complete = [(one, stored[1 - side]) for side in (0, 1) for one in new[side] if stored[1 - side]]
            for one, others in complete:
                yield from self._made(one, others)
            if self.uses_up and complete:
                stored = ([], [])

    def _made(self, one: Instance, open_: list[Instance]) -> list[Instance]:
        if self.together:
            return [joined([*open_, one])] if open_ else []
        return [pair(other, one) for other in open_]


CONTEXTS: Mapping[str, Context] = MappingProxyType(
    {
        "unrestricted": Context("all"),
        "recent": Context("newest"),
        "chronicle": Context("oldest"),
        "continuous": Context("all", uses_up=True),
        "cumulative": Context("all", uses_up=True, together=True),
    }
)
