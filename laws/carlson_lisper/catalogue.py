"""Everything that is claimed, in one order: the laws, theorems and lemmas of the source, then what we add."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from laws.carlson_lisper.claims import Claim, canaries, catalogue, own
from laws.carlson_lisper.theorems import Theorem, scripted_theorems
from laws.naming import is_part, named

__all__ = ["AnyClaim", "everything", "find_claims", "is_part"]

AnyClaim: TypeAlias = Claim | Theorem
"""A claim that is one query per part, or one whose proof is a script."""

_ORDER = ("theorem:4.1", "law:", "theorem:4.4", "theorem:4.5", "corollary:4.4", "theorem:4.6")


def everything() -> tuple[AnyClaim, ...]:
    """All claims that are to be proved: those of the source in its order, then our own."""
    claims: list[AnyClaim] = [*scripted_theorems(), *catalogue()]
    added = {claim.id for claim in own()}
    places = {claim.id: number for number, claim in enumerate(claims)}

    def place(claim: AnyClaim) -> tuple[int, int]:
        chapter = next((n for n, prefix in enumerate(_ORDER) if claim.id.startswith(prefix)), len(_ORDER))
        return (len(_ORDER) + 1 if claim.id in added else chapter), places[claim.id]

    return tuple(sorted(claims, key=place))


def find_claims(names: Iterable[str]) -> tuple[AnyClaim, ...]:
    """The claims with the given ids (`laws.naming.named`), those with proof scripts among them.

    Raises:
        InputError: there is no such claim.
    """
    return named(names, (*everything(), *canaries()))
