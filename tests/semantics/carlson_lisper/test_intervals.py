"""Interval matrices: the limits of traces; `test_denotation` has their meaning."""

import pytest

from semantics.carlson_lisper import intervals
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.syntax import parse
from semantics.errors import LimitExceeded


def test_large_sparse_times_are_exact() -> None:
    far = 2**62 - 1
    trace = interpretation([Occurrence("a", 0), Occurrence("b", far), Occurrence("a", far - 1)])
    assert intervals.Intervals(parse("a ; b"), trace).intervals() == [(0, far), (far - 1, far)]
    assert intervals.Intervals(parse(f"(a ; b)[{10**18}]"), trace).intervals() == [(far - 1, far)]


def test_too_many_distinct_times_of_its_events_or_one_beyond_64_bits_are_refused_with_a_way_out() -> None:
    many = [Occurrence("a", time) for time in range(intervals.MAX_INSTANTS + 1)]
    trace = interpretation([*many, Occurrence("b", 7)])
    assert intervals.Intervals(parse("b | c"), trace).intervals() == [(7, 7)]
    with pytest.raises(LimitExceeded, match=f"{intervals.MAX_INSTANTS + 1:,} distinct times") as caught:
        intervals.Intervals(parse("a"), trace)
    assert "remora detect" in caught.value.remedy
    with pytest.raises(LimitExceeded, match="beyond the limit"):
        intervals.Intervals(parse("a"), interpretation([Occurrence("a", 2**62)]))


def test_an_operator_without_a_formula_is_refused() -> None:
    with pytest.raises(LimitExceeded, match="no formula on matrices is stated for the operator met"):
        nothing = intervals.Intervals(parse("a"), interpretation([]))
        intervals.operator_matrix("met", nothing.times, [nothing.matrix(parse("a"))] * 2, None)
