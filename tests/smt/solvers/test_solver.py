"""The solver back end: text in, answer out, the same work for the same text."""

import pytest

from laws.carlson_lisper.claims import find
from smt.carlson_lisper.obligations import obligation
from smt.solvers.solver import SolverFailed
from smt.solvers.z3_solver import Z3

SATISFIABLE = "(declare-const x Int)(declare-const |y z| Bool)(assert (and (< 2 x) (< x 4) |y z|))(check-sat)"


def test_an_unsatisfiable_text_is_unsat() -> None:
    answer = Z3().check("(assert false)(check-sat)", rlimit=1000)
    assert (answer.status, answer.reason) == ("unsat", "")
    assert answer.solver.startswith("z3 ")


def test_a_model_gives_the_values_of_constants_by_their_unquoted_names() -> None:
    answer = Z3().check(SATISFIABLE, rlimit=100_000)
    assert answer.status == "sat"
    assert answer.values == {"x": 3, "y z": True}


@pytest.mark.parametrize(
    "text", ["(assert (undeclared x))", "(declare-const x Int)(assert x)", "(assert", "?"]
)
def test_a_text_that_the_solver_rejects_is_a_failure_and_not_an_answer(text: str) -> None:
    with pytest.raises(SolverFailed, match="z3"):
        Z3().check(text, rlimit=1000)


def test_a_failure_leaves_the_solver_usable() -> None:
    solver = Z3()
    with pytest.raises(SolverFailed):
        solver.check("(assert", rlimit=1000)
    assert solver.check("(assert false)", rlimit=1000).status == "unsat"


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


def test_work_that_exceeds_the_budget_is_unknown_with_a_reason() -> None:
    (claim,) = find(["16"])
    answer = Z3().check(obligation(claim, "⊆").text, rlimit=1)
    assert answer.status == "unknown"
    assert answer.reason


def test_time_that_exceeds_the_limit_is_unknown() -> None:
    squares = "(declare-const a Int)(declare-const b Int)(declare-const c Int)" + "".join(
        f"(assert (< 1 {name}))" for name in "abc"
    )
    hard = f"{squares}(assert (= (* a a a a a) (+ (* b b b b b) (* c c c c c))))"
    answer = Z3(timeout_seconds=0.1).check(hard, rlimit=0)
    assert answer.status == "unknown"
    assert answer.seconds < 20
