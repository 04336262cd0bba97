"""Claims as a verification finds them: proved over integer and dense time, tested, certified."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from laws.standings import Standing
from proofs.certification import Certified
from remora.api.claiming.claims import Checked
from remora.api.claiming.data import (
    JsonObject,
    counterexample_data,
    obligations_data,
    outcomes_data,
    result_data,
)
from smt.attempts import ClaimResult


@dataclass(frozen=True)
class Verified:
    """What proofs and tests say of a claim together.

    Attributes:
        dense: the proof over dense time; None where the claim does not carry over.
        certified: certificates by obligation, where a checker was asked.
    """

    proof: ClaimResult
    tested: Checked
    dense: ClaimResult | None
    certified: Mapping[str, Certified] = field(default_factory=dict)

    @property
    def standing(self) -> Standing:
        """That of the proof; a test can contradict it, and refute what was open."""
        standing = self.proof.standing
        for outcome in self.tested.outcomes:
            if outcome.standing is Standing.REFUTED:
                contradiction = standing.unbounded or standing is Standing.DISAGREEMENT
                standing = Standing.DISAGREEMENT if contradiction else Standing.REFUTED
            elif outcome.standing is Standing.ERROR:
                standing = Standing.DISAGREEMENT
        return standing

    def to_data(self) -> JsonObject:
        """The claim in the report."""
        dense = [] if self.dense is None else obligations_data(self.dense, self.certified)
        named = [{**row, "id": f"{row['id']} over dense time"} for row in dense]
        return {
            **result_data(self.proof),
            "standing": self.standing.value,
            "tests": outcomes_data(self.tested),
            "counterexample": counterexample_data(self.proof.counterexample or self.tested.counterexample),
            "dense_time": "does not carry over" if self.dense is None else self.dense.standing.value,
            "obligations": [*obligations_data(self.proof, self.certified), *named],
        }
