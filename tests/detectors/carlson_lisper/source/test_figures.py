"""The algorithms of Figures 2 and 4, and their steps at their limits; that they are right is proved."""

import copy
from pickle import dumps, loads

import pytest

from detectors.carlson_lisper.protocol import instants, run
from detectors.carlson_lisper.source.figure2 import Figure2, figure4
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, BoundedSequenceStep, SequenceStep
from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Identifier
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Occurrence, interpretation
from semantics.carlson_lisper.syntax import parse


def scenario(text: str) -> Interpretation:
    """`a@1 b@3`: what occurs, and when."""
    pairs = (word.split("@") for word in text.split())
    return interpretation(Occurrence(event, int(time)) for event, time in pairs)


@pytest.mark.parametrize(
    ("pattern", "trace"), [("a | b", "a@1 b@1"), ("(a + c) | b", "a@0 b@1 c@1"), ("b | (a + c)", "a@0 b@1 c@1")]
)
def test_of_two_that_end_together_the_later_started_is_taken_and_else_the_right_one(pattern: str, trace: str) -> None:
    assert list(run(Figure2(parse(pattern)), instants(scenario(trace)))) == [Instance.primitive("b", 1)]


@pytest.mark.parametrize("time", [5, 4, 0, -1])
def test_time_does_not_stand_still_or_run_backwards(time: int) -> None:
    detector = Figure2(parse("a ; b"))
    detector.step(5, {"a": None})
    before = detector.state()
    with pytest.raises(ValueError, match=f"time {time} is not later than time 5"):
        detector.step(time, {"b": None})
    assert detector.state() == before
    assert detector.step(6, {"b": None}) is not None


def test_the_state_is_listed_by_subexpression_with_the_variables_of_the_source() -> None:
    detector = Figure2(parse("((a + b) ; c)[9] - d"))
    for time, event in enumerate("abd", start=1):
        detector.step(time, {event: None})
    found = [
        each._replace(variables={name: repr(value) for name, value in each.variables.items()})
        for each in detector.state()
    ]
    assert found == [
        NodeState(3, parse("a + b"), {"l": "{a@1}", "r": "{b@2}"}, 2, 2),
        NodeState(5, parse("(a + b) ; c"), {"t": "1", "q": "[{a@1, b@2}]"}, 1, UNBOUNDED),
        NodeState(6, parse("((a + b) ; c)[9]"), {}, 0, 0),
        NodeState(8, parse("((a + b) ; c)[9] - d"), {"t": "3"}, 0, 0),
    ]


@pytest.mark.parametrize("label", [0, 1])
def test_a_label_that_is_too_short_is_not_trusted(label: int) -> None:
    pattern = parse(f"a ;[{label}] (b + c)")
    trace = scenario("a@0 b@1 a@3 c@9")
    for detector in (figure4(pattern), Figure2(pattern)):
        assert [instance.interval for instance in run(detector, instants(trace))] == [(0, 9)]


def test_deep_expressions_are_detected() -> None:
    right: Expression = Identifier("a")
    left: Expression = Identifier("a")
    for _ in range(200):
        right = Identifier("b").then(right)
        left = (left.then(Identifier("b")) | Identifier("a"))[7]
    for expression in (right, left):
        detector, other = figure4(expression), Figure2(expression)
        for time in range(12):
            occurring = {"ab"[time % 2]: None}
            first, second = detector.step(time, occurring), other.step(time, occurring)
            assert (first and first.interval) == (second and second.interval)


def span(start: int, end: int) -> Instance:
    return Instance([Occurrence("x", start), Occurrence("x", end)])


@pytest.mark.parametrize("ticks", [0, 1, 4])
def test_the_bound_of_a_bounded_sequence_is_reached(ticks: int) -> None:
    step = BoundedSequenceStep(ticks)
    for time in range(ticks + 3):
        step.step(span(time, time), NON_OCCURRENCE)
    assert step.stored() == step.bound == ticks + 2


def test_a_right_instance_longer_than_the_label_is_not_what_a_bounded_sequence_is_for() -> None:
    # the hypothesis of Lemma 5.7 is needed
    bounded, unbounded = BoundedSequenceStep(0), SequenceStep()
    for step in (bounded, unbounded):
        step.step(span(0, 0), NON_OCCURRENCE)
        step.step(span(1, 1), NON_OCCURRENCE)
    assert unbounded.step(NON_OCCURRENCE, span(1, 3)).interval == (0, 3)
    assert bounded.step(NON_OCCURRENCE, span(1, 3)).interval == (1, 3)


def test_there_is_one_non_occurrence_also_after_copying_and_pickling() -> None:
    for again in (copy.copy(NON_OCCURRENCE), copy.deepcopy(NON_OCCURRENCE), loads(dumps(NON_OCCURRENCE))):
        assert again is NON_OCCURRENCE
