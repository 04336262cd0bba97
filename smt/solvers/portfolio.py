"""Z3 and cvc5, each in a process of its own (`smt/solvers/process.py`); each is asked everything, answers are compared.

The first solver is asked in the caller's thread and the others in a thread each, which wait for processes. No solver is
stopped because another one was faster: the outcome depends on what each of them says alone, and not on time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from threading import Event
from typing import ClassVar, Literal, Protocol

from detectors.processes import Process
from detectors.protocol import ProcessFailed

Status = Literal["unsat", "sat", "unknown"]

OptionValue = bool | int | float | str  # The value of a solver's option


@dataclass(frozen=True)
class Answer:
    """Answer of a solver."""

    status: Status  # `unsat`, `sat` or `unknown`
    solver: str
    seconds: float
    # the solver's own count of work, which does not depend on the machine. Counts of different solvers cannot be
    # compared
    rlimit: int
    reason: str = ""
    # for `sat`, the values of the constants of sort Bool and Int
    values: Mapping[str, int | bool] = field(default_factory=dict)


@dataclass(frozen=True)
class Strategy:
    """Strategy of a search, as data: the solver's options by their names there, in the order in which they are set."""

    name: str
    options: tuple[tuple[str, OptionValue], ...] = ()


class Solver(Protocol):
    """Solver of SMT-LIB 2 texts."""

    name: str
    strategy: Strategy

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        """Decide a text, up to and including `(check-sat)`, within a budget of work; 0 sets no bound."""

    def close(self) -> None:
        """Give up what it is doing, and what it holds; it may be called from another thread."""


class SolverFailed(RuntimeError):
    """The solver did not work at all: it rejected the text or broke down."""


DEFAULT = Strategy("default")  # A solver as it comes

EAGER = Strategy("eager instantiation", (("smt.qi.eager_threshold", 4.0),))
"""Z3: instances of quantified formulas wait when they cost more than 4; Z3's own threshold is 10.

A hypothesis such as "every instance of U is a join" makes new joins from each instance, without end. Under Z3's
threshold the search drowns in them before it meets the few instances that matter. Nothing is lost: what waits is taken
up when nothing else is left.
"""

SATURATE = Strategy("full saturation", (("full-saturate-quant", True), ("prenex-quant", "none")))
"""cvc5: instantiation by patterns, and by enumeration of terms where no pattern applies: what proves.

Quantifiers stay where they are written; moved to the front, the work depends on the order of assertions.
"""

ENUMERATE = Strategy("enumeration alone", (("enum-inst", True), ("e-matching", False)))
"""cvc5: instantiation by enumeration of terms alone: two to three times the work of `SATURATE` for laws, and far more
where times are many. Its search cannot depend on the addresses of triggers, as it has none. So its proofs are the same
on every machine.
"""

CERTIFYING: tuple[tuple[str, OptionValue], ...] = (
    ("produce-proofs", True),
    # Every rewrite as an application of a named rule; with coarser steps a checker finds most proofs incomplete.
    ("proof-granularity", "dsl-rewrite"),
    # The symbols are those of the problem's own file, which the checker reads.
    ("proof-print-reference", True),
)
"""The options of cvc5 for a proof that an independent checker accepts."""

GRACE = 10.0  # How long the process may outlive its time limit, in seconds, before it is killed

SECONDS_PER_UNIT = 1e-5
"""How long a unit of work of cvc5 may take, in seconds of processor time; usually it takes a fifth of that.

In some phases cvc5 looks neither at its budget nor at the clock: where a few dozen quantified variables are matched
with a few dozen terms, it may go through combinations for minutes.
"""

LEAST_SECONDS = 5
"""The processor time that any answer of cvc5 may take, in seconds. A proof in the record takes less than one."""

PROGRAM = Path(__file__).with_name("process.py")


def is_installed() -> bool:
    """Whether this Python has cvc5; there are platforms without a package of it."""
    return find_spec("cvc5") is not None


