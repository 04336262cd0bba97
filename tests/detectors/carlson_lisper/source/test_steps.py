"""The steps of Figures 2 and 4 one by one: what each remembers, and what each must not do."""

from collections.abc import Callable, Iterable
from copy import copy, deepcopy
from pickle import dumps, loads

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.carlson_lisper.source.steps import (
    NON_OCCURRENCE,
    BoundedSequenceStep,
    CandidateQueue,
    ConjunctionStep,
    DisjunctionStep,
    NegationStep,
    RestrictionStep,
    SequenceStep,
    Step,
)
from semantics.carlson_lisper.finite import apply_operator
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.restriction import valid

quick = settings(deadline=None, max_examples=60)

History = list[tuple[Instance, Instance]]
"""The current instances of the two operands at times 0, 1, 2, …"""


@st.composite
def histories(draw: st.DrawFn, length: int = 10) -> History:
    """Whatever two operands may output: at each time nothing, or an instance that ends then and starts before."""

    def output(event: str, time: int) -> Instance:
        start = draw(st.none() | st.integers(0, time))
        if start is None:
            return NON_OCCURRENCE
        return Instance([Occurrence(event, start), Occurrence(event, time)])

    return [(output("j", time), output("k", time)) for time in range(draw(st.integers(0, length)))]


def stream(instances: Iterable[Instance]) -> Stream:
    """A(j) of Def. 5.1: what is no non-occurrence."""
    return frozenset(instance for instance in instances if instance is not NON_OCCURRENCE)


def span(start: int, end: int) -> Instance:
    return Instance([Occurrence("x", start), Occurrence("x", end)])


# ----------------------------------------------------------------------------------------------- every step is valid


RESTRICTED_TO = 3


@pytest.mark.parametrize(
    ("operator", "make"),
    [
        ("dis", DisjunctionStep),
        ("con", ConjunctionStep),
        ("neg", NegationStep),
        ("seq", SequenceStep),
        ("tim", lambda: RestrictionStep(RESTRICTED_TO)),
    ],
)
@quick
@given(history=histories())
def test_a_step_is_valid_for_the_operator_whatever_the_operands_have_put_out(
    operator: str, make: Callable[[], Step], history: History
) -> None:
    # Lemmas 5.2-5.6, conclusion i, for arbitrary outputs of the operands
    definition, step = OPERATORS[operator], make()
    for time, (left, right) in enumerate(history):
        output = step.step(left, right)
        past = history[: time + 1]
        operands = (stream(j for j, _ in past), stream(k for _, k in past))[: definition.arity]
        meaning = apply_operator(definition, operands, RESTRICTED_TO if definition.bounded else None)
        assert valid(None if output is NON_OCCURRENCE else output, meaning, time)


# ----------------------------------------------------------------------------------------------------- invariants


@quick
@given(histories())
def test_a_conjunction_remembers_the_latest_started_instance_of_each_side(history: History) -> None:
    # constate, Def. 5.3
    step = ConjunctionStep()
    for time in range(len(history) + 1):
        for kept, past in (
            (step.left, stream(left for left, _ in history[:time])),
            (step.right, stream(right for _, right in history[:time])),
        ):
            if past:
                assert kept in past
                assert kept.start == max(instance.start for instance in past)
            else:
                assert kept is NON_OCCURRENCE
        assert step.stored() <= 2
        if time < len(history):
            step.step(*history[time])


@quick
@given(histories())
def test_a_negation_remembers_the_greatest_start_of_its_right_side(history: History) -> None:
    # negstate, Def. 5.4
    step = NegationStep()
    for time in range(len(history) + 1):
        past = stream(right for _, right in history[:time])
        assert step.latest == max((instance.start for instance in past), default=-1)
        if time < len(history):
            step.step(*history[time])


@quick
@given(histories())
def test_a_sequence_remembers_the_left_instances_that_no_other_lies_within(history: History) -> None:
    # seqstate, Def. 5.5
    step = SequenceStep()
    for time in range(len(history) + 1):
        past = stream(left for left, _ in history[:time])
        assert step.latest == max((instance.start for instance in past), default=-1)
        undominated = {
            e for e in past if not any(o != e and e.start <= o.start and o.end <= e.end for o in past)
        }
        assert set(step.queue.contents()) == undominated
        assert step.stored() == len(undominated)
        if time < len(history):
            step.step(*history[time])


