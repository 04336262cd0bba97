"""All executable checks of a claim."""

from __future__ import annotations

from collections.abc import Iterator

from laws.carlson_lisper.checks.exhaustive import check_exhaustively
from laws.carlson_lisper.checks.random_checks import check_on_expressions, check_on_streams
from laws.carlson_lisper.claims import EquationClaim
from laws.carlson_lisper.restriction_claims import RestrictionClaim
from laws.claims import Claim
from laws.outcomes import TestOutcome


def check(claim: Claim, *, examples: int, seed_number: int) -> Iterator[TestOutcome]:
    """Check a claim exhaustively up to a bound, on random streams, and on random expressions where it has any.

    Theorems about the detectors' code have no such checks: campaigns test them.
    """
    if not isinstance(claim, EquationClaim | RestrictionClaim):
        return
    yield check_exhaustively(claim)
    yield check_on_streams(claim, examples=examples, seed_number=seed_number)
    if isinstance(claim, EquationClaim):
        yield check_on_expressions(claim, examples=examples, seed_number=seed_number)
