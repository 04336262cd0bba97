"""Mutations of the definitions: wrong operators with a law that must not survive them, and changed comparisons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from semantics.carlson_lisper.notation import formula_text
from semantics.carlson_lisper.operators import BOUND_NAME, OPERATORS, Operator, Operators
from semantics.formulas import And, Compare, End, Exists, Formula, Not, Parameter, Start, parts_of, with_parts


@dataclass(frozen=True)
class AlteredOperator:
    """A wrong definition of an operator, and a law that must not survive it."""

    definition: Operator
    law: str
    what: str

    @property
    def operator(self) -> str:
        """The name of the operator."""
        return self.definition.name

    def operators(self) -> Operators:
        """The operators with this one altered."""
        return {**OPERATORS, self.definition.name: self.definition}


def _with_condition(name: str, condition: Formula) -> Operator:
    definition = OPERATORS[name]
    parts = tuple(replace(part, condition=condition) for part in definition.comprehensions)
    return replace(definition, comprehensions=parts)


ALTERED_OPERATORS = (
    AlteredOperator(
        replace(OPERATORS["dis"], comprehensions=OPERATORS["dis"].comprehensions[:1]),
        "law:2",
        "a disjunction that forgets its right side",
    ),
    AlteredOperator(_with_condition("con", End("s") <= End("t")), "law:3", "a conjunction whose right part ends last"),
    AlteredOperator(
        _with_condition("neg", Not(Exists("t", "T", And((Start("s") < Start("t"), End("t") <= End("s")))))),
        "law:12",
        "a negation that overlooks what starts together with it",
    ),
    AlteredOperator(_with_condition("seq", Start("s") < Start("t")), "law:6", "a sequence whose parts may overlap"),
    AlteredOperator(
        _with_condition("tim", End("s") - Start("s") < Parameter(BOUND_NAME)),
        "law:23",
        "a restriction that excludes its bound",
    ),
)
"""A wrong definition of each operator; each must make a law false."""


def changed_comparisons(formula: Formula) -> Iterator[tuple[str, Formula]]:
    """Every way to change one comparison, in words: `<` and `≤` exchanged, `=` made `≤`, or the sides swapped."""
    if isinstance(formula, Compare):
        other = Compare("<" if formula.relation == "<=" else "<=", formula.left, formula.right)
        swapped = Compare("<" if formula.relation == "<" else "<=", formula.right, formula.left)
        for changed in (other, swapped):
            yield f"{formula_text(formula)} becomes {formula_text(changed)}", changed
    parts = parts_of(formula)
    for place, part in enumerate(parts):
        for words, inner in changed_comparisons(part):
            yield words, with_parts(formula, (*parts[:place], inner, *parts[place + 1 :]))


def changed_operators() -> Iterator[tuple[str, Operator]]:
    """Every change of one comparison in Def. 3.10, in words."""
    for name, operator in OPERATORS.items():
        for place, comprehension in enumerate(operator.comprehensions):
            for words, condition in changed_comparisons(comprehension.condition):
                other = replace(comprehension, condition=condition)
                parts = (*operator.comprehensions[:place], other, *operator.comprehensions[place + 1 :])
                yield f"in the definition of {name}, {words}", replace(operator, comprehensions=parts)
