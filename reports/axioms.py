"""Which claims need which axioms, as a matrix."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """A claim and its axioms.

    Attributes:
        claim: its id.
        needs: for each axiom of the matrix whether the claim needs it; None if that was not determined.
        detail: what else is to be said.
        shown: for each axiom whether a model without it shows that the claim needs it; otherwise only no proof without
            it was found.
    """

    claim: str
    needs: tuple[bool, ...] | None
    detail: str
    shown: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Matrix:
    """Claims and axioms.

    Attributes:
        axioms: the names of the axioms.
        counts: how many claims need each of them.
        claims: how many claims there are.
        without: the claims that need none, and of which nothing else is to be said.
        rows: the others.
    """

    axioms: tuple[str, ...]
    counts: tuple[int, ...]
    claims: int
    without: tuple[str, ...]
    rows: tuple[Row, ...]


def axiom_matrix(data: Mapping[str, Any]) -> Matrix:
    """The matrix of the plain data; an axiom that is not listed but needed gets a column as well."""
    records = list(data.get("rows") or ())
    names = dict.fromkeys(map(str, data.get("axioms") or ()))
    names |= dict.fromkeys(str(name) for record in records for name in record.get("needs") or ())
    axioms = tuple(names)
    rows, without = [], []
    for record in records:
        claim, needs = str(record.get("id", "")), record.get("needs")
        evidence, detail = _evidence(str(record.get("detail") or ""), names)
        if needs is not None and not needs and not detail:
            without.append(claim)
            continue
        needed = None if needs is None else set(map(str, needs))
        marks = None if needed is None else tuple(name in needed for name in axioms)
        shown = tuple(evidence.get(name) == "independent" for name in axioms)
        rows.append(Row(claim, marks, detail, shown))
    counts = tuple(sum(bool(row.needs and row.needs[place]) for row in rows) for place in range(len(axioms)))
    return Matrix(axioms, counts, len(records), tuple(without), tuple(rows))


def _evidence(text: str, axioms: Container[str]) -> tuple[dict[str, str], str]:
    """What is said of single axioms, as in `interval: spare; join-end: independent`, and what else is said."""
    parts = [(part, *part.partition(": ")[::2]) for part in text.split("; ") if part]
    known = {name: need for _, name, need in parts if name in axioms}
    return known, "; ".join(part for part, name, _ in parts if name not in axioms)
