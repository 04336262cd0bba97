"""All executable checks of a claim."""

from __future__ import annotations

from collections.abc import Iterator

from laws.carlson_lisper.checks.exhaustive import check_exhaustively
from laws.carlson_lisper.checks.outcomes import TestOutcome
from laws.carlson_lisper.checks.random_checks import check_on_expressions, check_on_streams
from laws.carlson_lisper.claims import Claim, EquationClaim


def check(claim: Claim, *, examples: int, seed_number: int) -> Iterator[TestOutcome]:
    """Check a claim exhaustively up to a bound, on random streams, and on random expressions where it has any."""
    yield check_exhaustively(claim)
    yield check_on_streams(claim, examples=examples, seed_number=seed_number)
    if isinstance(claim, EquationClaim):
        yield check_on_expressions(claim, examples=examples, seed_number=seed_number)
