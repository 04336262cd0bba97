"""Resource bounds as formulas: against the bounds for numbers, and against what a detector is seen to take."""

from collections.abc import Mapping
from typing import Any

import pytest
import sympy
from hypothesis import given, settings, strategies as st

from detectors.carlson_lisper.source.bounds import Resources, resources
from detectors.carlson_lisper.source.cost import cost, formula_text, search_formula
from laws.carlson_lisper.checks.strategies import expressions
from semantics.carlson_lisper import expressions as algebra
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Label, Operation, rebuilt
from semantics.carlson_lisper.syntax import parse_schema

quick = settings(deadline=None, max_examples=30)

NAMES = ("t", "u", "v")

TOTALS = ("length", "instances", "occurrences", "steps")


def value(formula: Any, values: Mapping[str, int]) -> Label:
    """The number that a formula gives for these values of the bounds, in ticks.

    Raises:
        KeyError: a bound has no value.
    """
    formula = sympy.sympify(formula)
    numbers = {symbol: sympy.Integer(values[symbol.name]) for symbol in formula.free_symbols}
    number = formula.xreplace(numbers)
    return UNBOUNDED if number == sympy.oo else int(number)


def symbolic_bounds() -> st.SearchStrategy[algebra.Bound]:
    atoms: st.SearchStrategy[algebra.Bound] = st.integers(0, 6) | st.sampled_from(NAMES).map(algebra.BoundParameter)
    extrema = st.builds(algebra.BoundExtremum, st.sampled_from(("min", "max")), atoms, atoms)
    return atoms | atoms | extrema


@st.composite
def schemas(draw: st.DrawFn, max_leaves: int = 6) -> Expression:
    """Expressions with symbolic bounds."""

    def operation(node: Operation, operands: tuple[Expression, ...]) -> Expression:
        return Operation(node.operator, operands, None if node.bound is None else draw(symbolic_bounds()))

    return rebuilt(draw(expressions(max_leaves=max_leaves)), operation)


values_of_bounds = st.fixed_dictionaries({name: st.integers(0, 9) for name in NAMES})


def sequences(bounds: Resources) -> int:
    """How many sequences a detector keeps apart."""
    return sum(
        isinstance(part.expression, Operation) and part.expression.operator in ("seq", "con") for part in bounds.parts
    )


@quick
@given(schemas(), values_of_bounds)
def test_a_formula_gives_the_bound_for_numbers_or_a_little_more(expression: Expression, values: dict[str, int]) -> None:
    formulas, numbers = cost(expression).bounds, resources(algebra.with_bounds(expression, values))
    assert value(formulas.length, values) == numbers.length
    assert value(formulas.instances, values) >= numbers.instances
    assert value(formulas.occurrences, values) >= numbers.occurrences
    assert value(formulas.steps, values) >= numbers.steps
    if sequences(formulas) == sequences(numbers):  # none became equal for these values
        assert value(formulas.instances, values) == numbers.instances
        assert value(formulas.occurrences, values) == numbers.occurrences
    if len(formulas.parts) == len(numbers.parts):  # nor is a restriction superfluous
        assert value(formulas.steps, values) == numbers.steps


@pytest.mark.parametrize(
    ("text", "transformed", "length", "instances", "occurrences", "steps"),
    [
        ("(A ; B)[t] - C", "(A ;[0] B)[t] - C", "t", "2", "2", "18"),
        (
            "(B ; B)[t] - (P ; (P + T))", "(B ;[0] B)[t] - (P ;[t] (P + T)[t])", "t", "t + 6", "t + 6",
            "ceil(log2(t + 1)) + ceil(log2(t + 2)) + 39",
        ),
        (
            "((a ; b)[t] ; (c + d)[u])[v]", "((a ;[0] b)[min(t, v)] ;[min(u, v)] (c + d)[min(u, v)])[v]", "v",
            "min(u, v) + 6", "2*min(u, v) + 8", "ceil(log2(min(u, v) + 1)) + ceil(log2(min(u, v) + 2)) + 39",
        ),
        ("a ; ((b + c)[t] | (c + d)[u])", None, "inf", "max(t, u) + 6", "max(t, u) + 6", None),
        ("a ; (b + c)", "a ;[inf] (b + c)", "inf", "inf", "inf", "inf"),
        ("a[t]", "a", "0", "0", "0", "1"),
    ],
)  # fmt: skip
def test_formulas_are_printed_as_people_write_them(
    text: str, transformed: str | None, length: str, instances: str, occurrences: str, steps: str | None
) -> None:
    found = cost(parse_schema(text))
    assert transformed in (None, found.transformed)
    assert [formula_text(getattr(found.bounds, name)) for name in TOTALS[:3]] == [length, instances, occurrences]
    assert steps is None or set(formula_text(found.bounds.steps).split(" + ")) == set(steps.split(" + "))


def test_equal_values_may_make_the_formula_exceed_the_number_because_equal_parts_are_computed_once() -> None:
    pattern = parse_schema("(a ; (b + c)[t]) + (a ; (b + c)[u])")
    formulas = cost(pattern).bounds
    for values, exact in (({"t": 3, "u": 4}, True), ({"t": 3, "u": 3}, False)):
        number = resources(algebra.with_bounds(pattern, values)).instances
        assert (value(formulas.instances, values) == number) is exact
        assert value(formulas.instances, values) >= number


@quick
@given(st.integers(0, 10**18))
def test_the_logarithm_is_exact_however_large_the_bound(ticks: int) -> None:
    # in floating point ceil(log2(2**31 + 1)) is 31
    count = sympy.Symbol("t", integer=True, nonnegative=True)
    assert value(search_formula(count), {"t": ticks}) == ticks.bit_length()
