"""Membership of one instance in ⟦E⟧, without listing ⟦E⟧ (Def. 3.11)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod

import numpy as np

from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.denotation import MAX_CANDIDATES
from semantics.carlson_lisper.finite import apply_operator
from semantics.carlson_lisper.interpretations import Interpretation
from semantics.carlson_lisper.intervals import Grid, IntervalStream, Matrix, apply_to_matrices
from semantics.carlson_lisper.occurrences import Instance, Stream
from semantics.carlson_lisper.operators import OPERATORS, STREAM_NAMES, Operator, Operators
from semantics.formulas import quantified_streams

_NONE: Stream = frozenset()


class Membership:
    """Decides for one expression and one interpretation whether instances belong to ⟦E⟧.

    A part of an instance of E is an instance of a subexpression made of the same occurrences, so only instances
    *within* the given one are built. Where a condition quantifies over a whole stream, as the negation's does over what
    must be absent, it is decided on the intervals of the whole trace, once for all intervals.
    """

    def __init__(
        self,
        expression: expressions.Expression,
        interpretation: Interpretation,
        operators: Operators = OPERATORS,
        *,
        grid: Grid | None = None,
    ) -> None:
        """Prepare for one expression and one interpretation.

        Args:
            grid: the grid of the same expression, interpretation and definitions, where there is one already.

        Raises:
            LimitExceeded: the trace is too long; see `semantics.carlson_lisper.intervals.Grid`.
        """
        self.expression = expression
        self.interpretation = interpretation
        self.operators = operators
        names = expressions.identifiers(expression)
        self._grid = grid or Grid(names, interpretation, operators)
        self._admitted: dict[expressions.Expression, Matrix] = {}
        self._single = {
            occurrence: instance
            for name in names
            for instance in interpretation[name]
            for occurrence in instance.occurrences
        }
        self._parts = expressions.bottom_up(expression)
        number = {part: index for index, part in enumerate(self._parts)}
        self._operands = [
            [number[operand] for operand in part.operands] if isinstance(part, expressions.Operation) else []
            for part in self._parts
        ]

    def __contains__(self, instance: Instance) -> bool:
        """Whether the instance belongs to the denotation.

        Raises:
            LimitExceeded: the instance has too many parts to try; conjunctions of many alike multiply.
        """
        within: dict[str, Stream] = {}
        for occurrence in instance.occurrences:
            single = self._single.get(occurrence)
            if single is None:
                return False
            within[occurrence.event] = within.get(occurrence.event, _NONE) | {single}
        streams: list[Stream] = []
        for part, operands in zip(self._parts, self._operands, strict=True):
            if isinstance(part, expressions.Operation):
                streams.append(self._apply(part, [streams[operand] for operand in operands]))
            elif isinstance(part, expressions.Identifier):
                streams.append(within.get(part.name, _NONE))
        return instance in streams[-1]

    def _apply(self, whole: expressions.Operation, parts: Sequence[Stream]) -> Stream:
        """The instances of an operation among those made of the given instances of its operands."""
        definition = self.operators[whole.operator]
        if not any(all(parts[index] for index in ranged) for ranged in _ranged(definition)):
            return _NONE  # there is nothing to choose from
        value = None if whole.bound is None else expressions.evaluate_bound(whole.bound)
        if not _quantified(definition):
            # As nearly always, there is nothing to check.
            few = prod(len(part) or 1 for part in parts) <= MAX_CANDIDATES
            return apply_operator(definition, parts, value, limit=None if few else MAX_CANDIDATES)
        if _filters(definition):
            admitted, position = self._admitting(whole, definition, value), self._grid.position
            return frozenset(i for i in parts[0] if admitted[position[i.start], position[i.end]])
        streams = [IntervalStream(self._grid.times, self._grid.evaluate(part)) for part in whole.operands]
        quantified = [set(stream.intervals()) for stream in streams]
        return apply_operator(definition, parts, value, quantified=quantified, limit=MAX_CANDIDATES)

    def _admitting(self, whole: expressions.Operation, definition: Operator, value: int | None) -> Matrix:
        """For every interval, whether an instance of the first operand that spans it is kept."""
        if whole not in self._admitted:
            size = len(self._grid.times)
            everything = np.triu(np.ones((size, size), dtype=np.bool_))
            others = [self._grid.evaluate(part) for part in whole.operands[1:]]
            self._admitted[whole] = apply_to_matrices(
                definition, self._grid.times, [everything, *others], value
            )
        return self._admitted[whole]


@cache
def _ranged(definition: Operator) -> tuple[tuple[int, ...], ...]:
    """The operands that each comprehension chooses from, by position."""
    ranges = (comprehension.ranges for comprehension in definition.comprehensions)
    return tuple(tuple(STREAM_NAMES.index(stream) for _, stream in each) for each in ranges)


@cache
def _quantified(definition: Operator) -> frozenset[str]:
    """The streams over which the conditions quantify."""
    return frozenset[str]().union(*(quantified_streams(c.condition) for c in definition.comprehensions))


@cache
def _filters(definition: Operator) -> bool:
    """Whether an operator keeps instances of its first operand as they are, and asks nothing else of that operand."""
    kept = all(c.ranges == (("s", "S"),) and c.result == ("s",) for c in definition.comprehensions)
    return kept and "S" not in _quantified(definition)
