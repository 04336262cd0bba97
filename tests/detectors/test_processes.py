"""A child process that answers lines: what it answers, that its loss is no answer, and what is left of it."""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from detectors.processes import Process
from detectors.protocol import ProcessFailed
from tests.tables import table

ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)\n"
ONCE = "import os, sys\nprint(input(), flush=True)\n"

Made = Callable[[str], Process]


@pytest.fixture
def process(tmp_path: Path) -> Made:
    def made(program: str) -> Process:
        (tmp_path / "program.py").write_text(program)
        return Process([sys.executable, "program.py"], str(tmp_path), 10.0)

    return made


def gone(pid: int) -> bool:
    """Whether a process has ended, soon; one that only waits for its parent has."""
    stat = Path(f"/proc/{pid}/stat")
    for _ in range(100):
        if not stat.exists() or stat.read_text().split()[2] == "Z":
            return True
        time.sleep(0.05)
    return False


def test_a_process_answers_one_line_after_another(process: Made) -> None:
    asked = process(ECHO)
    assert [asked.tell([{"n": n}]) for n in range(3)] == [[{"n": 0}], [{"n": 1}], [{"n": 2}]]
    first, long = asked.started(), {"text": "é" * 500_000}
    assert asked.tell([long]) == [long]
    assert asked.started() == first
    asked.end()
    assert asked._running is None


@pytest.mark.parametrize(("program", "words"), table(__file__, "lost"))
def test_a_process_that_ends_or_talks_nonsense_has_failed(process: Made, program: str, words: str) -> None:
    asked = process(program)
    with pytest.raises(ProcessFailed, match=words):
        asked.ask({})
    assert asked._running is None


def test_a_process_that_ends_in_order_after_an_answer_is_started_again(process: Made) -> None:
    asked = process(ONCE + "time = __import__('time').sleep(0.1)")
    assert [asked.ask({"n": n})["n"] for n in range(3)] == [0, 1, 2]
    for fault in ("os.abort()", "input()"):  # at the end of its first case; at its second
        asked = process(ONCE + fault)
        with pytest.raises(ProcessFailed, match="ended"):
            [asked.ask({}) for _ in range(2)]


def test_a_process_that_does_not_answer_in_time_is_killed(process: Made) -> None:
    asked = process("import time\nif '1' in input(): time.sleep(1000)\nprint('{}', flush=True)")
    pid = asked.started()
    with pytest.raises(ProcessFailed, match="did not answer within"):
        asked.tell([1], seconds=0.2)
    assert gone(pid)
    assert asked.tell([2]) == [{}]
    asked.end()


@pytest.mark.parametrize("way", [lambda: os._exit(0), lambda: os.kill(os.getpid(), signal.SIGKILL)])
def test_nothing_is_left_when_who_asks_is_lost(process: Made, way: Callable[[], None], tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        asked = process(ONCE + "while True: pass")
        asked.ask({})
        (tmp_path / "pid").write_text(str(asked.started()))
        way()
    os.waitpid(child, 0)
    assert gone(int((tmp_path / "pid").read_text()))


def test_a_fork_leaves_the_process_alone(process: Made) -> None:
    asked = process(ECHO)
    asked.tell([{}])
    child = os.fork()
    if child == 0:
        asked.end()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert asked.tell([{"still": "there"}]) == [{"still": "there"}]
    asked.end()
