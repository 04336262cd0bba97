"""Denotation at the interval level: which intervals the instances of an expression span, as Boolean matrices.

Every operator looks at its operands through starts and ends alone, so the set of intervals of a result is a function
of the sets of intervals of the operands. With the n distinct times of a trace in order, a stream is an n × n matrix
whose cell (i, j) says whether some instance starts at time i and ends at time j. That decides everything that the
restriction policy promises (Thm 4.5, Cor. 4.4) for traces of thousands of time points, where the instances themselves
are far too many to list.

The operators of the algebra have a formula on matrices each, known by the text of the definition. An operator that is
defined otherwise is evaluated by enumeration of intervals, which is also the oracle of the formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from semantics.carlson_lisper.denotation import apply_operator
from semantics.carlson_lisper.expressions import (
    Bound,
    Expression,
    Identifier,
    Operation,
    bottom_up,
    evaluate_bound,
    fold,
    identifiers,
)
from semantics.carlson_lisper.notation import operator_text
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Stream
from semantics.carlson_lisper.operators import OPERATORS, STREAM_NAMES, Operator, Operators
from semantics.errors import LimitExceeded
from semantics.events import Interval
from semantics.formulas import quantified_streams

Matrix: TypeAlias = NDArray[np.bool_]
"""A Boolean matrix of shape (instants, instants): rows are starts, columns are ends."""

MAX_INSTANTS = 8_000
"""More distinct times than this are refused: one operator would take seconds and over a gigabyte."""

MAX_CANDIDATES = 5_000_000
"""The limit of candidates where instances or intervals have to be enumerated."""

_TIME_LIMIT = 2**62


@dataclass(frozen=True)
class IntervalStream:
    """The intervals of a stream over given times.

    Attributes:
        times: the distinct times in ascending order, in ticks, of shape (instants,).
        cells: cell (i, j) is true when an instance spans exactly [times[i], times[j]].
    """

    times: NDArray[np.int64]
    cells: Matrix

    def intervals(self) -> list[Interval]:
        """The intervals by end, then start."""
        ends, starts = np.nonzero(self.cells.T)
        return [Interval(int(s), int(e)) for s, e in zip(self.times[starts], self.times[ends], strict=True)]

    def restricted(self) -> list[Interval]:
        """Intervals of any valid restriction: for each end the greatest start (Def. 3.12, Thm 4.5), by end."""
        ends = np.flatnonzero(self.cells.any(axis=0))
        last = len(self.times) - 1
        starts = last - np.argmax(self.cells[::-1, :][:, ends], axis=0) if len(ends) else ends
        return [Interval(int(s), int(e)) for s, e in zip(self.times[starts], self.times[ends], strict=True)]


class Grid:
    """The distinct times at which the events of an expression occur, and the matrices over them, each made once."""

    def __init__(self, names: Iterable[str], interpretation: Interpretation, operators: Operators = OPERATORS) -> None:
        """Lay out the times of the named events.

        Raises:
            LimitExceeded: there are more than `MAX_INSTANTS` distinct times, or one too large for 64-bit arithmetic.
        """
        distinct = sorted({instance.start for name in names for instance in interpretation[name]})
        if len(distinct) > MAX_INSTANTS:
            raise LimitExceeded(
                f"the events of the expression occur at {len(distinct):,} distinct times; the interval semantics"
                f" takes at most {MAX_INSTANTS:,}",
                remedy="Use `remora detect`, which reads traces of any length.",
            )
        if distinct and distinct[-1] >= _TIME_LIMIT:
            raise LimitExceeded(f"the time {distinct[-1]} is beyond the limit of {_TIME_LIMIT - 1} ticks")
        self.interpretation = interpretation
        self.operators = operators
        self._known: dict[Expression, Matrix] = {}
        self.times = np.array(distinct, dtype=np.int64)
        self.position = {time: index for index, time in enumerate(distinct)}

    def primitive(self, name: str) -> Matrix:
        """The matrix of an event type."""
        cells = np.zeros((len(self.times), len(self.times)), dtype=np.bool_)
        for instance in self.interpretation[name]:
            cells[self.position[instance.start], self.position[instance.end]] = True
        return cells

    def evaluate(self, expression: Expression) -> Matrix:
        """The matrix of a ground expression over the events of this grid."""

        def operation(name: str, operands: Sequence[Matrix], bound: Bound | None) -> Matrix:
            value = None if bound is None else min(evaluate_bound(bound), _TIME_LIMIT)
            return apply_to_matrices(self.operators[name], self.times, operands, value)

        return fold(expression, self.primitive, operation, self._known)


def interval_denotation(
    expression: Expression, interpretation: Interpretation, operators: Operators = OPERATORS
) -> IntervalStream:
    """The intervals spanned by the instances of a ground expression under an interpretation.

    Raises:
        LimitExceeded: the trace is too long; see `Grid`.
    """
    grid = Grid(identifiers(expression), interpretation, operators)
    return IntervalStream(grid.times, grid.evaluate(expression))


# ------------------------------------------------------------------------------------------------- the operators


def apply_to_matrices(
    definition: Operator, times: NDArray[np.int64], operands: Sequence[Matrix], bound: int | None = None
) -> Matrix:
    """The matrix that an operator yields from the matrices of its operands.

    Args:
        times: the distinct times in ascending order, in ticks.
        operands: the matrices of S and T, each of shape (instants, instants).
        bound: the time τ in ticks, for the temporal restriction.
    """
    formula = _formula_of(definition)
    if formula is None:
        return enumerate_intervals(definition, times, operands, bound)
    return formula(times, operands[0], operands[-1], 0 if bound is None else bound)


@cache
def _formula_of(definition: Operator) -> Formula | None:
    return FORMULAS.get(operator_text(definition))


def enumerate_intervals(
    definition: Operator, times: NDArray[np.int64], operands: Sequence[Matrix], bound: int | None = None
) -> Matrix:
    """Operator by enumeration of intervals: for any definition, slowly; the oracle of the formulas."""
    streams = [frozenset(IntervalStream(times, cells).intervals()) for cells in operands]
    result = np.zeros((len(times), len(times)), dtype=np.bool_)
    for start, end in apply_operator(definition, streams, bound, limit=MAX_CANDIDATES):
        result[np.searchsorted(times, start), np.searchsorted(times, end)] = True
    return result


def _inside(cells: Matrix) -> Matrix:
    """Whether an interval lies within (i, j)."""
    later = np.logical_or.accumulate(cells[::-1], axis=0)[::-1]
    return np.asarray(np.logical_or.accumulate(later, axis=1))


def _first_ends(cells: Matrix) -> NDArray[np.int64]:
    """Per start i, as a column, the least end of an interval; the number of instants where there is none."""
    return np.where(cells.any(axis=1), cells.argmax(axis=1) if cells.size else 0, len(cells))[:, None]


def _last_starts(cells: Matrix) -> NDArray[np.int64]:
    """Per end j, as a row, the greatest start of an interval; -1 where there is none."""
    last = len(cells) - 1 - cells[::-1].argmax(axis=0) if cells.size else 0
    return np.where(cells.any(axis=0), last, -1)[None, :]


def _conjunction(times: NDArray[np.int64], s: Matrix, t: Matrix, bound: int) -> Matrix:
    """One lies within the other, or one starts the union, ending within it, and the other one ends it."""
    index = np.arange(len(times))

    def crossing(first: Matrix, second: Matrix) -> Matrix:
        return (_first_ends(first) <= index[None, :]) & (_last_starts(second) >= index[:, None])

    return (s & _inside(t)) | (t & _inside(s)) | crossing(s, t) | crossing(t, s)


Formula: TypeAlias = Callable[[NDArray[np.int64], Matrix, Matrix, int], Matrix]
"""The matrix of a result, from the times, the matrices of S and T (S again for one operand) and the bound τ."""

FORMULAS: Mapping[str, Formula] = {
    "dis(S, T) = { s | s ∈ S } ∪ { t | t ∈ T }": lambda times, s, t, bound: s | t,
    "con(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T }": _conjunction,
    "neg(S, T) = { s | s ∈ S ∧ ¬∃ t ∈ T (start(s) ≤ start(t) ∧ end(t) ≤ end(s)) }": lambda times, s, t, bound: (
        s & ~_inside(t)
    ),
    "seq(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T ∧ end(s) < start(t) }": lambda times, s, t, bound: (
        _first_ends(s) < _last_starts(t)
    ),
    "tim(S, τ) = { s | s ∈ S ∧ end(s) - start(s) ≤ τ }": lambda times, s, t, bound: (
        s & (times[None, :] - times[:, None] <= bound)
    ),
}
"""The formula of each definition, by its text."""


# ------------------------------------------------------------------------------------------------- membership

_NONE: Stream = frozenset()


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
        operators: Operators = OPERATORS,
        *,
        grid: Grid | None = None,
    ) -> None:
        """Prepare for one expression and one interpretation.

        Args:
            grid: the grid of the same expression, interpretation and definitions, where there is one already.

        Raises:
            LimitExceeded: the trace is too long; see `Grid`.
        """
        self.expression = expression
        self.interpretation = interpretation
        self.operators = operators
        names = identifiers(expression)
        self._grid = grid or Grid(names, interpretation, operators)
        self._admitted: dict[Expression, Matrix] = {}
        self._single = {
            occurrence: instance
            for name in names
            for instance in interpretation[name]
            for occurrence in instance.occurrences
        }
        self._parts = bottom_up(expression)
        number = {part: index for index, part in enumerate(self._parts)}
        self._operands = [
            [number[operand] for operand in part.operands] if isinstance(part, Operation) else []
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
            if isinstance(part, Operation):
                streams.append(self._apply(part, [streams[operand] for operand in operands]))
            elif isinstance(part, Identifier):
                streams.append(within.get(part.name, _NONE))
        return instance in streams[-1]

    def _apply(self, whole: Operation, parts: Sequence[Stream]) -> Stream:
        """The instances of an operation among those made of the given instances of its operands."""
        definition = self.operators[whole.operator]
        if not any(all(parts[index] for index in ranged) for ranged in _ranged(definition)):
            return _NONE  # there is nothing to choose from
        value = None if whole.bound is None else evaluate_bound(whole.bound)
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

    def _admitting(self, whole: Operation, definition: Operator, value: int | None) -> Matrix:
        """For every interval, whether an instance of the first operand that spans it is kept."""
        if whole not in self._admitted:
            size = len(self._grid.times)
            everything = np.triu(np.ones((size, size), dtype=np.bool_))
            others = [self._grid.evaluate(part) for part in whole.operands[1:]]
            self._admitted[whole] = apply_to_matrices(definition, self._grid.times, [everything, *others], value)
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