class SolverProcess:
    """A solver in a process. A lost process is a failure of its query; the next query gets a new one."""

    family: ClassVar[str]
    package: ClassVar[str]
    usual: ClassVar[Strategy]
    reasons: ClassVar[dict[str, str]]

    def __init__(self, timeout_seconds: float = 60.0, strategy: Strategy | None = None) -> None:
        """With a time limit behind the budget of work; what it cuts off is unknown."""
        try:
            self.name = f"{self.family} {'.'.join(version(self.package).split('.')[:3])}"
        except PackageNotFoundError:
            self.name = self.family
        self.timeout_seconds = timeout_seconds
        self.strategy = strategy or self.usual
        self._worker = Process([sys.executable, "-P", str(PROGRAM), self.family])

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        """Decide a text by so much work, 0 for any; `SolverFailed` where it is rejected, or the process is lost."""
        return self._ask(text, rlimit, (*self.strategy.options, *self.options(rlimit, seed)), proof=False)[0]

    def options(self, rlimit: int, seed: int) -> tuple[tuple[str, OptionValue], ...]:
        """The limits and the seed as options of the solver."""
        raise NotImplementedError

    def processor_seconds(self, rlimit: int) -> int:
        """The processor time behind a budget."""
        return ceil(self.timeout_seconds + GRACE)

    def close(self) -> None:
        """End the process; a query that it is working on fails."""
        self._worker.end(0.0)

    def _ask(
        self, text: str, rlimit: int, options: tuple[tuple[str, OptionValue], ...], *, proof: bool
    ) -> tuple[Answer, str]:
        if find_spec(self.family) is None:
            raise SolverFailed(f"{self.family} is not installed; there may be no package of it for this platform")
        seconds = ceil(self.timeout_seconds) if proof else self.processor_seconds(rlimit)
        question = {"text": text, "options": options, "proof": proof, "processor_seconds": seconds}
        try:
            (reply,) = self._worker.tell([question], seconds=self.timeout_seconds + GRACE)
        except ProcessFailed as error:
            raise SolverFailed(f"{self.name}: {error}") from error
        if "error" in reply:
            raise SolverFailed(f"{self.name}: {reply['error']}")
        if "stopped_after" in reply:  # nobody knows how far it was
            reason = f"it was stopped after {seconds} seconds of processor time, short of its budget"
            return Answer("unknown", self.name, reply["stopped_after"], 0, reason), ""
        said = str(reply["reason"])
        reason = next((words for part, words in self.reasons.items() if part in said), said.lower().replace("_", " "))
        reason = reason.format(rlimit=rlimit)
        return Answer(reply["status"], self.name, reply["seconds"], reply["units"], reason, reply["values"]), reply[
            "proof"
        ]


_USED_UP = "its budget of {rlimit:,} units of work is used up"


class Z3(SolverProcess):
    """Z3, whose count of work repeats exactly."""

    family, package, usual = "z3", "z3-solver", EAGER
    reasons: ClassVar = {"canceled": _USED_UP, "resource limit": _USED_UP}

    def options(self, rlimit: int, seed: int) -> tuple[tuple[str, OptionValue], ...]:
        """The limits and the seed as options of Z3."""
        return ("rlimit", rlimit), ("timeout", int(self.timeout_seconds * 1000)), ("random_seed", seed)


class CVC5(SolverProcess):
    """cvc5, whose count of work repeats exactly on one installation; on another one it may differ by some percent."""

    family, package, usual = "cvc5", "cvc5", SATURATE
    reasons: ClassVar = {
        "INCOMPLETE": "incomplete: it has run out of instances, and has no model",
        "TIMEOUT": "its time is over",
        "RESOURCEOUT": _USED_UP,
    }

    def options(self, rlimit: int, seed: int) -> tuple[tuple[str, OptionValue], ...]:
        """The limits and the seed as options of cvc5, which are texts."""
        return ("produce-models", "true"), *self._limits(rlimit, seed)

    def processor_seconds(self, rlimit: int) -> int:
        """The processor time behind a budget; without one, the time limit alone."""
        share = max(LEAST_SECONDS, rlimit * SECONDS_PER_UNIT) if rlimit else self.timeout_seconds
        return ceil(min(share, self.timeout_seconds))

    def certify(self, text: str, *, rlimit: int, seed: int = 0, strategy: Strategy) -> tuple[Answer, str]:
        """Decide a text by a strategy, with the proof in the format CPC if it is unsatisfiable; raises as `check`."""
        options = (*strategy.options, *CERTIFYING, *self._limits(rlimit, seed))
        return self._ask(text, rlimit, options, proof=True)

    def _limits(self, rlimit: int, seed: int) -> tuple[tuple[str, OptionValue], ...]:
        milliseconds = int(self.timeout_seconds * 1000)
        return ("rlimit-per", rlimit), ("tlimit-per", milliseconds), ("seed", seed), ("sat-random-seed", seed)


Outcome = Literal["agreed", "proved", "open", "contradiction", "error"]


def family(name: str) -> str:
    """A solver's name without its version: `z3`, `cvc5`."""
    return name.split()[0]


@dataclass(frozen=True)
class Query:
    """Query that is put to every solver."""

    id: str
    text: str  # SMT-LIB 2, up to and including `(check-sat)`
    # the work that each solver may spend, in its own units, by `family`; 0 sets no bound. One that is not listed may do
    # as much as Z3
    budgets: Mapping[str, int]


@dataclass(frozen=True)
class Opinion:
    """Opinion of one solver on a query."""

    solver: str
    strategy: Strategy
    answer: Answer | None  # what it answered; None if it broke down
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
    """Verdict of all solvers together."""

    id: str
    # `agreed`: all of several solvers have a proof. `proved`: at least one has, and no other has a model of it. `open`:
    # none has. `contradiction`: one has a proof of a text of which another one has a model. `error`: a solver broke
    # down; what the others say is among the opinions
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
        """Verdicts on queries, in order; `answered` is told the place of each when the first solver has answered it."""
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
