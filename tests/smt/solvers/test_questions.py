"""Many questions at once: whatever the order of the answers, each goes with its question; an interrupt ends all."""

import threading
import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smt.solvers.questions import Outcome, Pool, side_by_side
from smt.solvers.solver import Answer, Question, SolverFailed, Strategy


class Echo:
    """A solver whose work is the number in the text; it breaks down or is interrupted when told to."""

    name = "echo 1.0"
    strategy = Strategy("echo")

    def __init__(self) -> None:
        self.busy = threading.Lock()
        self.closed = False

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        assert self.busy.acquire(blocking=False), "an instance is asked two questions at once"
        try:
            if text == "broken":
                raise SolverFailed("it broke down")
            if text == "interrupt":
                raise KeyboardInterrupt
            time.sleep(int(text) % 3 / 5000)
            return Answer("unsat", self.name, 0.0, int(text))
        finally:
            self.busy.release()

    def close(self) -> None:
        self.closed = True


@given(st.lists(st.integers(0, 50), max_size=30), st.integers(1, 5))
def test_each_answer_goes_with_its_question(numbers: list[int], size: int) -> None:
    pool = Pool(Echo, size)
    outcomes = pool.ask_all(Question(str(number), budget=number % 7) for number in numbers)
    assert [outcome.work for outcome in outcomes] == numbers
    assert all(outcome.proved for outcome in outcomes)


class Several(Echo):
    """A solver that answers several questions together."""

    def check_several(self, questions: Sequence[Question]) -> list[Answer | SolverFailed]:
        said: list[Answer | SolverFailed] = []
        for question in questions:
            try:
                said.append(self.check(question.text, rlimit=question.budget))
            except SolverFailed as error:
                said.append(error)
        return said


@pytest.mark.parametrize("maker", [Echo, Several])
def test_groups_of_questions_come_back_as_groups(maker: type[Echo]) -> None:
    groups = [["3", "1"], [], ["broken", "7"], ["2"] * 5]
    outcomes = Pool(maker, 2).ask_groups([[Question(text, 1) for text in group] for group in groups])
    assert [[each.work for each in group] for group in outcomes] == [[3, 1], [], [0, 7], [2] * 5]
    assert outcomes[2][0].status == "error"


def test_a_solver_that_breaks_down_spoils_one_question_only() -> None:
    outcomes = Pool(Echo, 2).ask_all([Question("1", 1), Question("broken", 1), Question("2", 1)])
    assert outcomes == [Outcome("unsat", 1), Outcome("error", 0, "it broke down"), Outcome("unsat", 2)]
    assert not outcomes[1].proved


def test_an_interrupt_reaches_who_asked_and_closes_everything() -> None:
    made: list[Echo] = []

    def make() -> Echo:
        made.append(Echo())
        return made[-1]

    pool = Pool(make, 2)
    with pytest.raises(KeyboardInterrupt):
        pool.ask_all([Question("1", 1), Question("interrupt", 1), *[Question("2", 1)] * 200])
    assert all(solver.closed for solver in made)
    with pytest.raises(RuntimeError, match="closed"):
        pool.ask(Question("1", 1))


def test_side_by_side_keeps_the_order() -> None:
    def slow_if_small(number: int) -> int:
        time.sleep(0.001 * (10 - number))
        return number

    assert side_by_side(slow_if_small, list(range(10)), [], 4) == list(range(10))
