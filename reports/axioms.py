"""Which claims need which axioms, as a matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """A claim and its axioms.

    Attributes:
        claim: its id.
        needs: for each axiom of the matrix whether the claim needs it; None if that was not determined.
        detail: what else is to be said.
    """

    claim: str
    needs: tuple[bool, ...] | None
    detail: str


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
        claim, detail, needs = str(record.get("id", "")), str(record.get("detail") or ""), record.get("needs")
        if needs is not None and not needs and not detail:
            without.append(claim)
            continue
        needed = None if needs is None else set(map(str, needs))
        marks = None if needed is None else tuple(name in needed for name in axioms)
        rows.append(Row(claim, marks, detail))
    counts = tuple(sum(bool(row.needs and row.needs[place]) for row in rows) for place in range(len(axioms)))
    return Matrix(axioms, counts, len(records), tuple(without), tuple(rows))
