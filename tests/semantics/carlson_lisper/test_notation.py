"""Definitions as text, written from the data that is evaluated."""

from dataclasses import replace

import pytest

from laws.carlson_lisper.altered.alterations import ALTERATIONS, Alteration
from semantics.carlson_lisper.notation import formula_text, operator_text, relation_text
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.restriction import REM, SAME_INTERVALS
from semantics.formulas import And, Compare, End, Exists, Formula, Not, Or, Start, implies


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


@pytest.mark.parametrize("alteration", ALTERATIONS, ids=lambda alteration: alteration.operator)
def test_an_altered_operator_is_printed_as_altered(alteration: Alteration) -> None:
    texts = {name: operator_text(definition) for name, definition in alteration.operators().items()}
    differing = {name for name, text in texts.items() if text != operator_text(OPERATORS[name])}
    assert differing == {alteration.operator}


def test_the_restriction_policy_is_printed_as_definition_3_12() -> None:
    assert relation_text(REM).splitlines() == [
        "rem(S, S') holds if",
        "  ∀ s ∈ S' (s ∈ S)",
        "  ∀ s ∈ S (∃ s' ∈ S' (start(s) ≤ start(s') ∧ end(s) = end(s')))",
        "  ∀ s ∈ S' (∀ s' ∈ S' (end(s) = end(s') ⇒ s = s'))",
    ]
    assert len(relation_text(SAME_INTERVALS).splitlines()) == 3


EARLIER, LATER = Start("s") < Start("t"), End("t") <= End("s")


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (
            And((EARLIER, Or((LATER, EARLIER)))),
            "start(s) < start(t) ∧ (end(t) ≤ end(s) ∨ start(s) < start(t))",
        ),
        (Not(And((EARLIER, LATER))), "¬(start(s) < start(t) ∧ end(t) ≤ end(s))"),
        (implies(EARLIER, LATER), "start(s) < start(t) ⇒ end(t) ≤ end(s)"),
        (Not(Exists("t", "T", EARLIER)), "¬∃ t ∈ T (start(s) < start(t))"),
        (And(), "true"),
    ],
)
def test_a_formula_is_printed_with_the_parentheses_that_it_needs(formula: Formula, text: str) -> None:
    assert formula_text(formula) == text


def test_two_formulas_that_differ_are_printed_differently() -> None:
    negated = Not(Compare("<=", Start("s"), End("t")))
    conditions: list[Formula] = [
        EARLIER,
        Not(EARLIER),
        negated,
        And((EARLIER, LATER)),
        Or((EARLIER, LATER)),
        implies(EARLIER, LATER),
        implies(LATER, EARLIER),
        implies(implies(EARLIER, LATER), EARLIER),
        implies(EARLIER, implies(LATER, EARLIER)),
        And((EARLIER, And((LATER, EARLIER)))),
        And((And((EARLIER, LATER)), EARLIER)),
        Not(Or((EARLIER, LATER))),
        Or((Not(Or((EARLIER, LATER))), EARLIER)),
    ]
    assert len({formula_text(condition) for condition in conditions}) == len(conditions)


def test_replacing_the_name_of_an_operator_replaces_it_in_the_text() -> None:
    assert operator_text(replace(OPERATORS["seq"], name="before")).startswith("before(S, T) = ")
