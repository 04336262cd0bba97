"""Joins of the engine of nodes, explained: which kind each is, and by which condition."""

import pytest

from detectors.bry_eckert.nodes.engine import Nodes
from remora.systems.bry_eckert.explaining import joins_of
from semantics.bry_eckert.algebra.planning import planned
from semantics.bry_eckert.checking import parse
from tests.semantics.bry_eckert.programs import cases

TYPES = "event A(x: int)\nevent B(x: int)\n"


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (
            "F(x) <- a: A(x), b: B(x), a before b",
            "a ⋈ b: left stored, b.e may be later; right streaming, a.e < b.e; right suppressed while lb(a.e) >= now",
        ),
        (
            "F(x) <- a: A(x), b: B(x), {a, b} within 5",
            "a ⋈ b: left stored, b.e may be later; right stored, a.e may be later;"
            " right suppressed while lb(a.e) > now + 5",
        ),
        (
            "F(x) <- a: A(x), b: B(x), a during b",
            "a ⋈ b: left stored, b.e may be later; right streaming, a.e < b.e; right always evaluated",
        ),
        (
            "F(x) <- a: A(x), b: B(x), a starts b",
            "a ⋈ b: left stored, b.e may be later; right streaming, a.e < b.e; right always evaluated",
        ),
        (
            "F(x) <- a: A(x), w: from_end(a, 5), while w: not B(x)",
            "a, w ▷ w′1: left streaming, its window is over when it occurs;"
            " right stored, it is looked up for windows that end later;"
            " right suppressed while lb(a.e) >= now or lb(w.s) >= now or lb(w.e) > now + 4",
        ),
    ],
)
def test_a_join_is_named_with_the_condition_that_allows_it(rule: str, expected: str) -> None:
    program = parse(TYPES + rule)
    (join,) = joins_of(program, planned(program, {}))["F"]
    said, _, suppressed = str(join).partition(" while ")
    assert said == expected.partition(" while ")[0]
    assert sorted(suppressed.split(" or ")) == sorted(expected.partition(" while ")[2].split(" or "))


def test_every_join_of_random_plans_is_explained_as_it_is() -> None:
    for case in cases(40):
        plan = planned(case.program, {})
        found = [join for joins in joins_of(case.program, plan).values() for join in joins]
        nodes = [node for _, node in Nodes(case.program, plan).joins()]
        assert len(found) == len(nodes)
        for join, node in zip(found, nodes, strict=True):
            if join.operator == "⋈":
                assert (join.left_streams, join.right_streams) == (
                    node.kind.left_streams,
                    node.kind.right_streams,
                )
                assert ("left stored" in join.streaming) == (not join.left_streams)