@quick
@given(histories())
def test_what_a_step_says_that_it_stores_is_what_it_stores(history: History) -> None:
    steps: list[Step] = [
        DisjunctionStep(),
        ConjunctionStep(),
        NegationStep(),
        RestrictionStep(3),
        SequenceStep(),
    ]
    for time in range(len(history) + 1):
        for step in steps:
            held = step.variables().values()
            queued = sum(len(value) for value in held if isinstance(value, CandidateQueue))
            single = sum(isinstance(value, Instance) and value is not NON_OCCURRENCE for value in held)
            assert step.stored() == queued + single <= step.bound
            if time < len(history):
                step.step(*history[time])


# ------------------------------------------------------------------------------------------------ sequences, Figure 4


@st.composite
def labelled_histories(draw: st.DrawFn) -> tuple[int, list[tuple[int, Instance, Instance]]]:
    """A label, and what two operands may output at some times, the right one nothing longer than the label."""
    ticks = draw(st.integers(0, 5))
    history = []
    for time in sorted(draw(st.sets(st.integers(0, 25), max_size=14))):
        left, right = (
            draw(st.none() | st.integers(max(0, time - longest), time)) for longest in (time, ticks)
        )
        history.append((time, _output("j", left, time), _output("k", right, time)))
    return ticks, history


def _output(event: str, start: int | None, end: int) -> Instance:
    return NON_OCCURRENCE if start is None else Instance([Occurrence(event, start), Occurrence(event, end)])


Labelled = tuple[int, list[tuple[int, Instance, Instance]]]


@quick
@given(labelled_histories())
def test_a_bounded_sequence_is_valid_if_no_right_instance_is_longer_than_its_label(
    labelled: Labelled,
) -> None:
    # Lemma 5.7, conclusion ii
    ticks, history = labelled
    step = BoundedSequenceStep(ticks)
    for number, (time, left, right) in enumerate(history, start=1):
        output = step.step(left, right)
        past = history[:number]
        operands = stream(j for _, j, _ in past), stream(k for _, _, k in past)
        meaning = apply_operator(OPERATORS["seq"], operands)
        assert valid(None if output is NON_OCCURRENCE else output, meaning, time)


@quick
@given(labelled_histories())
def test_a_bounded_sequence_outputs_what_an_unbounded_one_outputs(labelled: Labelled) -> None:
    ticks, history = labelled
    bounded, unbounded = BoundedSequenceStep(ticks), SequenceStep()
    for _, left, right in history:
        assert bounded.step(left, right).interval == unbounded.step(left, right).interval


@quick
@given(labelled_histories())
def test_a_bounded_sequence_remembers_what_can_still_matter(labelled: Labelled) -> None:
    # newstate, Def. 5.6, where the window moves when something occurs
    ticks, history = labelled
    step = BoundedSequenceStep(ticks)
    horizon = -ticks
    for number in range(len(history) + 1):
        past = stream(left for _, left, _ in history[:number])
        useful = {e for e in past if not any(o != e and e.start <= o.start and o.end <= e.end for o in past)}
        early = [e for e in past if e.end < horizon]
        assert step.latest == max((e.start for e in past), default=-1)
        assert set(step.queue.contents()) == {e for e in useful if e.end >= horizon}
        if early:
            assert step.last in early
            assert step.last.start == max(e.start for e in early)
        else:
            assert step.last is NON_OCCURRENCE
        if number < len(history):
            time, left, right = history[number]
            step.step(left, right)
            if (left, right) != (NON_OCCURRENCE, NON_OCCURRENCE):
                horizon = time - ticks


@quick
@given(labelled_histories())
def test_a_bounded_sequence_stores_at_most_two_instances_more_than_its_label(labelled: Labelled) -> None:
    ticks, history = labelled
    step = BoundedSequenceStep(ticks)
    assert (step.bound, step.stored()) == (ticks + 2, 0)
    for _, left, right in history:
        step.step(left, right)
        held = len(step.queue) + (step.last is not NON_OCCURRENCE)
        assert step.stored() == held <= ticks + 2


@pytest.mark.parametrize("ticks", [0, 1, 4])
def test_the_bound_of_a_bounded_sequence_is_reached(ticks: int) -> None:
    step = BoundedSequenceStep(ticks)
    for time in range(ticks + 3):
        step.step(span(time, time), NON_OCCURRENCE)
    assert step.stored() == step.bound == ticks + 2


