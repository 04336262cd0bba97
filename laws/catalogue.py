"""Everything that the source claims, in one order: its laws, theorems and lemmas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from laws.claims import Claim, canaries, catalogue
from laws.theorems import Theorem, scripted_theorems
from semantics.errors import InputError

AnyClaim: TypeAlias = Claim | Theorem
"""A claim that is one query per part, or one whose proof is a script."""

_ORDER = ("theorem:4.1", "law:", "theorem:4.4", "theorem:4.5", "corollary:4.4", "theorem:4.6")


def everything() -> tuple[AnyClaim, ...]:
    """All claims of the source, in its order."""
    claims: list[AnyClaim] = [*scripted_theorems(), *catalogue()]
    places = {claim.id: number for number, claim in enumerate(claims)}

    def place(claim: AnyClaim) -> tuple[int, int]:
        chapter = next((n for n, prefix in enumerate(_ORDER) if claim.id.startswith(prefix)), len(_ORDER))
        return chapter, places[claim.id]

    return tuple(sorted(claims, key=place))


def find_claims(names: Iterable[str]) -> tuple[AnyClaim, ...]:
    """The claims with the given ids; a bare number is a law, `theorem:4.6` is all its parts.

    Raises:
        InputError: there is no such claim.
    """
    known: tuple[AnyClaim, ...] = (*everything(), *canaries())
    found: list[AnyClaim] = []
    for name in names:
        wanted = f"law:{name}" if name.isdecimal() else name
        matching = [claim for claim in known if claim.id == wanted or is_part(claim.id, wanted)]
        if not matching:
            raise InputError(
                f"there is no claim {name!r}",
                remedy="`remora laws list` names them all; a conjecture of your own needs ==, <= or ~=.",
            )
        found += [claim for claim in matching if claim not in found]
    return tuple(found)


def is_part(claim: str, whole: str) -> bool:
    """Whether a claim is a part of another one: `theorem:4.6.seq` is one of `theorem:4.6`."""
    return "." in whole and claim.startswith(f"{whole}.")
