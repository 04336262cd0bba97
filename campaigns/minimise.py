"""Minimisation: a failing case made as small as it can be while it still fails in the same way.

Expression and trace shrink together, greedily, until no single reduction keeps the failure. Every accepted
reduction makes the case smaller in the order of `measure`, so the process ends; it makes no random choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from campaigns.cases import Case
from campaigns.judge import Kind, Verdict
from semantics.expressions import Expression, Identifier, Operation, evaluate_bound, identifiers, size
from semantics.occurrences import Occurrence, Time

BUDGET = 1500
"""How many judgements one minimisation may take; usual cases take fewer than 200."""

SLOW_BUDGET = 15
"""The same for a detector that runs out of time: each judgement may take the whole time limit."""

Judge = Callable[[Case], Verdict]
"""Judges a case with the detector at hand."""


@dataclass(frozen=True)
class Minimised:
    """A case that no single reduction makes smaller.

    Attributes:
        case: the small case.
        verdict: its judgement, a failure of the same kind.
        judgements: how many cases were judged on the way.
        complete: whether the end was reached within the budget.
    """

    case: Case
    verdict: Verdict
    judgements: int
    complete: bool


def minimise(case: Case, verdict: Verdict, judge: Judge, *, budget: int | None = None) -> Minimised:
    """Shrink a failing case.

    Args:
        case: the case.
        verdict: its judgement; a failure.
        judge: judges other cases in the same way.
        budget: how many judgements may be made; by default `BUDGET`, or `SLOW_BUDGET` for timeouts.
    """
    if budget is None:
        budget = SLOW_BUDGET if verdict.kind is Kind.TIMEOUT else BUDGET
    remaining = total = budget
    tried: set[tuple[Expression, tuple[Occurrence, ...]]] = {(case.expression, case.occurrences)}
    progress = True
    while progress:
        progress = False
        for reductions in REDUCTIONS:
            begin, accepted = 0, True
            while accepted:
                accepted = False
                # What was no use before a reduction that was accepted seldom is after it: it waits for the next turn.
                for place, smaller in enumerate(islice(reductions(case), begin, None), start=begin):
                    key = (smaller.expression, smaller.occurrences)
                    if key in tried or not measure(smaller) < measure(case):
                        continue
                    if remaining == 0:
                        return Minimised(case, verdict, total, complete=False)
                    tried.add(key)
                    remaining -= 1
                    found = judge(smaller)
                    if found.kind == verdict.kind:
                        case, verdict = smaller, found
                        begin, accepted, progress = place, True, True
                        break
    return Minimised(case, verdict, total - remaining, complete=True)


def measure(case: Case) -> tuple[int, int, int, int, int, int, int]:
    """The size of a case: nodes, occurrences, event types, values, bounds and span in ticks, spelling."""
    nodes = [node for _, node in _positions(case.expression)]
    types = identifiers(case.expression) | {o.event for o in case.occurrences}
    return (
        size(case.expression),
        len(case.occurrences),
        len(types),
        sum(o.value is not None for o in case.occurrences),
        sum(evaluate_bound(node.bound) for node in nodes if isinstance(node, Operation) and node.bound),
        case.occurrences[-1].time if case.occurrences else 0,
        sum(ord(character) for name in types for character in name),
    )


# ------------------------------------------------------------------------------------------------- reductions


def _part_alone(case: Case) -> Iterator[Case]:
    """A subexpression instead of the whole, the smallest first."""
    parts = sorted((part for _, part in _positions(case.expression)), key=size)
    for part in parts[:-1]:
        yield replace(case, expression=part)


def _operand_for_operation(case: Case) -> Iterator[Case]:
    """An operand in the place of an operation."""
    for position, node in _positions(case.expression):
        if isinstance(node, Operation):
            for operand in node.operands:
                yield replace(case, expression=_replaced(case.expression, position, operand))


def _name_for_operation(case: Case) -> Iterator[Case]:
    """An event type in the place of an operation on event types."""
    names = sorted(identifiers(case.expression))
    for position, node in _positions(case.expression):
        if isinstance(node, Operation) and position:
            for name in names:
                yield replace(case, expression=_replaced(case.expression, position, Identifier(name)))


def _fewer_occurrences(case: Case) -> Iterator[Case]:
    """The trace without a run of occurrences, long runs first."""
    length = len(case.occurrences)
    run = length
    while run:
        for begin in range(0, length, run):
            yield replace(case, occurrences=case.occurrences[:begin] + case.occurrences[begin + run :])
        run //= 2


def _fewer_types(case: Case) -> Iterator[Case]:
    """One event type renamed to an earlier letter, in use or not."""
    used = sorted(identifiers(case.expression) | {o.event for o in case.occurrences})
    letters = [chr(ord("a") + position) for position in range(len(used))]
    for old in reversed(used):
        for new in sorted({*used, *letters}):
            if new < old:
                renamed = {o._replace(event=new) if o.event == old else o for o in case.occurrences}
                expression = _renamed(case.expression, old, new)
                yield replace(case, expression=expression, occurrences=_in_order(renamed))


def _fewer_values(case: Case) -> Iterator[Case]:
    """The trace without values, or without one of them."""
    yield replace(case, occurrences=tuple(o._replace(value=None) for o in case.occurrences))
    for position, occurrence in enumerate(case.occurrences):
        if occurrence.value is not None:
            bare = occurrence._replace(value=None)
            kept = case.occurrences
            yield replace(case, occurrences=(*kept[:position], bare, *kept[position + 1 :]))


def _smaller_bounds(case: Case) -> Iterator[Case]:
    """A smaller bound."""
    for position, node in _bounds(case.expression):
        for bound in _smaller_numbers(evaluate_bound(node.bound or 0), 0):
            yield replace(case, expression=_replaced(case.expression, position, replace(node, bound=bound)))


def _shorter_gaps(case: Case) -> Iterator[Case]:
    """A shorter gap between two instants, or before the first; alone, or with a bound as much shorter."""
    times = sorted({o.time for o in case.occurrences})
    for time, before in zip(times, [-1, *times], strict=False):
        for gap in _smaller_numbers(time - before, 1):
            less = time - before - gap
            shifted = _shifted(case.occurrences, time, less)
            yield replace(case, occurrences=shifted)
            for position, node in _bounds(case.expression):
                bound = evaluate_bound(node.bound or 0) - less
                if bound >= 0:
                    smaller = _replaced(case.expression, position, replace(node, bound=bound))
                    yield replace(case, expression=smaller, occurrences=shifted)


REDUCTIONS: tuple[Callable[[Case], Iterator[Case]], ...] = (
    _part_alone,
    _fewer_occurrences,
    _operand_for_operation,
    _name_for_operation,
    _fewer_types,
    _fewer_values,
    _smaller_bounds,
    _shorter_gaps,
)
"""The reductions in the order in which they are tried; each yields candidates, the boldest first."""


# --------------------------------------------------------------------------------------------- parts of cases

_Position = tuple[int, ...]
"""The way from the root to a node: which operand to take at each operation."""


def _positions(expression: Expression) -> Iterator[tuple[_Position, Expression]]:
    """All nodes as written, from the root down."""
    pending: list[tuple[_Position, Expression]] = [((), expression)]
    while pending:
        position, node = pending.pop()
        yield position, node
        if isinstance(node, Operation):
            pending += [((*position, i), operand) for i, operand in enumerate(node.operands)][::-1]


def _bounds(expression: Expression) -> Iterator[tuple[_Position, Operation]]:
    for position, node in _positions(expression):
        if isinstance(node, Operation) and node.bound is not None:
            yield position, node


def _replaced(expression: Expression, position: _Position, new: Expression) -> Expression:
    """The expression with another node at a position."""
    above: list[tuple[Operation, int]] = []
    for index in position:
        assert isinstance(expression, Operation)  # a position leads through operations
        above.append((expression, index))
        expression = expression.operands[index]
    for operation, index in reversed(above):
        operands = operation.operands
        new = replace(operation, operands=(*operands[:index], new, *operands[index + 1 :]))
    return new


def _renamed(expression: Expression, old: str, new: str) -> Expression:
    for position, node in list(_positions(expression)):
        if node == Identifier(old):
            expression = _replaced(expression, position, Identifier(new))
    return expression


def _in_order(occurrences: Iterable[Occurrence]) -> tuple[Occurrence, ...]:
    """The occurrences in order, one for each time and event type (Def. 3.4)."""
    ordered = sorted(occurrences, key=Occurrence.sort_key)
    return tuple({(o.time, o.event): o for o in reversed(ordered)}.values())[::-1]


def _shifted(occurrences: tuple[Occurrence, ...], since: Time, ticks: int) -> tuple[Occurrence, ...]:
    return tuple(o._replace(time=o.time - ticks) if o.time >= since else o for o in occurrences)


def _smaller_numbers(number: int, least: int) -> Iterator[int]:
    """Smaller numbers down to the least one, the boldest first: each step is half of the one before."""
    step = number - least
    while step > 0:
        yield number - step
        step //= 2
