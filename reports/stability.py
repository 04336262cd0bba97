"""How much the cost of proofs varies when nothing but names, order and seeds changes: the worst, and a plot of all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

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


# --------------------------------------------------------------------------------------------------------------- plot

_WIDTH, _HEIGHT = 360, 210
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 10, 22, 40
_MARKS = ("M{x} {y}h0", "M{x} {y}m-2-2l4 4m0-4l-4 4", "M{x} {y}m-2 2l2-4l2 4z")

PLOT_STYLE = """
.spread { font: 10px system-ui, sans-serif }
.spread text { fill: currentColor }
.spread .quiet { fill: var(--quiet, currentColor) }
.spread line { stroke: currentColor; opacity: .18 }
.spread path { fill: none; stroke-linecap: round }
.spread .mark-0 { stroke: var(--timeline-left, #1d5fa8); stroke-width: 3.5; opacity: .55 }
.spread .mark-1 { stroke: var(--timeline-right, #a8480b); stroke-width: .9; opacity: .75 }
.spread .mark-2 { stroke: var(--good, #1a6b3c); stroke-width: .9; opacity: .75 }
.spread .failed { stroke: var(--bad, #a81d1d); stroke-width: 1.5; opacity: 1 }
"""
"""How the plot looks."""


def spread_plot(rows: Sequence[Spread], cost: str) -> str:
    """A plot of all rows as an SVG element: a mark for each, further right if it costs more, higher if it varies more.

    Both axes are logarithmic. Each solver has a mark of its own shape, drawn as one path, so that a thousand of them
    stay small; a ring is around each row that was not proved in all variants.

    Args:
        rows: the rows; those without numbers are left out.
        cost: what the costs are counted in.

    Returns:
        "" if no row has numbers.
    """
    shown = [row for row in rows if row.ratio is not None and row.ratio >= 1]
    if not shown:
        return ""
    costs = [max(float(row.median), 1e-9) for row in shown]
    low, high = math.floor(math.log10(min(costs))), math.ceil(math.log10(max(costs)) + 1e-9)
    high = max(high, low + 1)
    top = max(2.0, *(row.ratio or 1 for row in shown)) * 1.15

    def x(value: float) -> float:
        return _LEFT + (math.log10(max(value, 1e-9)) - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)

    def y(ratio: float) -> float:
        return _HEIGHT - _BOTTOM - math.log(ratio) / math.log(top) * (_HEIGHT - _TOP - _BOTTOM)

    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "class": "spread",
            "role": "img",
            "viewBox": f"0 0 {_WIDTH} {_HEIGHT}",
            "width": str(_WIDTH),
            "height": str(_HEIGHT),
        },
    )
    _add(root, "title", "Spread of costs")
    worst = max(shown, key=lambda row: row.ratio or 1)
    _add(root, "desc", f"{len(shown)} rows; the greatest spread is {worst.ratio:.2f}, of {worst.id}.")
    for decade in range(low, high + 1, max(1, (high - low) // 6)):
        at = x(10.0**decade)
        _add(root, "line", x1=at, x2=at, y1=float(_TOP), y2=float(_HEIGHT - _BOTTOM))
        _add(root, "text", _power(decade), x=at, y=_HEIGHT - _BOTTOM + 15.0, text_anchor="middle")
    for ratio in _ticks(top):
        at = y(ratio)
        _add(root, "line", x1=float(_LEFT), x2=float(_WIDTH - _RIGHT), y1=at, y2=at)
        _add(root, "text", f"{ratio:g}×", x=_LEFT - 6.0, y=at + 3.5, text_anchor="end")
    _add(root, "text", f"median cost ({cost})", x=float(_WIDTH - _RIGHT), y=_HEIGHT - 6.0, text_anchor="end")
    _add(root, "text", "worst : median", x=0.0, y=10.0)
    for number, solver in enumerate(solver_names(rows)):
        shape = _MARKS[min(number, len(_MARKS) - 1)]
        marks = "".join(
            shape.format(x=f"{x(row.median):.1f}", y=f"{y(row.ratio or 1):.1f}")
            for row in shown
            if row.solver == solver
        )
        _add(root, "path", d=marks, class_=f"mark-{min(number, len(_MARKS) - 1)}")
    for row in shown:
        if row.failed:
            place = f"M{x(row.median) - 5:.0f} {y(row.ratio or 1):.0f}a5 5 0 1 0 10 0a5 5 0 1 0-10 0"
            _add(_add(root, "path", d=place, class_="failed"), "title", f"{row.id}, {row.solver}")
    return ElementTree.tostring(root, encoding="unicode")


def _add(parent: Element, tag: str, text: str | None = None, **attributes: object) -> Element:
    values = {
        name.rstrip("_").replace("_", "-"): f"{value:.1f}" if isinstance(value, float) else str(value)
        for name, value in attributes.items()
    }
    element = ElementTree.SubElement(parent, tag, values)
    element.text = text
    return element


def _power(decade: int) -> str:
    if 0 <= decade <= 3:
        return f"{10**decade:,}".replace(",", "\u202f")
    return "10" + str(decade).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _ticks(top: float) -> Iterator[float]:
    candidates: tuple[float, ...] = (1, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100, 1000, 10_000)
    inside = [ratio for ratio in candidates if ratio <= top]
    # Few enough to be read: labels of close ratios would overlap.
    last = -math.inf
    for ratio in inside:
        if math.log(ratio) / math.log(top) - last >= 0.12:
            last = math.log(ratio) / math.log(top)
            yield ratio
