"""Lemmas 5.2-5.7 as obligations and as runs: nothing wrong is proved, and what is wrong is told in a few instants."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import ClassVar

import pytest

from detectors.carlson_lisper.source.figure2 import BOUNDED_STEPS, STEPS, StepFactory
from detectors.carlson_lisper.source.steps import (
    NON_OCCURRENCE,
    BoundedSequenceStep,
    CandidateQueue,
    ConjunctionStep,
    DisjunctionStep,
    NegationStep,
    SequenceStep,
    Step,
)
from laws.carlson_lisper.invariants import STEP_LEMMAS
from proofs.carlson_lisper.step_runs import (
    Instant,
    StepRun,
    WrongRun,
    drawn_histories,
    find_step_counterexample,
    histories,
    hypotheses_hold,
    smaller_histories,
    span,
)
from proofs.carlson_lisper.steps import Subject
from semantics.carlson_lisper.occurrences import Instance
from semantics.carlson_lisper.operators import OPERATORS, Operator
from tests.campaigns.carlson_lisper.wrong import WRONG_STEPS, step_of
from tests.laws.carlson_lisper.conjectures import changed_operators
from tests.proofs.proving import obligations_of, unproved

FIGURE_2 = {lemma.operator: lemma.claim for lemma in STEP_LEMMAS.values() if lemma.figure == 2}
"""The lemma about the step of each operator in Figure 2."""

QUICK = 100_000  # Enough work to see that something wrong is not proved at once


def steps_with(claim: str, factory: StepFactory) -> Subject:
    lemma = STEP_LEMMAS[claim]
    return Subject(steps={**(STEPS if lemma.figure == 2 else BOUNDED_STEPS), lemma.operator: factory})


def counterexample(claim: str, make: Callable[[], Step]) -> WrongRun:
    wrong = find_step_counterexample(STEP_LEMMAS[claim], steps_with(claim, lambda _: make()))
    assert wrong is not None
    return wrong


@pytest.mark.parametrize("claim", STEP_LEMMAS)
def test_a_lemma_covers_its_variables_its_output_and_the_times_in_between(claim: str) -> None:
    directions = " ".join(part.direction for part in obligations_of(claim))
    for aspect in ("output", "paths", "between", *(f"state {v.name}" for v in STEP_LEMMAS[claim].variables)):
        assert aspect in directions
    assert ("initial" in directions) == bool(STEP_LEMMAS[claim].variables)


@pytest.mark.parametrize("name", WRONG_STEPS)
def test_a_wrong_step_is_not_proved_and_its_run_is_replayed_and_smallest(name: str) -> None:
    mutant = WRONG_STEPS[name]
    claim = FIGURE_2[mutant.operator]
    lemma, subject = STEP_LEMMAS[claim], steps_with(claim, step_of(mutant))
    assert unproved(claim, "int", subject, QUICK)
    wrong = find_step_counterexample(lemma, subject)
    assert wrong is not None and len(wrong.history) <= 3

    run = StepRun(lemma, subject, wrong.data()["ticks"])
    assert run.wrong(wrong.history, inside=False) == wrong
    smaller = [wrong.history[:-1], *smaller_histories(wrong.history)]
    assert [run.wrong(history, inside=False) for history in smaller] == [None] * len(smaller)


@pytest.mark.parametrize("altered", [pytest.param(operator, id=words) for words, operator in changed_operators()])
def test_a_step_is_not_proved_for_another_definition_of_its_operator(altered: Operator) -> None:
    assert unproved(FIGURE_2[altered.name], "int", Subject({**OPERATORS, altered.name: altered}), QUICK)


class Raises(ConjunctionStep):
    def step(self, left: Instance, right: Instance) -> Instance:
        if self.left.start > left.start:
            raise ValueError("later things come first")
        return super().step(left, right)


class OtherQueue(CandidateQueue):
    pass


class WithOtherQueue(SequenceStep):
    def __init__(self) -> None:
        super().__init__()
        self.queue = OtherQueue()


class Counts(BoundedSequenceStep):
    """Remembers more than the lemma speaks of: counts its runs as time, which is wrong where instants are skipped."""

    runs = -1

    def step(self, left: Instance, right: Instance) -> Instance:
        self.runs += 1
        output = super().step(left, right)
        return output if output.end in (-1, self.runs) else NON_OCCURRENCE


@pytest.mark.parametrize(
    ("claim", "step"), [("lemma:5.7", lambda: Counts(2)), ("lemma:5.3", Raises), ("lemma:5.5", WithOtherQueue)]
)
def test_what_no_invariant_or_contract_speaks_of_is_not_proved(claim: str, step: Callable[[], Step]) -> None:
    assert unproved(claim, "int", steps_with(claim, lambda _: step()), QUICK).startswith(claim)


def test_small_histories_are_all_there_once_and_in_order_of_length() -> None:
    listed = list(histories(2))
    assert len(set(listed)) == len(listed)
    own = [history for history in listed if not any(at.left and at.left is at.right for at in history)]
    # 2 x 2, 3 x 3 and 4 x 4 pairs of outputs at times 0, 1 and 2; an instant before the last one may be skipped
    assert len(own) == 4 + 5 * 9 + 5 * 10 * 16
    lasts = [max(at.time for at in history) for history in own]
    assert lasts == sorted(lasts)
    assert len(list(histories(1))) == 2 + 3 * 3 + 3 * 4 * 4


@pytest.mark.parametrize("longest", [0, 2])
def test_the_right_operand_is_no_longer_than_allowed(longest: int) -> None:
    tried = [*histories(2, longest), *drawn_histories(2, longest)]
    lengths = {at.right.end - at.right.start for history in tried for at in history if at.right is not None}
    assert lengths == set(range(longest + 1))


def test_longer_histories_are_the_same_each_time_with_gaps_and_get_smaller_until_nothing_is_left() -> None:
    drawn = list(drawn_histories(2))
    assert drawn == list(drawn_histories(2))
    assert {len(history) for history in drawn} == {4, 5, 6, 7, 8}
    assert {1, 2} < {b.time - a.time for h in drawn for a, b in pairwise(h)}
    for history in drawn[:10]:
        while history:
            choices = list(smaller_histories(history))
            assert all(x.end == at.time for each in choices for at in each for x in (at.left, at.right) if x)
            history = choices[len(history) % len(choices)]


@pytest.mark.parametrize("claim", STEP_LEMMAS)
def test_nothing_is_wrong_with_a_running_step_and_its_hypotheses_can_hold(claim: str) -> None:
    assert find_step_counterexample(STEP_LEMMAS[claim], Subject(), 40) is None
    assert hypotheses_hold(STEP_LEMMAS[claim], Subject())


def test_hypotheses_that_a_step_does_not_keep_are_not_said_to_hold() -> None:
    class NeverRemembers(ConjunctionStep):
        def step(self, left: Instance, right: Instance) -> Instance:
            output = super().step(left, right)
            self.left = self.right = NON_OCCURRENCE
            return output

    assert not hypotheses_hold(STEP_LEMMAS["lemma:5.3"], steps_with("lemma:5.3", lambda _: NeverRemembers()))


def test_a_wrong_output_is_told_with_what_is_right() -> None:
    class Neither(DisjunctionStep):
        def step(self, left: Instance, right: Instance) -> Instance:
            return left if right is NON_OCCURRENCE else NON_OCCURRENCE

    wrong = counterexample("lemma:5.2", Neither)
    b = span("b", 0, 0)
    assert wrong.history == (Instant(0, None, b),)
    assert wrong.summary() == "when the operands output at 0 ⟨⟩ and {b@0}: the step outputs ⟨⟩; valid is {b@0}"
    assert (wrong.data()["output"], wrong.data()["expected"]) == (None, [[{"event": "b", "time": 0, "value": None}]])


def test_an_exception_counts_as_wrong() -> None:
    class Impatient(SequenceStep):
        def step(self, left: Instance, right: Instance) -> Instance:
            if len(self.queue) == 2:
                raise RuntimeError("too many")
            return super().step(left, right)

    wrong = counterexample("lemma:5.5", Impatient)
    assert (wrong.kind, "RuntimeError: too many (test_steps.py, line" in wrong.data()["detail"]) == ("exception", True)
    assert len(wrong.history) == 3


def test_a_step_that_cannot_be_made_is_wrong_at_once() -> None:
    def refuse() -> Step:
        raise ValueError("not today")

    wrong = counterexample("lemma:5.4", refuse)
    assert (wrong.kind, wrong.history) == ("exception", ())
    assert "not today" in wrong.summary()


@pytest.mark.parametrize("output", [None, 3, (0, 0)])
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


class KeepsMoreAndForgets(KeepsMore):
    def step(self, left: Instance, right: Instance) -> Instance:
        output = super().step(left, right)
        return NON_OCCURRENCE if len(self.queue) == 3 else output


class Nameless(NegationStep):
    VARIABLES: ClassVar[Mapping[str, str]] = {}


@pytest.mark.parametrize(
    ("claim", "step", "kind", "detail"),
    [
        ("lemma:5.5", KeepsMore, "state", "q = "),
        ("lemma:5.5", KeepsMoreAndForgets, "output", "outputs ⟨⟩"),
        ("lemma:5.4", Nameless, "state", "t"),
    ],
)
def test_a_wrong_variable_is_told_where_no_output_is_wrong(
    claim: str, step: Callable[[], Step], kind: str, detail: str
) -> None:
    wrong = counterexample(claim, step)
    assert wrong.kind == kind
    assert detail in wrong.data()["detail"]


def test_the_instants_that_are_skipped_and_the_label_belong_to_the_counterexample() -> None:
    lemma = STEP_LEMMAS["lemma:5.7"]
    wrong = find_step_counterexample(
        lemma, steps_with("lemma:5.7", lambda operation: Counts(int(operation.label or 0)))
    )
    assert wrong is not None
    assert [at.time for at in wrong.history] != list(range(len(wrong.history)))
    shorter = steps_with("lemma:5.7", lambda operation: BoundedSequenceStep(max(0, int(operation.label or 0) - 1)))
    wrong = find_step_counterexample(lemma, shorter)
    assert wrong is not None and wrong.kind == "output"
    assert wrong.data()["ticks"] > 0
    assert wrong.summary().startswith(f"with τ = {wrong.data()['ticks']}, when the operands output ")
