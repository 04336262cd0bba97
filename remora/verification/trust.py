"""What each solver was asked, and how stages of a verification complain."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from laws.standings import Standing
from reports.results.audits import Disagreement, Solvers, SolverShare
from smt.attempts import ClaimResult
from smt.solvers.portfolio import Opinion

Complain = Callable[[Standing, str], None]
"""Takes the standing of a finding and what is wrong."""


def solvers(proved: Iterable[ClaimResult], complain: Complain) -> Solvers:
    """What each solver was asked and proved, and where two contradict each other."""
    given: dict[str, list[Opinion]] = {}
    disagreements = []
    for part in (part for result in proved for part in result.obligations):
        for opinion in part.opinions:
            given.setdefault(opinion.solver, []).append(opinion)
        if {"sat", "unsat"} <= {opinion.status for opinion in part.opinions}:
            disagreements.append(Disagreement(part.obligation.id, part.reason))
            complain(Standing.DISAGREEMENT, f"solvers contradict each other about {part.obligation.id}")
    rows = (
        SolverShare(
            solver,
            sum(one.proved for one in some),
            len(some),
            sum(one.answer.seconds for one in some if one.answer is not None),
        )
        for solver, some in given.items()
    )
    return Solvers(tuple(rows), tuple(disagreements))
