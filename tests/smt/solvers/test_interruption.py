"""What is announced stops all that runs, and nothing is taken for an answer after that."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from smt.solvers import interruption
from smt.solvers.worker import Worker
from smt.solvers.z3_solver import Z3
from tests.smt.solvers.problems import HARD


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(interruption, "_announced", threading.Event())
    yield
    assert interruption._running == []


def announced_soon() -> threading.Timer:
    timer = threading.Timer(0.3, interruption.announce)
    timer.start()
    return timer


def test_nothing_is_raised_before_it_is_announced() -> None:
    interruption.check()
    interruption.announce()
    with pytest.raises(KeyboardInterrupt):
        interruption.check()


def test_a_search_of_z3_is_stopped_and_is_no_answer() -> None:
    timer = announced_soon()
    with pytest.raises(KeyboardInterrupt):
        Z3(600).check(HARD, rlimit=0)
    timer.join()


def test_after_the_announcement_nothing_begins(tmp_path: Path) -> None:
    interruption.announce()
    with pytest.raises(KeyboardInterrupt):
        Z3().check("(assert false)(check-sat)", rlimit=1000)
    (tmp_path / "program.py").write_text("print(input(), flush=True)")
    with pytest.raises(KeyboardInterrupt):
        Worker(tmp_path / "program.py").ask({}, 600)


def test_a_process_at_work_is_stopped_and_its_loss_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import time\ntime.sleep(1000)")
    worker = Worker(tmp_path / "program.py")
    timer = announced_soon()
    with pytest.raises(KeyboardInterrupt):
        worker.ask({}, 600)
    timer.join()
    assert worker.pid is None


def test_work_that_cannot_be_stopped_does_not_keep_other_work_from_being_stopped() -> None:
    stopped = threading.Event()

    def fails() -> None:
        raise OSError

    with pytest.raises(KeyboardInterrupt), interruption.stopped_by(fails):
        with interruption.stopped_by(stopped.set):
            interruption.announce()
            assert stopped.is_set()
        interruption.check()
