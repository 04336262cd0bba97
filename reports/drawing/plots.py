"""Plot of steps over two axes, as a small SVG element in the colours of the page around it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from reports.drawing.svg import add, as_text, picture, sized

PLOT_STYLE = """
.plot { font: 11px system-ui, sans-serif; width: min(100%, 34rem); height: auto; display: block }
.plot text { fill: currentColor }
.plot line { stroke: currentColor; opacity: .18 }
.plot path { fill: none; stroke: var(--timeline-left, #1d5fa8); stroke-width: 2; stroke-linejoin: round }
"""

WIDTH, HEIGHT = 360.0, 216.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, 24.0, 24.0, 42.0


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis from `low` to `high`, which are not the same."""

    label: str
    low: float
    high: float

    def share(self, value: float) -> float:
        """Where a value lies, from 0 at the beginning to 1 at the end."""
        return (value - self.low) / (self.high - self.low)

    def ticks(self, most: int = 6) -> list[float]:
        """At most about so many round values on the axis."""
        rough = (self.high - self.low) / most
        step = 10.0 ** math.floor(math.log10(rough))
        step *= next(factor for factor in (1, 2, 5, 10) if factor * step >= rough)
        first, last = math.ceil(self.low / step), math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def step_plot(title: str, x: Axis, y: Axis, points: Sequence[tuple[float, float]]) -> str:
    """A line that keeps its height from each point until the next one, as an SVG element."""
    root = sized(picture("plot", title), WIDTH, HEIGHT)

    def place(across: float, up: float) -> tuple[float, float]:
        left = _LEFT + x.share(across) * (WIDTH - _LEFT - _RIGHT)
        return round(left, 1), round(HEIGHT - _BOTTOM - y.share(up) * (HEIGHT - _TOP - _BOTTOM), 1)

    bottom, right = HEIGHT - _BOTTOM, WIDTH - _RIGHT
    for value in x.ticks():
        at = place(value, y.low)[0]
        add(root, "line", x1=at, x2=at, y1=_TOP, y2=bottom)
        add(root, "text", f"{value:,.6g}", x=at, y=bottom + 16, text_anchor="middle")
    for value in y.ticks(5):
        at = place(x.low, value)[1]
        add(root, "line", x1=_LEFT, x2=right, y1=at, y2=at)
        add(root, "text", f"{value:,.6g}", x=_LEFT - 6, y=at + 4, text_anchor="end")
    add(root, "text", x.label, x=right, y=HEIGHT - 6, text_anchor="end")
    add(root, "text", y.label, x=0, y=11)
    (first, height), *places = [place(*point) for point in points]
    add(root, "path", d=f"M{first} {height}" + "".join(f"H{across}V{up}" for across, up in places))
    return as_text(root)