def test_a_bounded_sequence_may_meet_a_right_instance_as_long_as_its_label() -> None:
    step = BoundedSequenceStep(2)
    assert step.step(span(0, 0), NON_OCCURRENCE) is NON_OCCURRENCE
    assert step.step(span(3, 3), NON_OCCURRENCE) is NON_OCCURRENCE
    assert step.step(NON_OCCURRENCE, span(3, 5)).interval == (
        0,
        5,
    )  # what ended when it started does not count
    assert step.step(NON_OCCURRENCE, span(4, 6)).interval == (3, 6)


def test_a_right_instance_longer_than_the_label_is_not_what_a_bounded_sequence_is_for() -> None:
    # the hypothesis of Lemma 5.7 is needed
    bounded, unbounded = BoundedSequenceStep(0), SequenceStep()
    for step in (bounded, unbounded):
        step.step(span(0, 0), NON_OCCURRENCE)
        step.step(span(1, 1), NON_OCCURRENCE)
    assert unbounded.step(NON_OCCURRENCE, span(1, 3)).interval == (0, 3)
    assert bounded.step(NON_OCCURRENCE, span(1, 3)).interval == (1, 3)


# ------------------------------------------------------------------------------------------------------- the queue


@quick
@given(histories(), st.lists(st.integers(-3, 12), max_size=4))
def test_what_is_evicted_is_forgotten_and_its_latest_is_returned(history: History, times: list[int]) -> None:
    step = SequenceStep()
    for left, right in history:
        step.step(left, right)
    queue = step.queue
    assert isinstance(queue, CandidateQueue)
    for time in times:
        before, expected = list(queue._instances), queue.latest_before(time)
        assert queue.evict_before(time) is expected
        assert queue._instances == [instance for instance in before if instance.end >= time]
        assert queue._ends == [instance.end for instance in queue._instances]
        assert len(queue) == len(queue._instances)
        assert queue.latest_before(time) is NON_OCCURRENCE


def test_nothing_is_evicted_from_an_empty_queue() -> None:
    queue = CandidateQueue()
    assert queue.evict_before(10) is NON_OCCURRENCE
    assert len(queue) == 0
    assert repr(queue) == "[]"


@quick
@given(histories(), st.integers(0, 11))
def test_the_queue_finds_the_greatest_start_among_those_that_ended_before(
    history: History, time: int
) -> None:
    step = SequenceStep()
    for left, right in history:
        step.step(left, right)
    ended = [instance for instance in step.queue.contents() if instance.end < time]
    expected = max(ended, key=lambda instance: instance.start, default=NON_OCCURRENCE)
    assert step.queue.latest_before(time) is expected


def test_the_queue_is_sorted_by_start_and_by_end_at_once() -> None:
    queue = CandidateQueue()
    for instance in (span(0, 2), span(1, 4), span(4, 5)):
        queue.push(instance)
    assert [queue.latest_before(time).start for time in (0, 2, 3, 4, 5, 6)] == [-1, -1, 0, 0, 1, 4]
    assert len(queue) == 3


# ------------------------------------------------------------------------------------------------- non-occurrence


def test_the_non_occurrence_starts_and_ends_before_every_time() -> None:
    assert NON_OCCURRENCE.interval == (-1, -1)
    assert NON_OCCURRENCE.occurrences == frozenset()
    assert repr(NON_OCCURRENCE) == "⟨⟩"
    assert Instance.primitive("a", 0) != NON_OCCURRENCE


def test_there_is_one_non_occurrence_also_after_copying_and_pickling() -> None:
    for again in (copy(NON_OCCURRENCE), deepcopy(NON_OCCURRENCE), loads(dumps(NON_OCCURRENCE))):
        assert again is NON_OCCURRENCE


@pytest.mark.parametrize(
    "make",
    [DisjunctionStep, ConjunctionStep, NegationStep, SequenceStep, lambda: BoundedSequenceStep(1)],
)
def test_nothing_comes_of_nothing(make: Callable[[], Step]) -> None:
    step = make()
    for _ in range(3):
        assert step.step(NON_OCCURRENCE, NON_OCCURRENCE) is NON_OCCURRENCE
    assert step.stored() == 0


@pytest.mark.parametrize("ticks", [0, 1, 10**18])
def test_a_restriction_passes_on_the_non_occurrence_and_what_is_short_enough(ticks: int) -> None:
    step = RestrictionStep(ticks)
    assert step.step(NON_OCCURRENCE, NON_OCCURRENCE) is NON_OCCURRENCE
    fits, long = span(5, 5 + ticks), span(5, 6 + ticks)
    assert step.step(fits, fits) is fits
    assert step.step(long, long) is NON_OCCURRENCE
