"""The contract of the queue on concrete uses: nothing is found for the queue that runs, something for wrong ones."""

import json

import pytest

from detectors.carlson_lisper.source.steps import CandidateQueue
from proofs.carlson_lisper.runs.queues import find_queue_counterexample
from semantics.carlson_lisper.occurrences import Instance
from tests.proofs.carlson_lisper.hidden_programs import changed
from tests.proofs.carlson_lisper.lemmas.test_queue_contract import WRONG, PushesTwice


def test_nothing_is_found_wrong_with_the_running_queue() -> None:
    assert find_queue_counterexample() is None


def _answer(self: CandidateQueue, instance: Instance) -> Instance:
    CandidateQueue.push(self, instance)
    return instance


SAYS_ONE = changed(CandidateQueue, __len__=lambda self: 1)
ANSWERS_PUSH = changed(CandidateQueue, push=_answer)


@pytest.mark.parametrize("queue", [*WRONG.values(), PushesTwice, SAYS_ONE, ANSWERS_PUSH])
def test_a_wrong_queue_answers_wrongly_after_a_few_calls(queue: type[CandidateQueue]) -> None:
    found = find_queue_counterexample(queue)
    assert found is not None
    assert len(found.tried) <= 4
    assert json.loads(json.dumps(found.data())) == found.data()
