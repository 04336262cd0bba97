"""Definitions and formulas with any one symbol changed, by which the judges of definitions are tried."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from laws.carlson_lisper.altered.changed_formulas import ChangedFormula, with_part
from laws.carlson_lisper.altered.definitions import AlteredDefinition, altered, places
from semantics import formulas
from semantics.carlson_lisper.notation import formula_text
from semantics.formulas import RELATIONS, Compare, Formula, Not, Term, parts_of, with_parts

_PAIRS = ((formulas.Start, formulas.End), (formulas.And, formulas.Or), (formulas.Exists, formulas.ForAll))
_DUAL: dict[type, Any] = {**dict(_PAIRS), **{other: one for one, other in _PAIRS}}


@cache
def altered_symbols() -> tuple[AlteredDefinition, ...]:
    """Every change of one symbol in Def. 3.3, 3.4, 3.12, 4.3, 5.2 and the definition of `~=` (`changed_symbols`)."""
    return tuple(
        each
        for place in places()
        for each in altered(place, changed_symbols(place.formula, place.streams, place.instances), "#")
    )


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
            yield with_parts(formula, with_part(parts, place, changed)), what


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
