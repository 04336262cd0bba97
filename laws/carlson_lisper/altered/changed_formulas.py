"""Formulas with one comparison changed: the slips of the pen that a definition can suffer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from semantics.carlson_lisper.notation import formula_text
from semantics.formulas import Compare, Formula, parts_of, with_parts


@dataclass(frozen=True)
class ChangedFormula:
    """A formula in which one thing was changed.

    Attributes:
        what: the change, such as `end(s) < start(t) becomes end(s) ≤ start(t)`.
    """

    formula: Formula
    what: str


def changed_comparisons(formula: Formula) -> Iterator[ChangedFormula]:
    """Every way to change one comparison: `<` and `≤` exchanged, `=` made `≤`, or the sides swapped."""
    if isinstance(formula, Compare):
        other = Compare("<" if formula.relation == "<=" else "<=", formula.left, formula.right)
        swapped = Compare("<" if formula.relation == "<" else "<=", formula.right, formula.left)
        for changed in (other, swapped):
            yield ChangedFormula(changed, f"{formula_text(formula)} becomes {formula_text(changed)}")
    parts = parts_of(formula)
    for place, part in enumerate(parts):
        for inner in changed_comparisons(part):
            yield replace(inner, formula=with_parts(formula, with_part(parts, place, inner.formula)))


def with_part(parts: tuple[Formula, ...], place: int, part: Formula) -> tuple[Formula, ...]:
    """The parts with another one in a place."""
    return (*parts[:place], part, *parts[place + 1 :])
