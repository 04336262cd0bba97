"""Plots as small SVG elements: two axes with ticks, and dots, steps or ranges on them.

A plot belongs to the page that it stands in: its colours are the page's, light or dark, its text is text, and its
title and description say in words what it shows. Series differ by shape as well as by colour.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

PLOT_STYLE = """
.plot { font: 11px system-ui, sans-serif; width: min(100%, 34rem); height: auto; display: block }
.plot text { fill: currentColor }
.plot .quiet { fill: var(--quiet, currentColor) }
.plot line { stroke: currentColor; opacity: .18 }
.plot path { fill: none; stroke-linecap: round }
.plot .series-0 { stroke: var(--timeline-left, #1d5fa8) }
.plot .series-1 { stroke: var(--timeline-right, #a8480b) }
.plot .series-2 { stroke: var(--good, #1a6b3c) }
.plot .dots { stroke-width: .9; opacity: .75 }
.plot .dots.series-0 { stroke-width: 3.5; opacity: .55 }
.plot .steps, .plot .range { stroke-width: 2; stroke-linejoin: round }
.plot .range { stroke-width: 3 }
.plot .middle { stroke-width: 9 }
.plot .ring { stroke: var(--bad, #a81d1d); stroke-width: 1.5 }
"""
"""How plots look; a page that holds several states it once."""

SIGNS = ("●", "✕", "△")
"""What the dots of each series look like, for a legend in words."""

_SHAPES = ("M{x} {y}h0", "M{x} {y}m-2-2l4 4m0-4l-4 4", "M{x} {y}m-2 2l2-4l2 4z")
_MANTISSAS = (1.0, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0)
_LEAST = 1e-9

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis from `low` to `high`, which are not the same.

    Attributes:
        low: where it begins; greater than 0 on a logarithmic axis.
        logarithmic: whether equal distances are equal factors.
        unit: what is written behind each number.
    """

    label: str
    low: float
    high: float
    logarithmic: bool = False
    unit: str = ""

    def share(self, value: float) -> float:
        """Where a value lies, from 0 at the beginning to 1 at the end."""
        if not self.logarithmic:
            return (value - self.low) / (self.high - self.low)
        return math.log(max(value, _LEAST) / self.low) / math.log(self.high / self.low)

    def ticks(self, most: int = 6) -> list[tuple[float, str]]:
        """At most about so many round values on the axis, with their text."""
        values = list(self._logarithmic(most) if self.logarithmic else self._linear(most))
        return [(value, number(value) + self.unit) for value in values]

    def _linear(self, most: int) -> Iterator[float]:
        rough = (self.high - self.low) / most
        step = 10.0 ** math.floor(math.log10(rough))
        step *= next(factor for factor in (1, 2, 5, 10) if factor * step >= rough)
        for count in range(math.ceil(self.low / step), math.floor(self.high / step + _LEAST) + 1):
            yield count * step

    def _logarithmic(self, most: int) -> Iterator[float]:
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        powers = [10.0**power for power in range(first, last + 1)]
        inside = [power for power in powers if self._holds(power)]
        if len(inside) > 2:
            yield from inside[:: math.ceil(len(inside) / most)]
            return
        before = -math.inf
        for value in (mantissa * power for power in powers for mantissa in _MANTISSAS):
            if self._holds(value) and self.share(value) - before >= 0.7 / most:
                before = self.share(value)
                yield value

    def _holds(self, value: float) -> bool:
        return self.low * (1 - _LEAST) <= value <= self.high * (1 + _LEAST)


def decades(label: str, values: Iterable[float]) -> Axis:
    """A logarithmic axis over the powers of ten around some values; what is not positive lies at its beginning."""
    found = [value for value in values if value > _LEAST] or [1.0]
    low = math.floor(math.log10(min(found)) + _LEAST)
    high = math.ceil(math.log10(max(found)) - _LEAST)
    return Axis(label, 10.0**low, 10.0 ** max(high, low + 1), logarithmic=True)


def number(value: float) -> str:
    """A number of an axis: `0.5`, `1 000`, `10⁶`."""
    if value and (abs(value) >= 1e5 or abs(value) < 1e-3):
        power = math.floor(math.log10(abs(value)) + _LEAST)
        mantissa = value / 10.0**power
        times = "" if math.isclose(mantissa, 1) else f"{mantissa:.3g}·"
        return f"{times}10" + str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{value:,.6g}".replace(",", "\u202f")


class _Canvas:
    """An SVG element with a title and a description."""

    def __init__(self, title: str, description: str, width: float, height: float) -> None:
        self.root = Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "class": "plot",
                "role": "img",
                "viewBox": f"0 0 {width:g} {height:g}",
                "width": f"{width:g}",
                "height": f"{height:g}",
            },
        )
        self.add("title", title)
        self.add("desc", description)

    def add(
        self, tag: str, text: str | None = None, parent: Element | None = None, **values: object
    ) -> Element:
        """Append an element; an attribute's `_` stands for `-`, one at its end is dropped."""
        attributes = {
            name.rstrip("_").replace("_", "-"): f"{value:.1f}" if isinstance(value, float) else str(value)
            for name, value in values.items()
        }
        element = ElementTree.SubElement(self.root if parent is None else parent, tag, attributes)
        element.text = text
        return element

    def svg(self) -> str:
        return ElementTree.tostring(self.root, encoding="unicode")


class Plot(_Canvas):
    """Two axes; dots, rings and steps are put on them one series after the other."""

    WIDTH, HEIGHT = 360.0, 216.0
    LEFT, RIGHT, TOP, BOTTOM = 46.0, 24.0, 24.0, 42.0

    def __init__(self, title: str, description: str, x: Axis, y: Axis) -> None:
        """An empty plot; the texts are for those who do not see it."""
        super().__init__(title, description, self.WIDTH, self.HEIGHT)
        self.x, self.y = x, y
        bottom, right = self.HEIGHT - self.BOTTOM, self.WIDTH - self.RIGHT
        for value, text in x.ticks():
            at = self._place(value, y.low)[0]
            self.add("line", x1=at, x2=at, y1=self.TOP, y2=bottom)
            self.add("text", text, x=at, y=bottom + 16, text_anchor="middle")
        for value, text in y.ticks(5):
            at = self._place(x.low, value)[1]
            self.add("line", x1=self.LEFT, x2=right, y1=at, y2=at)
            self.add("text", text, x=self.LEFT - 6, y=at + 4, text_anchor="end")
        self.add("text", x.label, x=right, y=self.HEIGHT - 6, text_anchor="end", class_="quiet")
        self.add("text", y.label, x=0.0, y=11.0, class_="quiet")

    def _place(self, x: float, y: float) -> Point:
        """Where a point is drawn; one beyond an axis is drawn at its end."""
        across, up = (min(1.0, max(0.0, share)) for share in (self.x.share(x), self.y.share(y)))
        return (
            self.LEFT + across * (self.WIDTH - self.LEFT - self.RIGHT),
            self.HEIGHT - self.BOTTOM - up * (self.HEIGHT - self.TOP - self.BOTTOM),
        )

    def dots(self, points: Iterable[Point], series: int = 0) -> None:
        """A mark for each point; one path for all of them, so that a thousand stay small."""
        shape = _SHAPES[min(series, len(_SHAPES) - 1)]
        places = dict.fromkeys(f"{x:.1f} {y:.1f}" for x, y in (self._place(*point) for point in points))
        marks = "".join(shape.format(x=x, y=y) for x, y in map(str.split, places))
        self.add("path", d=marks, class_=f"dots series-{min(series, 2)}")

    def ring(self, point: Point, name: str) -> None:
        """A ring around a point, with its name."""
        x, y = self._place(*point)
        ring = self.add("path", d=f"M{x - 5:.1f} {y:.1f}a5 5 0 1 0 10 0a5 5 0 1 0-10 0", class_="ring")
        self.add("title", name, ring)

    def steps(self, points: Sequence[Point], series: int = 0) -> None:
        """A line that keeps its height from each point until the next one."""
        if not points:
            return
        places = [self._place(*point) for point in points]
        d = f"M{places[0][0]:.1f} {places[0][1]:.1f}"
        d += "".join(f"H{x:.1f}V{y:.1f}" for _, (x, y) in pairwise(places))
        self.add("path", d=d, class_=f"steps series-{min(series, 2)}")


@dataclass(frozen=True, slots=True)
class Range:
    """A row of a plot of ranges: its name, its least, middle and greatest value, and its series."""

    name: str
    low: float
    middle: float
    high: float
    series: int = 0


def range_plot(title: str, description: str, axis: Axis, rows: Sequence[Range]) -> str:
    """Rows below each other, each with a line from its least to its greatest value and a dot in the middle.

    The name of a row stands above it, so that a narrow page has room for a long one.

    Returns:
        "" if there are no rows.
    """
    if not rows:
        return ""
    width, top, pitch, side = 360.0, 18.0, 30.0, 24.0
    bottom = top + pitch * len(rows) + 4
    canvas = _Canvas(title, description, width, bottom + 34)

    def place(value: float) -> float:
        return side + min(1.0, max(0.0, axis.share(value))) * (width - 2 * side)

    for value, text in axis.ticks():
        canvas.add("line", x1=place(value), x2=place(value), y1=top - 6, y2=bottom)
        canvas.add("text", text, x=place(value), y=bottom + 14, text_anchor="middle")
    canvas.add("text", axis.label, x=width - side, y=bottom + 30, text_anchor="end", class_="quiet")
    for index, row in enumerate(rows):
        y = top + pitch * index
        canvas.add("text", row.name, x=side, y=y + 8)
        group = canvas.add("g", class_=f"series-{min(row.series, 2)}")
        values = f"{number(row.middle)}, from {number(row.low)} to {number(row.high)}"
        canvas.add("title", f"{row.name}: {values}", group)
        for class_, low, high in (("range", row.low, row.high), ("middle", row.middle, row.middle)):
            d = f"M{place(low):.1f} {y + 18:.1f}H{place(high):.1f}"
            canvas.add("path", None, group, d=d, class_=f"{class_} series-{min(row.series, 2)}")
    return canvas.svg()
