"""Representative times and bounds: one choice for each way in which the comparisons of a claim can come out.

Over k occurrences a claim depends on which of them coincide and on how their distances compare with its bounds, and on
nothing else. So finitely many times and bounds stand for all, and going through them by increasing span and then in
order finds the smallest ones first. Only times near the bounds, near sums of two of them and near half of the span can
be the smallest of their kind, so their number does not depend on how large the bounds are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, pairwise, product

from laws.carlson_lisper.claims import Claim, RestrictionClaim
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.expressions import BoundValues
from semantics.carlson_lisper.operators import Operators
from semantics.formulas import Compare, Difference, Parameter, subformulas

MAX_REPRESENTATIVES = 20_000
"""How many choices of times and bounds are looked at, for one number of occurrences, at the most."""


@dataclass(frozen=True)
class Representative:
    """Times in ticks, in order and from 0, and a value in ticks for each symbolic bound."""

    times: tuple[int, ...]
    bounds: BoundValues


def _bounds_of(claim: Claim) -> tuple[expressions.Bound, ...]:
    if isinstance(claim, RestrictionClaim):
        return tuple(map(expressions.BoundParameter, claim.parameters))
    sides: tuple[expressions.Expression, ...] = (claim.equation.left, claim.equation.right)
    nodes = (node for side in sides for node in expressions.bottom_up(side))
    return tuple(dict.fromkeys(n.bound for n in nodes if isinstance(n, expressions.Operation) and n.bound is not None))


def _constants(bounds: Iterable[expressions.Bound]) -> set[int]:
    found: set[int] = set()
    pending = list(bounds)
    while pending:
        match pending.pop():
            case int() as value:
                found.add(value)
            case expressions.BoundExtremum(_, left, right):
                pending += [left, right]
    return found


def constants_of(claim: Claim) -> set[int]:
    """The bounds of a claim that are numbers, in ticks."""
    return _constants(_bounds_of(claim))


def compares_lengths_only(operators: Operators) -> bool:
    """Whether the bound occurs as in the source's definition alone: a distance of two times is at most the bound."""
    return all(
        comparison.relation == "<="
        and isinstance(comparison.left, Difference)
        and isinstance(comparison.right, Parameter)
        for definition in operators.values()
        if definition.bounded
        for comprehension in definition.comprehensions
        for comparison in subformulas(comprehension.condition)
        if isinstance(comparison, Compare)
    )


def representatives(
    claim: Claim, occurrences: int, operators: Operators
) -> tuple[tuple[int, tuple[Representative, ...]], ...] | None:
    """Representative times and bounds for a number of occurrences, by increasing span.

    Within one span they are ordered by times, then by bounds in the order of their names; each is the first of those
    that it stands for.

    Returns:
        Pairs of a span in ticks and its representatives, or None where there would be too many.
    """
    return _representatives(_bounds_of(claim), claim.parameters, occurrences, compares_lengths_only(operators))


@cache
def _representatives(
    bounds: tuple[expressions.Bound, ...], parameters: tuple[str, ...], occurrences: int, lengths_only: bool
) -> tuple[tuple[int, tuple[Representative, ...]], ...] | None:
    constants = _constants(bounds)
    spans = _spans(occurrences, constants, bool(bounds), lengths_only)
    if spans is None:
        return None
    seen: set[object] = set()
    levels: list[tuple[int, tuple[Representative, ...]]] = []
    looked_at = 0
    for span in spans:
        level: list[Representative] = []
        for times in _times(occurrences, span, constants, bool(bounds)):
            values = _bound_values(times, lengths_only)
            looked_at += len(values) ** len(parameters)
            if looked_at > MAX_REPRESENTATIVES:
                return None
            for chosen in product(values, repeat=len(parameters)):
                named = dict(zip(parameters, chosen, strict=True))
                outcome = _outcome(times, bounds, named, lengths_only)
                if outcome not in seen:
                    seen.add(outcome)
                    level.append(Representative(times, named))
        levels.append((span, tuple(level)))
    return tuple(levels)


def bound_values(times: Sequence[int], operators: Operators) -> list[int]:
    """The values of a bound that make a difference for occurrences at these times, in ticks, ascending."""
    return _bound_values(times, compares_lengths_only(operators))


def _bound_values(times: Sequence[int], lengths_only: bool) -> list[int]:
    distances = {later - earlier for earlier in times for later in times if earlier <= later}
    return sorted(distances if lengths_only else distances | {distance + 1 for distance in distances})


def _spans(occurrences: int, constants: set[int], bounded: bool, lengths_only: bool) -> Sequence[int] | None:
    """Spans in increasing order, with the least one of every outcome among them.

    With two occurrences there is one distance to compare with the constants. With three there are two, x and y, and the
    span x + y. An outcome sets a least and a greatest value to each of the three, which are constants or next to one,
    and symbolic bounds between two distances set them apart by up to two ticks. The least span is then the least value
    of the span itself, the sum of those of x and y, or what twice one of these comes to; or it is the next even one,
    where x = y.

    Args:
        lengths_only: whether all that matters of a bound is which distances are at most as long.
    """
    if not bounded or occurrences == 1:
        return range(occurrences)
    landmarks = {0, *constants}
    if occurrences == 2:
        steps = range(2 if lengths_only else 3)
        return sorted({landmark + step for landmark in landmarks for step in steps})
    if occurrences == 3:
        steps = range(4 if lengths_only else 8)
        return sorted({one + two + step for one in landmarks for two in landmarks for step in steps})
    return None


def _times(occurrences: int, span: int, constants: set[int], bounded: bool) -> Iterator[tuple[int, ...]]:
    """Times from 0 to the span in lexicographic order, with the first one of every outcome among them.

    With three occurrences the first distance is the least that it may be: its own least value, what the greatest value
    of the second one leaves of the span, or about half of the span where it is the greater one or as long.
    """
    if occurrences <= 2:
        yield (0, span)[:occurrences]
    elif not bounded:
        for inner in combinations_with_replacement(range(span + 1), occurrences - 2):
            yield (0, *inner, span)
    else:
        landmarks = {0, *constants}
        suggested = {landmark + step for landmark in landmarks for step in range(3)}
        suggested |= {span - landmark + step for landmark in landmarks for step in range(-2, 2)}
        suggested |= {span // 2 + step for step in range(3)}
        for first in sorted(suggested):
            if 0 <= first <= span:
                yield (0, first, span)


def outcome_of(claim: Claim, times: Sequence[int], bounds: BoundValues, operators: Operators) -> object:
    """How all comparisons come out; a claim has the same truth tables for what is equal in this."""
    return _outcome(times, _bounds_of(claim), bounds, compares_lengths_only(operators))


def _outcome(
    times: Sequence[int], bounds: Iterable[expressions.Bound], values: BoundValues, lengths_only: bool
) -> tuple[object, ...]:
    """Which occurrences coincide, and how their distances compare with each bound."""
    outcome: list[object] = [earlier == later for earlier, later in pairwise(times)]
    for bound in bounds:
        value = expressions.evaluate_bound(bound, values)
        for place, earlier in enumerate(times):
            for later in times[place:]:
                distance = later - earlier
                outcome.append(distance <= value if lengths_only else (distance > value) - (distance < value))
    return tuple(outcome)
