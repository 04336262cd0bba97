"""Exhaustive checks: a claim evaluated on all streams over a few occurrences, with the bound stated.

All choices of streams are evaluated at once, by truth tables (`laws.carlson_lisper.checks.truth_tables`).
"""

from __future__ import annotations

from itertools import product

from laws.carlson_lisper.checks.counterexamples import Counterexample, RestrictionCounterexample, concretise, confirm
from laws.carlson_lisper.checks.representatives import outcome_of
from laws.carlson_lisper.checks.smallest import smallest_counterexample, tables_for
from laws.carlson_lisper.checks.truth_tables import MAX_TABLE_BITS
from laws.carlson_lisper.claims import Claim, RestrictionClaim
from laws.outcomes import TestOutcome
from laws.standings import Standing
from semantics.carlson_lisper.expressions import BoundValues
from semantics.carlson_lisper.occurrences import Streams
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.errors import LimitExceeded

LARGEST_POOL = 4
"""The greatest number of occurrences in a pool."""

MAX_GAP = 2
"""The greatest time between neighbouring occurrences, in ticks."""

MAX_BOUND = 4
"""The greatest value of a symbolic bound, in ticks; less where a claim has more than three of them."""

MAX_BOUND_CHOICES = (MAX_BOUND + 1) ** 3
"""How many choices of values for all symbolic bounds of a claim are tried at the most, as far as 0 and 1 allow."""


def pool_size(streams: int) -> int:
    """How many occurrences the check ranges over for a number of arbitrary streams."""
    size = 1
    while size < LARGEST_POOL and streams * (2 ** (size + 1) - 1) <= MAX_TABLE_BITS:
        size += 1
    return size


def greatest_bound(parameters: int) -> int:
    """The greatest value that is tried for each of a number of symbolic bounds, in ticks."""
    greatest = MAX_BOUND
    while greatest > 1 and (greatest + 1) ** parameters > MAX_BOUND_CHOICES:
        greatest -= 1
    return greatest


def check_exhaustively(claim: Claim, operators: Operators = OPERATORS, *, largest: int = LARGEST_POOL) -> TestOutcome:
    """Evaluate a claim on all streams over a pool, for all gaps and bounds up to the stated greatest ones.

    Args:
        largest: the greatest number of occurrences; fewer are taken where the claim has many identifiers.

    Raises:
        LimitExceeded: the claim has too many identifiers.
    """
    names, parameters = claim.variables, claim.parameters
    if len(names) > MAX_TABLE_BITS:
        raise LimitExceeded(
            f"{claim.id} has {len(names)} identifiers; the exhaustive check takes at most {MAX_TABLE_BITS}"
        )
    size = min(largest, pool_size(len(names)))
    highest = greatest_bound(len(parameters))
    bound = f"all streams over {size} occurrences, neighbours up to {MAX_GAP} ticks apart"
    if parameters:
        bound += f", bounds up to {highest} ticks"
    cases = 0
    judged: dict[object, int] = {}
    for gaps in product(range(MAX_GAP + 1), repeat=size - 1):
        times = [sum(gaps[:position]) for position in range(size)]
        tables = tables_for(names, tuple(times), operators)
        for values in product(range(highest + 1), repeat=len(parameters)):
            bounds = dict(zip(parameters, values, strict=True))
            outcome = outcome_of(claim, times, bounds, operators)
            if outcome not in judged:  # otherwise the tables are the same as before
                assumed, failing = tables.judge(claim, bounds)
                if failing:
                    streams = tables.streams((failing & -failing).bit_length() - 1)
                    found = _confirm(claim, streams, bounds, operators, size)
                    standing = Standing.ERROR if found is None else Standing.REFUTED
                    return TestOutcome("exhaustive", standing, cases + assumed.bit_count(), bound, found)
                judged[outcome] = assumed.bit_count()
            cases += judged[outcome]
    return TestOutcome("exhaustive", Standing.TESTED, cases, bound)


def _confirm(
    claim: Claim, streams: Streams, bounds: BoundValues, operators: Operators, size: int
) -> Counterexample | RestrictionCounterexample | None:
    """The smallest counterexample; where it is out of reach, the one at hand made smaller."""
    smallest = smallest_counterexample(claim, operators, max_occurrences=size).counterexample
    if smallest is not None or isinstance(claim, RestrictionClaim):
        return smallest or confirm(claim, streams, bounds, operators)
    return concretise(claim, streams, bounds, operators)
