"""The catalogue of claims in one order: the laws, theorems and lemmas of the source, then what we add."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources

from laws.carlson_lisper.claims import EquationClaim, RestrictionClaim, catalogue, own
from laws.carlson_lisper.claims import canaries as canaries
from laws.claims import Claim
from laws.outcomes import TestOutcome
from laws.theorems import Theorem, theorems_from_toml

NAME = "carlson_lisper"
"""The name of the system that these claims are about."""

_ORDER = ("theorem:4.1", "law:", "theorem:4.4", "theorem:4.5", "corollary:4.4", "theorem:4.6")


def everything() -> tuple[Claim, ...]:
    """All claims that are to be proved: those of the source in its order, then our own."""
    claims: list[Claim] = [*scripted_theorems(), *catalogue()]
    added = {claim.id for claim in own()}
    places = {claim.id: number for number, claim in enumerate(claims)}

    def place(claim: Claim) -> tuple[int, int]:
        chapter = next((n for n, prefix in enumerate(_ORDER) if claim.id.startswith(prefix)), len(_ORDER))
        return (len(_ORDER) + 1 if claim.id in added else chapter), places[claim.id]

    return tuple(sorted(claims, key=place))


def check(claim: Claim, *, examples: int, seed_number: int) -> Iterator[TestOutcome]:
    """Check a claim exhaustively up to a bound, on random streams, and on random expressions where it has any.

    Hypothesis is loaded for this. Theorems about the detectors' code have no such checks: campaigns test them.
    """
    from laws.carlson_lisper.checks.exhaustive import check_exhaustively
    from laws.carlson_lisper.checks.random_checks import check_on_expressions, check_on_streams

    if isinstance(claim, EquationClaim | RestrictionClaim):
        yield check_exhaustively(claim)
        yield check_on_streams(claim, examples=examples, seed_number=seed_number)
    if isinstance(claim, EquationClaim):
        yield check_on_expressions(claim, examples=examples, seed_number=seed_number)


@cache
def scripted_theorems() -> tuple[Theorem, ...]:
    """Theorem 4.1, Corollary 4.4, and the lemmas and theorems of Sections 5 and 6."""
    text = resources.files("laws.carlson_lisper").joinpath("theorems.toml").read_text("utf-8")
    return theorems_from_toml(text, NAME)
