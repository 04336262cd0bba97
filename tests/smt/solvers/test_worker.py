"""A child process that answers questions: what it answers, and that its loss never is."""

import os
from pathlib import Path

import pytest

from smt.solvers.worker import Worker, WorkerLost
from tests.tables import table

ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)\n"


def worker(folder: Path, program: str) -> Worker:
    (folder / "program.py").write_text(program)
    return Worker(folder / "program.py")


def test_a_process_answers_one_question_after_another(tmp_path: Path) -> None:
    asked = worker(tmp_path, ECHO)
    assert [asked.ask({"n": n}, 10) for n in range(3)] == [{"n": 0}, {"n": 1}, {"n": 2}]
    first = asked.pid
    asked.ask({}, 10)
    assert asked.pid == first
    asked.close()
    assert asked.pid is None


def test_an_answer_may_be_longer_than_a_pipe_holds(tmp_path: Path) -> None:
    asked = worker(tmp_path, ECHO)
    long = {"text": "é" * 500_000}
    assert asked.ask(long, 30) == long
    asked.close()


@pytest.mark.parametrize(("program", "words"), table(__file__, "lost"))
def test_a_process_that_ends_or_talks_nonsense_is_lost(tmp_path: Path, program: str, words: str) -> None:
    asked = worker(tmp_path, program)
    with pytest.raises(WorkerLost, match=words):
        asked.ask({}, 30)
    assert asked.pid is None


def test_a_process_that_does_not_answer_in_time_is_killed(tmp_path: Path) -> None:
    asked = worker(tmp_path, "import time\nif input() == '{}': time.sleep(1000)\nprint('{}', flush=True)")
    pid = asked.start().pid
    with pytest.raises(WorkerLost, match="no answer within"):
        asked.ask({}, 0.2)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert asked.ask({"the next": "process"}, 10) == {}
    asked.close()


def test_a_fork_of_the_owner_leaves_the_process_alone(tmp_path: Path) -> None:
    asked = worker(tmp_path, ECHO)
    asked.ask({}, 10)
    child = os.fork()
    if child == 0:
        asked.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert asked.ask({"still": "there"}, 10) == {"still": "there"}
    asked.close()
