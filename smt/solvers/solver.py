"""Protocol of a solver: SMT-LIB 2 text in, an answer out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

Status = Literal["unsat", "sat", "unknown"]

OptionValue = bool | int | float | str
"""The value of a solver's option."""


@dataclass(frozen=True)
class Answer:
    """Answer of a solver.

    Attributes:
        status: `unsat`, `sat` or `unknown`.
        rlimit: the solver's own count of work, which does not depend on the machine. Counts of different solvers
            cannot be compared.
        values: for `sat`, the values of the constants of sort Bool and Int.
    """

    status: Status
    solver: str
    seconds: float
    rlimit: int
    reason: str = ""
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
