"""Dense time by whole numbers: times in parts of a tick, and bounds multiplied by as many.

A claim says of times in thirds of a tick what the claim with three times its bounds says of times in ticks. So a
counterexample of the latter, which the executable semantics replays, is one of the former in dense time. A few
occurrences need only so many parts, since nothing but comparisons of distances matters.
"""

from __future__ import annotations

from dataclasses import replace
from math import gcd

from laws.carlson_lisper.checks.counterexamples import Counterexample, replay
from laws.carlson_lisper.checks.representatives import compares_lengths_only, constants_of
from laws.carlson_lisper.claims import Claim, EquationClaim
from semantics.carlson_lisper.expressions import Bound, BoundExtremum, replaced
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.carlson_lisper.syntax import Equation

NAMES = {2: "halves", 3: "thirds", 4: "quarters", 5: "fifths", 6: "sixths"}
"""Names of parts of a tick."""


def tells_dense_time(claim: Claim, operators: Operators = OPERATORS) -> bool:
    """Whether dense time may refute a claim that integer time does not.

    Only bounds that are numbers and not 0 fix the scale. Without them all times and bounds can be multiplied until
    they are whole numbers, and every comparison comes out as before. Of other definitions of the operators it is only
    known where the bound is compared with distances of times alone.
    """
    if not compares_lengths_only(operators):
        return False
    return any(constants_of(claim))


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


def in_parts(claim: EquationClaim, parts: int) -> EquationClaim:
    """Claim in parts of a tick, so many in each."""

    def multiplied(bound: Bound) -> Bound:
        match bound:
            case int():
                return bound * parts
            case BoundExtremum(function, left, right):
                return BoundExtremum(function, multiplied(left), multiplied(right))
            case parameter:
                return parameter

    equation = claim.equation
    left, right = (replaced(side, bound=multiplied) for side in (equation.left, equation.right))
    return replace(claim, equation=Equation(left, right, equation.relation))


def in_dense_time(
    claim: EquationClaim, found: Counterexample, parts: int, operators: Operators = OPERATORS
) -> Counterexample | None:
    """A counterexample of `in_parts(claim, parts)` as one of the claim, in as few parts of a tick as it takes.

    Replayed once more; it says what its times are. None if the executable semantics does not confirm it.
    """
    common = gcd(parts, *(occurrence.time for occurrence in found.trace), *found.bounds.values())
    fewer = parts // common
    replayed = replay(
        in_parts(claim, fewer),
        found.substitution,
        {name: value // common for name, value in found.bounds.items()},
        [occurrence._replace(time=occurrence.time // common) for occurrence in found.trace],
        operators,
    )
    if replayed is None or fewer == 1:
        return replayed
    unit = NAMES.get(fewer, f"parts of 1/{fewer}")
    statement = f"{claim.statement}, with all times and bounds below in {unit} of a tick"
    return replace(replayed, statement=statement, parts_of_tick=fewer)
