"""What altered definitions do to the claims: the first claim that fails, or a proof that none does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from laws.alterations import Failure, first_failure, first_vacuous
from laws.claims import Claim
from laws.counterexamples import Counterexample, RestrictionCounterexample
from laws.definitions import AlteredDefinition, altered_definitions, is_about, restate
from smt.portfolio import Participant, Portfolio
from smt.prove import prove

TABLE_OCCURRENCES = 2
"""How many occurrences truth tables range over before the solver is asked."""


@dataclass(frozen=True)
class AlterationDecision:
    """What became of the claims under an altered definition.

    Attributes:
        altered: the altered definition.
        failure: the first claim that fails, with a replayed counterexample, or that only says nothing any more; None
            if there is none.
        proved: the ids of the claims that were proved under the altered definition, if none fails.
        open: the ids of those that were neither refuted nor proved.
        speaking: how many claims speak of the definition at all.
    """

    altered: AlteredDefinition
    failure: Failure | None
    proved: tuple[str, ...]
    open: tuple[str, ...]
    speaking: int

    @property
    def survives(self) -> bool:
        """Whether all claims that speak of the definition were proved with the altered one, or none speaks of it."""
        return self.failure is None and not self.open


def decide_alteration(
    altered: AlteredDefinition, claims: Sequence[Claim], solver: Participant | Portfolio
) -> AlterationDecision:
    """Find the first claim that an altered definition makes false, or prove that it makes none false."""
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
    if failure is not None:
        return AlterationDecision(altered, failure, (), (), len(about))
    return AlterationDecision(altered, None, tuple(proved), tuple(left_open), len(about))


def decide_alterations(
    claims: Iterable[Claim],
    solver: Participant | Portfolio,
    altered: Iterable[AlteredDefinition] | None = None,
) -> tuple[AlterationDecision, ...]:
    """Decide all changes of one comparison in the definitions, or the given ones."""
    known = tuple(claims)
    asked = altered_definitions() if altered is None else altered
    return tuple(decide_alteration(one, known, solver) for one in asked)
