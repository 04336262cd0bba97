"""The transformation of Section 6: temporal restrictions are moved inwards and sequences labelled (Figure 5).

`transform(E, τ) = ⟨E', τ'⟩` such that E and E' agree on instances of at most τ ticks and no instance of E' is longer
than τ' (Lemma 6.1). With τ = ∞ the whole meaning is kept, and each sequence of E' says how long the instances of its
right side can be, so that it can be detected by Figure 4 (Theorem 6.1).

A rule says what happens to one operation. It is a generator: it yields an operand and the restriction to transform it
with, and is sent the outcome, so that the same rule serves expressions of any depth and the proof of Lemma 6.1.
"""

from collections.abc import Callable, Generator, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from detectors.carlson_lisper.protocol import of_operator
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Label, Operation, evaluate_bound


class Transformed(NamedTuple):
    """The outcome of a transformation."""

    expression: Expression  # the transformed expression E'
    bound: Label  # no instance of E' is longer than this, in ticks


Work: TypeAlias = Generator[tuple[Expression, Label], Transformed, Transformed]
"""A rule at work: yields operands with restrictions, is sent their outcomes, returns its own."""

Rule: TypeAlias = Callable[[Operation, Label], Work]


def restricted(expression: Expression, bound: Label) -> Expression:
    """The expression with a temporal restriction; A_∞ is A."""
    return expression if bound == UNBOUNDED else Operation("tim", (expression,), bound)  # type: ignore[arg-type]


def _disjunction(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    return Transformed(left.expression | right.expression, max(left.bound, right.bound))


def _conjunction(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    return Transformed(left.expression + right.expression, UNBOUNDED)


def _negation(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], min(left.bound, limit)
    return Transformed(left.expression - right.expression, left.bound)


def _sequence(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    if right.bound <= limit:
        operands, label = (left.expression, right.expression), right.bound
    else:
        operands, label = (left.expression, restricted(right.expression, limit)), limit
    return Transformed(Operation("seq", operands, label=label), UNBOUNDED)


def _restriction(operation: Operation, limit: Label) -> Work:
    tighter = min(limit, evaluate_bound(0 if operation.bound is None else operation.bound))
    operand = yield operation.operands[0], tighter
    if operand.bound <= tighter:
        return operand
    return Transformed(restricted(operand.expression, tighter), tighter)


RULES: Mapping[str, Rule] = MappingProxyType(
    {"dis": _disjunction, "con": _conjunction, "neg": _negation, "seq": _sequence, "tim": _restriction}
)
"""The rule of each operator, by the operator's name."""


def transform(expression: Expression, limit: Label = UNBOUNDED, rules: Mapping[str, Rule] = RULES) -> Transformed:
    """The transformed expression and the greatest length of its instances (Figure 5); `limit` is the restriction τ."""
    pending: list[Work] = []
    outcome: Transformed | None = None
    node, bound = expression, limit
    while True:
        if outcome is None:
            if isinstance(node, Operation):
                pending.append(of_operator(rules, node)(node, bound))
                node, bound = next(pending[-1])
                continue
            outcome = Transformed(node, 0)
        while pending:
            try:
                node, bound = pending[-1].send(outcome)
            except StopIteration as finished:
                pending.pop()
                outcome = finished.value
            else:
                outcome = None
                break
        if outcome is not None:
            return outcome
