"""Stability of proofs: how much their cost varies with names, order and seeds; the worst, and a plot of all."""

from __future__ import annotations

from collections.abc import Iterable

from reports.drawing.plots import Axis, Plot, decades
from reports.results.audits import Spread, Stability

WORST = 12
"""How many of the rows are listed."""


def spreads(stability: Stability) -> list[Spread]:
    """The rows of a study of stability, the least stable first."""
    return sorted(stability.rows, key=lambda row: (row.success, -(row.ratio or 0), row.id, row.solver))


def solver_names(rows: Iterable[Spread]) -> list[str]:
    """The solvers of some rows in the order of their marks."""
    return sorted({row.solver for row in rows})


def spread_plot(stability: Stability) -> str:
    """A plot of all rows as an SVG element: a mark for each, further right if it costs more, higher if it varies more.

    Both axes are logarithmic. Each solver has a mark of its own shape; a ring is around each row that was not proved
    in all variants. Rows without costs are left out.

    Returns:
        "" if no row has costs.
    """
    shown = [
        (row.median, row.ratio, row)
        for row in spreads(stability)
        if row.median and row.ratio and row.ratio >= 1
    ]
    if not shown:
        return ""
    _, worst, dearest = max(shown, key=lambda mark: mark[1])
    plot = Plot(
        "Spread of costs",
        f"{len(shown)} rows; the greatest spread is {worst:.2f}, of {dearest.id}.",
        decades(f"median cost ({stability.unit})", (float(median) for median, _, _ in shown)),
        Axis("worst : median", 1.0, max(2.0, worst) * 1.15, logarithmic=True, unit="×"),
    )
    for series, solver in enumerate(solver_names(stability.rows)):
        plot.dots([(median, ratio) for median, ratio, row in shown if row.solver == solver], series)
    for median, ratio, row in shown:
        if row.success < stability.variants:
            plot.ring((median, ratio), f"{row.id}, {row.solver}")
    return plot.svg()
