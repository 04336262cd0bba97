"""Wrong rules that differ from right ones only in what a proof about arbitrary operands could miss."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from detectors.carlson_lisper.source.transformation import Rule, Transformed, Work, restricted, transform
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Label, Operation


def changed(program: type[Any], **attributes: object) -> type[Any]:
    """A step or a queue with other methods or attributes of its class."""
    return type(f"Changed{program.__name__}", (program,), attributes)


# ---------------------------------------------------------------------------------------------------------- rules


def _conjunction_of_an_original(operation: Operation, limit: Label) -> Work:
    yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    return Transformed(operation.operands[0] + right.expression, UNBOUNDED)


def _negation_of_an_original(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    return Transformed(left.expression - operation.operands[1], left.bound)


def _sequence_of_an_original(operation: Operation, limit: Label) -> Work:
    right = yield operation.operands[1], limit
    if right.bound <= limit:
        operands, label = (operation.operands[0], right.expression), right.bound
    else:
        operands, label = (operation.operands[0], restricted(right.expression, limit)), limit
    return Transformed(Operation("seq", operands, label=label), UNBOUNDED)


def _sequence_that_trusts_a_label(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    if operation.label is not None:
        operands, label = (left.expression, right.expression), operation.label
    elif right.bound <= limit:
        operands, label = (left.expression, right.expression), right.bound
    else:
        operands, label = (left.expression, restricted(right.expression, limit)), limit
    return Transformed(Operation("seq", operands, label=label), UNBOUNDED)


def _conjunction_that_looks_inside(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    if isinstance(operation.operands[0], Operation):
        return left
    return Transformed(left.expression + right.expression, UNBOUNDED)


def _conjunction_that_compares(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    if left.expression == right.expression:
        return left
    return Transformed(left.expression + right.expression, UNBOUNDED)


HIDDEN_RULES: Mapping[str, tuple[str, Rule]] = {
    "an original operand of a conjunction": ("con", _conjunction_of_an_original),
    "an original operand of a negation": ("neg", _negation_of_an_original),
    "an original operand of a sequence": ("seq", _sequence_of_an_original),
    "a label that was there": ("seq", _sequence_that_trusts_a_label),
    "the kind of an operand": ("con", _conjunction_that_looks_inside),
    "equality of operands": ("con", _conjunction_that_compares),
}
"""By what they use: the operator, and the rule."""


def outermost_limit(expression: Expression, limit: Label, rules: Mapping[str, Rule]) -> Transformed:
    """Gives every operand the restriction of the whole, which makes labels longer and nothing wrong."""

    def always_under_it(rule: Rule) -> Rule:
        return lambda operation, _: rule(operation, limit)

    return transform(expression, limit, {name: always_under_it(rule) for name, rule in rules.items()})
