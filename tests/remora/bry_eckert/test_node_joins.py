"""Joins of the engine of nodes, explained: which kind each is, and by which condition."""

import pytest

from remora.systems.bry_eckert.explaining import joins_of
from semantics.bry_eckert.algebra.planning import planned
from semantics.bry_eckert.checking import parse

TYPES = "event A(x: int)\nevent B(x: int)\n"


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (
            "F(x) <- a: A(x), b: B(x), a before b",
            "a ⋈ b: left stored, right streaming; right suppressed while lb(a.e) >= now",
        ),
        (
            "F(x) <- a: A(x), b: B(x), {a, b} within 5",
            "a ⋈ b: left stored, right stored; right suppressed while lb(a.e) > now + 5",
        ),
        ("F(x) <- a: A(x), b: B(x), a during b", "a ⋈ b: left stored, right streaming; right always evaluated"),
        (
            "F(x) <- a: A(x), w: from_end(a, 5), while w: not B(x)",
            "a, w ▷ w′1: left streaming, right stored;"
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
