"""The transformation of Section 6: the source's example exactly, the same meaning, labels that hold, any depth."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings, strategies as st

from detectors.carlson_lisper.source.transformation import transform
from laws.carlson_lisper.checks.strategies import bounds, expressions
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Identifier, Label, Operation, bottom_up
from semantics.carlson_lisper.syntax import parse
from tests.tables import table

quick = settings(deadline=None, max_examples=80)


def limits() -> st.SearchStrategy[Label]:
    return st.just(UNBOUNDED) | bounds()


@pytest.mark.parametrize(("text", "limit", "expected", "bound"), table(__file__, "figure-5"))
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
