"""Definitions as text, written from the data that is evaluated."""

import pytest

from semantics.carlson_lisper.notation import formula_text, operator_text
from semantics.carlson_lisper.operators import OPERATORS
from semantics.formulas import And, End, Exists, Formula, Not, Or, Start, implies


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dis", "dis(S, T) = { s | s ∈ S } ∪ { t | t ∈ T }"),
        ("con", "con(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T }"),
        ("neg", "neg(S, T) = { s | s ∈ S ∧ ¬∃ t ∈ T (start(s) ≤ start(t) ∧ end(t) ≤ end(s)) }"),
        ("seq", "seq(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T ∧ end(s) < start(t) }"),
        ("tim", "tim(S, τ) = { s | s ∈ S ∧ end(s) - start(s) ≤ τ }"),
    ],
)
def test_an_operator_is_printed_as_the_source_defines_it(name: str, text: str) -> None:
    assert operator_text(OPERATORS[name]) == text


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
