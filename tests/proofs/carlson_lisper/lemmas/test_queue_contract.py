"""The queue of candidates: its methods keep the contract that sequences rely on, and wrong queues do not."""

from bisect import bisect_right

import pytest

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, CandidateQueue
from proofs.carlson_lisper.scripts import obligations_of
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.occurrences import Instance, Time
from smt.smtlib import TimeSort
from tests.proofs.carlson_lisper.hidden_programs import changed
from tests.proofs.proving import THEOREMS, proved, unproved

CLAIM = "lemma:5.5.queue"
QUICK = 200_000


@pytest.mark.parametrize("time", ["int", "real"])
def test_every_obligation_about_the_running_queue_is_proved(time: TimeSort) -> None:
    parts = obligations_of(THEOREMS[CLAIM], time)
    assert [part.id for part in parts if not proved(part.text)] == []
    methods = {"push", "latest_before", "evict_before", "len"}
    assert {part.direction.split()[0] for part in parts} == {*methods, "empty"}


class KeepsOne(CandidateQueue):
    """Evicts one too few."""

    def evict_before(self, time: Time) -> Instance:
        position = self._position(self._ends, time)
        if not position:
            return NON_OCCURRENCE
        latest = self._instances[position - 1]
        del self._instances[: position - 1]
        del self._ends[: position - 1]
        return latest


def _oldest(self: CandidateQueue, time: Time) -> Instance:
    position = self._position(self._ends, time)
    return self._instances[position - position] if position else NON_OCCURRENCE


class PushesTwice(CandidateQueue):
    """Keeps an instance twice."""

    def push(self, instance: Instance) -> None:
        super().push(instance)
        super().push(instance)


WRONG: dict[str, type[CandidateQueue]] = {
    "finds what ends at the time itself": changed(CandidateQueue, _position=staticmethod(bisect_right)),
    "finds the oldest": changed(CandidateQueue, latest_before=_oldest),
    "reads one too far": changed(
        CandidateQueue, latest_before=lambda self, time: self._instances[self._position(self._ends, time)]
    ),
    "evicts one too few": KeepsOne,
    "keeps nothing": changed(CandidateQueue, push=lambda self, instance: None),
}


@pytest.mark.parametrize("time", ["int", "real"])
@pytest.mark.parametrize("queue", WRONG.values(), ids=list(WRONG))
def test_a_queue_that_breaks_the_contract_is_not_proved(queue: type[CandidateQueue], time: TimeSort) -> None:
    assert unproved(CLAIM, time, Subject(queue=queue), QUICK)


def test_a_queue_that_is_not_empty_at_first_is_not_proved() -> None:
    class Filled(CandidateQueue):
        def __init__(self) -> None:
            super().__init__()
            self._ends = [0]

    class Named(CandidateQueue):
        def __init__(self) -> None:
            super().__init__()
            self._instances = self._ends  # type: ignore[assignment]

    assert "an expression of another form: [0]" in unproved(CLAIM, "int", Subject(queue=Filled))
    assert unproved(CLAIM, "int", Subject(queue=Named)) == f"{CLAIM}/empty"


def test_a_queue_that_keeps_instances_twice_is_not_proved() -> None:
    # memory:5.2.figure4 rests on different ends in the queue
    assert unproved(CLAIM, "int", Subject(queue=PushesTwice), QUICK)
