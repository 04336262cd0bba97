"""Denotation at the interval level: which intervals the instances of an expression span, as Boolean matrices.

Every operator looks at its operands through starts and ends alone, so the set of intervals of a result is a function
of the sets of intervals of the operands. With the n distinct times of a trace in order, a stream is an n × n matrix
whose cell (i, j) says whether some instance starts at time i and ends at time j. That decides everything that the
restriction policy promises (Thm 4.5, Cor. 4.4) for traces of thousands of time points, where the instances themselves
are far too many to list.

The matrices are computed from the operators' definitions (`semantics.carlson_lisper.operators`) by eliminating
quantifiers: where a
condition only ever bounds a free endpoint from one side, its least or greatest value decides. A definition for which
that does not work is evaluated by enumeration of intervals, so that a change of a definition changes the matrices.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from semantics.carlson_lisper.elimination import (
    Absent,
    Atom,
    Crossing,
    Inside,
    Joined,
    Kept,
    Query,
    elimination,
)
from semantics.carlson_lisper.expressions import Bound, Expression, evaluate_bound, fold, identifiers
from semantics.carlson_lisper.finite import apply_operator
from semantics.carlson_lisper.interpretations import Interpretation
from semantics.carlson_lisper.operators import BOUND_NAME, OPERATORS, STREAM_NAMES, Operator, Operators
from semantics.errors import LimitExceeded
from semantics.events import Interval

Matrix: TypeAlias = NDArray[np.bool_]
"""A Boolean matrix of shape (instants, instants): rows are starts, columns are ends."""

MAX_INSTANTS = 8_000
"""More distinct times than this are refused: one operator would take seconds and over a gigabyte."""

MAX_CANDIDATES = 5_000_000
"""The limit of candidates for definitions that have to be enumerated."""

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
        """What any valid restriction spans: for each end the greatest start (Def. 3.12, Thm 4.5), by end."""
        ends = np.flatnonzero(self.cells.any(axis=0))
        last = len(self.times) - 1
        starts = last - np.argmax(self.cells[::-1, :][:, ends], axis=0) if len(ends) else ends
        return [Interval(int(s), int(e)) for s, e in zip(self.times[starts], self.times[ends], strict=True)]


class Grid:
    """The distinct times at which the events of an expression occur, and the matrices over them, each made once."""

    def __init__(
        self, names: Iterable[str], interpretation: Interpretation, operators: Operators = OPERATORS
    ) -> None:
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


# ------------------------------------------------------------------------------ one operator, by its definition


def apply_to_matrices(
    definition: Operator, times: NDArray[np.int64], operands: Sequence[Matrix], bound: int | None = None
) -> Matrix:
    """The matrix that an operator yields from the matrices of its operands.

    Args:
        times: the distinct times in ascending order, in ticks.
        operands: the matrices of S and T, each of shape (instants, instants).
        bound: the time τ in ticks, for the temporal restriction.
    """
    context = _Context(times, dict(zip(STREAM_NAMES, operands, strict=False)), bound)
    result = np.zeros((len(times), len(times)), dtype=np.bool_)
    for comprehension in definition.comprehensions:
        plan = elimination(comprehension)
        if plan is None:
            return enumerate_intervals(definition, times, operands, bound)
        result |= context.carried_out(plan)
    return result


def enumerate_intervals(
    definition: Operator, times: NDArray[np.int64], operands: Sequence[Matrix], bound: int | None = None
) -> Matrix:
    """The same by enumeration of intervals: for any definition, slowly; the oracle of the fast way."""
    streams = [frozenset(IntervalStream(times, cells).intervals()) for cells in operands]
    result = np.zeros((len(times), len(times)), dtype=np.bool_)
    for start, end in apply_operator(definition, streams, bound, limit=MAX_CANDIDATES):
        result[np.searchsorted(times, start), np.searchsorted(times, end)] = True
    return result


@dataclass(frozen=True)
class _Spans:
    """Starts and ends of many intervals at once: arrays of times that broadcast to (instants, instants)."""

    start: NDArray[np.int64]
    end: NDArray[np.int64]


class _Context:
    """The operands of one application and the elimination of quantifiers over them."""

    def __init__(self, times: NDArray[np.int64], matrices: Mapping[str, Matrix], bound: int | None) -> None:
        self.times = times
        self.matrices = matrices
        self.parameters = {} if bound is None else {BOUND_NAME: np.int64(bound)}
        index = np.arange(len(times))
        self.positions = (index[:, None], index[None, :])
        self.whole = _Spans(times[:, None], times[None, :])

    def carried_out(self, plan: Kept | Joined) -> Matrix:
        """The matrix of one comprehension."""
        if isinstance(plan, Kept):
            return self.kept(self.matrices[plan.stream], plan.atoms, {plan.variable: self.whole})
        first, second = (self.inside(inside) for inside in plan.insides)
        third, fourth = (self.crossing(crossing) for crossing in plan.crossings)
        return first | second | third | fourth

    def inside(self, inside: Inside) -> Matrix:
        """{ x ∪ y } where one of the two lies within the other one."""
        fixed = inside.fixed
        return self.kept(
            self.matrices[fixed.stream], fixed.atoms, {fixed.variable: self.whole}
        ) & self.exists(inside.free)

    def kept(self, matrix: Matrix, atoms: Sequence[Atom], elements: Mapping[str, _Spans]) -> Matrix:
        """The cells at which all atoms hold of the given spans, which must be all that the atoms mention."""
        for atom in atoms:
            if isinstance(atom, Absent):
                present = self.kept(self.exists(atom.free), atom.atoms, elements)
                matrix = matrix & ~present
            else:
                matrix = matrix & atom({**elements, **self.parameters})
        return matrix

    def exists(self, query: Query) -> Matrix:
        """Whether some (c, d) of the stream satisfies comparisons with (i, j): a query of accumulated matrices."""
        table, where = self.matrices[query.stream], []
        for axis, limits in enumerate(query.limits):
            table = _accumulated(table, axis, limits.lower)
            positions = [self.positions[end] + shift for end, shift in limits.thresholds]
            if not positions:
                where.append(np.array([[len(self.times)]]))
            else:
                where.append(reduce(np.maximum if limits.lower else np.minimum, positions))
        return np.asarray(table[where[0], where[1]])

    def crossing(self, crossing: Crossing) -> Matrix:
        """The result starts with x = (i, b) and ends with y = (c, j): the best b and c decide, if one-sided."""
        x, y = crossing.x, crossing.y
        first, second = self.matrices[x.stream], self.matrices[y.stream]
        end_of_x = _extreme(first, axis=1, greatest=crossing.greatest_end)
        start_of_y = _extreme(second, axis=0, greatest=crossing.greatest_start)
        elements = {
            x.variable: _Spans(self.times[:, None], self.times[end_of_x][:, None]),
            y.variable: _Spans(self.times[start_of_y][None, :], self.times[None, :]),
        }
        ends = np.asarray(first.any(axis=1))[:, None] & np.asarray(second.any(axis=0))[None, :]
        return self.kept(ends, crossing.atoms, elements)


def _accumulated(table: Matrix, axis: int, from_above: bool) -> Matrix:
    """A table whose entry at k tells of all indices from k on, or of all before k; it has one index more."""
    shape = list(table.shape)
    shape[axis] += 1
    result = np.zeros(shape, dtype=np.bool_)
    here, source = (result, table) if axis == 0 else (result.T, table.T)
    if from_above:
        np.logical_or.accumulate(source[::-1], axis=0, out=here[-2::-1])
    else:
        np.logical_or.accumulate(source, axis=0, out=here[1:])
    return result


def _extreme(matrix: Matrix, *, axis: int, greatest: bool) -> NDArray[np.int64]:
    """Per row or column the least or greatest index of a true cell; anything where there is none."""
    if matrix.size == 0:
        return np.zeros(len(matrix), dtype=np.int64)
    if greatest:
        flipped = matrix[:, ::-1] if axis == 1 else matrix[::-1]
        return np.asarray(matrix.shape[axis] - 1 - flipped.argmax(axis=axis))
    return np.asarray(matrix.argmax(axis=axis))
