"""How much the cost of proofs varies when nothing but names, order and seeds changes: the worst, and a plot of all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reports.plots import Axis, Plot, decades

WORST = 12
"""How many of the rows are listed."""


@dataclass(frozen=True, slots=True)
class Spread:
    """What became of the variants of one obligation with one solver.

    Attributes:
        id: the obligation.
        solver: its name.
        success: in how many variants it found a proof, as a number or a share.
        share: the same as a share; None if it is not known.
        median: the median of its cost.
        worst: the greatest of its costs.
        ratio: the worst cost by the median; None if it is not known.
    """

    id: str
    solver: str
    success: Any
    share: float | None
    median: Any
    worst: Any
    ratio: float | None

    @property
    def failed(self) -> bool:
        """Whether some variants were not proved."""
        return self.share is not None and self.share < 1


def spreads(stability: Mapping[str, Any]) -> list[Spread]:
    """The rows of a study of stability, the least stable first."""
    variants = _number(stability.get("variants"))
    found = [_spread(row, variants) for row in stability.get("rows") or ()]
    return sorted(
        found,
        key=lambda row: (1.0 if row.share is None else row.share, -(row.ratio or 0), row.id, row.solver),
    )


def solver_names(rows: Iterable[Spread]) -> list[str]:
    """The solvers of some rows in the order of their marks."""
    return sorted({row.solver for row in rows})


def _spread(row: Mapping[str, Any], variants: float | None) -> Spread:
    success, median, worst = row.get("success"), _number(row.get("median")), _number(row.get("worst"))
    share = _number(success)
    if share is not None and not isinstance(success, float):  # a number of variants
        share = share / variants if variants else None
    return Spread(
        str(row.get("id", "")),
        str(row.get("solver", "")),
        success,
        share,
        row.get("median"),
        row.get("worst"),
        worst / median if median and worst is not None else None,
    )


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value


def spread_plot(rows: Sequence[Spread], cost: str) -> str:
    """A plot of all rows as an SVG element: a mark for each, further right if it costs more, higher if it varies more.

    Both axes are logarithmic. Each solver has a mark of its own shape; a ring is around each row that was not proved
    in all variants.

    Args:
        rows: the rows; those without numbers are left out.
        cost: what the costs are counted in.

    Returns:
        "" if no row has numbers.
    """
    shown = [row for row in rows if row.ratio is not None and row.ratio >= 1]
    if not shown:
        return ""
    worst = max(shown, key=_ratio)
    top = max(2.0, _ratio(worst)) * 1.15
    plot = Plot(
        "Spread of costs",
        f"{len(shown)} rows; the greatest spread is {worst.ratio:.2f}, of {worst.id}.",
        decades(f"median cost ({cost})", (float(row.median) for row in shown)),
        Axis("worst : median", 1.0, top, logarithmic=True, unit="×"),
    )
    for series, solver in enumerate(solver_names(rows)):
        plot.dots([(row.median, _ratio(row)) for row in shown if row.solver == solver], series)
    for row in shown:
        if row.failed:
            plot.ring((row.median, _ratio(row)), f"{row.id}, {row.solver}")
    return plot.svg()


def _ratio(row: Spread) -> float:
    return row.ratio or 1.0
