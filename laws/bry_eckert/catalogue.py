"""The records about rules, behind the protocol of the room (`laws.systems.LawsOfSystem`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources

from laws.claims import Claim
from laws.errata import Erratum, errata_from_toml
from laws.outcomes import TestOutcome


def everything() -> Sequence[Claim]:
    """No claims that are records of their own; what is proved of rules is the evidence of errata."""
    return ()


def canaries() -> Sequence[Claim]:
    """No false claims."""
    return ()


def check(claim: Claim, *, examples: int, seed_number: int) -> Iterator[TestOutcome]:
    """No checks, for there are no claims."""
    return iter(())


@cache
def errata() -> tuple[Erratum, ...]:
    """What is wrong in both papers, and what was in doubt and is right, in their order."""
    return errata_from_toml(resources.files("laws.bry_eckert").joinpath("errata.toml").read_text("utf-8"))
