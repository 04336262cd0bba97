"""Lemma 6.1 as obligations about rules, on small expressions, and by Hypothesis on random ones."""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings, strategies as st

from detectors.carlson_lisper.source.transformation import RULES, Rule, Transformed, Work, restricted, transform
from proofs.carlson_lisper.steps import Subject
from proofs.carlson_lisper.transformation import find_transformation_counterexample
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Identifier, Label, Operation, bottom_up
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.operators import OPERATORS
from tests.proofs.proving import obligations_of, unproved

LEMMA = "lemma:6.1"
QUICK = 100_000


def test_every_operator_has_its_cases_and_both_conclusions() -> None:
    directions = [part.direction for part in obligations_of(LEMMA)]
    for operator in OPERATORS:
        of_it = [direction for direction in directions if direction.split()[0] == operator]
        assert {direction.split()[-1] for direction in of_it} == {"⊆", "⊇", "bound", "natural", "paths"}


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


def _conjunction_as_short_as_its_operands(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    return Transformed(left.expression + right.expression, max(left.bound, right.bound))


WRONG: Mapping[str, tuple[str, Rule]] = {
    "a negation without its right side": ("neg", _negation_without_its_right),
    "a rule that raises": ("dis", _raises),
    "an operand that is transformed twice": ("dis", _asks_twice),
    "a bound that is too short": ("con", _conjunction_as_short_as_its_operands),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_rule_is_not_proved_and_is_wrong_on_a_small_expression(name: str) -> None:
    operator, rule = WRONG[name]
    subject = Subject(rules={**RULES, operator: rule})
    assert unproved(LEMMA, "int", subject, QUICK)
    assert find_transformation_counterexample(subject) is not None


@pytest.mark.slow
def test_the_rules_that_run_are_right_on_small_expressions() -> None:
    assert find_transformation_counterexample(Subject()) is None


def expressions() -> st.SearchStrategy[Expression]:
    leaves: st.SearchStrategy[Expression] = st.sampled_from("abc").map(Identifier)
    bounds = st.integers(0, 4)
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(st.sampled_from(["dis", "con", "neg", "seq"]), inner, inner).map(
                lambda parts: Operation(parts[0], parts[1:])
            ),
            st.tuples(inner, bounds).map(lambda parts: parts[0][parts[1]]),
        ),
        max_leaves=5,
    )


def traces() -> st.SearchStrategy[list[Occurrence]]:
    places = st.sets(st.tuples(st.integers(0, 5), st.sampled_from("abc")), max_size=7)
    return places.map(lambda chosen: [Occurrence(event, time) for time, event in sorted(chosen)])


@settings(deadline=None, max_examples=150)
@given(expressions(), st.sampled_from([UNBOUNDED, 0, 1, 3]), traces())
def test_the_transformation_keeps_the_meaning_its_bound_and_its_labels(
    expression: Expression, limit: Label, trace: list[Occurrence]
) -> None:
    scenario = interpretation(trace)
    outcome = transform(expression, limit)
    pairs = [
        (restricted(expression, limit), restricted(outcome.expression, limit)),
        (outcome.expression, restricted(outcome.expression, outcome.bound)),
    ]
    for node in bottom_up(outcome.expression):
        if isinstance(node, Operation) and node.operator == "seq":
            assert node.label is not None
            pairs.append((node.operands[1], restricted(node.operands[1], node.label)))
    assert all(denotation(left, scenario) == denotation(right, scenario) for left, right in pairs)
