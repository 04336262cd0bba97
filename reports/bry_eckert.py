"""The report's parts about rules, with temporal distance graphs (2008, Section 4)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from reports.drawing.svg import GRAPH_STYLE, add, as_text, boxed, picture, sized
from reports.page import Block, Code, Graphic, Section, Table
from reports.systems import ReportsOfSystem, judged_text

_ACROSS, _SIZE, _RISE, _MARGIN, _TITLE = 96.0, 44.0, 26.0, 12.0, 26.0


class BryEckertReports(ReportsOfSystem):
    """How long tuples are kept, what that saves, and the temporal distances that it follows from."""

    declarations = "event "

    def sections(self, document: Mapping[str, Any]) -> tuple[Section, ...]:
        """The section of a report with `rules`."""
        rules = document.get("rules")
        if not rules:
            return ()
        judged = rules["cases"]
        columns = ("Plan", "In", "Relation", "Kept while", "Decision", "Shown by")
        return (
            Section(
                title="Rules: how long tuples are kept",
                sentences=(
                    "Of each relation that a materialization point looks up, the condition under which a tuple is kept."
                    " A solver decides for the plan at hand whether the condition is safe (gives up nothing that an"
                    " answer needs) and tight (some history needs a tuple at its boundary). A history that"
                    " shows it is replayed: an engine loses its answer by a condition that is one tick shorter, and not"
                    " by this one.",
                    f"The engines {' and '.join(judged['engines'])} were judged on {judged['cases']:,} random programs"
                    f" and histories with {judged['answers']:,} answers: {judged_text(judged)}",
                ),
                blocks=(
                    Table(columns, tuple(_stores(rules["plans"])), code=("Kept while",)),
                    *(block for plan in rules["plans"] for block in _plan(plan)),
                ),
            ),
        )


REPORTS = BryEckertReports()


def _stores(plans: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    for plan in plans:
        for point in plan["plan"]:
            for store in point["stores"]:
                name = f"{store['relation']} {store['identifier']}".strip()
                kept = store["relevant"] if store["kept"] else store["why"]
                decision = store["decision"] + (f": {store['advice']}" if store["advice"] else "")
                examples = "; ".join(one["text"] for one in store["examples"])
                yield plan["name"], point["name"], name, kept, decision, examples


def _plan(plan: Mapping[str, Any]) -> Iterator[Block]:
    """The definition of each materialization point with its tree, and the temporal distances of those with several."""
    yield f"The plan {plan['name']}:"
    points = plan["plan"]
    trees = ((point["algebra"], *(f"  {line}" for line in point["tree"])) for point in points)
    yield Code("\n\n".join(map("\n".join, trees)))
    for point in points:
        if len(point["distances"]) > 3:
            yield (
                f"Temporal distances of {point['name']}: an arc from i to j bounds j - i for joined tuples, in ticks"
                " (2008, Figure 4). Inputs guarantee what is marked with !, a condition tests what has a ? and is"
                " dashed; arcs that a path of others replaces are left out."
            )
            yield Graphic(as_text(distance_graph(point["distances"], f"Temporal distances of {point['name']}")))


class Edge(NamedTuple):
    """An upper bound, in ticks, of how much later a time stamp is than an earlier one: tested, or always guaranteed."""

    earlier: int
    later: int
    bound: int
    tested: bool


def edges(matrix: Sequence[Sequence[str]]) -> list[Edge]:
    """The edges of a graph that are shorter than any path of others, from its matrix of shortest paths.

    The matrix has a heading, then for each time stamp i its name and the bounds of `j - i`: `! 5`, `? 5`; "" for none.
    What is guaranteed is less than what is tested (2008, Figure 6).
    """
    left = [
        Edge(i, j, int(cell[2:]), cell[0] == "?")
        for i, (_, *cells) in enumerate(matrix[1:])
        for j, cell in enumerate(cells)
        if i != j and cell
    ]
    for edge in sorted(left, key=lambda one: -abs(one.earlier - one.later)):  # long arcs go first
        others = [one for one in left if one != edge]
        path = _shortest(others, edge.earlier).get(edge.later)
        if path is not None and path <= edge[2:]:
            left = others
    return left


def _shortest(some: Sequence[Edge], start: int) -> dict[int, tuple[int, bool]]:
    """The bound of the shortest path to each time stamp from one of them, and whether a part of it is tested."""
    best = {start: (0, False)}
    for _ in some:
        for one in some:
            if one.earlier in best and one.later != start:
                bound, tested = best[one.earlier]
                path = bound + one.bound, tested or one.tested
                best[one.later] = min(path, best.get(one.later, path))
    return best


def distance_graphs(matrices: Mapping[str, Sequence[Sequence[str]]]) -> str:
    """The graphs of several materialization points, by name, one below the other, as an SVG file."""
    root, height, width = picture("graph"), 0.0, 0.0
    add(root, "style", f"{GRAPH_STYLE}.graph .name {{ text-anchor: start; font-weight: bold }}")
    for name, matrix in matrices.items():
        add(root, "text", name, class_="name", x=_MARGIN, y=height + 20)
        inner = distance_graph(matrix, f"Temporal distances of {name}")
        inner.set("y", f"{height + _TITLE:.0f}")
        root.append(inner)
        height, width = height + _TITLE + float(inner.get("height", 0)), max(width, float(inner.get("width", 0)))
    return as_text(sized(root, width, height)) + "\n"


def distance_graph(matrix: Sequence[Sequence[str]], title: str) -> Element:
    """The graph of a matrix (`edges`): arcs to the right above its time stamps, to the left below, dashed if tested."""
    names, shown = [name for name, *_ in matrix[1:]], edges(matrix)
    above = max((one.later - one.earlier for one in shown if one.later > one.earlier), default=0)
    below = max((one.earlier - one.later for one in shown if one.later < one.earlier), default=0)
    middle = _MARGIN + above * _RISE + 26
    said = (
        f"{names[one.later]} - {names[one.earlier]} <= {one.bound} ({'tested' if one.tested else 'guaranteed'})"
        for one in shown
    )
    root = picture("graph", title, "; ".join(said))
    root.extend([_arc(root, one, middle) for one in shown])  # above all arcs, where they are legible
    for place, name in enumerate(names):
        boxed(root, (place + 0.5) * _ACROSS, middle, _SIZE, name)
    return sized(root, len(names) * _ACROSS, middle + below * _RISE + 26 + _MARGIN)


def _arc(root: Element, edge: Edge, middle: float) -> Element:
    """Draw an arc with an arrow at its end; returns its bound, for its highest or lowest point."""
    up = -1 if edge.later > edge.earlier else 1
    begin, finish = ((place + 0.5) * _ACROSS - up * s * 9 for place, s in ((edge.earlier, 1), (edge.later, -1)))
    side, top = middle + up * 13, middle + up * (13 + abs(edge.later - edge.earlier) * _RISE)
    path = f"M {begin:g} {side:g} C {begin:g} {top:g} {finish:g} {top:g} {finish:g} {side + up * 7:g}"
    add(root, "path", d=path, stroke_dasharray="5 3" if edge.tested else "none")
    tips = ((0, 0), (-4, 7), (4, 7))
    add(root, "polygon", points=" ".join(f"{finish + x:g},{side + up * y:g}" for x, y in tips))
    lowest = side + 0.75 * (top - side)
    place = {"x": f"{(begin + finish) / 2}", "y": f"{lowest + (-3 if up < 0 else 14)}"}
    text = Element("text", {"class": "bound", **place})
    text.text = f"{'?' if edge.tested else '!'} {edge.bound}"
    return text
