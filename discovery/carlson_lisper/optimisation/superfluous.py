"""What never matters in a pattern: parts without which the detections are the same, and bounds that may be smaller."""

from __future__ import annotations

from dataclasses import dataclass, replace

from discovery.carlson_lisper.egraph import plain
from semantics.carlson_lisper.decisions import Decider
from semantics.carlson_lisper.expressions import Expression, Operation, Place, evaluate_bound, places, put_at, size
from semantics.errors import LimitExceeded

QUESTIONS = 60  # So many questions are asked about a pattern at most


@dataclass(frozen=True)
class Superfluous:
    """Something that never matters: a part, a restriction, or what a bound has more than it needs.

    Attributes:
        within: the operation that it is taken out of.
        part: the operand that goes; None for a restriction.
        least: the least bound of a restriction that leaves the detections, in ticks.
        goes: whether it may go altogether.
        shorter: the whole pattern after it, and after all before it.
    """

    within: Operation
    part: Expression | None
    least: int | None
    goes: bool
    shorter: Expression


def superfluous(pattern: Expression, steps: int) -> tuple[tuple[Superfluous, ...], bool]:
    """What never matters in a ground pattern, one after the other, and whether every question was decided.

    The questions may compute so many transitions together; each is decided by automata, for all traces, against the
    pattern itself. The last `shorter` is the shortest pattern that was found.
    """
    pattern = whole = plain(pattern)
    decider, found = Decider((pattern,)), list[Superfluous]()
    left, asked, decided = steps, 0, True

    def same(other: Expression) -> bool:
        nonlocal left, asked, decided
        asked += 1
        decider.steps = left
        try:
            if left > 0 and asked <= QUESTIONS:
                return decider.decide(pattern, other).holds
        except LimitExceeded:
            pass
        finally:
            left -= decider.budget.spent
        decided = False
        return False

    def least(place: Place, node: Operation) -> int:
        fewer, most = 0, evaluate_bound(node.bound or 0)
        while fewer < most:  # what is between two bounds that detect the same detects the same
            middle = (fewer + most) // 2
            if same(put_at(whole, place, replace(node, bound=middle))):
                most = middle
            else:
                fewer = middle + 1
        return most

    while True:
        removed = next(((one, at) for one, at in _removals(whole) if same(one.shorter)), None)
        if removed is None:
            break
        one, at = removed
        found.append(one if one.part is not None else replace(one, least=least(at, one.within)))
        whole = one.shorter
    for place, node in places(whole):  # outer ones first: what is in them is as it was
        if isinstance(node, Operation) and node.bound is not None:
            bound = least(place, node)
            if bound < evaluate_bound(node.bound):
                whole = put_at(whole, place, replace(node, bound=bound))
                found.append(Superfluous(node, None, bound, False, whole))
    return tuple(found), decided


def _removals(whole: Expression) -> list[tuple[Superfluous, Place]]:
    """What could go from a pattern and where, the largest parts first; not what a negation lets through."""
    found = list[tuple[Superfluous, Place]]()
    for place, node in places(whole):
        if not isinstance(node, Operation):
            continue
        for number, kept in enumerate(node.operands):
            gone = None if len(node.operands) == 1 else node.operands[1 - number]
            if node.operator != "neg" or number == 0:
                found.append((Superfluous(node, gone, None, True, put_at(whole, place, kept)), place))
    return sorted(found, key=lambda pair: size(pair[0].shorter))
