"""What the semantics says of many traces at once: the interval denotation as words of bits.

A stream is an array of shape (ticks, lanes): the word at an end is the set of the starts of intervals that end there,
bit i for tick i. Every operator looks at intervals alone (see `semantics.carlson_lisper.intervals`, whose
definitions these are judged
by), and a set of starts often matters by its greatest element only, so each operator is a few operations on words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from campaigns.vectorised.cases import MAX_TICKS
from campaigns.vectorised.traces import Words
from semantics.carlson_lisper.expressions import Bound, Expression, evaluate_bound, fold

LaneOperator: TypeAlias = Callable[[Sequence[Words], int], Words]
"""An operator on streams of shape (ticks, lanes), with the bound in ticks for those that have one."""

Starts: TypeAlias = NDArray[np.int8]
"""Shape (ticks, lanes): the start of what is detected at each tick, -1 for nothing."""


def up_to_greatest(sets: Words) -> Words:
    """All ticks up to the greatest of each set; none for the empty set."""
    filled = sets
    for distance in (1, 2, 4, 8, 16, 32):
        filled = filled | filled >> np.uint64(distance)
    return filled


def greatest(sets: Words) -> Starts:
    """The greatest tick of each set; -1 for the empty set."""
    return np.bitwise_count(up_to_greatest(sets)).astype(np.int8) - np.int8(1)


def so_far(stream: Words) -> Words:
    """The starts of the intervals that end at each tick or before."""
    return np.bitwise_or.accumulate(stream, axis=0)


def _disjunction(operands: Sequence[Words], _bound: int) -> Words:
    """The intervals of either side."""
    return operands[0] | operands[1]


def _conjunction(operands: Sequence[Words], _bound: int) -> Words:
    """From the earlier start to the later end: one side ends now, the other now or before."""
    left, right = operands
    return _earlier(left, so_far(right)) | _earlier(so_far(left), right)


def _earlier(some: Words, others: Words) -> Words:
    """The earlier of each pair of starts, one out of each set."""
    return some & up_to_greatest(others) | others & up_to_greatest(some)


def _negation(operands: Sequence[Words], _bound: int) -> Words:
    """The left intervals that start after the latest start of a right one that has ended: no other is free of them."""
    left, right = operands
    return left & ~up_to_greatest(so_far(right))


def _sequence(operands: Sequence[Words], _bound: int) -> Words:
    """The starts of left intervals that end before the latest start of a right one that ends now."""
    left, right = operands
    ended_before = np.concatenate([np.zeros_like(left[:1]), so_far(left)])
    latest = np.maximum(
        greatest(right), 0
    )  # nothing has ended before tick 0, so that it also stands for no start
    return np.take_along_axis(ended_before, latest.astype(np.intp), axis=0)


def _restriction(operands: Sequence[Words], bound: int) -> Words:
    """The intervals of at most so many ticks."""
    (stream,) = operands
    recent = [(2 << end) - (1 << max(0, end - bound)) for end in range(len(stream))]
    return stream & np.array(recent, np.uint64)[:, None]


LANE_OPERATORS: Mapping[str, LaneOperator] = MappingProxyType(
    {
        "dis": _disjunction,
        "con": _conjunction,
        "neg": _negation,
        "seq": _sequence,
        "tim": _restriction,
    }
)
"""The operators by name (Def. 3.10)."""


def lane_denotation(
    expression: Expression,
    planes: Mapping[str, Words],
    ticks: int,
    operators: Mapping[str, LaneOperator] = LANE_OPERATORS,
) -> Words:
    """The starts of the intervals of a ground expression for each end, shape (ticks, lanes).

    Args:
        expression: a ground expression.
        planes: the ticks at which each event type occurs, shape (lanes,).
        ticks: the number of ticks, at most `MAX_TICKS`.
        operators: what each operator does.
    """
    instants = _ticks(ticks)

    def operation(name: str, operands: Sequence[Words], bound: Bound | None) -> Words:
        return operators[name](operands, 0 if bound is None else min(evaluate_bound(bound), MAX_TICKS))

    return fold(expression, lambda name: planes[name] & instants, operation)


def _ticks(ticks: int) -> Words:
    """The set of each tick alone, shape (ticks, 1)."""
    return (np.uint64(1) << np.arange(ticks, dtype=np.uint64))[:, None]
