"""The meaning of an expression in a setting, for operands that are sets of instances."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from semantics.atlas.catalogue import Setting, operations, restriction
from semantics.atlas.literal import Definitions
from semantics.carlson_lisper.expressions import (
    BoundValues,
    Expression,
    Identifier,
    Operation,
    evaluate_bound,
)
from semantics.hinze_voisard.pairing import Instances

Operands: TypeAlias = Mapping[str, Instances]
"""What the identifiers of an expression mean."""

Meaning: TypeAlias = Callable[[Operands, BoundValues], Instances]
"""The instances of an expression, by its operands and the values of its bounds."""


def meaning(expression: Expression, setting: Setting) -> Meaning:
    """The meaning of an expression in a setting.

    A bound stands beside a sequence or conjunction where the text has it there: `(A ; B)[t]`. An identifier is a set of
    instances, whatever it stands for: its bound leaves out what lasts longer.
    """
    if isinstance(expression, Identifier):
        name = expression.name
        return lambda operands, bounds: operands[name]
    assert isinstance(expression, Operation)
    if expression.operator == "tim":
        return _restricted(expression, setting)
    apply = operations(setting)[expression.operator]
    left, right = (meaning(operand, setting) for operand in expression.operands)
    return lambda operands, bounds: apply(left(operands, bounds), right(operands, bounds))


def _restricted(expression: Operation, setting: Setting) -> Meaning:
    (operand,), bound = expression.operands, expression.bound
    assert bound is not None
    native = {"seq": setting.sequence, "con": setting.conjunction}
    if setting.spans == "native" and isinstance(operand, Operation) and operand.operator in native:
        apply = native[operand.operator]
        left, right = (meaning(each, setting) for each in operand.operands)
        return lambda operands, bounds: apply(
            left(operands, bounds), right(operands, bounds), evaluate_bound(bound, bounds)
        )
    inner = meaning(operand, setting)
    return lambda operands, bounds: restriction(inner(operands, bounds), evaluate_bound(bound, bounds))


def literally(
    expression: Expression, definitions: Definitions, operands: Operands, bounds: BoundValues
) -> Instances:
    """The meaning of an expression by the definitions of a setting, none of whose running code is used."""
    if isinstance(expression, Identifier):
        return operands[expression.name]
    assert isinstance(expression, Operation)

    def of(part: Expression) -> Instances:
        return literally(part, definitions, operands, bounds)

    match expression.operator, expression.operands:
        case "tim", (Operation("seq" | "con" as operator, (left, right)),) if (
            definitions.setting.spans == "native"
        ):
            span = evaluate_bound(expression.bound or 0, bounds)
            apply = definitions.sequence if operator == "seq" else definitions.conjunction
            return apply(of(left), of(right), span)
        case "tim", (operand,):
            bound = evaluate_bound(expression.bound or 0, bounds)
            return frozenset(one for one in of(operand) if one.end <= one.start + bound)
        case "seq", (left, right):
            return definitions.sequence(of(left), of(right))
        case "con", (left, right):
            return definitions.conjunction(of(left), of(right))
        case "neg", (left, right):
            spoiling = of(right)
            return frozenset(
                one
                for one in of(left)
                if all(each.start < one.start or each.end > one.end for each in spoiling)
            )
        case _, (left, right):
            return of(left) | of(right)
    raise AssertionError(expression)
