"""Interval matrices: the formulas of the operators against enumeration, and the limits of traces."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.carlson_lisper.checks.strategies import expressions, traces
from semantics.carlson_lisper import intervals
from semantics.carlson_lisper.expressions import Expression, evaluate_bound, replaced
from semantics.carlson_lisper.occurrences import Interpretation, Occurrence, interpretation
from semantics.carlson_lisper.syntax import parse
from semantics.errors import LimitExceeded


@settings(deadline=None, max_examples=25)
@given(expressions(), traces(), st.sampled_from([2, 10**6, 2**40]))
def test_only_the_order_of_times_matters_when_bounds_grow_with_them(
    expression: Expression, trace: Interpretation, factor: int
) -> None:
    stretched = interpretation(Occurrence(o.event, o.time * factor) for o in trace.occurrences())
    scaled = replaced(expression, bound=lambda bound: evaluate_bound(bound) * factor)
    found = intervals.Intervals(expression, trace).intervals()
    assert [(start * factor, end * factor) for start, end in found] == intervals.Intervals(
        scaled, stretched
    ).intervals()


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


def test_too_many_distinct_times_are_refused_with_a_way_out() -> None:
    trace = interpretation(Occurrence("a", time) for time in range(intervals.MAX_INSTANTS + 1))
    with pytest.raises(LimitExceeded, match=f"{intervals.MAX_INSTANTS + 1:,} distinct times") as caught:
        intervals.Intervals(parse("a"), trace)
    assert "remora detect" in caught.value.remedy


def test_a_time_beyond_64_bits_is_refused() -> None:
    with pytest.raises(LimitExceeded, match="beyond the limit"):
        intervals.Intervals(parse("a"), interpretation([Occurrence("a", 2**62)]))
