"""Representative times and bounds: one choice for each way in which the comparisons of a claim can come out.

Over k occurrences a claim depends on which of them coincide and on how their distances compare with its bounds, and on
nothing else. So finitely many times and bounds stand for all, and going through them by increasing span and then in
order finds the smallest ones first. Only times near the bounds, near sums of two of them and near half of the span can
be the smallest of their kind, so their number does not depend on how large the bounds are.
"""

from collections.abc import Iterator, Sequence, Set
from itertools import combinations_with_replacement, pairwise, product
from typing import TypeAlias

from laws.carlson_lisper.claims import Claim, RestrictionClaim
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.expressions import BoundValues
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.formulas import Compare, Difference, Parameter, subformulas

MAX_REPRESENTATIVES = 20_000
"""How many choices of times and bounds are looked at, for one number of occurrences, at the most."""

Representative: TypeAlias = tuple[tuple[int, ...], BoundValues]
"""Times in ticks, in order and from 0, and a value in ticks for each symbolic bound."""


def bounds_of(claim: Claim) -> tuple[expressions.Bound, ...]:
    """The bounds of a claim, once each."""
    if isinstance(claim, RestrictionClaim):
        return tuple(map(expressions.BoundParameter, claim.parameters))
    nodes = [*expressions.bottom_up(claim.equation.left), *expressions.bottom_up(claim.equation.right)]
    return tuple(dict.fromkeys(n.bound for n in nodes if isinstance(n, expressions.Operation) and n.bound is not None))


def constants_of(claim: Claim) -> frozenset[int]:
    """The bounds of a claim that are numbers, in ticks."""
    if isinstance(claim, RestrictionClaim):
        return frozenset()
    return expressions.numeric_bounds(claim.equation.left) | expressions.numeric_bounds(claim.equation.right)


def compares_lengths_only(operators: Operators) -> bool:
    """Whether the bound occurs as in the source's definition alone: a distance of two times is at most the bound."""
    bounded = (definition for definition in operators.values() if definition.bounded)
    conditions = (comprehension.condition for definition in bounded for comprehension in definition.comprehensions)
    for comparison in (part for condition in conditions for part in subformulas(condition)):
        match comparison:
            case Compare("<=", Difference(), Parameter()):
                continue
            case Compare():
                return False
    return True


def representatives(claim: Claim, occurrences: int, operators: Operators) -> list[Representative] | None:
    """The first of each kind of times and bounds, by span, times and bounds; None where there would be too many."""
    lengths_only, bounds, constants = compares_lengths_only(operators), bounds_of(claim), constants_of(claim)
    spans = _spans(occurrences, constants, bool(bounds), lengths_only)
    if spans is None:
        return None
    found: dict[object, Representative] = {}
    looked_at = 0
    for span in spans:
        for times in _times(occurrences, span, constants, bool(bounds)):
            values = bound_values(times, lengths_only)
            looked_at += len(values) ** len(claim.parameters)
            if looked_at > MAX_REPRESENTATIVES:
                return None
            for chosen in product(values, repeat=len(claim.parameters)):
                named = dict(zip(claim.parameters, chosen, strict=True))
                found.setdefault(outcome_of(bounds, times, named, lengths_only), (times, named))
    return list(found.values())


def bound_values(times: Sequence[int], lengths_only: bool) -> list[int]:
    """The values of a bound that tell distances apart, ascending; fewer where only `at most as long` matters."""
    distances = {later - earlier for earlier in times for later in times if earlier <= later}
    return sorted(distances if lengths_only else distances | {distance + 1 for distance in distances})


def outcome_of(
    bounds: Sequence[expressions.Bound], times: Sequence[int], values: BoundValues, lengths_only: bool
) -> object:
    """Which occurrences coincide, and how distances compare with bounds: claims are the same where this is equal."""
    outcome: list[object] = [earlier == later for earlier, later in pairwise(times)]
    for bound in bounds:
        value = expressions.evaluate_bound(bound, values)
        for place, earlier in enumerate(times):
            for later in times[place:]:
                distance = later - earlier
                outcome.append(distance <= value if lengths_only else (distance > value) - (distance < value))
    return tuple(outcome)


def _spans(occurrences: int, constants: Set[int], bounded: bool, lengths_only: bool) -> Sequence[int] | None:
    """Spans in increasing order, with the least one of every outcome among them.

    With two occurrences there is one distance to compare with the constants. With three there are two, x and y, and the
    span x + y. An outcome sets a least and a greatest value to each of the three, which are constants or next to one,
    and symbolic bounds between two distances set them apart by up to two ticks. The least span is then the least value
    of the span itself, the sum of those of x and y, or what twice one of these comes to; or it is the next even one,
    where x = y.
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


def _times(occurrences: int, span: int, constants: Set[int], bounded: bool) -> Iterator[tuple[int, ...]]:
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


def tells_dense_time(claim: Claim, operators: Operators = OPERATORS) -> bool:
    """Whether dense time may refute a claim that integer time does not.

    Only bounds that are numbers and not 0 fix the scale. Without them all times and bounds can be multiplied until
    they are whole numbers, and every comparison comes out as before. Of other definitions of the operators it is only
    known where the bound is compared with distances of times alone.
    """
    return compares_lengths_only(operators) and any(constants_of(claim))


def parts_for(claim: Claim, occurrences: int) -> int | None:
    """How many parts of a tick suffice for all that a claim can tell apart of so many occurrences; None: not known.

    What a claim with bounds that are numbers can tell apart is which distances are at most as long as a bound and which
    are longer. Such conditions can be satisfied together unless some of them form a cycle that does not add up. Among k
    occurrences a cycle has at most k conditions, one of them at least an upper bound, and the bounds are whole numbers.
    So if they can be satisfied, then also with everything that is longer than a bound longer by a (k - 1)th of a tick.
    A symbolic bound also tells which of two distances is longer; three occurrences then need thirds.
    """
    if occurrences < 3:
        return 1
    if not claim.parameters:
        return occurrences - 1
    return 3 if occurrences == 3 else None
