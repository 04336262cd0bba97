"""The detector of Figure 4 as a whole: which step it runs for which label, what it outputs and what it keeps."""

from collections.abc import Mapping

import pytest

from detectors.carlson_lisper.source.figure2 import STEPS, Figure2, StepFactory
from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS, figure4
from detectors.carlson_lisper.source.steps import BoundedSequenceStep, ConjunctionStep, SequenceStep, Step
from detectors.carlson_lisper.source.transformation import transform
from proofs.carlson_lisper.lemmas.memory import CHOSEN as CLAIM
from proofs.carlson_lisper.runs.transformation import find_detector_counterexample
from proofs.carlson_lisper.scripts import obligations_of
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Operation
from tests.proofs.proving import THEOREMS, proved, unproved


def test_the_step_that_is_chosen_for_a_label_is_proved_to_be_right() -> None:
    parts = obligations_of(THEOREMS[CLAIM])
    assert [part.id for part in parts if not proved(part.text)] == []


def _always_bounded(operation: Operation) -> Step:
    ticks = 0 if operation.label == UNBOUNDED else operation.label
    return BoundedSequenceStep(ticks)  # type: ignore[arg-type]


def _never_bounded(operation: Operation) -> Step:
    return SequenceStep()


def _bounded_from_one(operation: Operation) -> Step:
    if operation.label is None or operation.label < 1 or operation.label == UNBOUNDED:
        return SequenceStep()
    return BoundedSequenceStep(operation.label)  # type: ignore[arg-type]


def _the_other_way_round(operation: Operation) -> Step:
    if operation.label != UNBOUNDED:
        return SequenceStep()
    return BoundedSequenceStep(0)


WRONG: Mapping[str, StepFactory] = {
    "a bound for every label": _always_bounded,
    "a bound for no label": _never_bounded,
    "no bound for the label 0": _bounded_from_one,
    "the other way round": _the_other_way_round,
}


@pytest.mark.parametrize("name", WRONG)
def test_another_choice_is_not_proved_and_shows_on_a_small_trace(name: str) -> None:
    steps = {**BOUNDED_STEPS, "seq": WRONG[name]}
    assert unproved(CLAIM, "int", Subject(steps=steps)) == f"{CLAIM}/seq"
    assert find_detector_counterexample(steps) is not None


def test_a_step_of_another_operator_that_is_not_figure_2s_is_not_proved() -> None:
    steps: dict[str, StepFactory] = {**BOUNDED_STEPS, "con": lambda _: ConjunctionStep()}
    assert unproved(CLAIM, "int", Subject(steps=steps)) == f"{CLAIM}/con"


def test_nothing_is_found_wrong_with_the_running_detector() -> None:
    assert find_detector_counterexample() is None


def _without_its_transformation(expression: Expression, steps: Mapping[str, StepFactory]) -> Figure2:
    return Figure2(expression, steps)


def _under_a_restriction(expression: Expression, steps: Mapping[str, StepFactory]) -> Figure2:
    return Figure2(transform(expression, 0).expression, steps)


def _with_figure_2s_steps(expression: Expression, steps: Mapping[str, StepFactory]) -> Figure2:
    return Figure2(transform(expression).expression, STEPS)


@pytest.mark.parametrize(
    ("detector", "words"),
    [
        (_without_its_transformation, "has no label"),
        (_under_a_restriction, "no valid restriction"),
        (_with_figure_2s_steps, "has no bound on what it keeps"),
    ],
)
def test_what_makes_the_detector_is_examined_as_well(detector: object, words: str) -> None:
    found = find_detector_counterexample(detector=detector)  # type: ignore[arg-type]
    assert found is not None
    assert words in found.summary()
    assert figure4(found.tried[0]) is not None
