"""Counterexamples that the text of a claim suggests: real whenever they are found, and found where a search ends."""

import pytest
from hypothesis import given, settings

from laws.carlson_lisper.checks.counterexamples import replay
from laws.carlson_lisper.checks.strategies import expressions
from laws.carlson_lisper.checks.suggestions import suggested_counterexample
from laws.carlson_lisper.claims import EquationClaim
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import Equation
from tests.laws.carlson_lisper.conjectures import conjecture

MANY = "A ; B ; C ; D ; E ; F ; G ; H ; I ; J ; K ; L"


@pytest.mark.parametrize(
    ("statement", "occurrences", "span"),
    [
        (f"{MANY} == A ; B ; C ; D ; E ; F ; G ; H ; I ; J ; L ; K", 12, 11),
        (f"{MANY} == ({MANY})[14]", 12, 15),
        (f"{MANY} == ({MANY})[t]", 12, 11),
        (f"({MANY}) - (E ; G) == {MANY}", 12, 11),
        (f"({MANY}) - M == {MANY}", 13, 11),
        (f"({MANY}) | M == {MANY}", 1, 0),
        ("A + B + C + D + E + F + G + H == A + B + C + D + E + F + G + (H - A)", 8, 6),
    ],
)
def test_what_no_search_reaches_is_refuted_by_what_a_side_says(statement: str, occurrences: int, span: int) -> None:
    claim = conjecture(statement)
    found = suggested_counterexample(claim)
    assert found is not None
    assert (len(found.trace), found.trace[-1].time - found.trace[0].time <= span) == (occurrences, True)
    assert replay(claim, found.substitution, found.bounds, found.trace) == found


@settings(deadline=None, max_examples=60)
@given(expressions(("A", "B", "C"), max_leaves=5, max_bound=3), expressions(("A", "B"), max_leaves=4, max_bound=3))
def test_whatever_is_found_is_replayed(left: Expression, right: Expression) -> None:
    claim = EquationClaim("c", Equation(left, right, "=="))
    found = suggested_counterexample(claim)
    if found is not None:
        assert replay(claim, found.substitution, found.bounds, found.trace) == found


def test_a_claim_with_too_many_occurrences_is_left_alone() -> None:
    long = " ; ".join(f"A{number}" for number in range(60))
    assert suggested_counterexample(conjecture(f"{long} == A0 - A0")) is None
