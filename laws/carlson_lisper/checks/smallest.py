"""Smallest counterexamples by truth tables, without a solver.

The order of counterexamples is: fewest occurrences, then shortest span, then fewest event types in the trace, where an
identifier may stand for any disjunction of simple patterns (`laws.carlson_lisper.checks.typings`) over these
types. What is alike in this is
ordered by times, by bounds, by the number of occurrences in all instances that identifiers are given, and at last by
the number of the row in the truth table, so that there is exactly one smallest counterexample whoever looks for it.

In a claim about restrictions the streams are arbitrary, not denoted by expressions: as many event types are needed as
occurrences coincide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from laws.carlson_lisper.checks.counterexamples import Counterexample, RestrictionCounterexample, confirm
from laws.carlson_lisper.checks.representatives import Representative, representatives
from laws.carlson_lisper.checks.truth_tables import MAX_TABLE_BITS, ClaimTables
from laws.carlson_lisper.claims import Claim, EquationClaim
from semantics.carlson_lisper.operators import OPERATORS, Operator, Operators

LARGEST_TABLE_SEARCH = 3
"""The greatest number of occurrences that truth tables are asked for; four are too many except for one identifier."""

MAX_KEPT_BITS = 15
"""Tables of at most so many bits are kept from claim to claim, with all subexpressions that were evaluated."""


@dataclass(frozen=True)
class TableSearch:
    """The outcome of a search by truth tables.

    Attributes:
        counterexample: the smallest one, replayed, if there is one over few enough occurrences.
        complete_up_to: there is no counterexample over this many occurrences or fewer.
        unconfirmed: failures that the executable semantics did not confirm; an error of the machinery if not zero.
    """

    counterexample: Counterexample | RestrictionCounterexample | None
    complete_up_to: int
    unconfirmed: int = 0


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
    complete = 0
    for occurrences in range(1, max_occurrences + 1):
        levels = representatives(claim, occurrences, operators)
        if levels is None or len(names) * (2**occurrences - 1) > max_bits:
            break
        for _, level in levels:
            failing = _failing(claim, level, operators)
            if failing:
                found = _smallest(claim, failing, operators)
                return TableSearch(found, complete, unconfirmed=found is None)
        complete = occurrences
    return TableSearch(None, complete)


@dataclass(frozen=True)
class _Failing:
    """The rows of the tables for one representative under which a claim fails."""

    representative: Representative
    tables: ClaimTables
    rows: int


@lru_cache(maxsize=256)
def _kept_tables(
    names: tuple[str, ...], times: tuple[int, ...], operators: tuple[tuple[str, Operator], ...]
) -> ClaimTables:
    return ClaimTables(names, times, dict(operators))


def tables_for(names: tuple[str, ...], times: tuple[int, ...], operators: Operators) -> ClaimTables:
    """Tables for streams over occurrences at given times; small ones are kept for other claims."""
    if len(names) * (2 ** len(times) - 1) <= MAX_KEPT_BITS:
        return _kept_tables(names, times, tuple(operators.items()))
    return ClaimTables(names, times, operators)


def _failing(claim: Claim, level: Sequence[Representative], operators: Operators) -> list[_Failing]:
    found = []
    tables: ClaimTables | None = None
    for representative in level:
        if tables is None or tables.times != representative.times:
            tables = tables_for(claim.variables, representative.times, operators)
        _, rows = tables.judge(claim, representative.bounds)
        if rows:
            found.append(_Failing(representative, tables, rows))
    return found


def _smallest(
    claim: Claim, failing: Sequence[_Failing], operators: Operators
) -> Counterexample | RestrictionCounterexample | None:
    """The first of the failures of one span with the fewest event types."""
    for types in range(1, len(failing[0].representative.times) + 1):
        for failure in failing:
            rows = failure.rows
            match claim:
                case EquationClaim():
                    rows &= failure.tables.written(claim.primitive, (types,))
                case _ if types_needed(failure.representative.times) != types:
                    rows = 0
            if rows:
                streams = failure.tables.streams(_lightest(rows, failure.tables))
                return confirm(claim, streams, failure.representative.bounds, operators)
    return None


def types_needed(times: Sequence[int]) -> int:
    """How many occurrences coincide at the most; so many types are needed for them to be different (Def. 3.4)."""
    return max(Counter(times).values())


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
