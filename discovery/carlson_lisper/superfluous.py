"""What never matters in a pattern: parts without which the detections are the same, and bounds that may be smaller."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from discovery.carlson_lisper.egraph import Place, part_at, plain, put_at
from semantics.carlson_lisper.decisions import Decider
from semantics.carlson_lisper.expressions import Expression, Operation, evaluate_bound, size
from semantics.errors import LimitExceeded

QUESTIONS = 60  # So many questions are asked about a pattern at most


@dataclass(frozen=True)
class Superfluous:
    """Something that never matters: a part, a restriction, or what a bound has more than it needs.

    Attributes:
        within: the operation that it is taken out of.
        part: the operand that goes; None for a restriction.
        bound: the least bound that leaves the detections, in ticks; None where something goes altogether.
        shorter: the whole pattern after it, and after all before it.
    """

    within: Operation
    part: Expression | None
    bound: int | None
    shorter: Expression


def superfluous(pattern: Expression, steps: int) -> tuple[tuple[Superfluous, ...], bool]:
    """What never matters in a ground pattern, one after the other, and whether every question was decided.

    The questions may compute so many transitions together; each is decided by automata, for all traces, against the
    pattern itself. The last `shorter` is the shortest pattern that was found.
    """
    pattern = whole = plain(pattern)
    decider, found, left, asked, decided = Decider((pattern,)), list[Superfluous](), steps, 0, True

    def same(other: Expression) -> bool:
        nonlocal left, asked, decided
        asked += 1
        if left <= 0 or asked > QUESTIONS:
            decided = False
            return False
        decider.steps = left
        try:
            return decider.decide(pattern, other).holds
        except LimitExceeded:
            decided = False
            return False
        finally:
            left -= decider.budget.spent

    while (removed := next((one for one in _removals(whole) if same(one.shorter)), None)) is not None:
        found.append(removed)
        whole = removed.shorter
    for place in list(_places(whole)):
        node = part_at(whole, place)
        if isinstance(node, Operation) and node.bound is not None:
            least, most = 0, evaluate_bound(node.bound)
            while least < most:  # what is between two bounds that detect the same detects the same
                middle = (least + most) // 2
                if same(put_at(whole, place, replace(node, bound=middle))):
                    most = middle
                else:
                    least = middle + 1
            if most < evaluate_bound(node.bound):
                whole = put_at(whole, place, replace(node, bound=most))
                found.append(Superfluous(node, None, most, whole))
    return tuple(found), decided


def _removals(whole: Expression) -> Iterator[Superfluous]:
    """What could go from a pattern, the largest parts first; not what a negation lets through."""
    found = list[Superfluous]()
    for place in _places(whole):
        node = part_at(whole, place)
        if not isinstance(node, Operation):
            continue
        if len(node.operands) == 1:
            found.append(Superfluous(node, None, None, put_at(whole, place, node.operands[0])))
            continue
        for number, kept in enumerate(node.operands[::-1]):
            if node.operator != "neg" or number == 1:
                found.append(Superfluous(node, node.operands[number], None, put_at(whole, place, kept)))
    return iter(sorted(found, key=lambda one: size(one.shorter)))


def _places(expression: Expression) -> Iterator[Place]:
    pending: list[tuple[Expression, Place]] = [(expression, ())]
    while pending:
        node, place = pending.pop()
        yield place
        if isinstance(node, Operation):
            pending += [(one, (*place, number)) for number, one in enumerate(node.operands)]
