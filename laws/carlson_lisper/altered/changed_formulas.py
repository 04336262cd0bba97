"""Formulas with one comparison changed: the slips of the pen that a definition can suffer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from semantics.carlson_lisper.notation import formula_text
from semantics.formulas import And, Compare, Exists, ForAll, Formula, Not, Or


@dataclass(frozen=True)
class ChangedFormula:
    """A formula in which one comparison was changed.

    Attributes:
        formula: the whole formula.
        what: the change, such as `end(s) < start(t) becomes end(s) ≤ start(t)`.
    """

    formula: Formula
    what: str


def changed_comparisons(formula: Formula) -> Iterator[ChangedFormula]:
    """Every way to change one comparison: `<` and `≤` exchanged, `=` made `≤`, or the sides swapped."""
    match formula:
        case Compare():
            for other in _others(formula):
                yield ChangedFormula(other, f"{formula_text(formula)} becomes {formula_text(other)}")
        case And(parts):
            for place, part in enumerate(parts):
                for changed in changed_comparisons(part):
                    yield replace(changed, formula=And(_with(parts, place, changed.formula)))
        case Or(parts):
            for place, part in enumerate(parts):
                for changed in changed_comparisons(part):
                    yield replace(changed, formula=Or(_with(parts, place, changed.formula)))
        case Not(body):
            for changed in changed_comparisons(body):
                yield replace(changed, formula=Not(changed.formula))
        case Exists(variable, stream, body):
            for changed in changed_comparisons(body):
                yield replace(changed, formula=Exists(variable, stream, changed.formula))
        case ForAll(variable, stream, body):
            for changed in changed_comparisons(body):
                yield replace(changed, formula=ForAll(variable, stream, changed.formula))
        case _:
            return


def comparisons_in(formula: Formula) -> Iterator[Compare]:
    """The comparisons in a formula, from left to right, those under quantifiers among them."""
    match formula:
        case Compare():
            yield formula
        case And(parts) | Or(parts):
            for part in parts:
                yield from comparisons_in(part)
        case Not(body) | Exists(_, _, body) | ForAll(_, _, body):
            yield from comparisons_in(body)
        case _:
            return


def _others(comparison: Compare) -> Iterator[Compare]:
    left, right = comparison.left, comparison.right
    match comparison.relation:
        case "<":
            yield Compare("<=", left, right)
            yield Compare("<", right, left)
        case "<=":
            yield Compare("<", left, right)
            yield Compare("<=", right, left)
        case "=":
            yield Compare("<=", left, right)
            yield Compare("<=", right, left)


def _with(parts: tuple[Formula, ...], place: int, part: Formula) -> tuple[Formula, ...]:
    return (*parts[:place], part, *parts[place + 1 :])
