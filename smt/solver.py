"""Solver back ends: SMT-LIB 2 text in, an answer out."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

import z3


@dataclass(frozen=True)
class Answer:
    """What a solver said.

    Attributes:
        status: `unsat`, `sat` or `unknown`.
        solver: name and version.
        seconds: wall-clock time.
        rlimit: the solver's own count of work, which does not depend on the machine.
        reason: why the status is unknown.
        values: for `sat`, the values of the constants of sort Bool and Int.
    """

    status: Literal["unsat", "sat", "unknown"]
    solver: str
    seconds: float
    rlimit: int
    reason: str = ""
    values: Mapping[str, int | bool] = field(default_factory=dict)


class Solver(Protocol):
    """A solver that decides SMT-LIB 2 text."""

    name: str

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        """Decide a text within a budget of work."""


class SolverFailed(RuntimeError):
    """The solver did not work at all: it rejected the text or broke down."""


class Z3:
    """Z3, in this process, with a fresh context per query so that its work count repeats exactly."""

    name = f"z3 {z3.get_version_string()}"

    def __init__(self, timeout_seconds: float = 60.0) -> None:
        """With a time limit behind the budget of work; what it cuts off is unknown."""
        self.timeout_seconds = timeout_seconds

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        """Decide a text; `rlimit` bounds the work in Z3's own units.

        Raises:
            SolverFailed: Z3 rejects the text or breaks down.
            KeyboardInterrupt: the user interrupted it.
        """
        begin = time.perf_counter()
        try:
            solver = z3.Solver(ctx=z3.Context())
            solver.set("rlimit", rlimit)
            solver.set("timeout", int(self.timeout_seconds * 1000))
            solver.set("random_seed", seed)
            solver.from_string(text.replace("(check-sat)", ""))
            status = str(solver.check())
            reason = solver.reason_unknown() if status == "unknown" else ""
            values = _values(solver.model()) if status == "sat" else {}
            statistics = solver.statistics()
            work = next((value for key, value in statistics if key == "rlimit count"), 0)
        except z3.Z3Exception as error:
            raise SolverFailed(f"{self.name}: {error}") from error
        if (
            "interrupted from keyboard" in reason
        ):  # Z3 takes the signal; who asked must learn of it all the same
            raise KeyboardInterrupt
        if "canceled" in reason or "resource limit" in reason:  # Z3 has several words for it
            reason = f"its budget of {rlimit:,} units of work is used up"
        seconds = time.perf_counter() - begin
        if status not in ("unsat", "sat"):
            return Answer("unknown", self.name, seconds, int(work), reason or "no reason given")
        return Answer("unsat" if status == "unsat" else "sat", self.name, seconds, int(work), "", values)


def _values(model: z3.ModelRef) -> dict[str, int | bool]:
    values: dict[str, int | bool] = {}
    for declaration in model.decls():
        if declaration.arity() == 0:
            value = model[declaration]
            if z3.is_int_value(value):
                values[declaration.name()] = value.as_long()
            elif z3.is_true(value) or z3.is_false(value):
                values[declaration.name()] = z3.is_true(value)
    return values
