"""Steps of Figures 2 and 4 at their limits; that they are right is proved and tried in tests/proofs."""

from copy import copy, deepcopy
from pickle import dumps, loads

import pytest

from detectors.carlson_lisper.source.steps import (
    NON_OCCURRENCE,
    BoundedSequenceStep,
    RestrictionStep,
    SequenceStep,
)
from semantics.carlson_lisper.occurrences import Instance, Occurrence


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


def test_the_non_occurrence_starts_and_ends_before_every_time() -> None:
    assert NON_OCCURRENCE.interval == (-1, -1)
    assert NON_OCCURRENCE.occurrences == frozenset()
    assert repr(NON_OCCURRENCE) == "⟨⟩"
    assert Instance.primitive("a", 0) != NON_OCCURRENCE


def test_there_is_one_non_occurrence_also_after_copying_and_pickling() -> None:
    for again in (copy(NON_OCCURRENCE), deepcopy(NON_OCCURRENCE), loads(dumps(NON_OCCURRENCE))):
        assert again is NON_OCCURRENCE


@pytest.mark.parametrize("ticks", [0, 1, 10**18])
def test_a_restriction_passes_on_the_non_occurrence_and_what_is_short_enough(ticks: int) -> None:
    step = RestrictionStep(ticks)
    assert step.step(NON_OCCURRENCE, NON_OCCURRENCE) is NON_OCCURRENCE
    fits, long = span(5, 5 + ticks), span(5, 6 + ticks)
    assert step.step(fits, fits) is fits
    assert step.step(long, long) is NON_OCCURRENCE
