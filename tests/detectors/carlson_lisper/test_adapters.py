"""How traces are fed to detectors of intervals when they are tried on cases."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.carlson_lisper.adapters import MAX_SPAN, SideBySide, Stepping, Stretched, letter_of
from detectors.carlson_lisper.fast.batches import Batch
from detectors.carlson_lisper.feeding_plans import LONG_STRETCHES, MAX_DENSE, MAX_STRETCH, WAYS, Instant, plan
from detectors.carlson_lisper.generated.generated import Generated
from detectors.carlson_lisper.protocol import instants
from laws.carlson_lisper.checks.strategies import expressions, traces
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.interpretations import Interpretation
from semantics.carlson_lisper.intervals import interval_denotation
from semantics.carlson_lisper.syntax import parse
from semantics.errors import LimitExceeded

quick = settings(deadline=None, max_examples=60)
SEQUENCE = parse("a ; b")

trains: st.SearchStrategy[list[Instant]] = st.lists(
    st.tuples(st.integers(0, 10**5) | st.integers(0, 60), st.just({"a": None})), unique_by=lambda i: i[0]
).map(sorted)


@quick
@given(trains)
def test_the_stretches_of_a_plan_are_the_trace_in_order(trace: list[Instant]) -> None:
    stretches = list(plan(SEQUENCE, trace))
    assert [instant for stretch in stretches for instant in stretch.instants] == trace
    assert sum(stretch.way == "snapshot" for stretch in stretches) <= 1
    free = 0
    for stretch in stretches:
        if stretch.way == "chunk":
            assert free <= stretch.first <= stretch.instants[0][0]
            assert stretch.instants[-1][0] < stretch.stop <= stretch.first + MAX_DENSE
            free = stretch.stop
        elif stretch.instants:
            assert free <= stretch.instants[0][0]
            free = stretch.instants[-1][0] + 1


def test_plans_use_every_way_and_are_the_same_again() -> None:
    traces_ = [[(time * step, {"a": None}) for time in range(20)] for step in range(1, 60)]
    plans = [list(plan(SEQUENCE, trace)) for trace in traces_]
    assert plans == [list(plan(SEQUENCE, trace)) for trace in traces_]
    ways = Counter(stretch.way for stretches in plans for stretch in stretches)
    assert all(ways[way] > 10 for way in (*WAYS, "snapshot"))


def test_most_stretches_are_short_and_some_are_longer_than_a_word_in_every_way() -> None:
    traces_: list[list[Instant]] = [[(time, {"a": None}) for time in range(300)] for _ in range(50)]
    for number, trace in enumerate(traces_):
        trace[number] = (number, {"b": None})
    stretches = [stretch for trace in traces_ for stretch in plan(SEQUENCE, trace)]
    long = [stretch for stretch in stretches if len(stretch.instants) > MAX_STRETCH]
    assert 0 < len(long) < len(stretches) / 5
    assert {stretch.way for stretch in long} == set(WAYS)
    whole = [len(stretch.instants) for stretch in long if stretch.instants[-1][0] < 299]
    assert min(whole) >= LONG_STRETCHES[0] and max(whole) <= LONG_STRETCHES[1]


@quick
@given(expressions(max_leaves=5), traces())
def test_each_adapter_reports_the_restricted_intervals(expression: Expression, trace: Interpretation) -> None:
    feed = list(instants(trace))
    expected = interval_denotation(expression, trace).restricted()
    stepping = Stepping(Generated(expression, compiles=False))
    assert [found for time, occurring in feed if (found := stepping.step(time, occurring))] == expected
    stretched = Stretched(expression, lambda same: Generated(same, compiles=False))
    assert stretched.detect_trace(feed) == expected
    try:
        batch = SideBySide(expression, lambda same, traces: Batch(same, traces, compiles=False))
    except LimitExceeded:
        return
    assert batch.detect_trace(feed) == expected


def test_events_without_a_name_are_left_out_of_a_letter() -> None:
    assert letter_of(("a", "b"), {"c": 1, "b": None}) == 2


def test_a_trace_of_too_many_ticks_is_not_taken_side_by_side() -> None:
    batch = SideBySide(SEQUENCE, lambda same, traces: Batch(same, traces, compiles=False))
    with pytest.raises(LimitExceeded, match="tick by tick"):
        batch.detect_trace([(0, {"a": None}), (MAX_SPAN, {"b": None})])
    assert batch.detect_trace([]) == []
