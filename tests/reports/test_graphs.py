"""Graphs are drawn in columns, each node to the right of all that lead to it."""

from itertools import combinations
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from reports.drawing.graphs import graph

NAMESPACE = "{http://www.w3.org/2000/svg}"
EDGES = st.lists(st.sampled_from(list(combinations("abcdef", 2))), unique=True, max_size=10)


@given(EDGES)
def test_every_edge_leads_to_the_right_and_no_node_is_on_another(edges: list[tuple[str, str]]) -> None:
    root = ElementTree.fromstring(graph(edges, "A graph"))
    assert all(float(line.get("x1", "")) < float(line.get("x2", "")) for line in root.iter(f"{NAMESPACE}line"))
    boxes = [(box.get("x"), box.get("y")) for box in root.iter(f"{NAMESPACE}rect")]
    assert len(boxes) == len(set(boxes)) == len({name for edge in edges for name in edge})


def test_names_are_text_and_no_markup() -> None:
    assert "<b>" not in graph([("<b>", "c")], "A & B")
