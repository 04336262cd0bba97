"""What the catalogue says of a claim besides its own record: who proved it, what is near it, which axioms it needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reports.claims import Network, answers


@dataclass(frozen=True, slots=True)
class Near:
    """The neighbours of a claim: the claim with exactly one thing changed.

    Attributes:
        counts: how many there are, and how many are refuted, true and open; empty if that is not recorded.
        examples: refuted ones with their counterexamples.
        true: those that are proved.
    """

    counts: Mapping[str, Any] = field(default_factory=dict)
    examples: tuple[Mapping[str, Any], ...] = ()
    true: tuple[Mapping[str, Any], ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is known of them."""
        return bool(self.counts or self.examples or self.true)


def near_claims(report: Mapping[str, Any], known: Network) -> dict[str, Near]:
    """The neighbours of each claim by its id; under "" those of claims that the report does not have."""
    data = report.get("neighbours") or {}
    counts = {known.target(row.get("id")): row for row in data.get("claims") or ()}
    examples, true = (_by_claim(data.get(part) or (), known) for part in ("examples", "true"))
    return {
        claim: Near(
            counts.get(claim, {}) if claim else {}, tuple(examples.get(claim, ())), tuple(true.get(claim, ()))
        )
        for claim in dict.fromkeys([*counts, *examples, *true])
    }


def _by_claim(rows: Iterable[Mapping[str, Any]], known: Network) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(known.target(row.get("id")), []).append(row)
    return found


def engines(claim: Mapping[str, Any]) -> list[str]:
    """The names of the engines with a proof or a model for some obligation of a claim, without their versions."""
    said = (answer for item in claim.get("obligations") or () for answer in answers(item))
    names = [answer.engine.split()[0] for answer in said if answer.status in ("unsat", "sat", "")]
    return list(dict.fromkeys(names))


def needed(report: Mapping[str, Any]) -> dict[str, Any]:
    """For each claim the axioms about instances that its proof needs; None where that was not determined."""
    rows = (report.get("axioms") or {}).get("rows") or ()
    return {str(row.get("id")): row.get("needs") for row in rows}
