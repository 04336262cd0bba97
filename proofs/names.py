"""Names of obligations in the record, and of their files."""

from __future__ import annotations

from smt.obligations import Obligation

_WORDS = {"⊆": "included", "⊇": "includes", ":": "-", "/": "-", " ": "-", "'": "p"}


def file_name(obligation: Obligation, extension: str = "smt2") -> str:
    """The file of an obligation: its id in letters that every file system takes."""
    name = obligation.id
    for sign, word in _WORDS.items():
        name = name.replace(sign, word)
    dense = "" if obligation.time == "int" else ".real"
    return f"{name}{dense}.{extension}"


def problem_file(obligation: Obligation) -> str:
    """The file of an obligation as its certificate names it, from the folder of certificates."""
    return f"../obligations/{file_name(obligation)}"


def row_id(obligation: Obligation) -> str:
    """The name of an obligation in the record."""
    return obligation.id if obligation.time == "int" else f"{obligation.id} over dense time"
