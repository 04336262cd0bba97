"""cvc5 as a back end."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from math import ceil
from pathlib import Path

from smt.solvers.solver import Answer, OptionValue, SolverFailed, Strategy, budget_used_up
from smt.solvers.worker import Worker, WorkerLost

SATURATE = Strategy("full saturation", (("full-saturate-quant", True), ("prenex-quant", "none")))
"""Instantiation by patterns, and by enumeration of terms where no pattern applies: what proves.

Quantifiers stay where they are written; moved to the front, the work depends on the order of assertions.
"""

ENUMERATE = Strategy("enumeration alone", (("enum-inst", True), ("e-matching", False)))
"""Instantiation by enumeration of terms alone: two to three times the work of `SATURATE` for laws, and far more where
times are many.

What it does cannot depend on the addresses of triggers, as it has none. So its proofs are the same on every machine.
"""

CERTIFYING: tuple[tuple[str, OptionValue], ...] = (
    ("produce-proofs", True),
    # Every rewrite as an application of a named rule; with coarser steps a checker finds most proofs incomplete.
    ("proof-granularity", "dsl-rewrite"),
    # The symbols are those of the problem's own file, which the checker reads.
    ("proof-print-reference", True),
)
"""The options for a proof that an independent checker accepts."""

GRACE = 10.0
"""How long the process may outlive its time limit, in seconds, before it is killed."""

SECONDS_PER_UNIT = 1e-5
"""How long a unit of work may take, in seconds of processor time; usually it takes a fifth of that.

There are phases in which cvc5 looks neither at its budget nor at the clock: where a few dozen quantified variables have
to be matched with a few dozen terms, it may go through combinations for minutes. A budget alone would not end that.
What the processor spends on the one process depends less on the machine's other work than the time that goes by.
"""

LEAST_SECONDS = 5
"""The processor time that any answer may take, in seconds. What has a proof in the record takes less than one."""

PROGRAM = Path(__file__).with_name("cvc5_process.py")

_REASONS = {"INCOMPLETE": "incomplete: it has run out of instances, and has no model", "TIMEOUT": "its time is over"}


def is_installed() -> bool:
    """Whether this Python has cvc5; there are platforms without a package of it."""
    return find_spec("cvc5") is not None


class CVC5:
    """cvc5, in a process of its own that is kept for the next query.

    A lost process is a failure of the query that it was working on; the next query gets a new one. The count of work
    repeats exactly on one installation; on another one it may differ by some percent.
    """

    def __init__(self, timeout_seconds: float = 60.0, strategy: Strategy = SATURATE) -> None:
        """With a time limit behind the budget of work; what it cuts off is unknown."""
        try:
            self.name = f"cvc5 {version('cvc5')}"
        except PackageNotFoundError:
            self.name = "cvc5"
        self.timeout_seconds = timeout_seconds
        self.strategy = strategy
        self._worker = Worker(PROGRAM)

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        """Decide a text; `rlimit` bounds the work in cvc5's own units (its resource units), 0 sets no bound.

        Raises:
            SolverFailed: cvc5 rejects the text, its process was lost, or it is not installed.
        """
        seconds = self._processor_seconds(rlimit)
        options = (*self.strategy.options, ("produce-models", True))
        return self._asked(text, rlimit, seed, options, seconds)[0]

    def certify(self, text: str, *, rlimit: int, seed: int = 0, strategy: Strategy) -> tuple[Answer, str]:
        """Decide a text by a strategy, with the proof in the format CPC if it is unsatisfiable.

        Raises:
            SolverFailed: as in `check`.
        """
        seconds = ceil(self.timeout_seconds)  # a step of a proof may take far longer than its share of an answer
        options = (*strategy.options, *CERTIFYING)
        return self._asked(text, rlimit, seed, options, seconds, proof=True)

    def close(self) -> None:
        """End the process; a query that it is working on fails."""
        self._worker.close()

    def _processor_seconds(self, rlimit: int) -> int:
        """The processor time behind a budget; without one, the time limit alone."""
        share = max(LEAST_SECONDS, rlimit * SECONDS_PER_UNIT) if rlimit else self.timeout_seconds
        return ceil(min(share, self.timeout_seconds))

    def _asked(
        self,
        text: str,
        rlimit: int,
        seed: int,
        options: tuple[tuple[str, OptionValue], ...],
        seconds: int,
        *,
        proof: bool = False,
    ) -> tuple[Answer, str]:
        """The answer to a question that is worked on for so many seconds of processor time, and the proof."""
        if not is_installed():
            raise SolverFailed("cvc5 is not installed; there may be no package of it for this platform")
        limits = (
            ("rlimit-per", rlimit),
            ("tlimit-per", int(self.timeout_seconds * 1000)),
            ("seed", seed),
            ("sat-random-seed", seed),
        )
        written = [(name, _written(value)) for name, value in (*options, *limits)]
        question = {"text": text, "options": written, "proof": proof, "processor_seconds": seconds}
        try:
            reply = self._worker.ask(question, self.timeout_seconds + GRACE)
        except WorkerLost as error:
            raise SolverFailed(f"{self.name}: {error}") from error
        if "error" in reply:
            raise SolverFailed(f"{self.name}: {reply['error']}")
        if "stopped_after" in reply:  # nobody knows how far it was
            reason = f"it was stopped after {seconds} seconds of processor time, short of its budget"
            return Answer("unknown", self.name, reply["stopped_after"], 0, reason), ""
        said = str(reply["reason"])
        reason = _REASONS.get(said, said.lower().replace("_", " "))
        if said == "RESOURCEOUT":
            reason = budget_used_up(rlimit)
        return Answer(reply["status"], self.name, reply["seconds"], reply["units"], reason, reply["values"]), str(
            reply["proof"]
        )


def _written(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
