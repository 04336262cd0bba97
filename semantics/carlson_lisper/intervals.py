"""Denotation at the interval level: which intervals the instances of an expression span, as Boolean matrices.

Every operator looks at its operands through starts and ends alone. With the n distinct times of a trace in order, a
stream is an n × n matrix whose cell (i, j) says whether some instance starts at time i and ends at time j. That decides
everything that the restriction policy promises (Thm 4.5, Cor. 4.4) where instances are far too many to list.
"""

from collections.abc import Sequence
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.denotation import apply_operator
from semantics.carlson_lisper.expressions import Bound, Expression, Operation, evaluate_bound
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Stream
from semantics.errors import LimitExceeded
from semantics.events import Interval

Matrix: TypeAlias = NDArray[np.bool_]
"""A Boolean matrix of shape (instants, instants): rows are starts, columns are ends."""

Times: TypeAlias = NDArray[np.int64]  # The distinct times in ascending order, in ticks, of shape (instants,)
MAX_INSTANTS = 8_000  # More distinct times than this are refused: one operator would take seconds and over a gigabyte
MAX_CANDIDATES = 5_000_000  # The limit of candidates where instances have to be enumerated

_TIME_LIMIT = 2**62


class Intervals:
    """The intervals that the instances of an expression span under an interpretation, and its instances asked for.

    A part of an instance of E is an instance of a subexpression made of the same occurrences, so whether an instance
    belongs to ⟦E⟧ is decided by building only instances *within* it; a negation, on the intervals of the whole trace.
    There may be too many distinct times, one too large for 64 bits, or too many parts to try: LimitExceeded.
    """

    def __init__(self, expression: Expression, interpretation: Interpretation) -> None:
        self.expression, self.interpretation = expression, interpretation
        instances = [instance for name in expressions.identifiers(expression) for instance in interpretation[name]]
        distinct = sorted({instance.start for instance in instances})
        if len(distinct) > MAX_INSTANTS:
            most = f"the interval semantics takes at most {MAX_INSTANTS:,}"
            reason = f"the events of the expression occur at {len(distinct):,} distinct times; {most}"
            raise LimitExceeded(reason, remedy="Use `remora detect`, which reads traces of any length.")
        if distinct and distinct[-1] >= _TIME_LIMIT:
            raise LimitExceeded(f"the time {distinct[-1]} is beyond the limit of {_TIME_LIMIT - 1} ticks")
        self.times = np.array(distinct, dtype=np.int64)
        self.position = {time: index for index, time in enumerate(distinct)}
        self._single = {occurrence: each for each in instances for occurrence in each.occurrences}
        self._matrices: dict[Expression, Matrix] = {}
        self._kept: dict[Expression, Matrix] = {}

    def matrix(self, part: Expression) -> Matrix:
        """The intervals of a subexpression."""

        def primitive(name: str) -> Matrix:
            cells = np.zeros((len(self.times), len(self.times)), dtype=np.bool_)
            for instance in self.interpretation[name]:
                cells[self.position[instance.start], self.position[instance.end]] = True
            return cells

        def operation(name: str, operands: Sequence[Matrix], bound: Bound | None) -> Matrix:
            return operator_matrix(name, self.times, operands, None if bound is None else evaluate_bound(bound))

        return expressions.fold(part, primitive, operation, self._matrices)

    def intervals(self) -> list[Interval]:
        """The intervals by end, then start."""
        ends, starts = np.nonzero(self.matrix(self.expression).T)
        return self._between(starts, ends)

    def restricted(self) -> list[Interval]:
        """Intervals of any valid restriction: for each end the greatest start (Def. 3.12, Thm 4.5), by end."""
        starts = _last_starts(self.matrix(self.expression))
        ends = np.flatnonzero(starts >= 0)
        return self._between(starts[ends], ends)

    def _between(self, starts: Times, ends: Times) -> list[Interval]:
        return [Interval(int(s), int(e)) for s, e in zip(self.times[starts], self.times[ends], strict=True)]

    def __contains__(self, instance: Instance) -> bool:
        streams: dict[Expression, Stream] = {}
        for occurrence in instance.occurrences:
            if occurrence not in self._single:
                return False
            event = expressions.Identifier(occurrence.event)
            streams[event] = streams.get(event, frozenset()) | {self._single[occurrence]}
        for part in expressions.bottom_up(self.expression):
            if isinstance(part, Operation):
                streams[part] = self._apply(part, [streams[operand] for operand in part.operands])
            else:
                streams.setdefault(part, frozenset())
        return instance in streams[self.expression]

    def _apply(self, whole: Operation, parts: Sequence[Stream]) -> Stream:
        """The instances of an operation among those made of the given instances of its operands."""
        if whole.operator == "neg":
            if whole not in self._kept:
                self._kept[whole] = ~_inside(self.matrix(whole.operands[1]))
            kept, position = self._kept[whole], self.position
            return frozenset(each for each in parts[0] if kept[position[each.start], position[each.end]])
        few = prod(len(part) or 1 for part in parts) <= MAX_CANDIDATES  # nearly always: there is nothing to check
        bound = None if whole.bound is None else evaluate_bound(whole.bound)
        return apply_operator(whole.definition, parts, bound, limit=None if few else MAX_CANDIDATES)


def operator_matrix(operator: str, times: Times, operands: Sequence[Matrix], bound: int | None) -> Matrix:
    """The matrix that an operator yields from those of its operands S and T, and a bound; LimitExceeded for others."""
    s, t = operands[0], operands[-1]
    match operator:
        case "dis":
            return s | t
        case "neg":
            return s & ~_inside(t)
        case "seq":
            return _first_ends(s)[:, None] < _last_starts(t)[None, :]
        case "tim":
            return s & (times[None, :] - times[:, None] <= min(bound or 0, _TIME_LIMIT))
        case "con":  # one lies within the other, or one starts the union, ending within it, and the other one ends it
            return (s & _inside(t)) | (t & _inside(s)) | _crossing(s, t) | _crossing(t, s)
        case _:
            remedy = "Ask for instances: leave out --level intervals."
            raise LimitExceeded(f"no formula on matrices is stated for the operator {operator}", remedy=remedy)


def _crossing(first: Matrix, second: Matrix) -> Matrix:
    index = np.arange(len(first))
    return (_first_ends(first)[:, None] <= index[None, :]) & (_last_starts(second)[None, :] >= index[:, None])


def _inside(cells: Matrix) -> Matrix:
    """Whether an interval lies within (i, j)."""
    later = np.logical_or.accumulate(cells[::-1], axis=0)[::-1]
    return np.asarray(np.logical_or.accumulate(later, axis=1))


def _first_ends(cells: Matrix) -> Times:
    """Per start the least end of an interval; the number of instants where there is none."""
    return np.where(cells.any(axis=1), cells.argmax(axis=1) if cells.size else 0, len(cells))


def _last_starts(cells: Matrix) -> Times:
    """Per end the greatest start of an interval; -1 where there is none."""
    return np.where(cells.any(axis=0), len(cells) - 1 - cells[::-1].argmax(axis=0) if cells.size else 0, -1)
