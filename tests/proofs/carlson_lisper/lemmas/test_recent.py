"""The sequence that keeps the last τ + 1 candidates, and its array: proved, and wrong ones are not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pytest

from campaigns.mutants.private_modules import source
from detectors.carlson_lisper.source import stores
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE
from detectors.carlson_lisper.source.stores import RecentSequenceStep, StaticQueue
from proofs.carlson_lisper.lemmas import recent, static_queue
from proofs.carlson_lisper.scripts import obligations_of
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.occurrences import Instance, Time
from smt.smtlib import TimeSort
from tests.proofs.carlson_lisper.program_mutants import ProgramMutant, defined, mutants
from tests.proofs.proving import THEOREMS, proved, unproved

QUICK = 200_000
CLAIMS = (static_queue.CLAIM, recent.CLAIM)


def with_queue(queue: type[StaticQueue]) -> type[RecentSequenceStep]:
    """The step with another array."""
    names = {**vars(stores), "StaticQueue": queue}
    names = defined(source(stores.__name__), ("RecentSequenceStep",), names)
    return cast(type[RecentSequenceStep], names["RecentSequenceStep"])


def hole(step: type[RecentSequenceStep], time: TimeSort = "int") -> str:
    """The first obligation that is not proved."""
    found = (unproved(claim, time, Subject(recent=step), QUICK) for claim in CLAIMS)
    return next((name for name in found if name), "")


@pytest.mark.parametrize(
    ("claim", "time"), [(recent.CLAIM, "int"), (static_queue.CLAIM, "int"), (static_queue.CLAIM, "real")]
)
def test_every_obligation_is_proved(claim: str, time: TimeSort) -> None:
    assert [part.id for part in obligations_of(THEOREMS[claim], time) if not proved(part.text, QUICK)] == []


def test_over_dense_time_the_reason_that_the_claim_gives_is_what_fails() -> None:
    parts = obligations_of(THEOREMS[recent.CLAIM], "real")
    assert [part.direction for part in parts if not proved(part.text, QUICK)] == ["ends step"]


class Fewer(RecentSequenceStep):
    """One place less."""

    __slots__ = ()

    def __init__(self, ticks: int) -> None:
        super().__init__(ticks)
        self.queue = StaticQueue(ticks)


class Larger(RecentSequenceStep):
    """Says that it may keep more than it has room for."""

    __slots__ = ()

    def __init__(self, ticks: int) -> None:
        super().__init__(ticks)
        self.bound = ticks + 2


class Other(RecentSequenceStep):
    """Another step."""

    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        return right


@pytest.mark.parametrize(
    ("step", "part"), [(Fewer, "places"), (Larger, "bound"), (Other, "another one than that of Figure 2")]
)
def test_a_step_that_is_not_what_the_claim_says_is_not_proved(
    step: type[RecentSequenceStep], part: str
) -> None:
    assert hole(step).endswith(part)


class MovesWhileSearching(StaticQueue):
    """Its search forgets."""

    __slots__ = ()

    def _position(self, time: Time) -> int:
        low, high = self._first, self._next
        while low < high:
            low, high = self._halved(low, high, time)
            self._first = low
        return low


class CountsRounds(StaticQueue):
    """Its search gives up after three rounds, which the first two do not show."""

    __slots__ = ()

    def _position(self, time: Time) -> int:
        low, high = self._first, self._next
        rounds = 0
        while low < high and rounds < 3:
            low, high = self._halved(low, high, time)
            rounds += 1
        return low


class ForgetsNothing(StaticQueue):
    """Leaves its first marker where it is when it writes over the oldest."""

    __slots__ = ()

    def push(self, instance: Instance) -> None:
        self._instances[self._next % self._size] = instance
        self._next += 1


class Filled(StaticQueue):
    """Is not empty at first."""

    __slots__ = ()

    def __init__(self, size: int) -> None:
        self._size = size
        self._instances: list[Instance] = [NON_OCCURRENCE] * size
        self._first = 0
        self._next = 1


WRONG = [CountsRounds, MovesWhileSearching, ForgetsNothing, Filled]


@pytest.mark.parametrize("queue", WRONG, ids=lambda queue: queue.__name__)
def test_an_array_that_breaks_the_contract_is_not_proved(queue: type[StaticQueue]) -> None:
    assert hole(with_queue(queue))


RIGHT: Mapping[str, tuple[str, ...]] = {
    "nothing that is assigned depends on what is assigned before": (
        "RecentSequenceStep.__init__: `self.bound: Label = ticks + 1`"
        " comes after `self.queue = StaticQueue(ticks + 1)`",
        "RecentSequenceStep.__init__: `self.ticks = ticks` comes after `self.bound: Label = ticks + 1`",
        "RecentSequenceStep.__init__: `super().__init__()` comes after `self.ticks = ticks`",
        "StaticQueue.__init__: `self._first = 0` comes after `self._next = 0`",
        "StaticQueue.__init__: `self._instances: list[Instance] = [NON_OCCURRENCE] * size`"
        " comes after `self._first = 0`",
        "StaticQueue.__init__: `self._size = size`"
        " comes after `self._instances: list[Instance] = [NON_OCCURRENCE] * size`",
    ),
    "the step itself does not use its label": (
        "RecentSequenceStep.__init__: `self.ticks = ticks` is left out",
    ),
    "the markers are equal when the search ends": ("StaticQueue._position: `low` becomes `high` (5)",),
    "a search that goes on one by one finds the same": ("StaticQueue._halved: `high` becomes `low`",),
}
"""Changes of one symbol that are harmless, and why."""


def as_step(mutant: ProgramMutant) -> type[RecentSequenceStep]:
    """The step with the change."""
    made: Any = mutant.define(vars(stores))
    return made if mutant.owner == "RecentSequenceStep" else with_queue(made)


def test_the_step_and_the_array_that_run_are_proved_when_they_are_defined_anew() -> None:
    assert hole(with_queue(StaticQueue)) == ""


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.long)])
def test_a_change_of_one_symbol_is_caught_or_harmless(every: int) -> None:
    # of what the array contains no obligation speaks
    owners = ("StaticQueue", "RecentSequenceStep")
    changed = [each for owner in owners for each in mutants(stores, owner) if ".contents: " not in each.name]
    harmless = {name for group in RIGHT.values() for name in group}
    assert harmless <= {mutant.name for mutant in changed}
    for mutant in changed[::every]:
        assert bool(hole(as_step(mutant))) == (mutant.name not in harmless), mutant.name
