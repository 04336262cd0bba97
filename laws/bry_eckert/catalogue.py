"""The records about rules, behind the protocol of the room (`laws.systems.LawsOfSystem`)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources

from laws.bry_eckert.claims import TupleClaim, claims_from_toml
from laws.claims import Claim
from laws.outcomes import TestOutcome

FILES = ("relations.toml", "temporal_joins.toml", "rewriting.toml", "claims.toml")


def everything() -> tuple[TupleClaim, ...]:
    """Claims behind evaluation step by step: preservation, differencing, streams, suppression, relevance, rewriting."""
    return _claims()[0]


def canaries() -> tuple[TupleClaim, ...]:
    """False claims that every run must refute."""
    return _claims()[1]


@cache
def _claims() -> tuple[tuple[TupleClaim, ...], tuple[TupleClaim, ...]]:
    return claims_from_toml(*map(_text, FILES))


def check(claim: Claim, *, examples: int, seed_number: int) -> Iterator[TestOutcome]:
    """No checks of their own: tests judge the operators and engines that rest on the claims."""
    return iter(())


def _text(file: str) -> str:
    return resources.files("laws.bry_eckert").joinpath(file).read_text("utf-8")
