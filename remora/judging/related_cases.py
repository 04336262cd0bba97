"""The case that a relation or a law compares with, and the one in which something is due.

A failure by the semantics has what is expected on its own trace. By a relation, both sides are reports of the
detector: what follows from those on the case itself is due on another case, which is the one to look at.
"""

from __future__ import annotations

from dataclasses import dataclass

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.relations.catalogue import RELATIONS, choices
from campaigns.carlson_lisper.relations.rewriting import equations
from campaigns.carlson_lisper.relations.suite import law_relation
from campaigns.choices import Source
from campaigns.judging.verdicts import MEANING
from laws.carlson_lisper.claims import EquationClaim
from remora.api.data import JsonObject, occurrence_data


@dataclass(frozen=True)
class Comparison:
    """Two cases whose reports are compared.

    Attributes:
        before: the case from whose reports it follows what is due.
        after: the case in which that is due.
        said: how this one comes from the other one, in a few words.
    """

    before: Case
    after: Case
    said: str


def comparison(by: str, case: Case) -> Comparison | None:
    """What is compared; None where a detector is judged by the semantics.

    Args:
        by: the name of a relation, the id of a law, or `campaigns.judging.verdicts.MEANING`.
        case: the case that violates it.
    """
    if by == MEANING:
        return None
    law = law_of(by)
    relation = RELATIONS.get(by) if law is None else law_relation(law)
    found = None if relation is None else relation.relate(case, Source(by) if law else choices(case))
    return None if found is None else Comparison(found.before or case, found.case, found.said)


def law_of(by: str) -> EquationClaim | None:
    """The law with an id; None if it is none."""
    return next((law for law in equations() if law.id == by), None)


def compared_data(by: str, case: Case) -> JsonObject:
    """The member `compared` of a failure, for reports: the case in which something is due; nothing by the semantics.

    Args:
        by: see `comparison`.
        case: the case that violates it.
    """
    compared = comparison(by, case)
    if compared is None:
        return {}
    trace = [occurrence_data(occurrence) for occurrence in compared.after.occurrences]
    return {"compared": {"expression": str(compared.after.expression), "trace": trace, "said": compared.said}}
