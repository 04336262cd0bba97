"""Altered definitions against the claims: the first claim that fails, or a proof that none does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from laws.carlson_lisper.altered.alterations import Failure, first_failure, first_vacuous
from laws.carlson_lisper.altered.definitions import AlteredDefinition
from laws.carlson_lisper.altered.restating import is_about, restate
from laws.carlson_lisper.checks.counterexamples import Counterexample, RestrictionCounterexample
from laws.carlson_lisper.checks.smallest import smallest_counterexample
from laws.carlson_lisper.claims import Claim, canaries
from laws.standings import Standing
from smt.carlson_lisper.law_proofs import prove
from smt.solvers.portfolio import Participant, Portfolio

TABLE_OCCURRENCES = 2
"""How many occurrences truth tables range over before the solver is asked."""


@dataclass(frozen=True)
class AlterationDecision:
    """What became of the claims under an altered definition.

    Attributes:
        altered: the altered definition.
        failure: the first claim that fails, with a replayed counterexample, or that only says nothing any more, or
            the first canary that is no longer refuted; None if there is none.
        proved: the ids of the claims that were proved under the altered definition, if none fails.
        open: the ids of those that were neither refuted nor proved.
    """

    altered: AlteredDefinition
    failure: Failure | None
    proved: tuple[str, ...]
    open: tuple[str, ...]


def decide_alteration(
    altered: AlteredDefinition,
    claims: Sequence[Claim],
    solver: Participant | Portfolio,
    false_claims: Sequence[Claim] | None = None,
) -> AlterationDecision:
    """Find the first claim that an altered definition makes false, or prove that it makes none false.

    Args:
        claims: what is true under the source's definitions.
        solver: who decides what truth tables leave open.
        false_claims: what is false under them and has to remain so; by default the canaries.
    """
    about = [claim for claim in claims if is_about(claim, altered)]
    failure = first_failure(altered, about, max_occurrences=TABLE_OCCURRENCES) or first_vacuous(
        altered, about
    )
    proved: list[str] = []
    left_open: list[str] = []
    for claim in about if failure is None else ():
        definitions = altered.definitions
        result = prove(restate(claim, definitions), solver, operators=definitions.operators)
        refuting = result.counterexample
        if isinstance(refuting, Counterexample | RestrictionCounterexample):
            failure = Failure(claim.id, refuting)
            break
        (proved if result.standing.unbounded else left_open).append(claim.id)
    if failure is None:
        failure = _first_true(altered, canaries() if false_claims is None else false_claims, solver)
    if failure is not None:
        return AlterationDecision(altered, failure, (), ())
    return AlterationDecision(altered, None, tuple(proved), tuple(left_open))


def _first_true(
    altered: AlteredDefinition, false_claims: Iterable[Claim], solver: Participant | Portfolio
) -> Failure | None:
    """The first false claim that an altered definition makes true, so that nothing refutes it."""
    definitions = altered.definitions
    for claim in false_claims:
        if not is_about(claim, altered):
            continue
        restated = restate(claim, definitions)
        tables = smallest_counterexample(restated, definitions.operators, max_occurrences=TABLE_OCCURRENCES)
        if tables.counterexample is None:
            result = prove(restated, solver, operators=definitions.operators)
            if result.standing is not Standing.REFUTED:
                return Failure(
                    claim.id,
                    f"it is false, and under the altered definition {result.standing.value} instead of refuted",
                )
    return None
