"""Membership of one instance in ⟦E⟧, without listing ⟦E⟧ (Def. 3.11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from semantics.expressions import Bound, Expression, Identifier, Operation, evaluate_bound, fold
from semantics.finite import Interval, apply_operator
from semantics.formulas import quantifies
from semantics.interpretations import Interpretation
from semantics.intervals import interval_denotation
from semantics.occurrences import Instance, Stream
from semantics.operators import OPERATORS, Operator


class Membership:
    """Decides for one expression and one interpretation whether instances belong to ⟦E⟧.

    A part of an instance of E is an instance of a subexpression made of the same occurrences, so only instances
    *within* the given one are built. What a negation requires to be absent is looked up in the intervals of the whole
    trace, which are computed once.
    """

    def __init__(
        self,
        expression: Expression,
        interpretation: Interpretation,
        operators: Mapping[str, Operator] = OPERATORS,
    ) -> None:
        """Prepare for one expression and one interpretation."""
        self.expression = expression
        self.interpretation = interpretation
        self.operators = operators
        self._intervals: dict[Expression, frozenset[Interval]] = {}

    def __contains__(self, instance: Instance) -> bool:
        """Whether the instance belongs to the denotation."""
        within: dict[str, Stream] = {}
        for occurrence in instance.occurrences:
            single = Instance((occurrence,))
            if single not in self.interpretation[occurrence.event]:
                return False
            within[occurrence.event] = within.get(occurrence.event, frozenset()) | {single}

        def identifier(name: str) -> tuple[Expression, Stream]:
            return Identifier(name), within.get(name, frozenset())

        def operation(
            name: str, operands: Sequence[tuple[Expression, Stream]], bound: Bound | None
        ) -> tuple[Expression, Stream]:
            definition = self.operators[name]
            parts = [stream for _, stream in operands]
            expressions = tuple(expression for expression, _ in operands)
            whole = None
            if any(quantifies(c.condition) for c in definition.comprehensions):
                whole = [self._spanned(expression) for expression in expressions]
            value = None if bound is None else evaluate_bound(bound)
            stream = apply_operator(definition, parts, value, quantified=whole)
            return Operation(name, expressions, bound), stream

        return instance in fold(self.expression, identifier, operation)[1]

    def _spanned(self, expression: Expression) -> frozenset[Interval]:
        if expression not in self._intervals:
            spans = interval_denotation(expression, self.interpretation, self.operators)
            self._intervals[expression] = frozenset(spans.intervals())
        return self._intervals[expression]
