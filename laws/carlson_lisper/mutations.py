"""Mutations of the definitions: wrong operators, each with a law that must not survive it."""

from dataclasses import dataclass, replace

from semantics.carlson_lisper.operators import BOUND_NAME, OPERATORS, Operator, Operators
from semantics.formulas import And, End, Exists, Formula, Not, Parameter, Start


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
