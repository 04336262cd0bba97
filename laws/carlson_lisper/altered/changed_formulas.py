"""Formulas with one comparison or one symbol changed: the slips of the pen that a definition can suffer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from semantics import formulas
from semantics.carlson_lisper.notation import formula_text
from semantics.formulas import RELATIONS, Compare, Formula, Not, Term, parts_of, with_parts

_PAIRS = ((formulas.Start, formulas.End), (formulas.And, formulas.Or), (formulas.Exists, formulas.ForAll))
_DUAL: dict[type, Any] = {**dict(_PAIRS), **{other: one for one, other in _PAIRS}}


@dataclass(frozen=True)
class ChangedFormula:
    """A formula in which one thing was changed.

    Attributes:
        formula: the whole formula.
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
            yield replace(inner, formula=with_parts(formula, _with(parts, place, inner.formula)))


def changed_symbols(
    formula: Formula, streams: Sequence[str], variables: Sequence[str] = ()
) -> Iterator[ChangedFormula]:
    """Every way to change one symbol of a formula.

    A comparison becomes one of the others or has its sides swapped; `start` and `end`, ∧ and ∨, ∀ and ∃ take each
    other's place; a variable becomes another one that is in scope, a stream another one of the definition; a negation,
    or a part of a conjunction or disjunction, is left out.

    Args:
        formula: the formula.
        streams: the streams of the definition.
        variables: the instances that are in scope besides those that the formula quantifies over.
    """
    seen = {formula}
    for other, what in _changes(formula, tuple(streams), tuple(variables)):
        if other not in seen:
            seen.add(other)
            yield ChangedFormula(other, what)


_Change = tuple[Formula, str]


def _changes(formula: Formula, streams: tuple[str, ...], scope: tuple[str, ...]) -> Iterator[_Change]:
    text = formula_text(formula)

    def becomes(other: Formula) -> _Change:
        return other, f"{text} becomes {formula_text(other)}"

    match formula:
        case Compare(relation, left, right):
            for sign in RELATIONS:
                yield becomes(Compare(sign, left, right))  # type: ignore[arg-type]  # one of the three
            if relation != "=":
                yield becomes(Compare(relation, right, left))
            yield from (becomes(Compare(relation, other, right)) for other in _terms(left, scope))
            yield from (becomes(Compare(relation, left, other)) for other in _terms(right, scope))
        case formulas.Same(left_name, right_name):
            yield from (becomes(formulas.Same(name, right_name)) for name in scope if name != left_name)
            yield from (becomes(formulas.Same(left_name, name)) for name in scope if name != right_name)
            yield becomes(Not(formula))
        case formulas.In(variable, stream):
            yield from (becomes(formulas.In(name, stream)) for name in scope if name != variable)
            yield from (becomes(formulas.In(variable, name)) for name in streams if name != stream)
            yield becomes(Not(formula))
        case formulas.And(parts) | formulas.Or(parts):
            yield _DUAL[type(formula)](parts), f"{text}: ∧ and ∨ take each other's place"
        case Not(body):
            yield becomes(body)
        case formulas.Exists(variable, stream, body) | formulas.ForAll(variable, stream, body):
            yield _DUAL[type(formula)](variable, stream, body), f"{text}: ∀ and ∃ take each other's place"
            yield from (becomes(replace(formula, stream=name)) for name in streams if name != stream)
            scope = (*scope, variable)
    parts = parts_of(formula)
    for place, part in enumerate(parts):
        if isinstance(formula, formulas.And | formulas.Or):
            rest = (*parts[:place], *parts[place + 1 :])
            left_out = rest[0] if len(rest) == 1 else with_parts(formula, rest)
            yield left_out, f"{formula_text(part)} is left out"
        for changed, what in _changes(part, streams, scope):
            yield with_parts(formula, _with(parts, place, changed)), what


def _terms(term: Term, scope: tuple[str, ...]) -> Iterator[Term]:
    """Other terms with one symbol changed."""
    match term:
        case formulas.Start(variable) | formulas.End(variable):
            yield _DUAL[type(term)](variable)
            yield from (replace(term, variable=name) for name in scope if name != variable)
        case formulas.Difference(left, right):
            yield formulas.Difference(right, left)
            yield from (formulas.Difference(changed, right) for changed in _terms(left, scope))
            yield from (formulas.Difference(left, changed) for changed in _terms(right, scope))


def _with(parts: tuple[Formula, ...], place: int, part: Formula) -> tuple[Formula, ...]:
    return (*parts[:place], part, *parts[place + 1 :])
