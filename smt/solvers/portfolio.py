"""Several solvers side by side: each is asked everything, and what they say is compared.

The first solver is asked in the caller's thread and the others in a thread each, which wait for processes. No solver is
stopped because another one was faster: the outcome depends on what each of them says alone, and not on time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event
from typing import Literal

from smt.solvers.back_ends import CVC5, Z3, is_installed
from smt.solvers.solver import Answer, Solver, SolverFailed, Status, Strategy

Outcome = Literal["agreed", "proved", "open", "contradiction", "error"]


def family(name: str) -> str:
    """A solver's name without its version: `z3`, `cvc5`."""
    return name.split()[0]


@dataclass(frozen=True)
class Query:
    """Query that is put to every solver.

    Attributes:
        text: SMT-LIB 2, up to and including `(check-sat)`.
        budgets: the work that each solver may spend, in its own units, by `family`; 0 sets no bound. One that is not
            listed may do as much as Z3.
    """

    id: str
    text: str
    budgets: Mapping[str, int]


@dataclass(frozen=True)
class Opinion:
    """Opinion of one solver on a query.

    Attributes:
        answer: what it answered; None if it broke down.
    """

    solver: str
    strategy: Strategy
    answer: Answer | None
    failure: str = ""

    @property
    def status(self) -> Status | None:
        """Status of the answer; None if the solver broke down."""
        return None if self.answer is None else self.answer.status

    @property
    def proved(self) -> bool:
        """Whether it has a proof."""
        return self.status == "unsat"


@dataclass(frozen=True)
class Verdict:
    """Verdict of all solvers together.

    Attributes:
        outcome: `agreed`: all of several solvers have a proof. `proved`: at least one has, and no other has a model of
            it. `open`: none has. `contradiction`: one has a proof of a text of which another one has a model.
            `error`: a solver broke down; what the others say is among the opinions.
    """

    id: str
    outcome: Outcome
    opinions: tuple[Opinion, ...]
    reason: str = ""

    @property
    def provers(self) -> tuple[str, ...]:
        """The solvers that have a proof."""
        return tuple(opinion.solver for opinion in self.opinions if opinion.proved)


class Portfolio:
    """Solvers that are asked the same queries; used in a `with`, it ends their processes."""

    def __init__(self, solvers: Sequence[Solver]) -> None:
        """With at least one solver; the first works in the thread of the caller."""
        if not solvers:
            raise ValueError("a portfolio needs a solver")
        self.solvers = tuple(solvers)

    def __enter__(self) -> Portfolio:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the solvers' processes; they start again when they are needed."""
        for solver in self.solvers:
            solver.close()

    def check(self, query: Query, *, seed: int = 0) -> Verdict:
        """Verdict on a query; see `check_all`."""
        return self.check_all([query], seed=seed)[0]

    def check_all(
        self, queries: Iterable[Query], *, seed: int = 0, answered: Callable[[int], None] = lambda _: None
    ) -> list[Verdict]:
        """Verdicts on several queries, in the same order.

        Args:
            answered: told the place of each query when the first solver has answered it.

        Raises:
            KeyboardInterrupt: the user interrupted it; no process goes on.
        """
        asked = list(queries)
        stopped = Event()

        def opinions_of(solver: Solver, answered: Callable[[int], None] = lambda _: None) -> list[Opinion]:
            opinions = []
            for place, query in enumerate(asked):
                if stopped.is_set():
                    break
                opinions.append(_ask(solver, query, seed))
                answered(place)
            return opinions

        first, *others = self.solvers
        with ThreadPoolExecutor(max_workers=max(1, len(others))) as threads:
            waiting = [threads.submit(opinions_of, solver) for solver in others]
            try:
                columns = [opinions_of(first, answered), *(each.result() for each in waiting)]
            except BaseException:
                stopped.set()
                self.close()
                raise
        return [judge(query.id, said) for query, said in zip(asked, zip(*columns, strict=True), strict=True)]


def judge(id: str, opinions: tuple[Opinion, ...]) -> Verdict:
    """Verdict that follows from opinions on a query."""
    proofs = [opinion.solver for opinion in opinions if opinion.proved]
    failures = [opinion.failure for opinion in opinions if opinion.failure]
    models = [opinion.solver for opinion in opinions if opinion.status == "sat"]
    if proofs and models:
        return Verdict(
            id, "contradiction", opinions, f"{proofs[0]} has a proof and {models[0]} a model of the same text"
        )
    if failures and not proofs:
        return Verdict(id, "error", opinions, "; ".join(failures))
    outcome: Outcome = "open"
    if proofs:
        outcome = "agreed" if len(proofs) == len(opinions) > 1 else "proved"
    shortfalls = [
        f"{one.solver} {'has a model of the denial' if one.status == 'sat' else f'gave up: {one.answer.reason}'}"
        for one in opinions
        if one.answer is not None and not one.proved
    ]
    return Verdict(id, outcome, opinions, "; ".join([*failures, *shortfalls]))


def _ask(solver: Solver, query: Query, seed: int) -> Opinion:
    name = family(solver.name)
    budget = query.budgets[name if name in query.budgets else "z3"]
    try:
        return Opinion(solver.name, solver.strategy, solver.check(query.text, rlimit=budget, seed=seed))
    except SolverFailed as error:
        return Opinion(solver.name, solver.strategy, None, str(error))


def installed(timeout_seconds: float = 60.0) -> Portfolio:
    """Z3 and cvc5; or Z3 alone where there is no package of cvc5, and then nothing is better than `proved`."""
    return Portfolio([Z3(timeout_seconds), *([CVC5(timeout_seconds)] if is_installed() else [])])
