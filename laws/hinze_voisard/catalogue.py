"""The records about profiles, behind the protocol of the room (`laws.systems.LawsOfSystem`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources

from laws.claims import Claim
from laws.errata import Erratum, Wording, errata_from_toml, wordings_from_toml
from laws.outcomes import TestOutcome


def everything() -> Sequence[Claim]:
    """No claims of its own: which laws hold in its settings is in the atlas."""
    return ()


def canaries() -> Sequence[Claim]:
    """No false claims of its own."""
    return ()


def check(claim: Claim, *, examples: int, seed_number: int) -> Iterator[TestOutcome]:
    """No checks, as there are no claims."""
    return iter(())


@cache
def errata() -> tuple[Erratum, ...]:
    """What is wrong in the source, and what was in doubt and is right, in its order."""
    return errata_from_toml(_records())


@cache
def wordings() -> tuple[Wording, ...]:
    """Slips of language in the source, in its order."""
    return wordings_from_toml(_records())


def _records() -> str:
    return resources.files("laws.hinze_voisard").joinpath("errata.toml").read_text("utf-8")
