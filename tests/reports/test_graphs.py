"""Graphs: names are text, edges lead to the right; temporal distances have the shortest paths of their matrix."""

import re
from itertools import combinations, product
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

from remora.systems.bry_eckert.explaining import distance_rows
from reports.bry_eckert import distance_graphs, edges
from reports.drawing.svg import graph
from semantics.bry_eckert.algebra.distances import Distances
from semantics.bry_eckert.algebra.planning import plan_of, planned
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.temporal import Difference
from tests.semantics.bry_eckert.programs import CHAIN, cases

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.long
def test_the_edges_that_are_drawn_have_the_shortest_paths_of_the_matrix() -> None:
    drawn = bounds = 0
    for case in cases(40):
        plan = plan_of(case.program)
        for part in plan.definitions:
            matrix = distance_rows(part, plan)
            if not matrix:
                continue
            names = matrix[0][1:]
            wanted = {
                (names[i], names[j]): int(cell[2:])
                for i, j in product(range(len(names)), repeat=2)
                if i != j and (cell := matrix[i + 1][j + 1])
            }
            found = edges(matrix)
            if any(one + wanted.get(pair[::-1], one) < 0 for pair, one in wanted.items()):
                continue  # the conditions contradict each other: nothing is shortest
            again = Distances().with_(Difference(names[e.later], names[e.earlier], e.bound) for e in found)
            assert again.between == wanted
            drawn, bounds = drawn + len(found), bounds + len(wanted)
    assert 50 < drawn < bounds


def test_each_bound_is_the_label_of_an_arc_between_time_stamps() -> None:
    plan = planned(parse(CHAIN), {})
    matrices = {str(part.name): distance_rows(part, plan) for part in plan.definitions}
    whole = ElementTree.fromstring(distance_graphs(matrices))
    titles = [one.findtext(f"{SVG}title") for one in whole.iter(f"{SVG}svg")]
    assert titles[1:] == ["Temporal distances of C", "Temporal distances of F"]
    matrix, root = matrices["F"], list(whole.iter(f"{SVG}svg"))[-1]
    texts = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert sorted(texts[:10]) == sorted(["! 2", "? 4", "! 0", "? -1", "? 0", "! 0", "? 1", "? -1", "? 0", "! 0"])
    assert texts[10:] == list(matrix[0][1:])
    assert "d.s - c.s <= 4 (tested)" in (root.findtext(f"{SVG}desc") or "")
    boxes = [(float(box.get("x", "")), float(box.get("y", ""))) for box in root.iter(f"{SVG}rect")]
    labels = [(float(text.get("x", "")), float(text.get("y", ""))) for text in root.iter(f"{SVG}text")][:10]
    heads = [
        [float(each) for each in re.findall(r"[-\d.]+", one.get("points", ""))] for one in root.iter(f"{SVG}polygon")
    ]
    for edge, arc, at, head in zip(edges(matrix), root.iter(f"{SVG}path"), labels, heads, strict=True):
        begin, side, _, top, _, _, end, tip = map(float, re.findall(r"[-\d.]+", arc.get("d", "")))
        up = edge.later > edge.earlier
        for x, node in ((begin, edge.earlier), (end, edge.later)):  # beside the middle of a box of width 44
            assert 0 < (x - boxes[node][0] - 22) * (1 if (node == edge.earlier) == up else -1) < 22
        assert (
            head[:2] == [end, side] == [(head[2] + head[4]) / 2, side] and abs(tip - side) == abs(head[3] - side) == 7
        )
        assert at[0] == (begin + end) / 2 and (top < at[1] < side == boxes[0][1] if up else side < at[1] < top + 14)
        assert (
            abs(top - side) == 26 * abs(edge.later - edge.earlier)
            and (arc.get("stroke-dasharray") != "none") == edge.tested
        )
    assert len(set(labels)) == len(labels) and min(y for _, y in labels) > 10
    assert max(y for _, y in labels) < float(root.get("height", "")) and max(boxes)[0] + 44 < float(
        root.get("width", "")
    )


EDGES = st.lists(st.sampled_from(list(combinations(["a", "b", "c", "d", "e", "<b>"], 2))), unique=True, max_size=10)


@given(EDGES)
def test_every_edge_leads_to_the_right_and_no_node_is_on_another(found: list[tuple[str, str]]) -> None:
    root = ElementTree.fromstring(graph(found, "A & B"))
    assert all(float(line.get("x1", "")) < float(line.get("x2", "")) for line in root.iter(f"{SVG}line"))
    boxes = [(box.get("x"), box.get("y")) for box in root.iter(f"{SVG}rect")]
    assert len(boxes) == len(set(boxes)) == len({name for edge in found for name in edge})
