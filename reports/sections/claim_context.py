"""Context of a claim: who proved it, what is near it, which axioms it needs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from reports.results.audits import Axioms, Neighbour, NeighbourCounts, Neighbours
from reports.results.claims import Claim
from reports.results.parts import Part, Record
from reports.sections.claims import Network


@dataclass(frozen=True, slots=True)
class Near(Part):
    """The neighbours of a claim: the claim with exactly one thing changed.

    Attributes:
        counts: how many there are, and how many are refuted, true and open; empty if that is not recorded.
        examples: refuted ones with their counterexamples.
    """

    counts: NeighbourCounts = field(default_factory=NeighbourCounts)
    examples: tuple[Record, ...] = ()
    true: tuple[Neighbour, ...] = ()


def near_claims(near: Neighbours, known: Network) -> dict[str, Near]:
    """The neighbours of each claim by its id; under "" those of claims that the report does not have."""
    counts = {known.target(row.id): row for row in near.claims}
    examples, true = defaultdict[str, list[Record]](list), defaultdict[str, list[Neighbour]](list)
    for record in near.examples:
        examples[known.target(record["id"])].append(record)
    for row in near.true:
        true[known.target(row.id)].append(row)
    return {
        claim: Near(
            (claim and counts.get(claim)) or NeighbourCounts(), tuple(examples[claim]), tuple(true[claim])
        )
        for claim in dict.fromkeys([*counts, *examples, *true])
    }


def engines(claim: Claim) -> list[str]:
    """The names of the engines with a proof or a model for some obligation of a claim, without their versions."""
    said = (answer for item in claim.obligations for answer in item.answers)
    names = (answer.solver.partition(" ")[0] for answer in said if answer.status in ("unsat", "sat"))
    return list(dict.fromkeys(names))


def needed(axioms: Axioms) -> dict[str, tuple[str, ...]]:
    """For each claim the axioms about instances that its proof needs."""
    return {row.id: row.needs for row in axioms.rows}
