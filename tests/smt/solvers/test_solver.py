"""Every solver back end: text in, answer out, the same work for the same text, and a process that may be lost."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from laws.carlson_lisper.claims import find
from smt.carlson_lisper.obligations import obligation
from smt.solvers import portfolio
from smt.solvers.portfolio import CVC5, Z3, Solver, SolverFailed, family, is_installed
from tests.smt.solvers.problems import HARD, PROVABLE, SATISFIABLE, text_of

MAKERS = [Z3, pytest.param(CVC5, marks=pytest.mark.skipif(not is_installed(), reason="no package of cvc5"))]


@pytest.fixture(params=MAKERS, ids=["z3", "cvc5"])
def make(request: pytest.FixtureRequest) -> Callable[..., Solver]:
    maker: Callable[..., Solver] = request.param
    return maker


@pytest.fixture
def solver(make: Callable[..., Solver]) -> Iterator[Solver]:
    made = make()
    yield made
    made.close()


def test_an_obligation_is_unsat(solver: Solver) -> None:
    answer = solver.check(PROVABLE, rlimit=20_000)
    assert (answer.status, answer.reason) == ("unsat", "")
    assert answer.solver == solver.name
    assert family(solver.name) in ("z3", "cvc5") and solver.name.split()[1][0].isdigit()


def test_a_model_gives_the_values_of_constants_by_their_unquoted_names(solver: Solver) -> None:
    answer = solver.check(SATISFIABLE, rlimit=100_000)
    assert (answer.status, answer.values) == ("sat", {"x": 3, "y z": True})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(set-logic UFLIA)(assert undeclared)(check-sat)", "undeclared"),
        ("(set-logic UFLIA)(assert", "Expected|unexpected|eof"),
        ("?", "Expected|invalid|unexpected"),
    ],
)
def test_a_text_that_is_rejected_is_a_failure_after_which_the_solver_goes_on(
    solver: Solver, text: str, words: str
) -> None:
    with pytest.raises(SolverFailed, match=f"{family(solver.name)}.*(?:{words})"):
        solver.check(text, rlimit=1000)
    assert solver.check(PROVABLE, rlimit=20_000).status == "unsat"


@pytest.mark.parametrize("name", ["16", "28", "34", "theorem:4.6.seq"])
def test_the_same_obligation_takes_the_same_work_each_time(name: str) -> None:
    (claim,) = find([name])
    direction = "⊆" if name.isdecimal() else "condition 2"
    text = obligation(claim, direction).text
    solver = Z3()
    solver.check(SATISFIABLE, rlimit=100_000)  # what came before does not count
    first, second = solver.check(text, rlimit=10**7), Z3().check(text, rlimit=10**7)
    assert first.status == second.status == "unsat"
    assert first.rlimit == second.rlimit > 0


def test_work_that_exceeds_the_budget_is_unknown_with_a_reason(solver: Solver) -> None:
    answer = solver.check(PROVABLE, rlimit=100)
    assert answer.status == "unknown"
    assert answer.reason == "its budget of 100 units of work is used up"
    assert answer.rlimit >= 100


def test_time_that_exceeds_the_limit_is_unknown(make: Callable[..., Solver]) -> None:
    solver = make(timeout_seconds=0.2)
    answer = solver.check(HARD, rlimit=0)
    assert (answer.status, answer.seconds < 20) == ("unknown", True)
    assert answer.reason in ("its time is over", "timeout")
    solver.close()


@pytest.fixture
def cvc5() -> Iterator[CVC5]:
    if not is_installed():
        pytest.skip("no package of cvc5 for this platform")
    made = CVC5()
    yield made
    made.close()


def test_a_text_that_asks_nothing_is_a_failure(cvc5: CVC5) -> None:
    with pytest.raises(SolverFailed, match="check-sat"):
        cvc5.check("(set-logic UFLIA)(assert true)", rlimit=1000)


def test_the_same_obligation_takes_the_same_work_in_every_process(cvc5: CVC5) -> None:
    texts = [text_of(f"law:{law}", "included") for law in (8, 6, 14)]
    counts = [[cvc5.check(text, rlimit=20_000).rlimit for text in texts] for _ in range(3)]
    cvc5.close()
    counts.append([cvc5.check(text, rlimit=20_000).rlimit for text in reversed(texts)][::-1])
    assert all(count == counts[0] for count in counts)
    assert all(count > 0 for count in counts[0])


@pytest.mark.slow
@pytest.mark.usefixtures("cvc5")
def test_a_phase_that_looks_at_no_budget_is_ended_and_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = portfolio.PROGRAM.read_text("utf-8").replace(
        '        if command.getCommandName() == "check-sat":\n',
        '        while \'law:14\' in question["text"]: pass\n        if command.getCommandName() == "check-sat":\n',
    )
    (tmp_path / "program.py").write_text(endless)
    monkeypatch.setattr(portfolio, "PROGRAM", tmp_path / "program.py")
    monkeypatch.setattr(portfolio, "LEAST_SECONDS", 1)
    cvc5 = CVC5(timeout_seconds=600)
    answer = cvc5.check(PROVABLE, rlimit=1000)
    assert (answer.status, answer.rlimit) == ("unknown", 0)
    assert answer.reason == "it was stopped after 1 seconds of processor time, short of its budget"
    process = cvc5._worker.started()
    assert cvc5.check(SATISFIABLE, rlimit=20_000).status == "sat"
    assert cvc5._worker.started() == process
    cvc5.close()


def test_an_interrupt_that_reaches_the_process_of_the_solver_is_not_its_business(cvc5: CVC5) -> None:
    cvc5.check(SATISFIABLE, rlimit=0)
    pid = cvc5._worker.started()
    os.killpg(os.getpgid(pid), signal.SIGINT)
    assert cvc5.check(PROVABLE, rlimit=20_000).status == "unsat"
    assert cvc5._worker.started() == pid


def test_without_the_package_every_query_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "find_spec", lambda name: None)
    with pytest.raises(SolverFailed, match="not installed"):
        CVC5().check(PROVABLE, rlimit=1000)


INTERRUPTED = """
import sys
sys.path.insert(0, sys.argv[1])
from smt.solvers.portfolio import CVC5
cvc5 = CVC5()
print(cvc5._worker.started(), flush=True)
try:
    cvc5.check(sys.argv[2], rlimit=0)
except KeyboardInterrupt:
    print("interrupted", cvc5._worker._running, flush=True)
"""


def test_a_crash_loses_the_query_that_caused_it(cvc5: CVC5, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crashing = portfolio.PROGRAM.read_text("utf-8").replace(
        "    begin = time.perf_counter()\n    try", "    os.kill(os.getpid(), 11)\n    try"
    )
    (tmp_path / "program.py").write_text(crashing)
    monkeypatch.setattr(portfolio, "PROGRAM", tmp_path / "program.py")
    with pytest.raises(SolverFailed, match="SIGSEGV"):
        CVC5().check(PROVABLE, rlimit=20_000)


@pytest.mark.usefixtures("cvc5")
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
