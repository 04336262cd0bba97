"""Costs of proofs against the sizes of their obligations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reports.drawing.plots import Plot, decades
from reports.results.claims import Claim

DEAREST = 8
"""How many of the dearest obligations of each engine are listed."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What an engine needed for an obligation.

    Attributes:
        size: the length of its text, in characters of SMT-LIB.
        work: the engine's own count of its work.
    """

    id: str
    size: int
    work: int
    seconds: float


@dataclass(frozen=True, slots=True)
class EngineCosts:
    """What all obligations cost one engine, whose work cannot be compared with another one's.

    Attributes:
        rows: its answers that are proofs, the dearest first.
    """

    engine: str
    rows: tuple[Cost, ...]

    @property
    def plot(self) -> str:
        """A mark for each obligation as an SVG element: further right if it is longer, higher if it costs more."""
        dearest = self.rows[0]
        plot = Plot(
            f"Cost against size, {self.engine}",
            f"{len(self.rows)} obligations; the dearest is {dearest.id}, {dearest.work} for {dearest.size} characters.",
            decades("characters of the obligation", (row.size for row in self.rows)),
            decades("rlimit", (row.work for row in self.rows)),
        )
        plot.dots((row.size, row.work) for row in self.rows)
        return plot.svg()


def costs_by_engine(claims: Iterable[Claim]) -> list[EngineCosts]:
    """The costs of all proofs whose obligation has a size and whose work was counted, for each engine."""
    found: dict[str, list[Cost]] = {}
    for item in (item for claim in claims for item in claim.obligations):
        for answer in item.answers:
            if item.size and answer.rlimit and answer.status == "unsat":
                row = Cost(item.id, item.size, answer.rlimit, answer.seconds)
                found.setdefault(answer.solver, []).append(row)
    return [
        EngineCosts(engine, tuple(sorted(rows, key=lambda row: (-row.work, row.id))))
        for engine, rows in found.items()
    ]
