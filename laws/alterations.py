"""Wrong definitions of the operators, each with a law that must not survive it: something false for every checker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from semantics.formulas import And, End, Exists, Formula, Not, Parameter, Start
from semantics.operators import BOUND_NAME, OPERATORS, Operator


@dataclass(frozen=True)
class Alteration:
    """A wrong definition of an operator, and a law that must not survive it.

    Attributes:
        definition: the altered operator.
        law: the id of the law.
        what: the altered operator in words.
    """

    definition: Operator
    law: str
    what: str

    @property
    def operator(self) -> str:
        """The name of the operator."""
        return self.definition.name

    def operators(self) -> Mapping[str, Operator]:
        """The operators with this one altered."""
        return {**OPERATORS, self.definition.name: self.definition}


def _with_condition(name: str, condition: Formula) -> Operator:
    (comprehension,) = OPERATORS[name].comprehensions
    return replace(OPERATORS[name], comprehensions=(replace(comprehension, condition=condition),))


ALTERATIONS = (
    Alteration(
        replace(OPERATORS["dis"], comprehensions=OPERATORS["dis"].comprehensions[:1]),
        "law:2",
        "a disjunction that forgets its right side",
    ),
    Alteration(
        _with_condition("con", End("s") <= End("t")), "law:3", "a conjunction whose right part ends last"
    ),
    Alteration(
        _with_condition("neg", Not(Exists("t", "T", And((Start("s") < Start("t"), End("t") <= End("s")))))),
        "law:12",
        "a negation that overlooks what starts together with it",
    ),
    Alteration(
        _with_condition("seq", Start("s") < Start("t")), "law:6", "a sequence whose parts may overlap"
    ),
    Alteration(
        _with_condition("tim", End("s") - Start("s") < Parameter(BOUND_NAME)),
        "law:23",
        "a restriction that excludes its bound",
    ),
)
"""A wrong definition of each operator; each must make a law false."""
