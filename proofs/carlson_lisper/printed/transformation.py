"""Figure 5 as it is printed: what is asked of each operand, and the pair that is returned in each case.

This is the source's table as data, not the rules of this project. `as_printed` carries it out on ground expressions, by
plain recursion; `proofs.carlson_lisper.lemmas.transformation` compares it with the rules that run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, cast

from detectors.carlson_lisper.source.transformation import Transformed
from semantics.carlson_lisper.expressions import (
    UNBOUNDED,
    Bound,
    BoundExtremum,
    BoundParameter,
    Expression,
    Identifier,
    Label,
    Operation,
    evaluate_bound,
    substitute,
)

Printed: TypeAlias = Bound | float
"""A time as the figure writes it: τ, τ', τ_a, τ_b, ∞, a number, or min and max of such."""

LIMIT, OWN = BoundParameter("τ"), BoundParameter("τ'")
"""The time that a rule is given, and the bound of the temporal restriction that it transforms."""

OF_A, OF_B = BoundParameter("τ_a"), BoundParameter("τ_b")
"""The times that the recursive calls return."""

TIGHTER = BoundExtremum("min", LIMIT, OWN)
"""The time τ'' of the last rule."""

OPERANDS: Mapping[str, BoundParameter] = MappingProxyType({"A": OF_A, "B": OF_B})
"""The operands, with the times that their recursive calls return."""

PRIMITIVE: Label = 0
"""The time that is returned with an event type."""


@dataclass(frozen=True)
class PrintedCase:
    """One line of a rule.

    Attributes:
        expression: the expression that is returned, over A' and B'.
        bound: the time that is returned.
        condition: when the line applies; None if always.
    """

    expression: Expression
    bound: Printed
    condition: tuple[Printed, Literal["<=", "<"], Printed] | None = None


@dataclass(frozen=True)
class PrintedRule:
    """The rule of an operator.

    Attributes:
        calls: the recursive calls: the operand, and the time that it is transformed with.
        cases: the lines, of which exactly one applies.
    """

    calls: tuple[tuple[str, Printed], ...]
    cases: tuple[PrintedCase, ...]


def _labelled(left: Expression, right: Expression, label: Printed) -> Operation:
    return Operation("seq", (left, right), label=cast(Any, label))


_A, _B = Identifier("A'"), Identifier("B'")

FIGURE_5: Mapping[str, PrintedRule] = MappingProxyType(
    {
        "dis": PrintedRule((("A", LIMIT), ("B", LIMIT)), (PrintedCase(_A | _B, BoundExtremum("max", OF_A, OF_B)),)),
        "con": PrintedRule((("A", LIMIT), ("B", LIMIT)), (PrintedCase(_A + _B, UNBOUNDED),)),
        "neg": PrintedRule((("A", LIMIT), ("B", BoundExtremum("min", OF_A, LIMIT))), (PrintedCase(_A - _B, OF_A),)),
        "seq": PrintedRule(
            (("A", LIMIT), ("B", LIMIT)),
            (
                PrintedCase(_labelled(_A, _B, OF_B), UNBOUNDED, (OF_B, "<=", LIMIT)),
                PrintedCase(_labelled(_A, _B[LIMIT], LIMIT), UNBOUNDED, (LIMIT, "<", OF_B)),
            ),
        ),
        "tim": PrintedRule(
            (("A", TIGHTER),),
            (PrintedCase(_A, OF_A, (OF_A, "<=", TIGHTER)), PrintedCase(_A[TIGHTER], TIGHTER, (TIGHTER, "<", OF_A))),
        ),
    }
)
"""The rule of each operator; event types are returned as they are, with `PRIMITIVE`."""


def as_printed(expression: Expression, limit: Label) -> Transformed:
    """transform(E, τ) by the figure; the recursion is Python's, so expressions must not be deep.

    Args:
        limit: the time τ, in ticks or ∞.
    """
    if not isinstance(expression, Operation):
        return Transformed(expression, PRIMITIVE)
    rule = FIGURE_5[expression.operator]
    values: dict[str, Label] = {LIMIT.name: limit}
    if expression.bound is not None:
        values[OWN.name] = evaluate_bound(expression.bound)
    operands: dict[str, Expression] = {}
    for name, under in rule.calls:
        operand = expression.operands[list(OPERANDS).index(name)]
        made = as_printed(operand, _value(under, values))
        operands[f"{name}'"] = made.expression
        values[OPERANDS[name].name] = made.bound
    (case,) = [case for case in rule.cases if _applies(case, values)]
    return Transformed(substitute(_filled(case.expression, values), operands), _value(case.bound, values))


def _value(printed: Printed, values: Mapping[str, Label]) -> Label:
    return evaluate_bound(cast(Bound, printed), cast(Mapping[str, int], values))


def _applies(case: PrintedCase, values: Mapping[str, Label]) -> bool:
    if case.condition is None:
        return True
    left, relation, right = case.condition
    before, after = _value(left, values), _value(right, values)
    return before < after or (relation == "<=" and before == after)


def _filled(expression: Expression, values: Mapping[str, Label]) -> Expression:
    """The expression with numbers for the times that the figure writes."""
    if not isinstance(expression, Operation):
        return expression
    bound = None if expression.bound is None else cast(int, _value(expression.bound, values))
    label = None if expression.label is None else _value(cast(Any, expression.label), values)
    operands = tuple(_filled(operand, values) for operand in expression.operands)
    return Operation(expression.operator, operands, bound, label)
