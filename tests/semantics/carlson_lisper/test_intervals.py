"""Interval matrices: the formulas of the operators against enumeration, and the limits of traces."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from semantics.carlson_lisper import intervals
from semantics.carlson_lisper.denotation import apply_operator
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.syntax import parse
from semantics.errors import LimitExceeded
from semantics.events import Interval

Case = tuple[NDArray[np.int64], list[intervals.Matrix], int]


@st.composite
def operands(draw: st.DrawFn, max_instants: int = 5, max_time: int = 12) -> Case:
    """Times, two matrices over them (an interval never ends before it starts), and a bound."""
    times = sorted(draw(st.sets(st.integers(0, max_time), max_size=max_instants)))
    size = len(times)
    pairs = [(i, j) for i in range(size) for j in range(i, size)]
    matrices = []
    for _ in range(2):
        cells = np.zeros((size, size), dtype=np.bool_)
        for pair in draw(st.sets(st.sampled_from(pairs)) if pairs else st.just(set[tuple[int, int]]())):
            cells[pair] = True
        matrices.append(cells)
    return np.array(times, dtype=np.int64), matrices, draw(st.integers(0, max_time))


@pytest.mark.parametrize("name", OPERATORS)
@settings(deadline=None, max_examples=100)
@given(operands())
def test_an_operator_on_matrices_equals_its_enumeration(name: str, case: Case) -> None:
    times, matrices, bound = case
    definition = OPERATORS[name]
    arguments = matrices[: definition.arity]
    value = bound if definition.bounded else None
    streams = [frozenset(Interval(*times[list(cell)].tolist()) for cell in np.argwhere(cells)) for cells in arguments]
    found = intervals.operator_matrix(name, times, arguments, value)
    assert {tuple(times[cell]) for cell in np.argwhere(found)} == apply_operator(definition, streams, value)


def test_large_sparse_times_are_exact() -> None:
    far = 2**62 - 1
    trace = interpretation([Occurrence("a", 0), Occurrence("b", far), Occurrence("a", far - 1)])
    assert intervals.Intervals(parse("a ; b"), trace).intervals() == [(0, far), (far - 1, far)]
    assert intervals.Intervals(parse(f"(a ; b)[{10**18}]"), trace).intervals() == [(far - 1, far)]


def test_only_the_events_of_the_expression_take_room() -> None:
    trace = interpretation(
        [*(Occurrence("noise", time) for time in range(intervals.MAX_INSTANTS + 1)), Occurrence("a", 7)]
    )
    assert intervals.Intervals(parse("a | b"), trace).intervals() == [(7, 7)]


def test_too_many_distinct_times_or_one_beyond_64_bits_are_refused_with_a_way_out() -> None:
    trace = interpretation(Occurrence("a", time) for time in range(intervals.MAX_INSTANTS + 1))
    with pytest.raises(LimitExceeded, match=f"{intervals.MAX_INSTANTS + 1:,} distinct times") as caught:
        intervals.Intervals(parse("a"), trace)
    assert "remora detect" in caught.value.remedy
    with pytest.raises(LimitExceeded, match="beyond the limit"):
        intervals.Intervals(parse("a"), interpretation([Occurrence("a", 2**62)]))


def test_an_operator_without_a_formula_is_refused() -> None:
    with pytest.raises(LimitExceeded, match="no formula on matrices is stated for the operator met"):
        intervals.operator_matrix("met", np.array([]), [np.zeros((0, 0), dtype=np.bool_)] * 2, None)
