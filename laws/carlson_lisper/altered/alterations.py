"""Wrong definitions: some chosen ones with a law that must not survive them, and all changes of one comparison.

A definition that can be changed without any claim noticing is not pinned down by the claims.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from laws.carlson_lisper.altered.definitions import AlteredDefinition
from laws.carlson_lisper.altered.restating import assumptions, is_about, restate
from laws.carlson_lisper.checks.counterexamples import Counterexample, RestrictionCounterexample
from laws.carlson_lisper.checks.smallest import smallest_counterexample
from laws.carlson_lisper.checks.witnesses import simple_witness
from laws.carlson_lisper.claims import Claim, RestrictionClaim
from semantics.carlson_lisper.operators import BOUND_NAME, OPERATORS, Operator, Operators
from semantics.carlson_lisper.restriction import REM
from semantics.formulas import And, End, Exists, Formula, Not, Parameter, Start


@dataclass(frozen=True)
class Alteration:
    """A wrong definition of an operator, and a law that must not survive it."""

    definition: Operator
    law: str
    what: str

    @property
    def operator(self) -> str:
        """The name of the operator."""
        return self.definition.name

    def operators(self) -> Operators:
        """The operators with this one altered."""
        return {**OPERATORS, self.definition.name: self.definition}


def _with_condition(name: str, condition: Formula) -> Operator:
    definition = OPERATORS[name]
    parts = tuple(replace(part, condition=condition) for part in definition.comprehensions)
    return replace(definition, comprehensions=parts)


ALTERATIONS = (
    Alteration(
        replace(OPERATORS["dis"], comprehensions=OPERATORS["dis"].comprehensions[:1]),
        "law:2",
        "a disjunction that forgets its right side",
    ),
    Alteration(
        _with_condition("con", End("s") <= End("t")), "law:3", "a conjunction whose right part ends last"
    ),
    Alteration(
        _with_condition("neg", Not(Exists("t", "T", And((Start("s") < Start("t"), End("t") <= End("s")))))),
        "law:12",
        "a negation that overlooks what starts together with it",
    ),
    Alteration(
        _with_condition("seq", Start("s") < Start("t")), "law:6", "a sequence whose parts may overlap"
    ),
    Alteration(
        _with_condition("tim", End("s") - Start("s") < Parameter(BOUND_NAME)),
        "law:23",
        "a restriction that excludes its bound",
    ),
)
"""A wrong definition of each operator; each must make a law false."""

# ------------------------------------------------------------------------------------- all changes of one comparison


@dataclass(frozen=True)
class Failure:
    """What an altered definition makes false.

    Attributes:
        claim: the id of the claim, or of whatever else noticed.
        evidence: the replayed counterexample, or a sentence.
    """

    claim: str
    evidence: Counterexample | RestrictionCounterexample | str


def first_failure(
    altered: AlteredDefinition, claims: Iterable[Claim], *, max_occurrences: int = 3
) -> Failure | None:
    """The first of some claims that truth tables refute under an altered definition, with a replayed counterexample.

    None says only that no counterexample over so few occurrences was found.
    """
    definitions = altered.definitions
    for claim in claims:
        if is_about(claim, altered):
            restated = restate(claim, definitions)
            found = smallest_counterexample(restated, definitions.operators, max_occurrences=max_occurrences)
            if found.counterexample is not None:
                return Failure(claim.id, found.counterexample)
    return None


def first_vacuous(altered: AlteredDefinition, claims: Iterable[Claim]) -> Failure | None:
    """The first claim about restrictions whose assumptions an altered rem leaves to empty streams alone.

    Such a claim remains true by saying nothing. Only streams over a few occurrences are looked at.
    """
    for claim in claims:
        if isinstance(claim, RestrictionClaim) and altered.definitions.rem is not REM:
            assumed = assumptions(claim, altered.definitions)
            if simple_witness(claim, "left", assumptions=assumed) is None:
                return Failure(claim.id, "its assumptions hold for empty streams only, as far as was looked")
    return None
