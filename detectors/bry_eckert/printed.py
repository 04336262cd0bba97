"""The pseudo-code of 2007 as it is printed, where it differs from what holds.

Its steps are those at which an event arrives, so a timer that is due in between is late, or lost to a streaming join.
The lower bounds of a timer are computed from those of its event, whatever is delayed. A suppressing join looks at what
is stored on its left and not at what has just come; a streaming join wants every end of one side before one and the
same end of the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from detectors.bry_eckert.nodes.engine import Nodes, Variant
from detectors.bry_eckert.nodes.joins import AbsenceNode, JoinNode, Kind
from detectors.bry_eckert.nodes.operators import Bound, TimerNode
from detectors.bry_eckert.protocol import Counts
from semantics.bry_eckert.algebra.distances import Distances
from semantics.bry_eckert.algebra.plans import Plan, Schema, identifiers_of
from semantics.bry_eckert.algebra.relations import Tuple
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.temporal import Difference, Stamp, end, is_stamp, start
from semantics.events import Time


def printed_kind(known: Distances, left: Schema, right: Schema) -> Kind:
    """What a join may leave out by the requirements of Sections 5.1 and 5.2."""

    def before(one: Sequence[Stamp], other: Sequence[Stamp]) -> bool:
        return any(all(known.implies(Difference(x, y, strict=True)) for x in one) for y in other)

    ends = [[end(name) for name in identifiers_of(side)] for side in (left, right)]
    starts = [start(name) for name in identifiers_of(right)]
    suppressing = tuple(
        (x, 1) for x in filter(is_stamp, left) if all(known.implies(Difference(x, y, strict=True)) for y in starts)
    )
    return Kind(before(ends[1], ends[0]), before(ends[0], ends[1]), suppressing)


class PrintedTimerNode(TimerNode):
    """A relative timer that yields what is due whenever it is evaluated, and forgets it in its lower bounds."""

    def pass_by(self, now: Time) -> None:
        """Whatever is due waits for the next step that asks for it."""

    def bound(self, stamp: Stamp) -> Bound | None:
        """That of the operand's later tuples with their timers."""
        return self._coming(stamp)


class EmptyJoinNode(JoinNode):
    """A suppressing join with `J := ∅` where its right side is not evaluated."""

    _avoided = False

    def _suppressed(self, now: Time, new_left: Sequence[Tuple]) -> bool:
        self._avoided = super()._suppressed(now, new_left)
        return self._avoided

    def _found(self, new_left: Sequence[Tuple], new_right: Sequence[Tuple], counts: Counts) -> list[Tuple]:
        found = super()._found(new_left, new_right, counts)
        return [] if self._avoided else found


class PrintedJoinNode(EmptyJoinNode):
    """A suppressing join that takes its lower bounds before it stores what has come from the left."""

    def _suppressed(self, now: Time, new_left: Sequence[Tuple]) -> bool:
        return super()._suppressed(now, ())


class PrintedAbsenceNode(EmptyJoinNode, AbsenceNode):
    """An anti-semi-join as if the pseudo-code of the suppressing join were its."""


PRINTED = Variant(kind=printed_kind, join=PrintedJoinNode, timer=PrintedTimerNode)
"""All that is printed; what is printed nowhere, such as an anti-semi-join, as it holds."""

SLIPS: Mapping[str, Variant] = MappingProxyType(
    {
        "bounds without what has just come": Variant(join=PrintedJoinNode),
        "nothing where the right is not evaluated": Variant(absence=PrintedAbsenceNode),
    }
)
"""Engines in which one thing is as printed and all else as it holds."""


class PrintedNodes(Nodes):
    """The engine of node objects as it is printed: no step is made for a timer alone."""

    def __init__(self, program: Program, plan: Plan, points: frozenset[str] = frozenset()) -> None:
        """As `Nodes`."""
        super().__init__(program, plan, points, variant=PRINTED, collecting=False)

    def due(self) -> Time | None:
        """Nothing: a step is performed when an event occurs (2007, Section 4)."""
        return None
