"""The tree of an expression as a drawing: operators above what they are applied to, event types at the leaves."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from reports.drawing.layout import plain
from semantics.carlson_lisper.expressions import Expression, Operation
from semantics.carlson_lisper.syntax import bound_to_text

CHARACTER = 7.9
"""The width of a character of code at 13px, at most."""

SMALL = 6.4
"""The width of a character of a caption at 11px, at most."""

GAP, LEVEL, MARGIN = 18.0, 62.0, 4.0

LARGEST = 60
"""A tree of more nodes is not drawn: it would be wider than any page."""

_STYLE = """
.pattern { color: #777; font: 13px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace }
.pattern text { fill: currentColor; text-anchor: middle }
.pattern .operator { font-weight: 600 }
.pattern .caption { font: 11px system-ui, sans-serif }
.pattern line { stroke: currentColor; stroke-width: 1; opacity: .6 }
.pattern rect { fill: none; stroke: #3a80c8; stroke-width: 1.4 }
"""


@dataclass
class _Node:
    """A subexpression and its place."""

    text: str
    caption: str
    children: list[_Node]
    x: float = 0.0
    depth: int = 0
    room: float = 0.0

    @property
    def width(self) -> float:
        return max(len(self.text) * CHARACTER + 16, len(self.caption) * SMALL)


def pattern_svg(expression: Expression, *, color: str = "") -> str | None:
    """The tree of an expression as an SVG element; None if it is too large to be drawn.

    Args:
        color: a CSS colour of text and lines; by default one that is read on light and dark paper.
    """
    root = _tree(expression)
    nodes = _placed(root)
    if len(nodes) > LARGEST:
        return None
    width = root.room + 2 * MARGIN
    height = (max(node.depth for node in nodes) + 1) * LEVEL - 18
    svg = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "class": "pattern",
            "role": "img",
            "viewBox": f"0 0 {width:.0f} {height:.0f}",
            "width": f"{width:.0f}",
            "height": f"{height:.0f}",
        },
    )
    SubElement(svg, "title").text = plain(expression)
    SubElement(svg, "style").text = _STYLE + (f".pattern {{ color: {color} }}" if color else "")
    for node in nodes:
        _draw(svg, node)
    return ElementTree.tostring(svg, encoding="unicode")


def _tree(expression: Expression) -> _Node:
    """The nodes, with a stack of its own: an expression may be deeper than Python likes."""
    done: list[_Node] = []
    pending: list[tuple[Expression, bool]] = [(expression, False)]
    while pending:
        node, operands_done = pending.pop()
        if not isinstance(node, Operation):
            done.append(_Node(plain(node), "", []))
        elif operands_done:
            children = done[-len(node.operands) :]
            del done[-len(node.operands) :]
            done.append(_Node(_symbol(node), node.definition.title, children))
        else:
            pending.append((node, True))
            pending += [(operand, False) for operand in reversed(node.operands)]
    return done[0]


def _symbol(node: Operation) -> str:
    if node.bound is not None:
        return f"[{bound_to_text(node.bound)}]"
    return node.definition.symbol or node.operator


def _placed(root: _Node) -> list[_Node]:
    """All nodes, from top to bottom, each in the middle of the room that it and its operands need."""
    order, pending = list[_Node](), [root]
    while pending:
        node = pending.pop()
        order.append(node)
        for child in node.children:
            child.depth = node.depth + 1
        pending += reversed(node.children)
    for node in reversed(order):  # operands come after their operators
        node.room = max(node.width, _together(node.children))
    root.x = root.room / 2
    for node in order:
        left = node.x - _together(node.children) / 2
        for child in node.children:
            child.x = left + child.room / 2
            left += child.room + GAP
    return order


def _together(nodes: list[_Node]) -> float:
    """The room that nodes need side by side."""
    return sum(node.room for node in nodes) + GAP * max(0, len(nodes) - 1)


def _draw(svg: Element, node: _Node) -> None:
    x, y = node.x + MARGIN, node.depth * LEVEL + 18
    for child in node.children:
        below = child.depth * LEVEL + 2
        ends = {"x1": x, "y1": y + (26 if node.caption else 12), "x2": child.x + MARGIN, "y2": below}
        SubElement(svg, "line", {name: f"{value:.1f}" for name, value in ends.items()})
    if node.children:
        SubElement(svg, "text", {"class": "operator", "x": f"{x:.1f}", "y": f"{y:.1f}"}).text = node.text
        SubElement(
            svg, "text", {"class": "caption", "x": f"{x:.1f}", "y": f"{y + 16:.1f}"}
        ).text = node.caption
        return
    half = len(node.text) * CHARACTER / 2 + 7
    box = {
        "x": f"{x - half:.1f}",
        "y": f"{y - 15:.1f}",
        "width": f"{half * 2:.1f}",
        "height": "22",
        "rx": "4",
    }
    SubElement(svg, "rect", box)
    SubElement(svg, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}"}).text = node.text
