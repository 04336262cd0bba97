"""Steps on concrete histories: which are tried, what is found, and that a right step is left alone."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.carlson_lisper.source.figure2 import STEPS, StepFactory
from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS
from detectors.carlson_lisper.source.steps import (
    NON_OCCURRENCE,
    BoundedSequenceStep,
    ConjunctionStep,
    DisjunctionStep,
    NegationStep,
    SequenceStep,
    Step,
)
from laws.carlson_lisper.invariants import STEP_LEMMAS
from proofs.carlson_lisper.runs.histories import (
    History,
    Instant,
    WrongRun,
    drawn_histories,
    histories,
    smaller_histories,
    span,
)
from proofs.carlson_lisper.runs.steps import StepRun, TriedStep, find_step_counterexample, hypotheses_hold
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.occurrences import Instance
from semantics.carlson_lisper.operators import OPERATORS
from tests.campaigns.carlson_lisper.wrong import WRONG_STEPS, step_of

QUICK = settings(deadline=None, max_examples=60)


def found(claim: str, make: Callable[[], Step]) -> WrongRun[History] | None:
    lemma = STEP_LEMMAS[claim]
    return find_step_counterexample(lemma, Subject(steps={lemma.operator: lambda _: make()}))


def counterexample(claim: str, make: Callable[[], Step]) -> WrongRun[History]:
    wrong = found(claim, make)
    assert wrong is not None
    return wrong


# ------------------------------------------------------------------------------------------------------- histories


def test_small_histories_are_all_there_once_and_in_order_of_length() -> None:
    listed = list(histories(2))
    assert len(set(listed)) == len(listed)
    own = [history for history in listed if not any(at.shared and at.occurs for at in history)]
    # 2 x 2, 3 x 3 and 4 x 4 pairs of outputs at times 0, 1 and 2; an instant before the last one may be skipped
    assert len(own) == 4 + 5 * 9 + 5 * 10 * 16
    assert [max(at.time for at in history) for history in own] == sorted(
        max(at.time for at in history) for history in own
    )
    assert len(list(histories(1))) == 2 + 3 * 3 + 3 * 4 * 4


@pytest.mark.parametrize("longest", [0, 1, 2])
def test_the_right_operand_is_no_longer_than_allowed(longest: int) -> None:
    tried = [*histories(2, longest), *drawn_histories(2, longest)]
    lengths = {at.right.end - at.right.start for history in tried for at in history if at.right is not None}
    assert lengths == set(range(longest + 1))


def test_longer_histories_are_the_same_each_time_with_and_without_gaps() -> None:
    drawn = list(drawn_histories(2))
    assert drawn == list(drawn_histories(2))
    assert drawn != list(drawn_histories(2, seed=2))
    assert {len(history) for history in drawn} == {4, 5, 6, 7, 8}
    gaps = {b.time - a.time for h in drawn for a, b in pairwise(h)}
    assert {1, 2} < gaps


@QUICK
@given(st.sampled_from(list(drawn_histories(2, number=40))), st.data())
def test_a_smaller_history_is_a_history_and_getting_smaller_ends(history: History, data: st.DataObject) -> None:
    for _ in range(200):
        choices = list(smaller_histories(history))
        for smaller in choices:
            times = [at.time for at in smaller]
            assert times == sorted(set(times))
            assert all(x.end == at.time for at in smaller for x in (at.left, at.right) if x is not None)
        if not choices:
            break
        history = data.draw(st.sampled_from(choices))
    else:
        raise AssertionError("it never ends")
    assert history == ()


# ------------------------------------------------------------------------------------------------------ right steps


@pytest.mark.parametrize("claim", STEP_LEMMAS)
def test_nothing_is_found_wrong_with_a_running_step(claim: str) -> None:
    assert find_step_counterexample(STEP_LEMMAS[claim], Subject()) is None


@pytest.mark.parametrize("claim", STEP_LEMMAS)
def test_the_hypotheses_of_a_lemma_can_hold_while_something_is_output(claim: str) -> None:
    witness = hypotheses_hold(STEP_LEMMAS[claim], Subject())
    assert witness is not None
    assert any(output is not None for output in witness)


def test_hypotheses_that_a_step_does_not_keep_are_not_said_to_hold() -> None:
    class NeverRemembers(ConjunctionStep):
        def step(self, left: Instance, right: Instance) -> Instance:
            output = super().step(left, right)
            self.left = self.right = NON_OCCURRENCE
            return output

    assert hypotheses_hold(STEP_LEMMAS["lemma:5.3"], Subject(steps={"con": lambda _: NeverRemembers()})) is None


# ------------------------------------------------------------------------------------------------------ wrong steps


@pytest.mark.parametrize("name", WRONG_STEPS)
def test_what_is_found_about_a_mutant_can_be_replayed_and_cannot_be_made_smaller(name: str) -> None:
    mutant = WRONG_STEPS[name]
    lemma = next(lemma for lemma in STEP_LEMMAS.values() if lemma.operator == mutant.operator)
    steps: dict[str, StepFactory] = {**STEPS, mutant.operator: step_of(mutant)}
    wrong = find_step_counterexample(lemma, Subject(steps=steps))
    assert wrong is not None and len(wrong.tried) <= 3

    def outputs(history: History) -> list[bool]:
        run = StepRun(TriedStep(lemma, step_of(mutant), wrong.data()["ticks"], OPERATORS[lemma.operator]))
        return [run.wrong_output(run.step(at)) is None for at in history]

    assert outputs(wrong.tried) == [True] * (len(wrong.tried) - 1) + [False]
    assert all(all(outputs(smaller)) for smaller in smaller_histories(wrong.tried))


def test_a_wrong_output_is_told_with_what_is_right() -> None:
    class Neither(DisjunctionStep):
        def step(self, left: Instance, right: Instance) -> Instance:
            return left if right is NON_OCCURRENCE else NON_OCCURRENCE

    wrong = counterexample("lemma:5.2", Neither)
    b = span("b", 0, 0)
    assert wrong.tried == (Instant(0, None, b),)
    assert wrong.summary() == "when the operands output at 0 ⟨⟩ and {b@0}: the step outputs ⟨⟩; valid is {b@0}"


def test_all_valid_outputs_are_listed() -> None:
    class Nothing(ConjunctionStep):
        def step(self, left: Instance, right: Instance) -> Instance:
            output = super().step(left, right)
            return NON_OCCURRENCE if self.stored() == 2 and left.start == right.start == 1 else output

    wrong = counterexample("lemma:5.3", Nothing)
    expected = wrong.data()["expected"]
    assert wrong.data()["output"] is None
    assert expected
    assert len({min(occurrence["time"] for occurrence in instance) for instance in expected}) == 1


def test_an_exception_counts_as_wrong() -> None:
    class Impatient(SequenceStep):
        def step(self, left: Instance, right: Instance) -> Instance:
            if len(self.queue) == 2:
                raise RuntimeError("too many")
            return super().step(left, right)

    wrong = counterexample("lemma:5.5", Impatient)
    line = Impatient.step.__code__.co_firstlineno + 2
    said = f"RuntimeError: too many (test_steps.py, line {line})"
    assert (wrong.kind, wrong.data()["detail"]) == ("exception", said)
    assert len(wrong.tried) == 3
    assert wrong.summary().endswith(f"the step raises {said}")


def test_a_step_that_cannot_be_made_is_wrong_at_once() -> None:
    def refuse() -> Step:
        raise ValueError("not today")

    wrong = counterexample("lemma:5.4", refuse)
    assert wrong.kind == "exception"
    assert "not today" in wrong.summary()


@pytest.mark.parametrize("output", [None, 3, True, (0, 0)])
def test_an_output_that_is_no_instance_is_wrong(output: object) -> None:
    class Strange(NegationStep):
        def step(self, left: Instance, right: Instance) -> Instance:
            return output  # type: ignore[return-value]

    wrong = counterexample("lemma:5.4", Strange)
    assert wrong.kind == "output"
    assert type(output).__name__ in wrong.summary()


class KeepsMore(SequenceStep):
    """Outputs what is right, and keeps what is useless."""

    def step(self, left: Instance, right: Instance) -> Instance:
        if left.start >= 0 and left.start == self.latest:
            self.queue.push(left)
        return super().step(left, right)


def test_a_variable_that_is_wrong_behind_right_outputs_is_told_as_such() -> None:
    wrong = counterexample("lemma:5.5", KeepsMore)
    assert wrong.kind == "state"
    assert len(wrong.tried) == 2
    assert "the step leaves q = " in wrong.summary()


def test_a_wrong_output_is_preferred_to_a_wrong_variable_that_comes_earlier() -> None:
    class KeepsMoreAndForgets(KeepsMore):
        def step(self, left: Instance, right: Instance) -> Instance:
            output = super().step(left, right)
            return NON_OCCURRENCE if len(self.queue) == 3 else output

    assert counterexample("lemma:5.5", KeepsMoreAndForgets).kind == "output"


def test_a_variable_that_is_missing_or_of_another_kind_is_wrong() -> None:
    class Nameless(NegationStep):
        VARIABLES: ClassVar[Mapping[str, str]] = {}

    class Untimely(NegationStep):
        def variables(self) -> dict[str, object]:
            return {"t": None}

    makers: list[Callable[[], Step]] = [Nameless, Untimely]
    for make in makers:
        wrong = counterexample("lemma:5.4", make)
        assert wrong.kind == "state"
        assert "t" in wrong.data()["detail"]


def test_a_step_that_counts_its_runs_as_time_is_found_where_instants_are_skipped() -> None:
    class CountsRuns(BoundedSequenceStep):
        runs = -1

        def step(self, left: Instance, right: Instance) -> Instance:
            self.runs += 1
            output = super().step(left, right)
            return output if output.end in (-1, self.runs) else NON_OCCURRENCE

    lemma = STEP_LEMMAS["lemma:5.7"]
    steps: dict[str, StepFactory] = {**BOUNDED_STEPS, "seq": lambda operation: CountsRuns(_ticks(operation))}
    wrong = find_step_counterexample(lemma, Subject(steps=steps))
    assert wrong is not None
    assert [at.time for at in wrong.tried] != list(range(len(wrong.tried)))


def _ticks(operation: object) -> int:
    label = getattr(operation, "label", None)
    assert isinstance(label, int)
    return label


def test_the_bound_or_label_belongs_to_the_counterexample() -> None:
    lemma = STEP_LEMMAS["lemma:5.7"]
    steps: dict[str, StepFactory] = {"seq": lambda operation: BoundedSequenceStep(max(0, _ticks(operation) - 1))}
    wrong = find_step_counterexample(lemma, Subject(steps=steps))
    assert wrong is not None
    assert wrong.kind == "output"
    assert wrong.data()["ticks"] > 0
    assert wrong.summary().startswith(f"with τ = {wrong.data()['ticks']}, when the operands output ")
