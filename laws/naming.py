"""How claims are called, and how they are found by what they are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from laws.claims import Claim
from semantics.errors import InputError

NamedT = TypeVar("NamedT", bound=Claim)


def named(names: Iterable[str], known: Sequence[NamedT]) -> tuple[NamedT, ...]:
    """The claims with the given ids among those that are known; a bare number is a law, `theorem:4.6` all its parts.

    Raises:
        InputError: there is no such claim.
    """
    found: list[NamedT] = []
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
