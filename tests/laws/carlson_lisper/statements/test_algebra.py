"""Finite algebras and bounds that are ∞."""

from laws.carlson_lisper.claims import law
from laws.carlson_lisper.statements.algebra import Condition, FiniteAlgebra, entries, finite_condition, finite_equation
from laws.carlson_lisper.statements.formula_syntax import parse_bound
from semantics.carlson_lisper.syntax import parse_equation, parse_schema


def test_an_algebra_is_evaluated_by_its_tables() -> None:
    table = dict.fromkeys(entries(2, 2), 0) | {("dis", (0, 1)): 1, ("tim", (1, 1)): 1}
    algebra = FiniteAlgebra(2, 2, table, {}, 0, 0)
    values = {"A": 0, "B": 1, "t": 0, "u": 1}
    assert algebra.value(parse_schema("A | B"), values) == 1
    assert algebra.value(parse_schema("B | A"), values) == 0
    assert algebra.value(parse_schema("B[max(t, u)]"), values) == 1
    assert algebra.value(parse_schema("B[min(t, u)]"), values) == 0


def test_an_algebra_knows_which_laws_hold_in_it() -> None:
    first = {entry: entry[1][0] for entry in entries(2, 2)}
    projection = FiniteAlgebra(2, 2, first, {"A": 0, "B": 1}, 0, 1)
    assert projection.satisfies(law(1)) and projection.satisfies(law(4)) and projection.satisfies(law(24))
    assert not projection.satisfies(law(2)) and not projection.satisfies(
        law(10).__class__("", parse_equation("A == B"))
    )


def test_a_restriction_to_infinity_is_none() -> None:
    equation = finite_equation(parse_equation("A[t][u] == A[min(t, u)]"), frozenset({"t"}))
    assert str(equation) == "A[u] == A[u]"
    equation = finite_equation(parse_equation("A[t] | B == (A | B)[max(t, u)]"), frozenset({"u"}))
    assert str(equation) == "A[t] | B == A | B"


def test_conditions_on_bounds_that_are_infinite_are_decided() -> None:
    t, u = parse_bound("t"), parse_bound("u")
    assert finite_condition(Condition("<=", t, u), frozenset({"u"})) is True
    assert finite_condition(Condition("<=", t, u), frozenset({"t"})) is False
    assert finite_condition(Condition("<", t, u), frozenset({"t", "u"})) is False
    assert finite_condition(Condition("=", t, u), frozenset({"t"})) is False
    assert finite_condition(Condition("<", t, u), frozenset()) == Condition("<", t, u)
