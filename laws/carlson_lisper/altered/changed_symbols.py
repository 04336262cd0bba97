"""Formulas with one symbol changed: every slip of the pen, not only those in comparisons.

A comparison becomes one of the others or has its sides swapped; `start` and `end`, ∧ and ∨, ∀ and ∃ take each other's
place; a variable becomes another one that is in scope, a stream another one of the definition; a negation, or a part of
a conjunction or disjunction, is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from laws.carlson_lisper.altered.changed_formulas import ChangedFormula
from semantics.carlson_lisper.notation import formula_text
from semantics.formulas import (
    And,
    Compare,
    Difference,
    End,
    Exists,
    ForAll,
    Formula,
    In,
    Not,
    Or,
    Parameter,
    Same,
    Start,
    Term,
)

RELATIONS = ("<", "<=", "=")


def changed_symbols(
    formula: Formula, streams: Sequence[str], variables: Sequence[str] = ()
) -> Iterator[ChangedFormula]:
    """Every way to change one symbol of a formula.

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
        case Same(left_name, right_name):
            yield from (becomes(Same(name, right_name)) for name in scope if name != left_name)
            yield from (becomes(Same(left_name, name)) for name in scope if name != right_name)
            yield becomes(Not(formula))
        case In(variable, stream):
            yield from (becomes(In(name, stream)) for name in scope if name != variable)
            yield from (becomes(In(variable, name)) for name in streams if name != stream)
            yield becomes(Not(formula))
        case And(parts) | Or(parts):
            other_kind: Callable[[tuple[Formula, ...]], Formula] = Or if isinstance(formula, And) else And
            yield other_kind(parts), f"{text}: ∧ and ∨ take each other's place"
            kind = type(formula)
            for place, part in enumerate(parts):
                rest = (*parts[:place], *parts[place + 1 :])
                yield rest[0] if len(rest) == 1 else kind(rest), f"{formula_text(part)} is left out"
                for changed, what in _changes(part, streams, scope):
                    yield kind((*parts[:place], changed, *parts[place + 1 :])), what
        case Not(body):
            yield becomes(body)
            yield from ((Not(changed), what) for changed, what in _changes(body, streams, scope))
        case Exists(variable, stream, body) | ForAll(variable, stream, body):
            quantifier = type(formula)
            dual = ForAll if quantifier is Exists else Exists
            yield dual(variable, stream, body), f"{text}: ∀ and ∃ take each other's place"
            for name in streams:
                if name != stream:
                    yield becomes(quantifier(variable, name, body))
            inner = (*scope, variable)
            yield from (
                (quantifier(variable, stream, changed), what)
                for changed, what in _changes(body, streams, inner)
            )


def _terms(term: Term, scope: tuple[str, ...]) -> Iterator[Term]:
    """Other terms with one symbol changed."""
    match term:
        case Start(variable) | End(variable):
            ours = type(term)
            other = End if ours is Start else Start
            yield other(variable)
            yield from (ours(name) for name in scope if name != variable)
        case Difference(left, right):
            yield Difference(right, left)
            yield from (Difference(changed, right) for changed in _terms(left, scope))
            yield from (Difference(left, changed) for changed in _terms(right, scope))
        case Parameter():
            return
