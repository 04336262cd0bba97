"""Every solver back end: text in, answer out, the same work for the same text."""

from collections.abc import Callable, Iterator

import pytest

from laws.carlson_lisper.claims import find
from smt.carlson_lisper.obligations import obligation
from smt.solvers.back_ends import CVC5, Z3, is_installed
from smt.solvers.portfolio import family
from smt.solvers.solver import Solver, SolverFailed
from tests.smt.solvers.problems import HARD, PROVABLE, SATISFIABLE

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
