"""SMT-LIB 2 text: connectives, symbols, the sort of time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

TimeSort = Literal["int", "real"]
"""The temporal domain: natural numbers (Def. 3.1), or non-negative reals for dense time."""

SORT = {"int": "Int", "real": "Real"}

LOGIC = {"int": "UFLIA", "real": "UFLRA"}

TRUE, FALSE = "true", "false"


def conjunction(parts: Iterable[str]) -> str:
    """The conjunction of formulas, without the ones that say nothing."""
    return _connective("and", parts, neutral=TRUE, absorbing=FALSE)


def disjunction(parts: Iterable[str]) -> str:
    """The disjunction of formulas, without the ones that say nothing."""
    return _connective("or", parts, neutral=FALSE, absorbing=TRUE)


def _connective(name: str, parts: Iterable[str], neutral: str, absorbing: str) -> str:
    kept = [part for part in dict.fromkeys(parts) if part != neutral]
    if absorbing in kept:
        return absorbing
    if not kept:
        return neutral
    return kept[0] if len(kept) == 1 else f"({name} {' '.join(kept)})"


def negation(part: str) -> str:
    """The negation of a formula."""
    if part in (TRUE, FALSE):
        return FALSE if part == TRUE else TRUE
    return part[5:-1] if part.startswith("(not ") else f"(not {part})"


def symbol(name: str) -> str:
    """A name as an SMT-LIB symbol; names with other characters are quoted with bars."""
    plain = name.isascii() and name.replace("_", "a").isalnum() and not name[0].isdigit()
    return name if plain else f"|{name}|"
