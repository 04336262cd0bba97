"""The contract of the queue on concrete uses: nothing is found for the queue that runs, something for wrong ones."""

import json

import pytest

from detectors.carlson_lisper.source.steps import CandidateQueue
from proofs.carlson_lisper.runs.queues import find_queue_counterexample
from tests.proofs.carlson_lisper.hidden_programs import HIDDEN_QUEUES
from tests.proofs.carlson_lisper.lemmas.test_queue_contract import WRONG, PushesTwice


def test_nothing_is_found_wrong_with_the_running_queue() -> None:
    assert find_queue_counterexample() is None


class SaysOne(CandidateQueue):
    """Says that it keeps one instance."""

    def __len__(self) -> int:
        return 1


class AnswersPush(CandidateQueue):
    """Returns what is pushed, which nobody asked for."""

    def push(self, instance):  # type: ignore[no-untyped-def]
        super().push(instance)
        return instance


@pytest.mark.parametrize("queue", [*WRONG, PushesTwice, SaysOne, AnswersPush, *HIDDEN_QUEUES.values()])
def test_a_wrong_queue_answers_wrongly_after_a_few_calls(queue: type[CandidateQueue]) -> None:
    found = find_queue_counterexample(queue)
    assert found is not None
    assert len(found.tried) <= 4
    assert json.loads(json.dumps(found.data())) == found.data()


def test_a_wrong_answer_is_told_with_the_calls_before_it() -> None:
    found = find_queue_counterexample(PushesTwice)
    assert found is not None
    assert found.summary() == "after push({a@0}): len gives 2; the contract says 1"
    first = find_queue_counterexample(SaysOne)
    assert first is not None
    assert first.summary() == "len gives 1; the contract says 0"
