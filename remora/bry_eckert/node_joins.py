"""The joins of the engine of node objects: what each leaves out, and which implied condition allows it (2007, 5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from detectors.bry_eckert.nodes.engine import Nodes
from detectors.bry_eckert.nodes.joins import AbsenceNode, JoinNode
from semantics.bry_eckert.algebra.distances import Distances
from semantics.bry_eckert.algebra.plans import Plan, Schema, identifiers_of
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.temporal import Difference, Stamp, end, is_stamp, start


@dataclass(frozen=True)
class JoinExplained:
    """What a join of the engine `nodes` leaves out.

    Attributes:
        operator: `⋈`, or `▷` for an anti-semi-join within a window.
        left: the identifiers of the left side.
        right: those of the right side.
        left_streams: whether the left is not stored.
        right_streams: whether the right is not stored.
        streaming: why each side is stored or not, in a few words.
        suppressing: conditions on lower bounds `lb` of time stamps of the left to come and of what is stored of it:
            while one of them holds, the right is not evaluated.
        suppression: why there are none; "" where there are some.
    """

    operator: str
    left: tuple[str, ...]
    right: tuple[str, ...]
    left_streams: bool
    right_streams: bool
    streaming: str
    suppressing: tuple[str, ...]
    suppression: str

    def __str__(self) -> str:
        sides = f" {self.operator} ".join(", ".join(side) for side in (self.left, self.right))
        suppressed = " or ".join(self.suppressing)
        evaluated = f"right suppressed while {suppressed}" if suppressed else self.suppression
        return f"{sides}: {self.streaming}; {evaluated}".replace("#", "′")


def joins_of(program: Program, plan: Plan) -> Mapping[str, Sequence[JoinExplained]]:
    """By materialization point, the joins of the engine, the innermost ones first."""
    engine = Nodes(program, plan)
    found: dict[str, list[JoinExplained]] = defaultdict(list)
    for name, join in engine.joins():
        found[name].append(_explained(join))
    return found


def _explained(join: JoinNode) -> JoinExplained:
    left, right = (child.schema for child in join.children)
    absent = isinstance(join, AbsenceNode)
    streams = (0 not in join.storing, 1 not in join.storing)
    reasons = (
        ["its window is over when it occurs", "it is looked up for windows that end later"]
        if absent
        else [_streaming(join.known, right, left), _streaming(join.known, left, right)]
    )
    suppressing = tuple(
        f"lb({stamp}) {_late(ticks)}"
        for stamp, ticks in join.kind.suppressing
        if join.children[0].bound(stamp) is not None
    )
    return JoinExplained(
        "▷" if absent else "⋈",
        identifiers_of(left),
        identifiers_of(right),
        *streams,
        "; ".join(
            f"{side} {'streaming' if does else 'stored'}, {reason}"
            for side, does, reason in zip(("left", "right"), streams, reasons, strict=True)
        ),
        suppressing,
        "" if suppressing else _not_suppressing(join, left, right),
    )


def _streaming(known: Distances, later: Schema, side: Schema) -> str:
    """Why a side streams: each end of the other one is no later than one of its own; or which end may be later."""
    found = []
    for one in map(end, identifiers_of(later)):
        ways = [_implied(known, one, other) for other in map(end, identifiers_of(side))]
        first = next(filter(None, ways), "")
        if not first:
            return f"{one} may be later"
        found.append(first)
    return ", ".join(found)


def _implied(known: Distances, one: Stamp, other: Stamp) -> str:
    """That a time stamp is no later than another one, if that follows; "" where it does not."""
    for strict, sign in ((True, "<"), (False, "<=")):
        if known.implies(Difference(one, other, strict=strict)):
            return f"{one} {sign} {other}"
    return ""


def _late(ticks: int) -> str:
    """That a lower bound and so many ticks are after now."""
    if ticks == 1:
        return ">= now"
    return f"> now {'-' if ticks > 0 else '+'} {abs(ticks)}" if ticks else "> now"


def _not_suppressing(join: JoinNode, left: Schema, right: Schema) -> str:
    if join.kind.suppressing:
        stamps = ", ".join(str(stamp) for stamp, _ in join.kind.suppressing)
        return f"right always evaluated, no lower bound is known of {stamps}"
    return "right always evaluated, " + next(_unbounded(join.known, left, right))


def _unbounded(known: Distances, left: Schema, right: Schema) -> Iterator[str]:
    """A start on the right that no time stamp of the left has to come before by any duration."""
    for name in identifiers_of(right):
        if all(known[start(name), stamp] is None for stamp in filter(is_stamp, left)):
            yield f"{name}.s may be any time before what is on the left"
    yield "no time stamp of the left is near to all starts on the right"
