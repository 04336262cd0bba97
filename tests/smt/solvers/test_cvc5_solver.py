"""cvc5 as a back end: the same answers as any solver's, the same work each time, and a process that may be lost."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from smt.solvers import back_ends
from smt.solvers.back_ends import CVC5, is_installed
from smt.solvers.solver import SolverFailed
from tests.smt.solvers.problems import HARD, OBLIGATIONS, PROVABLE, SATISFIABLE

pytestmark = pytest.mark.skipif(not is_installed(), reason="no package of cvc5 for this platform")


@pytest.fixture
def solver() -> Iterator[CVC5]:
    cvc5 = CVC5()
    yield cvc5
    cvc5.close()


def test_a_text_that_asks_nothing_is_a_failure(solver: CVC5) -> None:
    with pytest.raises(SolverFailed, match="check-sat"):
        solver.check("(set-logic UFLIA)(assert true)", rlimit=1000)


def test_the_same_obligation_takes_the_same_work_in_every_process(solver: CVC5) -> None:
    texts = [(OBLIGATIONS / f"law-{law}-included.smt2").read_text("utf-8") for law in (8, 6, 14)]
    counts = [[solver.check(text, rlimit=20_000).rlimit for text in texts] for _ in range(3)]
    solver.close()
    counts.append([solver.check(text, rlimit=20_000).rlimit for text in reversed(texts)][::-1])
    assert all(count == counts[0] for count in counts)
    assert all(count > 0 for count in counts[0])


def test_a_phase_that_looks_at_no_budget_is_ended_and_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = back_ends.PROGRAM.read_text("utf-8").replace(
        '        if command.getCommandName() == "check-sat":\n',
        '        while \'law:14\' in question["text"]: pass\n        if command.getCommandName() == "check-sat":\n',
    )
    (tmp_path / "program.py").write_text(endless)
    monkeypatch.setattr(back_ends, "PROGRAM", tmp_path / "program.py")
    monkeypatch.setattr(back_ends, "LEAST_SECONDS", 1)
    cvc5 = CVC5(timeout_seconds=600)
    answer = cvc5.check(PROVABLE, rlimit=1000)
    assert (answer.status, answer.rlimit) == ("unknown", 0)
    assert answer.reason == "it was stopped after 1 seconds of processor time, short of its budget"
    process = cvc5._worker.pid
    assert cvc5.check(SATISFIABLE, rlimit=20_000).status == "sat"
    assert cvc5._worker.pid == process
    cvc5.close()


def test_an_interrupt_that_reaches_the_process_of_the_solver_is_not_its_business(solver: CVC5) -> None:
    solver.check(SATISFIABLE, rlimit=0)
    pid = solver._worker.pid
    assert pid is not None
    os.killpg(pid, signal.SIGINT)
    assert solver.check(PROVABLE, rlimit=20_000).status == "unsat"
    assert solver._worker.pid == pid


def test_without_the_package_every_query_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(back_ends, "find_spec", lambda name: None)
    with pytest.raises(SolverFailed, match="not installed"):
        CVC5().check(PROVABLE, rlimit=1000)


INTERRUPTED = """
import sys
sys.path.insert(0, sys.argv[1])
from smt.solvers.back_ends import CVC5
solver = CVC5()
solver._worker.start()
print(solver._worker.pid, flush=True)
try:
    solver.check(sys.argv[2], rlimit=0)
except KeyboardInterrupt:
    print("interrupted", solver._worker.pid, flush=True)
"""


def test_a_crash_loses_the_query_that_caused_it(solver: CVC5, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crashing = back_ends.PROGRAM.read_text("utf-8").replace(
        "    begin = time.perf_counter()\n    try", "    os.kill(os.getpid(), 11)\n    try"
    )
    (tmp_path / "program.py").write_text(crashing)
    monkeypatch.setattr(back_ends, "PROGRAM", tmp_path / "program.py")
    with pytest.raises(SolverFailed, match="SIGSEGV"):
        CVC5().check(PROVABLE, rlimit=20_000)


def test_an_interrupt_from_the_keyboard_ends_the_query_and_its_process() -> None:
    root = str(Path(__file__).parents[3])
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, root, HARD], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        time.sleep(0.5)  # it is at work by then; before, it is interrupted as well
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline().split() == ["interrupted", "None"]
        assert process.wait(30) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
