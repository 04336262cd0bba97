"""Membership of one instance in ⟦E⟧, without listing ⟦E⟧ (Def. 3.11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from semantics.denotation import MAX_CANDIDATES
from semantics.expressions import Bound, Expression, Identifier, Operation, evaluate_bound, fold, identifiers
from semantics.finite import apply_operator
from semantics.formulas import quantified_streams
from semantics.interpretations import Interpretation
from semantics.intervals import Grid, IntervalStream, Matrix, apply_to_matrices
from semantics.occurrences import Instance, Stream
from semantics.operators import OPERATORS, Operator


class Membership:
    """Decides for one expression and one interpretation whether instances belong to ⟦E⟧.

    A part of an instance of E is an instance of a subexpression made of the same occurrences, so only instances
    *within* the given one are built. Where a condition quantifies over a whole stream, as the negation's does over what
    must be absent, it is decided on the intervals of the whole trace, once for all intervals.
    """

    def __init__(
        self,
        expression: Expression,
        interpretation: Interpretation,
        operators: Mapping[str, Operator] = OPERATORS,
    ) -> None:
        """Prepare for one expression and one interpretation.

        Raises:
            LimitExceeded: the trace is too long; see `semantics.intervals.Grid`.
        """
        self.expression = expression
        self.interpretation = interpretation
        self.operators = operators
        self._grid = Grid(identifiers(expression), interpretation)
        self._matrices: dict[Expression, Matrix] = {}
        self._admitted: dict[Expression, Matrix] = {}

    def __contains__(self, instance: Instance) -> bool:
        """Whether the instance belongs to the denotation.

        Raises:
            LimitExceeded: the instance has too many parts to try; conjunctions of many alike multiply.
        """
        within: dict[str, Stream] = {}
        for occurrence in instance.occurrences:
            single = Instance((occurrence,))
            if single not in self.interpretation[occurrence.event]:
                return False
            within[occurrence.event] = within.get(occurrence.event, frozenset()) | {single}
        if not within.keys() <= identifiers(self.expression):
            return False

        def identifier(name: str) -> tuple[Expression, Stream]:
            return Identifier(name), within.get(name, frozenset())

        def operation(
            name: str, operands: Sequence[tuple[Expression, Stream]], bound: Bound | None
        ) -> tuple[Expression, Stream]:
            whole = Operation(name, tuple(expression for expression, _ in operands), bound)
            return whole, self._apply(whole, [stream for _, stream in operands])

        return instance in fold(self.expression, identifier, operation)[1]

    def _apply(self, whole: Operation, parts: Sequence[Stream]) -> Stream:
        """The instances of an operation among those made of the given instances of its operands."""
        definition = self.operators[whole.operator]
        value = None if whole.bound is None else evaluate_bound(whole.bound)
        if not any(quantified_streams(c.condition) for c in definition.comprehensions):
            return apply_operator(definition, parts, value, limit=MAX_CANDIDATES)
        if _filters(definition):
            admitted, position = self._admitting(whole, definition, value), self._grid.position
            return frozenset(i for i in parts[0] if admitted[position[i.start], position[i.end]])
        streams = [IntervalStream(self._grid.times, self._matrix(part)) for part in whole.operands]
        quantified = [set(stream.intervals()) for stream in streams]
        return apply_operator(definition, parts, value, quantified=quantified, limit=MAX_CANDIDATES)

    def _admitting(self, whole: Operation, definition: Operator, value: int | None) -> Matrix:
        """For every interval, whether an instance of the first operand that spans it is kept."""
        if whole not in self._admitted:
            size = len(self._grid.times)
            everything = np.triu(np.ones((size, size), dtype=np.bool_))
            others = [self._matrix(part) for part in whole.operands[1:]]
            self._admitted[whole] = apply_to_matrices(
                definition, self._grid.times, [everything, *others], value
            )
        return self._admitted[whole]

    def _matrix(self, expression: Expression) -> Matrix:
        if expression not in self._matrices:
            self._matrices[expression] = self._grid.evaluate(expression, self.operators)
        return self._matrices[expression]


def _filters(definition: Operator) -> bool:
    """Whether an operator keeps instances of its first operand as they are, and asks nothing else of that operand."""
    return all(
        comprehension.ranges == (("s", "S"),)
        and comprehension.result == ("s",)
        and "S" not in quantified_streams(comprehension.condition)
        for comprehension in definition.comprehensions
    )
