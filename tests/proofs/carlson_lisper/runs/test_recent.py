"""The sequence that forgets and its array on concrete runs: wrong ones show, and those that run do not."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any, ClassVar

import pytest

from detectors.carlson_lisper.source import stores
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, SequenceStep
from detectors.carlson_lisper.source.stores import RecentSequenceStep, StaticQueue
from laws.standings import Standing
from proofs.carlson_lisper.lemmas import recent, static_queue
from proofs.carlson_lisper.proving import ScriptProof
from proofs.carlson_lisper.runs.recent import find_array_counterexample, find_recent_counterexample
from proofs.carlson_lisper.runs.search import search
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.occurrences import Instance, Time
from smt.attempts import prove_all
from smt.solvers.portfolio import Portfolio
from smt.solvers.z3_solver import Z3
from tests.proofs.carlson_lisper.lemmas.test_recent import (
    RIGHT,
    WRONG,
    Fewer,
    Larger,
    Other,
    as_step,
    with_queue,
)
from tests.proofs.carlson_lisper.program_mutants import ProgramMutant, mutants
from tests.proofs.proving import THEOREMS

SAMPLE = 20
"""The quick test takes every so many-th change of one symbol."""

STRICTER_THAN_NEEDED = (
    "StaticQueue._position: `low < high` becomes `low != high`",
    "StaticQueue.evict_before: `position <= self._first` becomes `position == self._first`",
    "StaticQueue.latest_before: `position > self._first` becomes `position != self._first`",
)
"""Changes that are right and not proved: no proof executes a comparison for equality. A position is never less than the
first marker, and `low` never greater than `high`."""


# -------------------------------------------------------------------------------------------------- wrong arrays


class AnswersWrongWhenFull(StaticQueue):
    """Takes the newest for the answer when it has no room left and has gone round."""

    __slots__ = ()

    def latest_before(self, time: Time) -> Instance:
        if self._next > 2 * self._size and len(self) == self._size:
            return self._instances[(self._next - 1) % self._size]
        return super().latest_before(time)


class SharesItsPlaces(StaticQueue):
    """Has one array for all queues of a size."""

    __slots__ = ()
    arrays: ClassVar[dict[int, list[Instance]]] = {}

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._instances = self.arrays.setdefault(size, self._instances)
        self._next = sum(instance is not NON_OCCURRENCE for instance in self._instances)


class ListsBackwards(StaticQueue):
    """Tells its instances in the other order, which no step asks for."""

    __slots__ = ()

    def contents(self) -> list[Instance]:
        return super().contents()[::-1]


class NeverPushes(StaticQueue):
    """Goes on for ever when something is pushed."""

    __slots__ = ()

    def push(self, instance: Instance) -> None:
        while True:
            pass


HIDDEN = [AnswersWrongWhenFull, SharesItsPlaces, NeverPushes]


def test_nothing_is_found_wrong_with_what_runs() -> None:
    assert find_array_counterexample() is None
    assert find_recent_counterexample() is None


@pytest.mark.parametrize("queue", [*WRONG, *HIDDEN, ListsBackwards], ids=lambda queue: queue.__name__)
def test_a_wrong_array_answers_wrongly(queue: type[StaticQueue]) -> None:
    found = find_array_counterexample(with_queue(queue))
    assert found is not None
    assert found.summary().startswith(f"with room for {found.data()['places']}, ")
    assert json.loads(json.dumps(found.data())) == found.data()


def test_a_wrong_answer_is_told_with_the_places_and_the_calls_before_it() -> None:
    found = find_array_counterexample(with_queue(WRONG[1]))
    assert found is not None
    said = "with room for 1, after push({a@0}): latest_before(1) gives ⟨⟩; the contract says {a@0}"
    assert found.summary() == said


# --------------------------------------------------------------------------------------------------- wrong steps


class More(RecentSequenceStep):
    """Makes one place more than it says."""

    __slots__ = ()

    def __init__(self, ticks: int) -> None:
        super().__init__(ticks)
        self.queue = StaticQueue(ticks + 2)


def made_with(**values: Callable[[int], object]) -> type[RecentSequenceStep]:
    """The step with other values of its variables at first, which depend on the label; no proof executes it."""

    class Changed(RecentSequenceStep):
        __slots__ = ()

        def __init__(self, ticks: int) -> None:
            super().__init__(ticks)
            for name, value in values.items():
                setattr(self, name, value(ticks))

    return Changed


TOO_FEW_FOR_LONG_LABELS = made_with(queue=lambda ticks: StaticQueue(ticks + (ticks < 2)))
STARTS_LATER = made_with(latest=lambda ticks: 0)
CANNOT_BE_MADE = made_with(queue=lambda ticks: 1 // 0)


class Unbounded(SequenceStep):
    """The step of Figure 2, which forgets nothing."""

    __slots__ = ("bound",)

    def __init__(self, ticks: int) -> None:
        super().__init__()
        self.bound = ticks + 1


class SaysNothing(RecentSequenceStep):
    """Says that it keeps nothing."""

    __slots__ = ()

    def stored(self) -> int:
        return 0


KEEPING: list[type[Any]] = [More, Larger, Unbounded, SaysNothing]
"""Steps that keep something else, and output what is right."""

STEPS: list[type[Any]] = [Fewer, TOO_FEW_FOR_LONG_LABELS, Other, STARTS_LATER, CANNOT_BE_MADE, *KEEPING]


@pytest.mark.parametrize("step", STEPS)
def test_a_wrong_step_outputs_or_keeps_something_wrong(step: type[RecentSequenceStep]) -> None:
    found = find_recent_counterexample(step)
    assert found is not None
    assert found.inside == (step in KEEPING)
    assert json.loads(json.dumps(found.data())) == found.data()


def test_too_few_places_are_told_with_a_history_that_needs_one_more() -> None:
    found = find_recent_counterexample(TOO_FEW_FOR_LONG_LABELS)
    assert found is not None
    assert found.summary() == (
        "with τ = 2, when the operands output at 0 {a@0} and ⟨⟩; at 1 {a@1} and ⟨⟩; at 2 {a@2} and ⟨⟩;"
        " at 3 ⟨⟩ and {b@1, b@3}: the step outputs ⟨⟩; valid is {a@0, b@1, b@3}"
    )


# ------------------------------------------------------------------------------------------- what is concluded


@pytest.mark.parametrize("claim", [static_queue.CLAIM, recent.CLAIM])
def test_what_runs_is_contradicted_by_no_search(claim: str) -> None:
    assert search(THEOREMS[claim], Subject(), ["part"], thorough=True).counterexample is None


def test_a_wrong_array_is_not_held_against_the_obligations_that_know_it_by_its_contract() -> None:
    subject = Subject(recent=with_queue(WRONG[1]))
    of_step = search(THEOREMS[recent.CLAIM], subject, ["found"], thorough=True)
    assert of_step.counterexample is not None
    assert of_step.refuted == frozenset()
    of_array = search(THEOREMS[static_queue.CLAIM], subject, ["push kept"], thorough=True)
    assert of_array.counterexample is not None
    assert of_array.refuted == frozenset({"push kept"})


def test_a_list_that_no_obligation_speaks_of_contradicts_none() -> None:
    subject = Subject(recent=with_queue(ListsBackwards))
    found = search(THEOREMS[static_queue.CLAIM], subject, ["push kept"], thorough=True)
    assert found.counterexample is not None
    assert found.refuted == frozenset()


@pytest.mark.parametrize(
    ("claim", "step"),
    [
        (recent.CLAIM, Fewer),
        (static_queue.CLAIM, with_queue(WRONG[1])),
        (recent.CLAIM, with_queue(WRONG[1])),
    ],
)
def test_a_wrong_program_is_refuted_and_not_unknown(claim: str, step: type[RecentSequenceStep]) -> None:
    with Portfolio([Z3()]) as portfolio:
        (result,) = prove_all([ScriptProof(THEOREMS[claim], Subject(recent=step))], portfolio)
    assert result.standing is Standing.REFUTED
    assert result.counterexample is not None
    assert result.reason == result.counterexample.summary()


# ------------------------------------------------------------------------------------- every change of one symbol


@cache
def all_mutants() -> list[ProgramMutant]:
    return [each for owner in ("StaticQueue", "RecentSequenceStep") for each in mutants(stores, owner)]


HARMLESS = {*STRICTER_THAN_NEEDED, *chain(*RIGHT.values())}


def expected(mutant: ProgramMutant) -> bool:
    """Whether a change is refuted by a run, or listed as harmless."""
    step = as_step(mutant)
    found = find_array_counterexample(step) or find_recent_counterexample(step)
    return (found is None) == (mutant.name in HARMLESS)


def test_what_is_listed_is_a_change_of_one_symbol() -> None:
    assert HARMLESS <= {mutant.name for mutant in all_mutants()}


def test_some_changes_of_one_symbol_are_refuted_by_a_run_or_harmless() -> None:
    assert [mutant.name for mutant in all_mutants()[::SAMPLE] if not expected(mutant)] == []


@pytest.mark.long
def test_every_change_of_one_symbol_is_refuted_by_a_run_or_harmless() -> None:
    assert [mutant.name for mutant in all_mutants() if not expected(mutant)] == []


def test_a_listed_change_would_be_told_if_it_were_wrong() -> None:
    wrong = next(mutant for mutant in all_mutants() if mutant.name not in HARMLESS)
    assert expected(wrong)
    assert not expected(replace(wrong, name=min(STRICTER_THAN_NEEDED)))
