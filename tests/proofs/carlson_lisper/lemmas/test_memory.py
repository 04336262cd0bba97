"""The memory statements about the steps that run: proved, and noticed where a step says or keeps something else."""

from typing import Any

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
from proofs.carlson_lisper.runs.steps import find_storage_counterexample
from proofs.carlson_lisper.scripts import obligations_of
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.expressions import Operation
from semantics.carlson_lisper.occurrences import Instance
from smt.smtlib import TimeSort
from tests.proofs.carlson_lisper.hidden_programs import changed
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


def bounded(step: type[BoundedSequenceStep], more: int = 0) -> dict[str, StepFactory]:
    """The steps with another sequence, which says that it may keep so many more."""

    def make(operation: Operation) -> BoundedSequenceStep:
        made = step(operation.label)  # type: ignore[arg-type]
        made.bound += more
        return made

    return {**BOUNDED_STEPS, "seq": make}


def unbounded(operator: str, step: type[Any], **attributes: object) -> dict[str, StepFactory]:
    return {**STEPS, operator: lambda _: changed(step, **attributes)()}


FORGETS_THE_LAST = bounded(changed(BoundedSequenceStep, stored=lambda self: len(self.queue)))
ONE_OF_TWO = unbounded("con", ConjunctionStep, bound=1)

WRONG: dict[str, tuple[str, str, dict[str, StepFactory]]] = {
    "a bound too small by one": (memory.BOUNDED, "lemma:5.7", bounded(BoundedSequenceStep, -1)),
    "a bound larger than the source's": (memory.BOUNDED, "lemma:5.7", bounded(BoundedSequenceStep, 1)),
    "l is not counted": (memory.BOUNDED, "lemma:5.7", FORGETS_THE_LAST),
    "nothing is counted": (
        memory.BOUNDED, "lemma:5.7", bounded(changed(BoundedSequenceStep, stored=lambda self: 0)),
    ),
    "kept for a tick more": (memory.BOUNDED, "lemma:5.7", bounded(KeepsLonger)),
    "forgotten when counted": (memory.BOUNDED, "lemma:5.7", bounded(EmptiesItself)),
    "a bound for one of two": (memory.STEPS_BOUNDED, "lemma:5.3", ONE_OF_TWO),
    "one side counted twice": (
        memory.STEPS_BOUNDED, "lemma:5.3",
        unbounded("con", ConjunctionStep, stored=lambda self: 2 * (self.left.start >= 0)),
    ),
    "a time counted": (
        memory.STEPS_BOUNDED, "lemma:5.4", unbounded("neg", NegationStep, stored=lambda self: 1),
    ),
    "a bound without need": (memory.STEPS_BOUNDED, "lemma:5.2", unbounded("dis", DisjunctionStep, bound=1)),
    "a bound for the queue": (memory.UNBOUNDED_QUEUE, "lemma:5.5", unbounded("seq", SequenceStep, bound=100)),
    "at most one counted": (
        memory.UNBOUNDED_QUEUE, "lemma:5.5",
        unbounded("seq", SequenceStep, stored=lambda self: min(len(self.queue), 1)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_step_with_another_storage_is_not_proved_and_is_wrong_on_a_concrete_history(name: str) -> None:
    claim, lemma, steps = WRONG[name]
    assert unproved(claim, "int", Subject(steps=steps), QUICK)
    found = find_storage_counterexample(lemma, Subject(steps=steps))
    assert found is not None
    assert found.summary().endswith(found.data()["detail"])


@pytest.mark.parametrize("lemma", STEP_LEMMAS)
def test_nothing_is_found_wrong_with_the_storage_of_the_running_steps(lemma: str) -> None:
    assert find_storage_counterexample(lemma, Subject()) is None


def test_what_is_wrong_with_the_storage_is_told_with_the_history() -> None:
    found = find_storage_counterexample("lemma:5.7", Subject(steps=FORGETS_THE_LAST))
    assert found is not None
    assert found.summary() == (
        "with τ = 0, when the operands output at 0 {a@0} and ⟨⟩; at 1 ⟨⟩ and {b@1}:"
        " the step says that it keeps 0 instances, and keeps 1"
    )
    first = find_storage_counterexample("lemma:5.3", Subject(steps=ONE_OF_TWO))
    assert first is not None
    assert first.summary() == "at first: the bound is 1; stated is 2"
