"""Many questions to one solver at once: a few instances of it, each busy with one question at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Literal, TypeAlias, TypeVar

from smt.attempts import ObligationResult
from smt.solvers.portfolio import Participant
from smt.solvers.solver import Answer, AnswersSeveral, Question, Solver, SolverFailed, Status

Maker: TypeAlias = Callable[[], Participant]
"""Makes a solver; `Z3` and `CVC5` are makers."""

Item = TypeVar("Item")
Result = TypeVar("Result")

KnownWork: TypeAlias = Mapping[tuple[str, str], int]
"""The work of known proofs, in the solver's own units, by the obligation's id and the solver's name and version."""


@dataclass(frozen=True)
class Outcome:
    """What came of a question; nothing in it depends on the machine.

    Attributes:
        status: what the solver said, or `error` if it broke down.
    """

    status: Status | Literal["error"]
    work: int
    reason: str = ""

    @property
    def proved(self) -> bool:
        """Whether it is a proof."""
        return self.status == "unsat"


def ask_once(solver: Solver, question: Question) -> Outcome:
    """The outcome of a question; that the solver breaks down is one."""
    try:
        answer = solver.check(question.text, rlimit=question.budget, seed=question.seed)
    except SolverFailed as error:
        return _outcome(error)
    return _outcome(answer)


def ask_several(solver: Solver, questions: Sequence[Question]) -> list[Outcome]:
    """The outcomes of questions, together where that is cheaper."""
    if isinstance(solver, AnswersSeveral):
        return [_outcome(said) for said in solver.check_several(questions)]
    return [ask_once(solver, question) for question in questions]


def _outcome(said: Answer | SolverFailed) -> Outcome:
    if isinstance(said, SolverFailed):
        return Outcome("error", 0, str(said))
    return Outcome(said.status, said.rlimit, said.reason)


class Pool:
    """Instances of one solver; used in a `with`, it ends their processes.

    Z3 gives up Python's lock while it works and cvc5 has a process of its own, so threads keep the cores busy. What is
    answered to a question does not depend on the others.
    """

    def __init__(self, make: Maker, size: int) -> None:
        """With so many instances, at least one."""
        self._solvers = [make() for _ in range(max(1, size))]
        self._idle: SimpleQueue[Participant] = SimpleQueue()
        for solver in self._solvers:
            self._idle.put(solver)
        self._closed = False
        self.name = self._solvers[0].name

    @property
    def family(self) -> str:
        """The solver's name without its version: `z3`, `cvc5`."""
        return self.name.split()[0]

    @property
    def strategy(self) -> str:
        """The name of the solver's strategy."""
        return self._solvers[0].strategy.name

    def ask_all(self, questions: Iterable[Question]) -> list[Outcome]:
        """The outcomes of questions, in the same order; see `ask_groups`."""
        return [outcome for [outcome] in self.ask_groups([question] for question in questions)]

    def ask_groups(self, groups: Iterable[Sequence[Question]]) -> list[list[Outcome]]:
        """The outcomes of questions, in the same order; those with the greatest budgets are asked first.

        The questions of a group are put to one instance, together where that is cheaper.

        Raises:
            KeyboardInterrupt: the user interrupted it; no process goes on.
        """
        asked = list(groups)
        budgets = [sum(question.budget for question in group) for group in asked]
        order = sorted(range(len(asked)), key=lambda number: -budgets[number])
        outcomes = side_by_side(
            self.ask_group, [asked[number] for number in order], [self], len(self._solvers)
        )
        by_number = dict(zip(order, outcomes, strict=True))
        return [by_number[number] for number in range(len(asked))]

    def ask(self, question: Question) -> Outcome:
        """The outcome of one question, from whichever instance is idle.

        Raises:
            RuntimeError: the pool is closed.
        """
        [outcome] = self.ask_group([question])
        return outcome

    def ask_group(self, questions: Sequence[Question]) -> list[Outcome]:
        """The outcomes of questions, all from whichever instance is idle.

        Raises:
            RuntimeError: the pool is closed.
        """
        if self._closed:
            raise RuntimeError(f"the pool of {self.name} is closed")
        solver = self._idle.get()
        try:
            return ask_several(solver, questions)
        finally:
            self._idle.put(solver)

    def close(self) -> None:
        """End the processes of the instances; what they work on fails, and nothing more is asked."""
        self._closed = True
        for solver in self._solvers:
            solver.close()


@contextmanager
def pools(makers: Sequence[Maker], size: int) -> Iterator[list[Pool]]:
    """A pool for each maker, closed at the end."""
    made = [Pool(make, size) for make in makers]
    try:
        yield made
    finally:
        for pool in made:
            pool.close()


def side_by_side(
    work: Callable[[Item], Result], items: Sequence[Item], pools: Sequence[Pool], workers: int
) -> list[Result]:
    """What becomes of items, in their order; up to `workers` of them are worked on at the same time.

    Args:
        items: begun in this order.
        pools: closed if the user interrupts it, so that nothing goes on.

    Raises:
        KeyboardInterrupt: the user interrupted it.
    """
    with ThreadPoolExecutor(max_workers=max(1, workers)) as threads:
        waiting = [threads.submit(work, item) for item in items]
        try:
            return [each.result() for each in waiting]
        except BaseException:
            for pool in pools:
                pool.close()
            threads.shutdown(wait=False, cancel_futures=True)
            raise


def known_work(results: Iterable[ObligationResult]) -> dict[tuple[str, str], int]:
    """The work of the proofs among results; each is a proof of the result's obligation as it is."""
    return {
        (result.obligation.id, opinion.solver): opinion.answer.rlimit
        for result in results
        for opinion in result.opinions
        if opinion.proved and opinion.answer is not None
    }
