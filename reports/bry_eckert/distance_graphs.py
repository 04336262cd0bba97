"""Temporal distance graphs (2008, Section 4) as SVG elements: time stamps in a row, bounds on arcs between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from reports.drawing.graphs import GRAPH_STYLE

_ACROSS, _SIZE, _RISE, _MARGIN = 96.0, 44.0, 26.0, 12.0


class Weight(NamedTuple):
    """An upper bound in ticks, and whether a condition tests it; what is guaranteed is less (2008, Figure 6)."""

    bound: int
    tested: bool = False

    def __str__(self) -> str:
        return f"{'?' if self.tested else '!'} {self.bound}"

    @classmethod
    def read(cls, text: str) -> Weight:
        """The bound that is shown so."""
        return cls(int(text[2:]), text[0] == "?")


class Edge(NamedTuple):
    """An upper bound of the difference of two time stamps.

    Attributes:
        earlier: the place of the time stamp i.
        later: the place of the time stamp j.
        weight: the bound of `j - i`, in ticks, with its marks.
    """

    earlier: int
    later: int
    weight: Weight


def edges(matrix: Sequence[Sequence[str]]) -> list[Edge]:
    """The edges of a graph that are no longer than any path of others, from its matrix of shortest paths.

    Args:
        matrix: a heading, then for each time stamp i its name and the bounds of `j - i`: `! 5`, `? 5`; "" for none.
    """
    known = {
        (i, j): Edge(i, j, Weight.read(cell))
        for i, (_, *cells) in enumerate(matrix[1:])
        for j, cell in enumerate(cells)
        if i != j and cell
    }
    left = dict(known)
    for pair, edge in sorted(known.items(), key=lambda one: -abs(one[0][0] - one[0][1])):  # long arcs go first
        if _has_path(left, edge):
            del left[pair]
    return list(left.values())


def _has_path(left: dict[tuple[int, int], Edge], edge: Edge) -> bool:
    """Whether a path of other edges is as short as an edge."""
    best: dict[int, Weight] = {edge.earlier: Weight(0)}
    others = [one for one in left.values() if one != edge]
    for _ in range(len(others)):
        changed = False
        for one in others:
            if one.earlier in best and one.later != edge.earlier:
                before = best[one.earlier]
                path = Weight(before.bound + one.weight.bound, before.tested or one.weight.tested)
                if one.later not in best or path < best[one.later]:
                    best[one.later], changed = path, True
        if not changed:
            break
    return edge.later in best and best[edge.later] <= edge.weight


def picture(matrices: Mapping[str, Sequence[Sequence[str]]]) -> str:
    """The graphs of several materialization points, one below the other, as an SVG file.

    Args:
        matrices: by name, as `edges` takes them.
    """
    root, height, width = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "class": "graph"}), 0.0, 0.0
    _add(root, "style", {}).text = f"{GRAPH_STYLE}.graph .name {{ text-anchor: start; font-weight: bold }}"
    for name, matrix in matrices.items():
        _add(root, "text", {"class": "name", "x": _MARGIN, "y": height + 20}).text = name
        inner = _graph(matrix, f"Temporal distances of {name}")
        _, _, across, down = inner.get("viewBox", "").split()
        for key, value in (("y", f"{height + 26:.0f}"), ("height", down)):
            inner.set(key, value)
        root.append(inner)
        height, width = height + 26 + float(down), max(width, float(across))
    root.set("viewBox", f"0 0 {width:.0f} {height:.0f}")
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def distance_graph(matrix: Sequence[Sequence[str]], title: str) -> str:
    """The graph as an SVG element, whose description lists the edges.

    Arcs to the right are above the time stamps, arcs to the left below; those that a condition tests are dashed.

    Args:
        matrix: as `edges` takes it.
    """
    return ElementTree.tostring(_graph(matrix, title), encoding="unicode")


def _graph(matrix: Sequence[Sequence[str]], title: str) -> Element:
    names, shown = [name for name, *_ in matrix[1:]], edges(matrix)
    above = max((one.later - one.earlier for one in shown if one.later > one.earlier), default=0)
    below = max((one.earlier - one.later for one in shown if one.later < one.earlier), default=0)
    middle = _MARGIN + above * _RISE + 26
    width, height = len(names) * _ACROSS, middle + below * _RISE + 26 + _MARGIN
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "class": "graph", "role": "img"})
    root.set("viewBox", f"0 0 {width:.0f} {height:.0f}")
    root.set("width", f"{width:.0f}")
    _add(root, "title", {}).text = title
    _add(root, "desc", {}).text = "; ".join(
        f"{names[one.later]} - {names[one.earlier]} <= {one.weight.bound}"
        f" ({'tested' if one.weight.tested else 'guaranteed'})"
        for one in shown
    )
    root.extend([_arc(root, one, middle) for one in shown])  # above all arcs, where they are legible
    for place, name in enumerate(names):
        x = (place + 0.5) * _ACROSS
        _add(root, "rect", {"x": x - _SIZE / 2, "y": middle - 12, "width": _SIZE, "height": 24, "rx": 5})
        _add(root, "text", {"x": x, "y": middle + 5}).text = name
    return root


def _arc(root: Element, edge: Edge, middle: float) -> Element:
    """Draw an arc with an arrow at its end; returns its bound, for its highest or lowest point."""
    up = -1 if edge.later > edge.earlier else 1
    apart = abs(edge.later - edge.earlier)
    begin, finish = ((place + 0.5) * _ACROSS - up * s * 9 for place, s in ((edge.earlier, 1), (edge.later, -1)))
    side, top = middle + up * 12, middle + up * (12 + apart * _RISE)
    path = f"M {begin:g} {side:g} C {begin:g} {top:g} {finish:g} {top:g} {finish:g} {side + up * 7:g}"
    _add(root, "path", {"d": path, "stroke-dasharray": "5 3" if edge.weight.tested else "none"})
    tips = ((0, 0), (-4, 7), (4, 7))
    _add(root, "polygon", {"points": " ".join(f"{finish + x:g},{side + up * y:g}" for x, y in tips)})
    lowest = side + 0.75 * (top - side)
    place = {"x": f"{(begin + finish) / 2}", "y": f"{lowest + (-3 if up < 0 else 14)}"}
    text = Element("text", {"class": "bound", **place})
    text.text = str(edge.weight)
    return text


def _add(root: Element, tag: str, attributes: dict[str, object]) -> Element:
    return ElementTree.SubElement(root, tag, {name: str(value) for name, value in attributes.items()})
