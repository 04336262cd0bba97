"""Lemmas 5.2-5.7 about the running steps: proved as they are, not proved for steps or operators that are wrong."""

from dataclasses import replace

import pytest

from detectors.carlson_lisper.source.figure2 import STEPS, StepFactory
from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS
from detectors.carlson_lisper.source.steps import CandidateQueue, ConjunctionStep, SequenceStep
from laws.carlson_lisper.invariants import STEP_LEMMAS
from laws.carlson_lisper.mutations import changed_operators
from proofs.carlson_lisper.scripts import obligations_of
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.occurrences import Instance
from semantics.carlson_lisper.operators import OPERATORS, Operator
from smt.smtlib import TimeSort
from tests.campaigns.carlson_lisper.wrong import WRONG_STEPS, step_of
from tests.proofs.proving import THEOREMS, proved, unproved

FIGURE_2 = {lemma.operator: lemma.claim for lemma in STEP_LEMMAS.values() if lemma.figure == 2}
"""The lemma about the step of each operator in Figure 2."""

QUICK = 200_000
"""Enough work to see that something wrong is not proved at once."""


def steps_with(claim: str, factory: StepFactory) -> dict[str, StepFactory]:
    lemma = STEP_LEMMAS[claim]
    running = STEPS if lemma.figure == 2 else BOUNDED_STEPS
    return {**running, lemma.operator: factory}


@pytest.mark.parametrize("time", ["int", "real"])
@pytest.mark.parametrize("claim", STEP_LEMMAS)
def test_every_obligation_about_a_running_step_is_proved(claim: str, time: TimeSort) -> None:
    parts = obligations_of(THEOREMS[claim], time)
    assert [part.id for part in parts if not proved(part.text)] == []
    assert len({part.id for part in parts}) == len(parts)


@pytest.mark.parametrize("claim", STEP_LEMMAS)
def test_a_lemma_covers_its_variables_its_output_and_the_times_in_between(claim: str) -> None:
    directions = " ".join(part.direction for part in obligations_of(THEOREMS[claim]))
    for aspect in ("output", "paths", "between", *(f"state {v.name}" for v in STEP_LEMMAS[claim].variables)):
        assert aspect in directions
    assert ("initial" in directions) == bool(STEP_LEMMAS[claim].variables)


@pytest.mark.parametrize("name", ["dis-earlier", "con-earlier", "neg-late", "seq-unsorted", "tim-long"])
def test_a_mutant_without_its_fault_is_proved(name: str) -> None:
    right = replace(WRONG_STEPS[name], after=WRONG_STEPS[name].before)
    assert not unproved(FIGURE_2[right.operator], "int", Subject(steps={**STEPS, right.operator: step_of(right)}))


@pytest.mark.parametrize("name", WRONG_STEPS)
def test_a_mutant_of_the_campaigns_is_not_proved(name: str) -> None:
    mutant = WRONG_STEPS[name]
    steps = {**STEPS, mutant.operator: step_of(mutant)}
    claim = FIGURE_2[mutant.operator]
    assert unproved(claim, "int", Subject(steps=steps), QUICK)
    assert unproved(claim, "real", Subject(steps=steps), QUICK)


@pytest.mark.parametrize("altered", [pytest.param(operator, id=words) for words, operator in changed_operators()])
def test_a_step_is_not_proved_for_another_definition_of_its_operator(altered: Operator) -> None:
    subject = Subject({**OPERATORS, altered.name: altered})
    assert unproved(FIGURE_2[altered.name], "int", subject, QUICK)


def test_a_step_that_remembers_more_than_the_lemma_speaks_of_is_refused() -> None:
    class Counts(ConjunctionStep):
        runs = 0

        def step(self, left: Instance, right: Instance) -> Instance:
            self.runs += 1
            return super().step(left, right)

    subject = Subject(steps=steps_with("lemma:5.3", lambda _: Counts()))
    assert unproved("lemma:5.3", "int", subject, QUICK)


def test_a_queue_that_is_not_the_proved_one_is_refused() -> None:
    class Other(CandidateQueue):
        pass

    class WithOther(SequenceStep):
        def __init__(self) -> None:
            super().__init__()
            self.queue = Other()

    assert unproved("lemma:5.5", "int", Subject(steps=steps_with("lemma:5.5", lambda _: WithOther())))


def test_a_step_that_raises_is_not_proved() -> None:
    class Raises(ConjunctionStep):
        def step(self, left: Instance, right: Instance) -> Instance:
            if self.left.start > left.start:
                raise ValueError("later things come first")
            return super().step(left, right)

    subject = Subject(steps=steps_with("lemma:5.3", lambda _: Raises()))
    assert unproved("lemma:5.3", "int", subject, QUICK).startswith("lemma:5.3")
