"""Expressions as values: traversal, substitution, bounds, and what deep or shared ones cost."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy
import pytest
from hypothesis import given, settings, strategies as st

from laws.carlson_lisper.checks import strategies
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.syntax import parse, parse_schema, to_text
from semantics.errors import InputError

a, b, c = expressions.Identifier("a"), expressions.Identifier("b"), expressions.Identifier("c")
unchecked: Any = a
"""The identifier without its type, for what is wrong on purpose."""

quick = settings(deadline=None, max_examples=25)


def test_operators_of_python_build_expressions() -> None:
    assert (a | b) + c == parse("(a | b) + c")
    assert a.then(b)[60] - c == parse("(a ; b)[60] - c")
    assert str((a - b).then(c)) == "(a - b) ; c"


@pytest.mark.parametrize(
    "build",
    [
        lambda: unchecked | "b",
        lambda: unchecked.then(None),
        lambda: unchecked[-1],
        lambda: unchecked[1.5],
        lambda: unchecked[True],
        lambda: unchecked["t"],
    ],
)
def test_operators_of_python_refuse_what_makes_no_expression(build: Callable[[], object]) -> None:
    with pytest.raises(InputError, match=r"is no (expression|integer >= 0)\n  "):
        build()


def test_a_bound_may_be_any_kind_of_integer() -> None:
    three = unchecked[numpy.int64(3)]
    assert (three, type(three.bound)) == (a[3], int)
    assert str(a[expressions.BoundParameter("t")]) == "a[t]"


def test_an_expression_cannot_be_gone_through_for_ever() -> None:
    with pytest.raises(TypeError, match="not iterable"):
        assert "a" in unchecked


@quick
@given(strategies.expressions(max_leaves=3), strategies.expressions(max_leaves=3))
def test_substitution_puts_an_expression_in_every_place_of_a_name(
    outer: expressions.Expression, inner: expressions.Expression
) -> None:
    names = expressions.identifiers(outer)
    put_in = expressions.identifiers(inner) if "a" in names else frozenset()
    result = expressions.substitute(outer, {"a": inner})
    assert expressions.identifiers(result) == names - {"a"} | put_in
    assert expressions.substitute(outer, {name: expressions.Identifier(name) for name in "abc"}) == outer
    assert to_text(expressions.substitute(parse("(a ;[3] b)[7]"), {"a": c})) == "(c ;[3] b)[7]"


def test_the_parameters_of_nested_bounds_are_found_and_given_values() -> None:
    schema = parse_schema("(a[min(t, u)] ; b)[max(3, v)]")
    assert expressions.bound_parameters(schema) == {"t", "u", "v"}
    assert expressions.with_bounds(schema, {"t": 2, "u": 9, "v": 5}) == parse("(a[2] ; b)[5]")


def test_depth_is_no_concern_of_a_traversal_nor_is_what_is_shared() -> None:
    deep: expressions.Expression = a
    for _ in range(20_000):
        deep = deep | b
    assert expressions.size(deep) == 40_001
    assert expressions.identifiers(deep) == {"a", "b"}
    shared: expressions.Expression = a
    for _ in range(200):
        shared = shared + shared
    assert len(expressions.bottom_up(shared)) == 201
    assert expressions.size(shared) == 2**201 - 1


@quick
@given(strategies.expressions(), st.integers(0, 5))
def test_equal_expressions_have_equal_hashes_after_pickling(expression: expressions.Expression, bound: int) -> None:
    built = expression[expressions.BoundExtremum("min", bound, expressions.BoundParameter("t"))]
    for again in (pickle.loads(pickle.dumps(built)), parse_schema(to_text(built))):
        assert again == built
        assert hash(again) == hash(built)


def test_a_hash_which_another_process_computes_differently_is_not_pickled() -> None:
    assert expressions.Operation("seq", (a, b)).__reduce__()[1] == ("seq", (a, b), None, None)
