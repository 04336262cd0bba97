"""Checks of the proof suite itself: false neighbours, altered definitions, needed axioms, stability."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter

from laws.carlson_lisper.altered.alterations import Failure
from laws.carlson_lisper.altered.definitions import altered_definitions
from laws.carlson_lisper.altered.neighbours import all_neighbours
from laws.carlson_lisper.claims import canaries, catalogue
from laws.standings import Standing
from proofs.carlson_lisper.alterations import noticed_by_lemma
from remora.api.claiming.data import counterexample_data
from remora.terminal.interrupts import kept_from_children
from remora.terminal.progress import Progress
from remora.verification.efforts import sample
from reports.results import audits as results
from reports.results.audits import (
    Alteration,
    Axioms,
    Disagreement,
    NeededAxioms,
    Neighbour,
    NeighbourCounts,
    Neighbours,
    Solvers,
    SolverShare,
    Spread,
    Unstable,
)
from smt.attempts import ClaimResult, ObligationResult
from smt.audit.needed_axioms import needed_axioms
from smt.audit.stability import Stability, stability
from smt.carlson_lisper.alterations import AlterationDecision, decide_alteration
from smt.carlson_lisper.neighbours import decide_all, neighbour_table
from smt.solvers.cvc5_solver import CVC5, is_installed
from smt.solvers.portfolio import Opinion, Portfolio
from smt.solvers.questions import Maker, known_work
from smt.solvers.z3_solver import Z3

Complain = Callable[[Standing, str], None]
"""Takes note of what is not as it should be."""


def neighbours(progress: Progress, complain: Complain, number: int | None, seed: int) -> Neighbours:
    """Refute the false neighbours of every claim, prove the true ones; none may stay open.

    Args:
        number: how many of each claim are decided, chosen by the seed; None for all of them.
    """
    listed = all_neighbours(catalogue())
    of_claims = (list(several) for _, several in groupby(listed, key=attrgetter("of")))
    chosen = [one for several in of_claims for one in sample(several, number, seed)]
    with progress.stage("neighbours", len(chosen)) as advance, kept_from_children():
        decisions = decide_all(chosen, jobs=2, solver=Z3, progress=lambda done: advance("", done))
    rows = neighbour_table(decisions)
    for row in rows:
        if row.standing is not Standing.REFUTED and (row.open or number is None):  # some may all be true
            complain(row.standing, f"{row.open} neighbours of {row.claim} are neither refuted nor proved")
    statements = {claim.id: claim.statement for claim in (*catalogue(), *canaries())}
    examples = sorted(
        (example for row in rows for example in row.examples), key=lambda one: one.neighbour.id.count("~")
    )
    counts = [
        (row.claim, statements[row.claim], row.neighbours, row.refuted, row.proved, row.open) for row in rows
    ]
    true = (decision.neighbour for decision in decisions if decision.standing.unbounded)
    return Neighbours(
        tuple(NeighbourCounts(*each) for each in counts),
        tuple(Neighbour(one.id, one.claim.statement, one.change) for one in true),
        tuple(
            {
                "id": example.neighbour.id,
                "changed": example.neighbour.change,
                **(counterexample_data(example.counterexample) or {}),
            }
            for example in examples
        ),
    )


def alterations(progress: Progress, portfolio: Portfolio, complain: Complain) -> list[Alteration]:
    """Change one comparison in each definition and say which claim notices, or that all are proved with it as well."""
    solver, claims, rows = portfolio.solvers[0], catalogue(), []
    with progress.stage("altered definitions", len(altered_definitions())) as advance:
        for altered in altered_definitions():
            advance(altered.id)
            decision = decide_alteration(altered, claims, solver)
            failure = decision.failure or noticed_by_lemma(altered, solver)
            if failure is None and (decision.open or not decision.proved):
                complain(Standing.UNKNOWN, f"nothing notices the altered definition {altered.id}")
            claim = "" if failure is None else failure.claim
            detail = _detail(decision, failure)
            rows.append(Alteration(altered.id, altered.name, altered.what, claim, detail))
    return rows


def _detail(decision: AlterationDecision, failure: Failure | None) -> str:
    if failure is None:
        proved = len(decision.proved)
        return (
            f"all {proved} claims that speak of it are proved with it as well"
            if proved
            else "none speaks of it"
        )
    return failure.evidence if isinstance(failure.evidence, str) else failure.evidence.summary()


def axioms(progress: Progress, proved: Sequence[ObligationResult], complain: Complain) -> Axioms:
    """Leave out what is assumed of instances, one assumption at a time, and ask again."""
    if not proved:
        complain(Standing.UNKNOWN, "no proof could be asked which axioms it needs")
    with progress.stage("needed axioms", len(proved)):
        report = needed_axioms([part.obligation for part in proved], known=known_work(proved))
    rows = (
        NeededAxioms(claim, tuple(needed), _evidence(report.matrix[claim]))
        for claim, needed in report.minimal.items()
    )
    return Axioms(report.axioms, tuple(rows))


def _evidence(needs: Mapping[str, str]) -> str:
    """What is known of the axioms besides: whether a model shows that one is needed, or only no proof was found."""
    return "; ".join(f"{axiom}: {need}" for axiom, need in needs.items() if need != "unused")


def stable(
    progress: Progress, proved: Sequence[ObligationResult], variants: int, seed: int, complain: Complain
) -> results.Stability:
    """Ask both solvers for proofs of reordered and renamed obligations with other seeds."""
    known = known_work(proved)
    asked = [part.obligation for part in proved]
    makers: list[Maker] = [Z3, CVC5] if is_installed() else [Z3]
    rows: list[Stability] = []
    with progress.stage("stability", len(makers)) as advance:
        for maker in makers:
            advance(f"{variants} variants of each obligation")
            rows += stability(asked, [maker], variants=variants, seed=seed, known=known)
    if not rows:
        complain(Standing.UNKNOWN, "no proof could be varied")
    failing = [row for row in rows if row.finding != "stable"]
    for row in failing:
        complain(Standing.UNKNOWN, f"the proof of {row.id} is not stable: {row.finding}")
    return results.Stability(
        variants,
        ok=bool(rows) and not failing,
        rows=tuple(map(_spread, rows)),
        unstable=tuple(Unstable(row.id, row.solver) for row in failing),
    )


def _spread(row: Stability) -> Spread:
    work, ratio = row.original.work, row.median_ratio
    median = None if ratio is None else round(work * ratio)
    worst = round(work * max(row.ratios)) if row.ratios else None
    return Spread(row.id, row.solver, len(row.outcomes) - len(row.lost), median, worst)


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
