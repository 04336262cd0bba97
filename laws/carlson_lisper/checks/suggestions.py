"""Suggested counterexamples: traces on which one side of a claim has an instance as it is written.

A claim about a dozen identifiers is out of reach of a search through all streams. But to refute `(A ; B) ; C == A ; C`
it takes no search: B between A and C is what the left side says. Here each side is read as a plan for such a trace, in
a few variants, and both sides are evaluated on it. What is found is real and need not be the smallest; that nothing is
found says nothing.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, islice, product, zip_longest
from typing import TypeAlias

from laws.carlson_lisper.checks.counterexamples import Counterexample, concretise, contradicts
from laws.carlson_lisper.checks.representatives import bound_values, compares_lengths_only, constants_of
from laws.carlson_lisper.claims import EquationClaim
from semantics.carlson_lisper.expressions import Bound, Expression, fold
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.errors import LimitExceeded

Plan: TypeAlias = tuple[frozenset[str], ...]
"""Occurrences at successive instants, by the names of identifiers."""

MAX_PLANS = 12
"""How many plans are kept of every subexpression."""

MAX_TRACES = 400
"""How many traces, with bounds for each, are evaluated at the most."""

MAX_OCCURRENCES = 40
"""Longer plans are not tried."""


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
        arranged = _ARRANGED.get(name, _in_any_order)(*operands)
        return tuple(dict.fromkeys(islice(arranged, 4 * MAX_PLANS)))[:MAX_PLANS]

    return fold(expression, lambda name: ((frozenset({name}),),), operation)


_Plans: TypeAlias = tuple[Plan, ...]


def _one_of(left: _Plans, right: _Plans) -> Iterator[Plan]:
    """One side after the other, by turns, so that neither is crowded out."""
    return (plan for pair in zip_longest(left, right) for plan in pair if plan is not None)


def _in_order(left: _Plans, right: _Plans) -> Iterator[Plan]:
    return (first + second for first, second in _pairs(left, right))


def _in_any_order(left: _Plans, right: _Plans) -> Iterator[Plan]:
    return chain.from_iterable(
        (first + second, _at_once(first, second), second + first) for first, second in _pairs(left, right)
    )


def _without(left: _Plans, right: _Plans) -> Iterator[Plan]:
    """As if nothing had to be absent; and with what has to be absent before, within or after it."""
    yield from left[: MAX_PLANS // 2]
    for first, second in _pairs(left, right):
        yield from (_at_once(first, second), second + first, first[:1] + second + first[1:], first + second)


def _pairs(left: _Plans, right: _Plans) -> list[tuple[Plan, Plan]]:
    """The pairs of plans, those first that are the most literal for both sides."""
    order = sorted(product(range(len(left)), range(len(right))), key=lambda pair: (sum(pair), pair))
    return [(left[one], right[two]) for one, two in order]


def _at_once(first: Plan, second: Plan) -> Plan:
    return tuple(one | two for one, two in zip_longest(first, second, fillvalue=frozenset[str]()))


_ARRANGED: Mapping[str, Callable[..., Iterable[Plan]]] = {
    "dis": _one_of,
    "con": _in_any_order,
    "neg": _without,
    "seq": _in_order,
    "tim": lambda plans: plans,
}
"""The plans of an operation from those of its operands."""
