"""Definitions as text, written from the data that is evaluated."""

import pytest

from semantics.carlson_lisper.notation import formula_text
from semantics.formulas import And, End, Exists, Formula, Not, Or, Start, implies

EARLIER, LATER = Start("s") < Start("t"), End("t") <= End("s")


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (And((EARLIER, Or((LATER, EARLIER)))), "start(s) < start(t) ∧ (end(t) ≤ end(s) ∨ start(s) < start(t))"),
        (Not(And((EARLIER, LATER))), "¬(start(s) < start(t) ∧ end(t) ≤ end(s))"),
        (implies(EARLIER, LATER), "start(s) < start(t) ⇒ end(t) ≤ end(s)"),
        (Not(Exists("t", "T", EARLIER)), "¬∃ t ∈ T (start(s) < start(t))"),
        (And(), "true"),
    ],
)
def test_a_formula_is_printed_with_the_parentheses_that_it_needs(formula: Formula, text: str) -> None:
    assert formula_text(formula) == text
