"""Witnesses of hypotheses: streams for which what a claim assumes holds in a way that matters.

For an inclusion some instance must belong to the smaller side. For a claim about restrictions all restrictions must
hold with streams that are not empty. A witness is replayed by the executable semantics before it counts.
"""

from __future__ import annotations

from typing import Literal

from laws.carlson_lisper.checks.counterexamples import with_derived
from laws.carlson_lisper.checks.truth_tables import ClaimTables
from laws.carlson_lisper.claims import Claim, EquationClaim, RestrictionClaim
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import BoundValues
from semantics.carlson_lisper.occurrences import Streams
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.carlson_lisper.restriction import rem

Side = Literal["left", "right"]
"""The side of an equation that is to have an instance."""

MAX_WITNESS_BITS = 15
"""The logarithm of the longest truth table that is made for a witness."""

LARGEST_WITNESS = 4
"""The greatest number of occurrences of a simple witness."""


def simple_witness(claim: Claim, side: Side, operators: Operators = OPERATORS) -> Streams | None:
    """A witness over a few occurrences one tick apart, under bounds that admit everything.

    Streams of single occurrences are tried first, then all.

    Args:
        side: the side of an equation that is to have an instance; without meaning for a claim about restrictions.

    Returns:
        Streams by name, replayed, or None if there is no such witness; then there may be others.
    """
    names = claim.variables
    for occurrences in range(1, LARGEST_WITNESS + 1):
        single = [(1 << place,) for place in range(occurrences)]
        every = [(mask,) for mask in range(1, 2**occurrences)]
        for groups in (single, every):
            if len(names) * len(groups) > MAX_WITNESS_BITS:
                continue
            tables = ClaimTables(names, range(occurrences), operators, groups)
            bounds = dict.fromkeys(claim.parameters, occurrences - 1)
            rows = _rows(claim, side, tables, bounds)
            if rows:
                streams = tables.streams((rows & -rows).bit_length() - 1)
                if is_witness(claim, side, streams, bounds, operators):
                    return streams
    return None


def _rows(claim: Claim, side: Side, tables: ClaimTables, bounds: BoundValues) -> int:
    algebra = tables.algebra
    match claim:
        case EquationClaim():
            expression = claim.equation.left if side == "left" else claim.equation.right
            rows = tables.denotation(expression, bounds).some(lambda _: algebra.everything)
            if rows and claim.primitive:
                rows &= tables.written(claim.primitive)
            return rows
        case RestrictionClaim():
            streams = tables.derived(claim, bounds)
            assumed, _ = tables.restriction(claim, bounds)
            return algebra.every((assumed, *(s.some(lambda _: algebra.everything) for s in streams.values())))


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
