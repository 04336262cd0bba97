"""Denotation at the interval level: which intervals the instances of an expression span, as Boolean matrices.

Every operator looks at its operands through starts and ends alone, so the set of intervals of a result is a function
of the sets of intervals of the operands. With the n distinct times of a trace in order, a stream is an n × n matrix
whose cell (i, j) says whether some instance starts at time i and ends at time j. That decides everything that the
restriction policy promises (Thm 4.5, Cor. 4.4) for traces of thousands of time points, where the instances themselves
are far too many to list.

The matrices are computed from the operators' definitions (`semantics.operators`) by eliminating quantifiers: where a
condition only ever bounds a free endpoint from one side, its least or greatest value decides. A definition for which
that does not work is evaluated by enumeration of intervals, so that a change of a definition changes the matrices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from semantics.errors import LimitExceeded
from semantics.expressions import Bound, Expression, evaluate_bound, fold, identifiers
from semantics.finite import Interval, apply_operator
from semantics.formulas import (
    And,
    Compare,
    Difference,
    End,
    Exists,
    Formula,
    Not,
    Scope,
    Start,
    Term,
    interpret,
)
from semantics.interpretations import Interpretation
from semantics.operators import BOUND_NAME, OPERATORS, STREAM_NAMES, Comprehension, Operator

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
    """The distinct times at which the events of an expression occur, and the matrices over them."""

    def __init__(self, names: Iterable[str], interpretation: Interpretation) -> None:
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
        self.times = np.array(distinct, dtype=np.int64)
        self.position = {time: index for index, time in enumerate(distinct)}

    def primitive(self, name: str) -> Matrix:
        """The matrix of an event type."""
        cells = np.zeros((len(self.times), len(self.times)), dtype=np.bool_)
        for instance in self.interpretation[name]:
            cells[self.position[instance.start], self.position[instance.end]] = True
        return cells

    def evaluate(self, expression: Expression, operators: Mapping[str, Operator] = OPERATORS) -> Matrix:
        """The matrix of a ground expression over the events of this grid."""

        def operation(name: str, operands: Sequence[Matrix], bound: Bound | None) -> Matrix:
            value = None if bound is None else min(evaluate_bound(bound), _TIME_LIMIT)
            return apply_to_matrices(operators[name], self.times, operands, value)

        return fold(expression, self.primitive, operation)


def interval_denotation(
    expression: Expression,
    interpretation: Interpretation,
    operators: Mapping[str, Operator] = OPERATORS,
) -> IntervalStream:
    """The intervals spanned by the instances of a ground expression under an interpretation.

    Raises:
        LimitExceeded: the trace is too long; see `Grid`.
    """
    grid = Grid(identifiers(expression), interpretation)
    return IntervalStream(grid.times, grid.evaluate(expression, operators))


# ------------------------------------------------------------------------------ one operator, by its definition


class _Unsupported(Exception):
    """The definition needs a quantifier elimination that is not one-sided."""


def apply_to_matrices(
    definition: Operator, times: NDArray[np.int64], operands: Sequence[Matrix], bound: int | None = None
) -> Matrix:
    """The matrix that an operator yields from the matrices of its operands.

    Args:
        definition: the operator.
        times: the distinct times in ascending order, in ticks.
        operands: the matrices of S and T, each of shape (instants, instants).
        bound: the time τ in ticks, for the temporal restriction.
    """
    context = _Context(times, dict(zip(STREAM_NAMES, operands, strict=False)), bound)
    try:
        result = np.zeros((len(times), len(times)), dtype=np.bool_)
        for comprehension in definition.comprehensions:
            result |= context.comprehension(comprehension)
    except _Unsupported:
        return enumerate_intervals(definition, times, operands, bound)
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


class _ArrayLogic:
    """Comparisons of arrays of times; only what conditions without quantifiers need."""

    def start(self, element: _Spans) -> NDArray[np.int64]:
        return element.start

    def end(self, element: _Spans) -> NDArray[np.int64]:
        return element.end

    def join(self, left: _Spans, right: _Spans) -> _Spans:
        return _Spans(np.minimum(left.start, right.start), np.maximum(left.end, right.end))

    def subtract(self, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.int64]:
        return left - right

    def compare(self, relation: str, left: NDArray[np.int64], right: NDArray[np.int64]) -> Matrix:
        compare = {"<": np.less, "<=": np.less_equal, "=": np.equal}[relation]
        return np.asarray(compare(left, right))

    def same(self, left: _Spans, right: _Spans) -> Matrix:
        raise _Unsupported

    def every(self, parts: Iterable[Matrix]) -> Matrix:
        result = np.ones((1, 1), dtype=np.bool_)
        for part in parts:
            result = result & part
        return result

    def either(self, parts: Iterable[Matrix]) -> Matrix:
        result = np.zeros((1, 1), dtype=np.bool_)
        for part in parts:
            result = result | part
        return result

    def negate(self, part: Matrix) -> Matrix:
        return ~part


_ARRAYS = _ArrayLogic()


def _endpoints(term: Term, sign: int = 1) -> Iterator[tuple[Start | End, int]]:
    """The endpoints in a term with the sign with which they count."""
    match term:
        case Start() | End():
            yield term, sign
        case Difference(left, right):
            yield from _endpoints(left, sign)
            yield from _endpoints(right, -sign)


def _conjuncts(formula: Formula) -> Iterator[Formula]:
    if isinstance(formula, And):
        for part in formula.parts:
            yield from _conjuncts(part)
    else:
        yield formula


def _variables(formula: Formula) -> set[str]:
    match formula:
        case Compare(_, left, right):
            return {endpoint.variable for term in (left, right) for endpoint, _ in _endpoints(term)}
        case And(parts):
            return set().union(*(_variables(part) for part in parts))
        case Not(Exists(variable, _, body)):
            return _variables(body) - {variable}
        case _:
            raise _Unsupported


class _Context:
    """The operands of one application and the elimination of quantifiers over them."""

    def __init__(self, times: NDArray[np.int64], matrices: Mapping[str, Matrix], bound: int | None) -> None:
        self.times = times
        self.matrices = matrices
        self.parameters = {} if bound is None else {BOUND_NAME: np.int64(bound)}
        self.index = np.arange(len(times))
        self.whole = _Spans(times[:, None], times[None, :])

    def comprehension(self, comprehension: Comprehension) -> Matrix:
        """The matrix of one comprehension."""
        atoms = list(_conjuncts(comprehension.condition))
        streams = dict(comprehension.ranges)
        result = set(comprehension.result)
        if len(streams) == 1 and result == set(streams):
            ((fixed, stream),) = streams.items()
            return self.matrices[stream] & self.hold(atoms, {fixed: self.whole})
        if len(streams) == 2 and result == set(streams):
            return self.joined(streams, atoms)
        raise _Unsupported

    def joined(self, streams: Mapping[str, str], atoms: Sequence[Formula]) -> Matrix:
        """{ x ∪ y }: the result's start and end each come from one of the two."""
        x, y = streams
        inside_x = [Start(x) <= Start(y), End(y) <= End(x)]
        inside_y = [Start(y) <= Start(x), End(x) <= End(y)]
        return (
            (self.matrices[streams[x]] & self.some_inside(x, y, streams[y], [*atoms, *inside_x]))
            | (self.matrices[streams[y]] & self.some_inside(y, x, streams[x], [*atoms, *inside_y]))
            | self.crossing(x, y, streams, [*atoms, Start(x) <= Start(y), End(x) <= End(y)])
            | self.crossing(y, x, streams, [*atoms, Start(y) <= Start(x), End(y) <= End(x)])
        )

    def some_inside(self, fixed: str, free: str, stream: str, atoms: Sequence[Formula]) -> Matrix:
        """Whether, `fixed` spanning (i, j), some `free` of the stream satisfies the atoms."""
        own = [atom for atom in atoms if _variables(atom) <= {fixed}]
        shared = [atom for atom in atoms if atom not in own]
        return self.hold(own, {fixed: self.whole}) & self.exists(fixed, free, stream, shared)

    def hold(self, atoms: Sequence[Formula], elements: Mapping[str, _Spans]) -> Matrix:
        """The conjunction of atoms over the given spans, which must be all that the atoms mention."""
        result = np.ones((1, 1), dtype=np.bool_)
        scope = Scope(elements, {}, self.parameters)
        for atom in atoms:
            match atom:
                case Compare():
                    result = result & interpret(atom, _ARRAYS, scope)
                case Not(Exists(free, stream, body)) if len(elements) == 1:
                    (fixed,) = elements
                    result = result & ~self.some_inside(fixed, free, stream, list(_conjuncts(body)))
                case _:
                    raise _Unsupported
        return result

    def exists(self, fixed: str, free: str, stream: str, atoms: Sequence[Formula]) -> Matrix:
        """Whether some (c, d) of the stream satisfies comparisons with (i, j): a query of accumulated matrices."""
        position = {Start(fixed): self.index[:, None], End(fixed): self.index[None, :]}
        lower: dict[Start | End, NDArray[np.int64]] = {}
        upper: dict[Start | End, NDArray[np.int64]] = {}
        for atom in atoms:
            if not isinstance(atom, Compare) or atom.relation == "=":
                raise _Unsupported
            left, right = atom.left, atom.right
            if not isinstance(left, Start | End) or not isinstance(right, Start | End):
                raise _Unsupported
            strict = int(atom.relation == "<")
            if left.variable == fixed and right.variable == free:
                threshold = position[left] + strict
                lower[right] = np.maximum(lower[right], threshold) if right in lower else threshold
            elif left.variable == free and right.variable == fixed:
                threshold = position[right] - strict
                upper[left] = np.minimum(upper[left], threshold) if left in upper else threshold
            else:
                raise _Unsupported
        table, where = self.matrices[stream], []
        endpoints: tuple[Start | End, ...] = (Start(free), End(free))
        for axis, endpoint in enumerate(endpoints):
            if endpoint in lower and endpoint in upper:
                raise _Unsupported
            table, looked_up = self.accumulate(table, axis, lower.get(endpoint), upper.get(endpoint))
            where.append(looked_up)
        return np.asarray(table[where[0], where[1]])

    def accumulate(
        self,
        table: Matrix,
        axis: int,
        lower: NDArray[np.int64] | None,
        upper: NDArray[np.int64] | None,
    ) -> tuple[Matrix, NDArray[np.int64]]:
        """A table whose entry at k tells of all indices from k on (lower) or up to k (upper), and where to look.

        An empty row is added on either side, for thresholds that nothing satisfies.
        """
        size = len(self.times)
        flat = np.moveaxis(table, axis, 0)
        empty = np.zeros((1, flat.shape[1]), dtype=np.bool_)
        if lower is not None:
            swept = np.concatenate([np.logical_or.accumulate(flat[::-1], axis=0)[::-1], empty])
            where = np.minimum(lower, size)
        else:
            swept = np.concatenate([empty, np.logical_or.accumulate(flat, axis=0)])
            where = np.full((1, 1), size) if upper is None else upper + 1
        return np.moveaxis(swept, 0, axis), where

    def crossing(self, x: str, y: str, streams: Mapping[str, str], atoms: Sequence[Formula]) -> Matrix:
        """The result starts with x = (i, b) and ends with y = (c, j): the best b and c decide, if one-sided."""
        directions = {End(x): set[int](), Start(y): set[int]()}
        for atom in atoms:
            if not isinstance(atom, Compare) or atom.relation == "=":
                raise _Unsupported
            for term, side in ((atom.left, -1), (atom.right, 1)):
                for endpoint, sign in _endpoints(term):
                    if endpoint in directions:
                        directions[endpoint].add(side * sign)
        if any(len(wanted) > 1 for wanted in directions.values()):
            raise _Unsupported
        first, second = self.matrices[streams[x]], self.matrices[streams[y]]
        end_of_x = _extreme(first, axis=1, greatest=directions[End(x)] == {1})
        start_of_y = _extreme(second, axis=0, greatest=directions[Start(y)] == {1})
        elements = {
            x: _Spans(self.times[:, None], self.times[end_of_x][:, None]),
            y: _Spans(self.times[start_of_y][None, :], self.times[None, :]),
        }
        starts, ends = np.any(first, axis=1), np.any(second, axis=0)
        return np.asarray(np.outer(starts, ends) & self.hold(atoms, elements))


def _extreme(matrix: Matrix, *, axis: int, greatest: bool) -> NDArray[np.int64]:
    """Per row or column the least or greatest index of a true cell; anything where there is none."""
    if matrix.size == 0:
        return np.zeros(len(matrix), dtype=np.int64)
    if greatest:
        return np.asarray(matrix.shape[axis] - 1 - np.argmax(np.flip(matrix, axis), axis=axis))
    return np.asarray(np.argmax(matrix, axis=axis))
