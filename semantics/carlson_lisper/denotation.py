"""Denotation at the instance level: the meaning of an expression, word for word (Def. 3.11)."""

from __future__ import annotations

from collections.abc import Sequence

from semantics.carlson_lisper.expressions import Bound, BoundValues, Expression, evaluate_bound, fold
from semantics.carlson_lisper.finite import Watch, apply_operator, unwatched
from semantics.carlson_lisper.occurrences import Stream, Streams
from semantics.carlson_lisper.operators import OPERATORS, Operators

MAX_CANDIDATES = 2_000_000
"""How many candidate instances one operator may try before the evaluation is refused; some twenty seconds of work."""


def denotation(
    expression: Expression,
    streams: Streams,
    bounds: BoundValues | None = None,
    *,
    operators: Operators = OPERATORS,
    limit: int | None = MAX_CANDIDATES,
    watched: Watch = unwatched,
) -> Stream:
    """⟦E⟧: all instances of an expression.

    Args:
        expression: the expression.
        streams: what the identifiers denote: an interpretation, or any streams where identifiers stand for arbitrary
            expressions.
        bounds: values in ticks of symbolic bounds.
        operators: the definitions to evaluate with.
        limit: the greatest number of candidates one operator may try; conjunctions multiply.
        watched: sees the candidates of each comprehension of each operator before they are tried.

    Raises:
        LimitExceeded: the limit was reached.
    """

    def operation(name: str, operands: Sequence[Stream], bound: Bound | None) -> Stream:
        value = None if bound is None else evaluate_bound(bound, bounds)
        return apply_operator(operators[name], operands, value, limit=limit, watched=watched)

    return fold(expression, lambda name: streams[name], operation)
