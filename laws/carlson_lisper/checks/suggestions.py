"""Suggested counterexamples: traces on which one side of a claim has an instance as it is written.

To refute `(A ; B) ; C == A ; C` it takes no search: B between A and C is what the left side says. Here each side is
read as a plan for such a trace, in a few variants, and both sides are evaluated on it. What is found is real and need
not be the smallest; that nothing is found says nothing.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, islice, product, zip_longest
from typing import TypeAlias

from laws.carlson_lisper.checks.counterexamples import Counterexample, concretise, contradicts
from laws.carlson_lisper.checks.representatives import bound_values, compares_lengths_only, constants_of
from laws.carlson_lisper.claims import EquationClaim
from semantics.carlson_lisper.expressions import Bound, Expression, fold
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.errors import LimitExceeded

Plan: TypeAlias = tuple[frozenset[str], ...]  # Occurrences at successive instants, by the names of identifiers

MAX_PLANS = 12  # of every subexpression
MAX_TRACES = 400  # with bounds for each
MAX_OCCURRENCES = 40  # of a plan that is tried


def suggested_counterexample(claim: EquationClaim, operators: Operators = OPERATORS) -> Counterexample | None:
    """A replayed counterexample that the sides of an equation suggest, made small by leaving things out."""
    for streams, bounds in islice(_cases(claim, operators), MAX_TRACES):
        try:
            if contradicts(claim, streams, bounds, operators):
                return concretise(claim, streams, bounds, operators)
        except LimitExceeded:
            continue
    return None


def _cases(claim: EquationClaim, operators: Operators) -> Iterator[tuple[dict[str, Stream], dict[str, int]]]:
    """Streams of event types along the plans of both sides by turns, and bounds that make a difference there."""
    sides = (plans(side) for side in (claim.equation.left, claim.equation.right))
    lengths_only = compares_lengths_only(operators)
    chosen = dict.fromkeys(plan for pair in zip_longest(*sides) for plan in pair if plan is not None)
    for plan in chosen:
        if sum(map(len, plan)) > MAX_OCCURRENCES:
            continue
        for times in _times(len(plan), constants_of(claim)):
            streams: dict[str, Stream] = {
                name: frozenset(
                    Instance([Occurrence(name, time)]) for time, names in zip(times, plan, strict=True) if name in names
                )
                for name in claim.variables
            }
            values = bound_values(times, lengths_only)
            values = sorted({values[0], values[len(values) // 2], values[-1]})
            for bounds in product(values, repeat=len(claim.parameters)):
                yield streams, dict(zip(claim.parameters, bounds, strict=True))


def _times(instants: int, constants: Collection[int]) -> Iterator[tuple[int, ...]]:
    """Times one tick apart; then one gap, or by it the whole, is as long as a bound or a tick longer."""
    yield tuple(range(instants))
    lengths = {length + more - other for length in constants for more in (0, 1) for other in (0, instants - 2)}
    for length, place in product(sorted(length for length in lengths if length > 1), range(instants - 1)):
        gaps = [1] * (instants - 1)
        gaps[place] = length
        yield tuple(accumulate(gaps, initial=0))


def plans(expression: Expression) -> tuple[Plan, ...]:
    """Some plans of traces on which an expression may have an instance, the most literal one first."""

    def operation(name: str, operands: Sequence[tuple[Plan, ...]], bound: Bound | None) -> tuple[Plan, ...]:
        return tuple(dict.fromkeys(islice(_arranged(name, *operands), 4 * MAX_PLANS)))[:MAX_PLANS]

    return fold(expression, lambda name: ((frozenset({name}),),), operation)


def _arranged(operator: str, left: tuple[Plan, ...], right: tuple[Plan, ...] = ()) -> Iterator[Plan]:
    """The plans of an operation from those of its operands, first from the most literal ones for both sides."""
    if operator == "tim":
        yield from left
    elif operator == "dis":  # by turns, so that neither is crowded out
        yield from (plan for pair in zip_longest(left, right) for plan in pair if plan is not None)
    elif operator == "neg":  # as if nothing had to be absent
        yield from left[: MAX_PLANS // 2]
    order = sorted(product(range(len(left)), range(len(right))), key=lambda pair: (sum(pair), pair))
    for first, second in ((left[one], right[two]) for one, two in order if operator != "dis"):
        at_once = tuple(one | two for one, two in zip_longest(first, second, fillvalue=frozenset[str]()))
        if operator == "seq":
            yield first + second
        elif operator == "neg":  # what has to be absent before, within or after
            yield from (at_once, second + first, first[:1] + second + first[1:], first + second)
        else:
            yield from (first + second, at_once, second + first)
