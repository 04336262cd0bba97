"""Plans that are given: the same feeding as chosen ones, told by ticks."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns.carlson_lisper.cases import Case, generate
from detectors.carlson_lisper.feeding_plans import MAX_DENSE, Instant, Stretch, plan
from detectors.carlson_lisper.fixed_plans import SNAPSHOT, Part, Plan, plan_from_json, plan_of

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
