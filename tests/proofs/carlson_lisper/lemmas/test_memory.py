"""The memory statements about the steps that run: proved, and noticed where a step says or keeps something else."""

import pytest

from detectors.carlson_lisper.source.figure2 import STEPS, StepFactory
from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS
from detectors.carlson_lisper.source.steps import (
    NON_OCCURRENCE,
    BoundedSequenceStep,
    ConjunctionStep,
    DisjunctionStep,
    NegationStep,
    SequenceStep,
)
from laws.carlson_lisper.invariants import STEP_LEMMAS
from proofs.carlson_lisper.lemmas import memory
from proofs.carlson_lisper.runs.storage import find_storage_counterexample
from proofs.carlson_lisper.scripts import Subject, obligations_of
from semantics.carlson_lisper.expressions import Label
from semantics.carlson_lisper.occurrences import Instance
from smt.smtlib import TimeSort
from tests.proofs.proving import THEOREMS, proved, unproved

QUICK = 200_000
BOTH: tuple[TimeSort, ...] = ("int", "real")
CLAIMS = [(claim, time) for claim in (memory.STEPS_BOUNDED, memory.UNBOUNDED_QUEUE) for time in BOTH]


@pytest.mark.parametrize(("claim", "time"), [*CLAIMS, (memory.BOUNDED, "int")])
def test_every_obligation_about_storage_is_proved(claim: str, time: TimeSort) -> None:
    parts = obligations_of(THEOREMS[claim], time)
    assert [part.id for part in parts if not proved(part.text)] == []


def test_over_dense_time_the_queue_of_figure_4_has_no_such_bound() -> None:
    parts = obligations_of(THEOREMS[memory.BOUNDED], "real")
    assert [part.direction for part in parts if not proved(part.text, QUICK)] == ["step"]


class OneFewer(BoundedSequenceStep):
    """Has a bound that is too small by one."""

    def __init__(self, ticks: int) -> None:
        super().__init__(ticks)
        self.bound = ticks + 1


class OneMore(BoundedSequenceStep):
    """Has a bound that is right, and larger than the source's."""

    def __init__(self, ticks: int) -> None:
        super().__init__(ticks)
        self.bound = ticks + 3


class ForgetsTheLast(BoundedSequenceStep):
    """Does not count l."""

    def stored(self) -> int:
        return len(self.queue)


class SaysNothing(BoundedSequenceStep):
    """Says that it keeps nothing."""

    def stored(self) -> int:
        return 0


class KeepsLonger(BoundedSequenceStep):
    """Keeps instances for a tick more than it has to."""

    def step(self, left: Instance, right: Instance) -> Instance:
        now = max(left.end, right.end)
        evicted = self.queue.evict_before(now - self.ticks - 1)
        if evicted.start >= 0:
            self.last = evicted
        result: Instance = NON_OCCURRENCE
        if right.start >= 0:
            match = self.queue.latest_before(right.start)
            if match.start < 0:
                match = self.last
            if match.start >= 0:
                result = match.join(right)
        if self.latest < left.start:
            self.queue.push(left)
            self.latest = left.start
        return result


class EmptiesItself(BoundedSequenceStep):
    """Forgets what it keeps when it is asked how much that is."""

    def stored(self) -> int:
        kept = len(self.queue) + (self.last.start >= 0)
        self.last = NON_OCCURRENCE
        return kept


class OneOfTwo(ConjunctionStep):
    """Has a bound that is too small."""

    bound: Label = 1


class CountsOneSide(ConjunctionStep):
    """Counts the left side twice."""

    def stored(self) -> int:
        return (self.left.start >= 0) + (self.left.start >= 0)


class CountsTheTime(NegationStep):
    """Counts its time as an instance."""

    def stored(self) -> int:
        return 1


class Permissive(DisjunctionStep):
    """Has a bound that it does not need."""

    bound: Label = 1


class Claims(SequenceStep):
    """Says that there is a bound."""

    bound: Label = 100


class CountsOnce(SequenceStep):
    """Counts at most one instance."""

    def stored(self) -> int:
        return min(len(self.queue), 1)


def bounded(step: type[BoundedSequenceStep]) -> dict[str, StepFactory]:
    return {**BOUNDED_STEPS, "seq": lambda operation: step(operation.label)}  # type: ignore[arg-type]


WRONG: dict[str, tuple[str, str, dict[str, StepFactory]]] = {
    **{
        step.__name__: (memory.BOUNDED, "lemma:5.7", bounded(step))
        for step in (OneFewer, OneMore, ForgetsTheLast, SaysNothing, KeepsLonger, EmptiesItself)
    },
    "OneOfTwo": (memory.STEPS_BOUNDED, "lemma:5.3", {**STEPS, "con": lambda _: OneOfTwo()}),
    "CountsOneSide": (memory.STEPS_BOUNDED, "lemma:5.3", {**STEPS, "con": lambda _: CountsOneSide()}),
    "CountsTheTime": (memory.STEPS_BOUNDED, "lemma:5.4", {**STEPS, "neg": lambda _: CountsTheTime()}),
    "Permissive": (memory.STEPS_BOUNDED, "lemma:5.2", {**STEPS, "dis": lambda _: Permissive()}),
    "Claims": (memory.UNBOUNDED_QUEUE, "lemma:5.5", {**STEPS, "seq": lambda _: Claims()}),
    "CountsOnce": (memory.UNBOUNDED_QUEUE, "lemma:5.5", {**STEPS, "seq": lambda _: CountsOnce()}),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_step_with_another_storage_is_not_proved(name: str) -> None:
    claim, _, steps = WRONG[name]
    assert unproved(claim, "int", Subject(steps=steps), QUICK)


@pytest.mark.parametrize("name", WRONG)
def test_a_step_with_another_storage_is_wrong_on_a_concrete_history(name: str) -> None:
    _, lemma, steps = WRONG[name]
    found = find_storage_counterexample(lemma, steps)
    assert found is not None
    assert found.summary().endswith(found.data()["wrong"])


@pytest.mark.parametrize("lemma", STEP_LEMMAS)
def test_nothing_is_found_wrong_with_the_storage_of_the_running_steps(lemma: str) -> None:
    assert find_storage_counterexample(lemma) is None


def test_what_is_wrong_with_the_storage_is_told_with_the_history() -> None:
    found = find_storage_counterexample("lemma:5.7", bounded(ForgetsTheLast))
    assert found is not None
    assert found.summary() == (
        "with τ = 0, when the operands output at 0 {a@0} and ⟨⟩; at 1 ⟨⟩ and {b@1}:"
        " the step says that it keeps 0 instances, and keeps 1"
    )
    first = find_storage_counterexample("lemma:5.3", WRONG["OneOfTwo"][2])
    assert first is not None
    assert first.summary() == "at first: the bound is 1; stated is 2"
