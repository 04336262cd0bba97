"""Z3 as a back end."""

from __future__ import annotations

import time

import z3

from smt.solvers import interruption
from smt.solvers.solver import Answer, SolverFailed, Strategy, budget_used_up

DEFAULT = Strategy("default")
"""Z3 as it comes."""

EAGER = Strategy("eager instantiation", (("smt.qi.eager_threshold", 4.0),))
"""Instances of quantified formulas wait when they cost more than 4; Z3's own threshold is 10.

A hypothesis such as "every instance of U is a join" makes new joins from each instance, without end. Under Z3's
threshold the search drowns in them before it meets the few instances that matter. Nothing is lost: what waits is taken
up when nothing else is left. Over all obligations, with integer and dense time and three seeds, this threshold needs
the least work (3 to 6 were tried); condition 2 of conjunction in Theorem 4.6 falls from 1.8 million units to
19 thousand. docs/proofs.md compares both over several versions.
"""


class Z3:
    """Z3, in this process, with a fresh context per query so that its work count repeats exactly."""

    name = f"z3 {z3.get_version_string()}"

    def __init__(self, timeout_seconds: float = 60.0, strategy: Strategy = EAGER) -> None:
        """With a time limit behind the budget of work; what it cuts off is unknown."""
        self.timeout_seconds = timeout_seconds
        self.strategy = strategy

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        """Decide a text; `rlimit` bounds the work in Z3's own units.

        Raises:
            SolverFailed: Z3 rejects the text or breaks down.
            KeyboardInterrupt: the user interrupted it.
        """
        begin = time.perf_counter()
        try:
            context = z3.Context()
            with interruption.stopped_by(context.interrupt):
                solver = z3.Solver(ctx=context)
                for name, value in self.strategy.options:
                    solver.set(name, value)
                solver.set("ctrl_c", not interruption.watched())
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
            interruption.check()
            raise SolverFailed(f"{self.name}: {error}") from error
        interruption.check()  # what was stopped looks as if its budget were used up
        if "interrupted from keyboard" in reason:  # Z3 took the signal itself
            raise KeyboardInterrupt
        if "canceled" in reason or "resource limit" in reason:  # Z3 has several words for it
            reason = budget_used_up(rlimit)
        seconds = time.perf_counter() - begin
        if status not in ("unsat", "sat"):
            return Answer("unknown", self.name, seconds, int(work), reason or "no reason given")
        return Answer("unsat" if status == "unsat" else "sat", self.name, seconds, int(work), "", values)

    def close(self) -> None:
        """Nothing to do: what a query needs goes with it."""


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
