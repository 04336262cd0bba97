"""Exhaustive checks and smallest counterexamples: a claim evaluated on all streams over a few occurrences.

All choices of streams are evaluated at once (`laws.carlson_lisper.checks.truth_tables`), at times and bounds that
represent all others (`laws.carlson_lisper.checks.representatives`). The order of counterexamples is: fewest
occurrences, then shortest span, times, bounds, the number of occurrences in all instances that identifiers are given,
and at last the number of the row in the truth table, so that there is one smallest counterexample.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from laws.carlson_lisper.checks.counterexamples import Counterexample, RestrictionCounterexample, confirm
from laws.carlson_lisper.checks.representatives import representatives
from laws.carlson_lisper.checks.truth_tables import MAX_TABLE_BITS, ClaimTables
from laws.carlson_lisper.claims import Claim, EquationClaim
from laws.outcomes import TestOutcome
from laws.standings import Standing
from semantics.carlson_lisper.operators import OPERATORS, Operator, Operators
from semantics.errors import LimitExceeded

LARGEST_TABLE_SEARCH = 3
"""The greatest number of occurrences that truth tables are asked for; four are too many except for one identifier."""

LARGEST_POOL = 4
"""The greatest number of occurrences of an exhaustive check."""

MAX_KEPT_BITS = 15
"""Tables of at most so many bits are kept from claim to claim, with all subexpressions that were evaluated."""


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
    """The smallest counterexample over a few occurrences, as far as truth tables reach.

    Args:
        max_bits: the logarithm of the longest table; many identifiers end the search earlier.
    """
    if isinstance(claim, EquationClaim):
        return _remembered(claim, tuple(operators.items()), max_occurrences, max_bits)
    return _search(claim, operators, max_occurrences, max_bits)


@lru_cache(maxsize=64)
def _remembered(
    claim: EquationClaim, operators: tuple[tuple[str, Operator], ...], max_occurrences: int, max_bits: int
) -> TableSearch:
    """The search of a moment ago, for whoever asks next about the same equation."""
    definitions = OPERATORS if operators == tuple(OPERATORS.items()) else dict(operators)
    return _search(claim, definitions, max_occurrences, max_bits)


def _search(claim: Claim, operators: Operators, max_occurrences: int, max_bits: int) -> TableSearch:
    names = claim.variables
    complete = cases = 0
    for occurrences in range(1, max_occurrences + 1):
        levels = representatives(claim, occurrences, operators)
        if levels is None or len(names) * (2**occurrences - 1) > max_bits:
            break
        for representative in (each for _, level in levels for each in level):
            tables = tables_for(names, representative.times, operators)
            assumed, rows = tables.judge(claim, representative.bounds)
            cases += assumed.bit_count()
            if rows:
                streams = tables.streams(_lightest(rows, tables))
                found = confirm(claim, streams, representative.bounds, operators)
                return TableSearch(found, complete, cases, unconfirmed=found is None)
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
    if found.unconfirmed or found.counterexample is not None:
        standing = Standing.ERROR if found.unconfirmed else Standing.REFUTED
        return TestOutcome("exhaustive", standing, found.cases, bound, found.counterexample)
    return TestOutcome("exhaustive", Standing.TESTED, found.cases, bound)


@lru_cache(maxsize=256)
def _kept_tables(
    names: tuple[str, ...], times: tuple[int, ...], operators: tuple[tuple[str, Operator], ...]
) -> ClaimTables:
    return ClaimTables(names, times, dict(operators))


@lru_cache(maxsize=1)
def _last_tables(
    names: tuple[str, ...], times: tuple[int, ...], operators: tuple[tuple[str, Operator], ...]
) -> ClaimTables:
    return ClaimTables(names, times, dict(operators))


def tables_for(names: tuple[str, ...], times: tuple[int, ...], operators: Operators) -> ClaimTables:
    """Tables for streams over occurrences at given times; small ones are kept for other claims."""
    keeping = _kept_tables if len(names) * (2 ** len(times) - 1) <= MAX_KEPT_BITS else _last_tables
    return keeping(names, times, tuple(operators.items()))


def _lightest(rows: int, tables: ClaimTables) -> int:
    """The row whose streams have the fewest occurrences in all their instances, the first of several."""
    weights = tuple(sum(mask.bit_count() for mask in group) for group in tables.groups)
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
