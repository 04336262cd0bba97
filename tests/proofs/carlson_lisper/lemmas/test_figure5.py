"""Figure 5: the rules that run are those of the table, and rules that are right but longer are told apart from it."""

from collections.abc import Mapping

import pytest

from detectors.carlson_lisper.source.transformation import RULES, Rule, Transformed, Work, restricted, transform
from proofs.carlson_lisper.lemmas import transformation
from proofs.carlson_lisper.printed.transformation import FIGURE_5, as_printed
from proofs.carlson_lisper.runs.transformation import find_difference_from_print, outcome_text
from proofs.carlson_lisper.scripts import obligations_of
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Identifier, Label, Operation, evaluate_bound
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.syntax import parse
from smt.smtlib import TimeSort
from tests.proofs.carlson_lisper.hidden_programs import outermost_limit
from tests.proofs.proving import THEOREMS, proved, unproved

CLAIM = transformation.FIGURE
QUICK = 100_000


@pytest.mark.parametrize("time", ["int", "real"])
def test_every_way_through_a_running_rule_is_that_of_the_figure(time: TimeSort) -> None:
    parts = obligations_of(THEOREMS[CLAIM], time)
    assert [part.id for part in parts if not proved(part.text)] == []
    assert {part.direction.split()[0] for part in parts} == {"primitive", *OPERATORS}


def test_the_table_has_a_rule_for_each_operator_and_gives_what_the_example_of_the_source_says() -> None:
    assert set(FIGURE_5) == set(OPERATORS)
    expected = parse("(B ;[0] B)[2] - (P ;[2] (P + T)[2])")
    assert as_printed(parse("(B;B)[2] - (P;(P+T))"), UNBOUNDED) == (expected, 2)


def test_the_table_and_the_running_transformation_agree_on_small_expressions() -> None:
    assert find_difference_from_print() is None


def _sum_for_a_disjunction(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    return Transformed(left.expression | right.expression, left.bound + right.bound)


def _limit_passed_on(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    return Transformed(left.expression - right.expression, left.bound)


def _no_bound_for_a_negation(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], min(left.bound, limit)
    return Transformed(left.expression - right.expression, UNBOUNDED)


def _always_restricted(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    if limit < UNBOUNDED:
        return Transformed(
            Operation("seq", (left.expression, restricted(right.expression, limit)), label=limit), UNBOUNDED
        )
    return Transformed(Operation("seq", (left.expression, right.expression), label=right.bound), UNBOUNDED)


def _needlessly_restricted(operation: Operation, limit: Label) -> Work:
    tighter = min(limit, evaluate_bound(0 if operation.bound is None else operation.bound))
    operand = yield operation.operands[0], tighter
    return Transformed(restricted(operand.expression, tighter), tighter)


LONGER: Mapping[str, tuple[str, Rule]] = {
    "a negation that passes the restriction on as it is": ("neg", _limit_passed_on),
    "a negation without a bound": ("neg", _no_bound_for_a_negation),
    "a right operand that is always restricted": ("seq", _always_restricted),
    "a restriction that is never dropped": ("tim", _needlessly_restricted),
}
"""Rules that are right, and store more than those of Figure 5 or restrict without need."""


@pytest.mark.parametrize("name", LONGER)
def test_a_right_rule_that_is_not_the_figures_is_told_apart(name: str) -> None:
    operator, rule = LONGER[name]
    rules = {**RULES, operator: rule}
    assert unproved(CLAIM, "int", Subject(rules=rules), QUICK)
    found = find_difference_from_print(rules)
    assert found is not None
    assert outcome_text(transform(*found.tried, rules)) == found.data()["ours"]
    assert outcome_text(as_printed(*found.tried)) == found.data()["printed"]


def test_a_sum_of_bounds_that_may_be_infinite_cannot_be_executed_and_is_told_by_a_run() -> None:
    rules = {**RULES, "dis": _sum_for_a_disjunction}
    assert unproved(CLAIM, "int", Subject(rules=rules), QUICK)
    found = find_difference_from_print(rules)
    assert found is not None
    assert found.summary() == (
        "transform((a + b)[1] | (a + b)[1], ∞) = ⟨(a + b)[1] | (a + b)[1], 2⟩;"
        " Figure 5 says ⟨(a + b)[1] | (a + b)[1], 1⟩"
    )
    assert found.data()["printed"] == "⟨(a + b)[1] | (a + b)[1], 1⟩"


def _leaves_an_event_type_longer(expression: Expression, limit: Label, rules: Mapping[str, Rule]) -> Transformed:
    outcome = transform(expression, limit, rules)
    return Transformed(outcome.expression, 1) if isinstance(expression, Identifier) else outcome


def _raises(expression: Expression, limit: Label, rules: Mapping[str, Rule]) -> Transformed:
    raise ValueError("no")


@pytest.mark.parametrize("wrong", [_leaves_an_event_type_longer, outermost_limit, _raises])
def test_the_loop_around_the_rules_is_compared_with_the_figure_as_well(wrong: object) -> None:
    assert find_difference_from_print(transform=wrong) is not None  # type: ignore[arg-type]
