"""Z3 and cvc5, each in a process of its own that is kept for the next query (`smt/solvers/process.py`)."""

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from typing import Any, ClassVar

from smt.solvers.solver import Answer, OptionValue, SolverFailed, Strategy
from smt.solvers.worker import Worker, WorkerLost

DEFAULT = Strategy("default")
"""A solver as it comes."""

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

GRACE = 10.0
"""How long the process may outlive its time limit, in seconds, before it is killed."""

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
        self._worker = Worker(PROGRAM, self.family)

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        """Decide a text; `rlimit` bounds the work in the solver's own units, 0 sets no bound.

        Raises:
            SolverFailed: the solver rejects the text, its process was lost, or it is not installed.
        """
        return self._ask(text, rlimit, (*self.strategy.options, *self.options(rlimit, seed)), proof=False)[0]

    def options(self, rlimit: int, seed: int) -> tuple[tuple[str, OptionValue], ...]:
        """The limits and the seed as options of the solver."""
        raise NotImplementedError

    def processor_seconds(self, rlimit: int) -> int:
        """The processor time behind a budget."""
        return ceil(self.timeout_seconds + GRACE)

    def close(self) -> None:
        """End the process; a query that it is working on fails."""
        self._worker.close()

    def _ask(
        self, text: str, rlimit: int, options: tuple[tuple[str, OptionValue], ...], *, proof: bool
    ) -> tuple[Answer, str]:
        if find_spec(self.family) is None:
            raise SolverFailed(f"{self.family} is not installed; there may be no package of it for this platform")
        seconds = ceil(self.timeout_seconds) if proof else self.processor_seconds(rlimit)
        question = {"text": text, "options": options, "proof": proof, "processor_seconds": seconds}
        try:
            reply: dict[str, Any] = self._worker.ask(question, self.timeout_seconds + GRACE)
        except WorkerLost as error:
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
        """Decide a text by a strategy, with the proof in the format CPC if it is unsatisfiable.

        Raises:
            SolverFailed: as in `check`.
        """
        options = (*strategy.options, *CERTIFYING, *self._limits(rlimit, seed))
        return self._ask(text, rlimit, options, proof=True)

    def _limits(self, rlimit: int, seed: int) -> tuple[tuple[str, OptionValue], ...]:
        milliseconds = int(self.timeout_seconds * 1000)
        return ("rlimit-per", rlimit), ("tlimit-per", milliseconds), ("seed", seed), ("sat-random-seed", seed)
