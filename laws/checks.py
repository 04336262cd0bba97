"""All executable checks of a claim."""

from __future__ import annotations

from collections.abc import Iterator

from laws.claims import Claim, EquationClaim
from laws.exhaustive import check_exhaustively
from laws.outcomes import TestOutcome
from laws.random_checks import check_on_expressions, check_on_streams


def check(claim: Claim, *, examples: int, seed_number: int) -> Iterator[TestOutcome]:
    """Check a claim exhaustively up to a bound, on random streams, and on random expressions where it has any."""
    yield check_exhaustively(claim)
    yield check_on_streams(claim, examples=examples, seed_number=seed_number)
    if isinstance(claim, EquationClaim):
        yield check_on_expressions(claim, examples=examples, seed_number=seed_number)
