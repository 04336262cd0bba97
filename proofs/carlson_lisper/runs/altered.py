"""Runs of altered definitions on small streams, before any solver is asked about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from laws.carlson_lisper.altered.alterations import Failure, first_failure
from laws.carlson_lisper.altered.definitions import SOURCE, AlteredDefinition, Definitions
from laws.carlson_lisper.checks.counterexamples import Counterexample, RestrictionCounterexample
from laws.carlson_lisper.claims import catalogue
from laws.carlson_lisper.invariants import STEP_LEMMAS
from laws.outcomes import Refutation
from proofs.carlson_lisper.runs.definitions import SEARCHES, STATED, find_definition_counterexample, validity
from proofs.carlson_lisper.runs.steps import find_step_counterexample
from proofs.carlson_lisper.subject import Subject

OCCURRENCES = 2
"""The claims are evaluated on all streams over so many occurrences."""


@dataclass(frozen=True)
class Contradiction:
    """What definitions make false.

    Attributes:
        claim: the id of a claim; or the number of a definition, if it is what the source says of that.
    """

    claim: str
    evidence: Refutation


@cache
def find_contradiction(definitions: Definitions) -> Contradiction | None:
    """What definitions make false on small streams or a short run; None if nothing is found.

    The claims of the catalogue come first, then Lemma 5.1 and the like and what the source says of its definitions, and
    at last the lemmas about the steps that run, if an operator or a valid output is defined otherwise.

    Args:
        definitions: the definitions. Nothing is found under those of the source, and nothing under others that say the
            same.
    """
    return next(_contradictions(definitions), None)


def _contradictions(definitions: Definitions) -> Iterator[Contradiction]:
    altered = AlteredDefinition("asked about", "", "", definitions)
    failure = first_failure(altered, catalogue(), max_occurrences=OCCURRENCES)
    if failure is not None and not isinstance(failure.evidence, str):
        yield Contradiction(failure.claim, failure.evidence)
    for claim in SEARCHES:
        found = find_definition_counterexample(claim, definitions)
        if found is not None:
            yield Contradiction(claim, found[0])
    for definition, search in STATED.items():
        contradicted = search(definitions)
        if contradicted is not None:
            yield Contradiction(definition, contradicted)
    valid_otherwise = validity(definitions) is not validity(SOURCE)
    for lemma in STEP_LEMMAS.values():
        of_operator = any(operator.name == lemma.operator for operator in definitions.altered_operators)
        if of_operator or valid_otherwise:
            run = find_step_counterexample(lemma, Subject(definitions), longer=0)
            if run is not None:
                yield Contradiction(lemma.claim, run)


def noticed_by_run(altered: AlteredDefinition) -> Failure | None:
    """What an altered definition makes false, with streams or a run that show it; None if nothing is found."""
    found = find_contradiction(altered.definitions)
    if found is None:
        return None
    if isinstance(found.evidence, Counterexample | RestrictionCounterexample):
        return Failure(found.claim, found.evidence)
    return Failure(found.claim, found.evidence.summary())
