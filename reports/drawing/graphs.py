"""Graphs without cycles as small SVG elements: nodes in columns, each to the right of all that lead to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

GRAPH_STYLE = """
.graph { font: 13px system-ui, sans-serif; max-width: 100%; height: auto; display: block }
.graph text { fill: currentColor; text-anchor: middle }
.graph line { stroke: currentColor; opacity: .45 }
.graph path { fill: none; stroke: currentColor; opacity: .45 }
.graph rect { fill: none; stroke: currentColor; opacity: .6 }
.graph polygon { fill: currentColor; opacity: .6 }
.graph .bound { paint-order: stroke; stroke: var(--paper, #fff); stroke-width: 5px; stroke-linejoin: round }
"""
"""How graphs look; a page that holds several states it once."""

_CHARACTER, _HEIGHT, _ACROSS, _BETWEEN = 8.0, 26.0, 60.0, 16.0


def graph(edges: Sequence[tuple[str, str]], title: str) -> str:
    """The graph as an SVG element, whose description lists the edges.

    Args:
        edges: pairs of nodes, which are named by their text; there is no cycle.
    """
    columns = _columns(edges)
    widths = [max(len(name) for name in column) * _CHARACTER + 14 for column in columns]
    height = max(map(len, columns), default=0) * (_HEIGHT + _BETWEEN)
    places: dict[str, tuple[float, float, float]] = {}
    left = 1.0
    for column, width in zip(columns, widths, strict=True):
        gap = height / len(column)
        for number, name in enumerate(column):
            places[name] = (left, gap * (number + 0.5), width)
        left += width + _ACROSS
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "class": "graph", "role": "img"})
    root.set("viewBox", f"0 0 {max(left - _ACROSS, 1) + 1:.0f} {max(height, 1):.0f}")
    root.set("width", f"{max(left - _ACROSS, 1) + 1:.0f}")
    _add(root, "title", {}).text = title
    _add(root, "desc", {}).text = "; ".join(f"{one} to {other}" for one, other in edges)
    for one, other in edges:
        (from_x, from_y, wide), (to_x, to_y, _) = places[one], places[other]
        ends = {"x1": from_x + wide, "y1": from_y, "x2": to_x - 6, "y2": to_y}
        _add(root, "line", ends)
        _add(root, "polygon", {"points": f"{to_x},{to_y} {to_x - 7},{to_y - 4} {to_x - 7},{to_y + 4}"})
    for name, (x, y, wide) in places.items():
        _add(root, "rect", {"x": x, "y": y - _HEIGHT / 2, "width": wide, "height": _HEIGHT, "rx": 5})
        _add(root, "text", {"x": x + wide / 2, "y": y + 5}).text = name
    return ElementTree.tostring(root, encoding="unicode")


def _columns(edges: Sequence[tuple[str, str]]) -> list[list[str]]:
    """The nodes by the length of the longest way to them, each column in the order of what leads to its nodes."""
    names = list(dict.fromkeys(name for edge in edges for name in edge))
    depth = dict.fromkeys(names, 0)
    for _ in names:
        for one, other in edges:
            depth[other] = max(depth[other], depth[one] + 1)
    columns: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    place: dict[str, float] = {}
    for number, column in enumerate(columns):
        found = [name for name in names if depth[name] == number]
        before = {name: [place[one] for one, other in edges if other == name] for name in found}
        column += sorted(found, key=lambda name: sum(before[name]) / max(len(before[name]), 1))
        place |= {name: float(at) / len(column) for at, name in enumerate(column)}
    return columns


def _add(root: Element, tag: str, attributes: Mapping[str, object]) -> Element:
    return ElementTree.SubElement(root, tag, {name: str(value) for name, value in attributes.items()})
