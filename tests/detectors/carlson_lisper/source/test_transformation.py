"""The transformation of Section 6: the source's example exactly, the same meaning, labels that hold, any depth."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.carlson_lisper.source.transformation import transform
from laws.carlson_lisper.checks.strategies import bounds, expressions
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Identifier, Label, Operation, bottom_up
from semantics.carlson_lisper.syntax import parse

quick = settings(deadline=None, max_examples=80)


def limits() -> st.SearchStrategy[Label]:
    return st.just(UNBOUNDED) | bounds()


@pytest.mark.parametrize(
    ("text", "limit", "expected", "bound"),
    [
        ("(B ; B)[2] - (P ; (P + T))", UNBOUNDED, "(B ;[0] B)[2] - (P ;[2] (P + T)[2])", 2),  # Example 6.1
        ("a", 0, "a", 0),
        ("a | b[3]", UNBOUNDED, "a | b", 0),
        ("(a + b)[4] | (c + a)[7]", UNBOUNDED, "(a + b)[4] | (c + a)[7]", 7),
        ("a + b", UNBOUNDED, "a + b", UNBOUNDED),
        ("a + (b + c)[2]", UNBOUNDED, "a + (b + c)[2]", UNBOUNDED),
        ("a - (b + c)[5]", UNBOUNDED, "a - (b + c)[0]", 0),
        ("(a + b) - (b + c)[5]", UNBOUNDED, "(a + b) - (b + c)[5]", UNBOUNDED),
        ("(a + b) - (b + c)[5]", 3, "(a + b) - (b + c)[3]", UNBOUNDED),
        ("a ; b", UNBOUNDED, "a ;[0] b", UNBOUNDED),
        ("a ; (b + c)", UNBOUNDED, f"a ;[{10**6}] (b + c)", UNBOUNDED),
        ("a ; (b + c)", 4, "a ;[4] (b + c)[4]", UNBOUNDED),
        ("(a ; (b + c))[4]", UNBOUNDED, "(a ;[4] (b + c)[4])[4]", 4),
        ("a ; (b + c)[3]", 4, "a ;[3] (b + c)[3]", UNBOUNDED),
        ("(a + b)[3]", 5, "(a + b)[3]", 3),
        ("(a + b)[5]", 3, "(a + b)[3]", 3),
        ("(a + b)[3][5]", UNBOUNDED, "(a + b)[3]", 3),
        ("(a + b)[5][3]", UNBOUNDED, "(a + b)[3]", 3),
        ("a[0]", UNBOUNDED, "a", 0),
        ("a ;[7] b", UNBOUNDED, "a ;[0] b", UNBOUNDED),
    ],
)
def test_each_rule_of_figure_5(text: str, limit: Label, expected: str, bound: Label) -> None:
    wanted = parse(expected)
    if isinstance(wanted, Operation) and wanted.label == 10**6:  # ∞ cannot be written
        wanted = Operation("seq", wanted.operands, label=UNBOUNDED)
    assert transform(parse(text), limit) == (wanted, bound)


@quick
@given(expressions(), limits())
def test_what_is_transformed_again_stays_as_it_is(expression: Expression, limit: Label) -> None:
    once = transform(expression, limit)
    assert transform(once.expression, limit) == once


@pytest.mark.parametrize(
    "grow",
    [
        lambda e: e | Identifier("b"),
        lambda e: Identifier("b") + e,
        lambda e: e - Identifier("b"),
        lambda e: Identifier("b") - e,
        lambda e: e.then(Identifier("b")),
        lambda e: Identifier("b").then(e),
        lambda e: (e + Identifier("b"))[50],
    ],
)
def test_expressions_of_any_depth_are_transformed(grow: Callable[[Expression], Expression]) -> None:
    expression: Expression = Identifier("a")
    for _ in range(5_000):
        expression = grow(expression)
    outcome = transform(expression)
    nodes = bottom_up(outcome.expression)
    assert all(node.label is not None for node in nodes if isinstance(node, Operation) and node.operator == "seq")
