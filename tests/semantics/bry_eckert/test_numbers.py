"""Numbers mean the same in all interpretations of a plan, or relational engines refuse them."""

from collections.abc import Iterable
from contextlib import suppress
from typing import TypeAlias

import duckdb
import pytest
from hypothesis import example, given, settings, strategies as st

from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.protocol import answers
from detectors.bry_eckert.relational import EXACT, column_name, evaluate_duckdb
from semantics.bry_eckert.algebra.planning import plan_of, pushed
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.algebra.relations import derived_events
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.bry_eckert.programs import Program
from semantics.errors import InputError
from semantics.events import Event
from tests.semantics.bry_eckert.programs import same
from tests.tables import table

Rows: TypeAlias = Iterable[tuple[str, int, float]]  # types of events with their times and values

DUCKDB = duckdb.connect()


def alike(rule: str, rows: Rows) -> tuple[tuple[Program, Plan, list[Event]], list[Event]]:
    """A program, its plan and a log, and what all that is in this process derives alike."""
    log = [Event(type, time, time, {{"A": "x", "D": "f"}[type]: value}) for type, time, value in rows]
    program = parse("event A(x: int)\nevent D(f: float)\n" + rule)
    plan, expected = pushed(plan_of(program)), denotation(program, log)
    engines = (answers(engine(program, plan, frozenset()), log) for engine in ENGINES.values())
    assert {repr(list(found)) for found in (derived_events(program, plan, log), *engines)} == {repr(expected)}
    return (program, plan, log), expected


@pytest.mark.parametrize(("rule", "log"), table(__file__, "same-numbers"))
def test_all_engines_compute_with_the_same_numbers(rule: str, log: Rows) -> None:
    given, expected = alike(rule, log)
    assert repr(evaluate_duckdb(*given)) == repr(expected)


@pytest.mark.parametrize("function", ["sum", "avg", "sum_all", "avg_all"])
def test_sums_of_floats_agree_within_the_stated_tolerance(function: str) -> None:
    log: Rows = [*(("D", n, n % 13 * 0.1 + 0.01) for n in range(40)), ("A", 45, 1)]
    given, expected = alike(f"F({function}(f)) <- a: A(x), w: extend_backward(a, 50), while w: collect D(f)", log)
    assert same(evaluate_duckdb(*given), expected)


INT = st.sampled_from([0, 1, -3, EXACT + 1, 2**63 - 1, 10**310, -(10**4299)])
FLOAT = st.sampled_from([0.0, -0.0, 0.1, -3.0, float(EXACT), 5e-324, 1e200, 1.7e308, -1.7e308])
TERMS = st.recursive(
    st.sampled_from(["x", "f", "7", "1e-300", "-0.0"]),
    lambda inner: st.builds("({} {} {})".format, inner, st.sampled_from("+-*/"), inner),
    max_leaves=5,
)
SIGNS = st.sampled_from(["=", "!=", "<", ">="])
RULES = st.builds("F(v = {}) <- a: A(x), d: D(f), {} {} {}".format, TERMS, TERMS, SIGNS, TERMS)
SUMS = "F(v = {}, sum_all(f), avg(f)) <- a: A(x), w: extend_backward(a, 9), while w: collect D(f)"


@settings(max_examples=12)
@given(RULES | TERMS.filter(lambda term: "f" not in term).map(SUMS.format), INT, st.tuples(FLOAT, FLOAT, FLOAT))
@example("F(v = f / (f * f)) <- a: A(x), d: D(f), f * f - f * f != 0", 1, (1e200, -1e200, 0.0))
@example("F(v = f) <- a: A(x), d: D(f), f * f - f * f = f * f - f * f", 1, (1e200, -1e200, 0.0))
@example("F(v = x * x) <- a: A(x)\nF(v = f) <- d: D(f)\nG(v) <- g: F(v), g after h, h: F(v)", 10**310, (0.5, 0.1, 0.0))
def test_what_is_computed_beyond_all_numbers_has_no_value_everywhere(rule: str, x: int, floats: list[float]) -> None:
    given, expected = alike(rule, [*(("D", n, f) for n, f in enumerate(floats)), ("A", 5, x)])
    found = [v for event in expected for v in event.attributes.values() if isinstance(v, int | float)]
    assert all(-(10**4300) < each < 10**4300 for each in found)
    with suppress(InputError):
        assert repr(evaluate_duckdb(*given, DUCKDB)) == repr(expected) or "sum" in rule


@pytest.mark.parametrize(("rule", "log"), table(__file__, "beyond-duckdb"))
def test_duckdb_refuses_a_number_that_it_has_not_and_names_the_remedy(rule: str, log: Rows) -> None:
    given, _ = alike(rule, log)
    with pytest.raises(InputError, match="beyond") as caught:
        evaluate_duckdb(*given)
    assert "without --engine" in caught.value.remedy


def test_names_of_columns_differ_where_names_do() -> None:
    names = ["A", "a", "a~0", "A~0", "a~~0", "a~", "A~", "aB", "AB", "Ab", "~", "~~", "a~0~0", "", "\0", "~z"]
    assert len({column_name(name).lower() for name in names}) == len(names)
    program = parse('event E(A: int, "a~0": int, "\\u0000": int)\nF(x, y, z) <- e: E(A = x, "a~0" = y, "\\u0000" = z)')
    log = [Event("E", 1, 1, {"A": 1, "a~0": 2, "\0": 3})]
    assert evaluate_duckdb(program, pushed(plan_of(program)), log) == denotation(program, log)
