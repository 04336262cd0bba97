"""Plans of feeding: those that are chosen, and those that are given."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns.carlson_lisper.cases import Case, generate
from detectors.carlson_lisper.plans import (
    LONG_STRETCHES,
    MAX_DENSE,
    MAX_STRETCH,
    SNAPSHOT,
    WAYS,
    Instant,
    Part,
    Plan,
    Stretch,
    plan,
    plan_from_json,
    plan_of,
)
from semantics.carlson_lisper.syntax import parse

SEQUENCE = parse("a ; b")

trains: st.SearchStrategy[list[Instant]] = st.lists(
    st.tuples(st.integers(0, 10**5) | st.integers(0, 60), st.just({"a": None})), unique_by=lambda i: i[0]
).map(sorted)


@settings(deadline=None, max_examples=60)
@given(trains)
def test_the_stretches_of_a_plan_are_the_trace_in_order(trace: list[Instant]) -> None:
    stretches = list(plan(SEQUENCE, trace))
    assert [instant for stretch in stretches for instant in stretch.instants] == trace
    assert sum(stretch.way == SNAPSHOT for stretch in stretches) <= 1
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
    assert all(ways[way] > 10 for way in (*WAYS, SNAPSHOT))


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


cases = st.integers(0, 10**6).map(lambda number: generate(7, number))


def plainly(stretches: list[Stretch]) -> list[Stretch]:
    """Without what makes no difference: the ends of what is no chunk, and cuts between steps."""
    found: list[Stretch] = []
    for each in stretches:
        if each.way == "step" and found and found[-1].way == "step":
            found[-1] = replace(found[-1], instants=found[-1].instants + each.instants)
        else:
            found.append(each if each.way == "chunk" else replace(each, first=0, stop=0))
    return found


@settings(deadline=None, max_examples=100)
@given(cases)
def test_a_chosen_plan_cuts_the_trace_in_the_same_way_when_it_is_given(case: Case) -> None:
    trace = list(case.instants())
    chosen = list(plan(case.expression, trace))
    fixed = plan_of(chosen)
    assert plainly(list(fixed.stretches(trace))) == plainly(chosen)
    assert plan_from_json(fixed.to_json()) == fixed


@settings(deadline=None, max_examples=100)
@given(cases, st.data())
def test_a_plan_feeds_all_of_another_trace_as_well_and_in_order(case: Case, data: st.DataObject) -> None:
    trace: list[Instant] = list(case.instants())
    fixed = plan_of(plan(case.expression, trace))
    others = [instant for instant in trace if data.draw(st.booleans())]
    stretches = list(fixed.stretches(others))
    assert [instant for stretch in stretches for instant in stretch.instants] == others
    since = data.draw(st.integers(0, 60))
    earlier = fixed.earlier(since, data.draw(st.integers(0, since)))
    assert len(earlier.parts) == len(fixed.parts)


def test_a_plan_follows_a_trace_that_becomes_earlier() -> None:
    fixed = Plan((Part("events", 2, 4), Part("chunk", 8, 12), Part(SNAPSHOT, 12, 12)))
    assert fixed.earlier(10, 5) == Plan((Part("events", 2, 4), Part("chunk", 5, 7), Part(SNAPSHOT, 7, 7)))


def test_a_plan_says_in_words_what_it_does() -> None:
    assert str(Plan()) == "instant by instant"
    parts = (Part("chunk", 19, 23), Part(SNAPSHOT, 23, 23), Part("sparse", 30, 31), Part("step", 31, 40))
    assert str(Plan(parts)) == (
        "the letters of ticks 19 to 22 in one chunk; a snapshot restored before tick 23;"
        " the columns of tick 30 at once; ticks 31 to 39 by steps; the rest instant by instant"
    )


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ((Part("thrown", 0, 1),), "'thrown' is no way"),
        ((Part("chunk", 3, 1),), "cannot begin at 3 and stop at 1"),
        ((Part("chunk", -1, 1),), "cannot begin at -1"),
        ((Part(SNAPSHOT, 1, 2),), "cannot begin at 1 and stop at 2"),
        ((Part("chunk", 0, MAX_DENSE + 1),), "more than 4,000 ticks"),
        ((Part("events", 0, 3), Part("step", 2, 4)), "begins at 2, before the end 3"),
    ],
)
def test_what_cannot_be_fed_is_no_plan(parts: tuple[Part, ...], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Plan(parts)
