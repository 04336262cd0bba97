"""Elements of SVG, and graphs drawn of them: nodes in columns, each to the right of all that lead to it."""

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

GRAPH_STYLE = "\n" + Path(__file__).with_name("graph.css").read_text("utf-8")
"""How graphs look; a page that holds several states it once."""

_CHARACTER, _HEIGHT, _ACROSS, _BETWEEN = 8.0, 26.0, 60.0, 16.0


def picture(kind: str, title: str = "", said: str = "", **attributes: object) -> Element:
    """The root of a picture, with its title and what it says to those who do not see it."""
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "class": kind, "role": "img"})
    root.attrib |= _texts(attributes)
    for tag, text in (("title", title), ("desc", said)):
        if text:
            add(root, tag, text)
    return root


def sized(root: Element, width: float, height: float) -> Element:
    """Picture with its natural size, to which it scales."""
    root.attrib |= {"viewBox": f"0 0 {width:.0f} {height:.0f}", "width": f"{width:.0f}", "height": f"{height:.0f}"}
    return root


def add(parent: Element, tag: str, text: str = "", **attributes: object) -> Element:
    """Append an element; an attribute's `_` stands for `-`, one at its end is dropped."""
    child = ElementTree.SubElement(parent, tag, _texts(attributes))
    child.text = text or None
    return child


def _texts(attributes: dict[str, object]) -> dict[str, str]:
    return {
        name.rstrip("_").replace("_", "-"): f"{value:.1f}" if isinstance(value, float) else str(value)
        for name, value in attributes.items()
    }


def as_text(root: Element) -> str:
    """The picture as it is written."""
    return ElementTree.tostring(root, encoding="unicode")


def boxed(root: Element, x: float, y: float, width: float, text: str) -> None:
    """A text in a box around a point."""
    add(root, "rect", x=x - width / 2, y=y - _HEIGHT / 2, width=width, height=_HEIGHT, rx=5)
    add(root, "text", text, x=x, y=y + 5)


def graph(edges: Sequence[tuple[str, str]], title: str) -> str:
    """A graph without cycles as an SVG element, whose description lists the edges: pairs of texts of nodes."""
    columns = _columns(edges)
    widths = [max(len(name) for name in column) * _CHARACTER + 14 for column in columns]
    height = max(map(len, columns), default=0) * (_HEIGHT + _BETWEEN)
    places: dict[str, tuple[float, float, float]] = {}
    left = 1.0
    for column, width in zip(columns, widths, strict=True):
        for number, name in enumerate(column):
            places[name] = (left, height / len(column) * (number + 0.5), width)
        left += width + _ACROSS
    root = picture("graph", title, "; ".join(f"{one} to {other}" for one, other in edges))
    for one, other in edges:
        (from_x, from_y, wide), (x, y, _) = places[one], places[other]
        add(root, "line", x1=from_x + wide, y1=from_y, x2=x - 6, y2=y)
        add(root, "polygon", points=f"{x},{y} {x - 7},{y - 4} {x - 7},{y + 4}")
    for name, (x, y, wide) in places.items():
        boxed(root, x + wide / 2, y, wide, name)
    return as_text(sized(root, max(left - _ACROSS, 1) + 1, max(height, 1)))


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
