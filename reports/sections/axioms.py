"""Matrix of axioms: which claims need which."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from reports.results.audits import Axioms


@dataclass(frozen=True, slots=True)
class Row:
    """A claim and its axioms.

    Attributes:
        needs: for each axiom of the matrix whether the claim needs it.
        shown: for each axiom whether a model without it shows that the claim needs it; otherwise only no proof without
            it was found.
    """

    claim: str
    needs: tuple[bool, ...]
    detail: str
    shown: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Claims and axioms.

    Attributes:
        counts: how many claims need each of them.
        without: the claims that need none, and of which nothing else is to be said.
    """

    axioms: tuple[str, ...]
    counts: tuple[int, ...]
    claims: int
    without: tuple[str, ...]
    rows: tuple[Row, ...]


def axiom_matrix(data: Axioms) -> Matrix:
    """The matrix; an axiom that is not listed but needed gets a column as well."""
    axioms = tuple(dict.fromkeys([*data.axioms, *(name for record in data.rows for name in record.needs)]))
    rows, without = [], []
    for record in data.rows:
        evidence, detail = _evidence(record.detail, axioms)
        if not record.needs and not detail:
            without.append(record.id)
            continue
        marks = tuple(name in record.needs for name in axioms)
        shown = tuple(evidence.get(name) == "independent" for name in axioms)
        rows.append(Row(record.id, marks, detail, shown))
    counts = tuple(sum(row.needs[place] for row in rows) for place in range(len(axioms)))
    return Matrix(axioms, counts, len(data.rows), tuple(without), tuple(rows))


def _evidence(text: str, axioms: Container[str]) -> tuple[dict[str, str], str]:
    """What is said of single axioms, as in `interval: spare; join-end: independent`, and what else is said."""
    parts = [(part, *part.partition(": ")[::2]) for part in text.split("; ") if part]
    known = {name: need for _, name, need in parts if name in axioms}
    return known, "; ".join(part for part, name, _ in parts if name not in axioms)
