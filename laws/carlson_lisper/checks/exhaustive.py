"""Exhaustive checks, smallest counterexamples and witnesses: claims on all streams over a few occurrences.

All choices of streams are evaluated at once (`laws.carlson_lisper.checks.truth_tables`), at times and bounds that
represent all others (`laws.carlson_lisper.checks.representatives`). The order of counterexamples is: fewest
occurrences, then shortest span, times, bounds, the number of occurrences in all instances that identifiers are given,
and at last the number of the row in the truth table, so that there is one smallest counterexample.
"""

from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Literal

from laws.carlson_lisper.checks.counterexamples import Counterexample, RestrictionCounterexample, confirm, with_derived
from laws.carlson_lisper.checks.representatives import representatives
from laws.carlson_lisper.checks.truth_tables import MAX_TABLE_BITS, ClaimTables
from laws.carlson_lisper.claims import Claim, EquationClaim, RestrictionClaim
from laws.outcomes import TestOutcome
from laws.standings import Standing
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import BoundValues
from semantics.carlson_lisper.occurrences import Streams
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.carlson_lisper.restriction import rem
from semantics.errors import LimitExceeded

LARGEST_TABLE_SEARCH = 3
"""The greatest number of occurrences that truth tables are asked for; four are too many except for one identifier."""

LARGEST_POOL = 4
"""The greatest number of occurrences of an exhaustive check."""


@dataclass(frozen=True)
class TableSearch:
    """The outcome of a search by truth tables.

    Attributes:
        counterexample: the smallest one, replayed, if there is one over few enough occurrences.
        complete_up_to: there is no counterexample over this many occurrences or fewer.
        cases: how many choices of streams were judged.
        unconfirmed: whether the executable semantics did not confirm a failure, which is an error of the machinery.
    """

    counterexample: Counterexample | RestrictionCounterexample | None
    complete_up_to: int
    cases: int = 0
    unconfirmed: bool = False


def smallest_counterexample(
    claim: Claim,
    operators: Operators = OPERATORS,
    *,
    max_occurrences: int = LARGEST_TABLE_SEARCH,
    max_bits: int = MAX_TABLE_BITS,
) -> TableSearch:
    """The smallest counterexample over a few occurrences, as far as truth tables of 2 to the `max_bits` rows reach."""
    complete = cases = 0
    for occurrences in range(1, max_occurrences + 1):
        found = representatives(claim, occurrences, operators)
        if found is None or len(claim.variables) * (2**occurrences - 1) > max_bits:
            break
        for times, choices in groupby(found, key=itemgetter(0)):
            tables = ClaimTables(claim.variables, times, operators)
            for _, bounds in choices:
                assumed, rows = tables.judge(claim, bounds)
                cases += assumed.bit_count()
                if rows:
                    confirmed = confirm(claim, tables.streams(_lightest(rows, tables)), bounds, operators)
                    return TableSearch(confirmed, complete, cases, unconfirmed=confirmed is None)
        complete = occurrences
    return TableSearch(None, complete, cases)


def check_exhaustively(claim: Claim, operators: Operators = OPERATORS, *, largest: int = LARGEST_POOL) -> TestOutcome:
    """Evaluate a claim on all streams over a few occurrences, at any times and with any bounds.

    Args:
        largest: the greatest number of occurrences; fewer are taken where the claim has many identifiers or bounds.

    Raises:
        LimitExceeded: the claim has too many identifiers.
    """
    if len(claim.variables) > MAX_TABLE_BITS:
        raise LimitExceeded(
            f"{claim.id} has {len(claim.variables)} identifiers; the exhaustive check takes at most {MAX_TABLE_BITS}"
        )
    found = smallest_counterexample(claim, operators, max_occurrences=largest)
    reached = found.complete_up_to + (found.counterexample is not None)
    bound = f"all streams over {reached} occurrences or fewer, at any times{', any bounds' if claim.parameters else ''}"
    standing = Standing.TESTED if found.counterexample is None else Standing.REFUTED
    if found.unconfirmed:
        standing = Standing.ERROR
    return TestOutcome("exhaustive", standing, found.cases, bound, found.counterexample)


def _lightest(rows: int, tables: ClaimTables) -> int:
    """The row whose streams have the fewest occurrences in all their instances, the first of several."""
    weights = tuple(mask.bit_count() for mask in tables.instances)
    for light in _by_weight(weights * len(tables.names)):
        chosen = rows & light
        if chosen:
            return (chosen & -chosen).bit_length() - 1
    raise ValueError("there is no such row")


@cache
def _by_weight(weights: tuple[int, ...]) -> tuple[int, ...]:
    """For each total weight the rows that have it, as tables; each variable of the tables weighs something if true."""
    levels = [1]
    for place, weight in enumerate(weights):
        shifted = [0] * weight + [level << (1 << place) for level in levels]
        levels += [0] * weight
        levels = [level | other for level, other in zip(levels, shifted, strict=True)]
    return tuple(levels)


Side = Literal["left", "right"]
"""The side of an equation that is to have an instance."""

MAX_WITNESS_BITS = 15
"""The logarithm of the longest truth table that is made for a witness."""

LARGEST_WITNESS = 4
"""The greatest number of occurrences of a simple witness."""


def simple_witness(claim: Claim, side: Side, operators: Operators = OPERATORS) -> Streams | None:
    """Streams over a few occurrences one tick apart for which what a claim assumes holds in a way that matters.

    For an equation the given side must have an instance; for a claim about restrictions all of these must hold with
    streams that are not empty. Bounds admit everything. Single occurrences are tried first, then all instances.

    Returns:
        Streams by name, replayed, or None if there is no such witness; then there may be others.
    """
    for occurrences in range(1, LARGEST_WITNESS + 1):
        single = [1 << place for place in range(occurrences)]
        for instances in (single, range(1, 2**occurrences)):
            if len(claim.variables) * len(instances) > MAX_WITNESS_BITS:
                continue
            tables = ClaimTables(claim.variables, range(occurrences), operators, instances)
            bounds = dict.fromkeys(claim.parameters, occurrences - 1)
            rows = tables.witnessed(claim, side, bounds)
            if rows:
                streams = tables.streams((rows & -rows).bit_length() - 1)
                if is_witness(claim, side, streams, bounds, operators):
                    return streams
    return None


def is_witness(
    claim: Claim, side: Side, streams: Streams, bounds: BoundValues, operators: Operators = OPERATORS
) -> bool:
    """Whether what the claim assumes holds for these streams in a way that matters, by the executable semantics."""
    match claim:
        case EquationClaim():
            expression = claim.equation.left if side == "left" else claim.equation.right
            values = {name: bounds.get(name, 0) for name in claim.parameters}
            return bool(denotation(expression, streams, values, operators=operators))
        case RestrictionClaim():
            (bound,) = (bounds.get(name, 0) for name in claim.parameters or ("",))
            known = with_derived(claim, streams, bound, operators)
            return all(known.values()) and all(rem(known[whole], known[part]) for whole, part in claim.restrictions)
