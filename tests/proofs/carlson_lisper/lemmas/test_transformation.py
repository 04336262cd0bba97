"""Lemma 6.1 and Theorem 6.1 about the running rules: proved as they are, not proved for rules that are wrong."""

from collections.abc import Mapping

import pytest

from detectors.carlson_lisper.source.transformation import RULES, Rule, Transformed, Work
from laws.carlson_lisper.mutations import changed_operators
from proofs.carlson_lisper.runs.transformation import find_transformation_counterexample
from proofs.carlson_lisper.scripts import obligations_of
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.expressions import UNBOUNDED, Label, Operation
from semantics.carlson_lisper.operators import OPERATORS
from smt.smtlib import TimeSort
from tests.proofs.carlson_lisper.hidden_programs import HIDDEN_RULES
from tests.proofs.proving import THEOREMS, proved, unproved

LEMMA, THEOREM = "lemma:6.1", "theorem:6.1"
QUICK = 100_000


@pytest.mark.parametrize("time", ["int", "real"])
@pytest.mark.parametrize("claim", [LEMMA, THEOREM])
def test_every_obligation_about_a_running_rule_is_proved(claim: str, time: TimeSort) -> None:
    parts = obligations_of(THEOREMS[claim], time)
    assert [part.id for part in parts if not proved(part.text)] == []
    assert len({part.id for part in parts}) == len(parts)


def test_every_operator_has_its_cases_and_both_conclusions() -> None:
    directions = [part.direction for part in obligations_of(THEOREMS[LEMMA])]
    for operator in OPERATORS:
        of_it = [direction for direction in directions if direction.split()[0] == operator]
        assert {direction.split()[-1] for direction in of_it} == {"⊆", "⊇", "bound", "natural", "paths"}


def _without_label(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    return Transformed(left.expression.then(right.expression), UNBOUNDED)


def _too_short_a_label(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    label = min(left.bound, right.bound)
    return Transformed(Operation("seq", (left.expression, right.expression), label=label), UNBOUNDED)


def _negation_without_its_right(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    return left


def _raises(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    if left.bound < limit:
        raise ValueError("too short")
    return left


def _asks_twice(operation: Operation, limit: Label) -> Work:
    yield operation.operands[0], limit
    left = yield operation.operands[0], 0
    right = yield operation.operands[1], limit
    return Transformed(left.expression | right.expression, max(left.bound, right.bound))


WRONG: Mapping[str, tuple[str, Rule]] = {
    "a sequence without a label": ("seq", _without_label),
    "a label that is too short": ("seq", _too_short_a_label),
    "a negation without its right side": ("neg", _negation_without_its_right),
    "a rule that raises": ("dis", _raises),
    "an operand that is transformed twice": ("dis", _asks_twice),
}


def refuted(rules: Mapping[str, Rule]) -> bool:
    subject = Subject(rules=rules)
    return any(unproved(claim, "int", subject, QUICK) for claim in (LEMMA, THEOREM))


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_rule_is_not_proved_and_is_wrong_on_a_small_expression(name: str) -> None:
    operator, rule = WRONG[name]
    rules = {**RULES, operator: rule}
    assert refuted(rules)
    assert find_transformation_counterexample(rules) is not None


def _a_negative_bound(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    return Transformed(left.expression | right.expression, -1)


def _a_negative_restriction(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], -1
    return Transformed(left.expression | right.expression, UNBOUNDED)


@pytest.mark.parametrize("rule", [_a_negative_bound, _a_negative_restriction])
def test_what_is_returned_and_passed_on_is_a_time(rule: Rule) -> None:
    parts = obligations_of(THEOREMS[LEMMA], "int", Subject(rules={**RULES, "dis": rule}))
    (natural,) = [part for part in parts if part.direction == "dis natural"]
    assert not proved(natural.text, QUICK)


def test_a_looser_but_right_rule_is_proved() -> None:
    def rule(operation: Operation, limit: Label) -> Work:
        left = yield operation.operands[0], limit
        right = yield operation.operands[1], UNBOUNDED
        return Transformed(left.expression - right.expression, left.bound)

    rules = {**RULES, "neg": rule}
    assert not refuted(rules)


def test_the_rules_are_not_proved_for_a_restriction_that_means_something_else() -> None:
    for words, altered in changed_operators():
        if altered.name == "tim":
            assert unproved(LEMMA, "int", Subject({**OPERATORS, "tim": altered}), QUICK), words


@pytest.mark.parametrize("name", HIDDEN_RULES)
def test_a_rule_that_is_wrong_where_no_proof_looks_is_not_proved_and_wrong_on_a_concrete_expression(name: str) -> None:
    operator, rule = HIDDEN_RULES[name]
    rules = {**RULES, operator: rule}
    assert refuted(rules)
    assert find_transformation_counterexample(rules) is not None
