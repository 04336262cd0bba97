"""Alterations that the laws do not notice: which lemmas about steps become false."""

from __future__ import annotations

from laws.carlson_lisper.altered.alterations import Failure
from laws.carlson_lisper.altered.definitions import AlteredDefinition
from laws.carlson_lisper.catalogue import scripted_theorems
from laws.carlson_lisper.invariants import STEP_LEMMAS
from proofs.carlson_lisper.runs.altered import noticed_by_run
from proofs.carlson_lisper.scripts import obligations_of
from proofs.carlson_lisper.subject import Subject
from smt.solvers.solver import Solver

BUDGET = 500_000
"""The work that a solver may spend on an obligation about an altered definition; the proofs take less."""


def noticed_by_lemma(altered: AlteredDefinition, solver: Solver) -> Failure | None:
    """The first obligation about the running code that is no longer proved under an altered definition.

    Small streams and short runs are looked at first; no solver is asked where these notice.
    """
    found_by_run = noticed_by_run(altered)
    if found_by_run is not None:
        return found_by_run
    subject = Subject(definitions=altered.definitions)
    for theorem in scripted_theorems():
        if not _is_about(theorem.id, altered):
            continue
        for obligation in obligations_of(theorem, subject=subject):
            answer = solver.check(obligation.text, rlimit=BUDGET)
            if answer.status != "unsat":
                found = "a solver has a model of its denial" if answer.status == "sat" else answer.reason
                return Failure(theorem.id, f"{obligation.id} is no longer proved: {found}")
    return None


def _is_about(theorem: str, altered: AlteredDefinition) -> bool:
    lemma = STEP_LEMMAS.get(theorem)
    if altered.definitions.altered_operators:
        return lemma is not None and lemma.operator == altered.name
    if altered.name == "valid":
        return lemma is not None or theorem == "lemma:5.1"
    return theorem in ("lemma:5.1", "corollary:4.4", "theorem:5.1")
