"""The transformation on small expressions and traces: which are tried, and what is found."""

from collections.abc import Callable, Mapping
from itertools import pairwise

import pytest

from detectors.carlson_lisper.source.transformation import RULES, Rule, Transformed, Work, transform
from proofs.carlson_lisper.runs.histories import WrongRun
from proofs.carlson_lisper.runs.transformation import (
    Tried,
    drawn_expressions,
    drawn_traces,
    expressions,
    find_transformation_counterexample,
    outcome_text,
    traces,
)
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Identifier, Label, Operation, bottom_up, size
from semantics.carlson_lisper.occurrences import interpretation
from semantics.carlson_lisper.syntax import parse


def counterexample(operator: str, rule: Rule) -> WrongRun[Tried]:
    found = find_transformation_counterexample({**RULES, operator: rule})
    assert found is not None
    return found


# ---------------------------------------------------------------------------------------------- what is tried


def test_every_operator_is_tried_with_every_operand_small_expressions_first() -> None:
    listed = expressions()
    assert len(set(listed)) == len(listed)
    assert len(listed) > 800
    assert all(size(before) <= size(after) for before, after in pairwise(listed))
    outermost = {e.operator for e in listed if isinstance(e, Operation)}
    assert outermost == {"dis", "con", "neg", "seq", "tim"}
    assert parse("(a + b) - (a + b)[1]") in listed


def test_all_traces_of_two_events_over_three_instants_are_tried() -> None:
    assert len(traces()) == len(set(traces())) == 2**6
    assert traces()[0] == ()
    for trace in (*traces(), *drawn_traces()):
        interpretation(trace)  # admissible


def test_larger_expressions_have_three_to_five_operators_and_are_the_same_each_time() -> None:
    drawn = list(drawn_expressions())
    assert drawn == list(drawn_expressions())
    assert {_operations(expression) for expression in drawn} == {3, 4, 5}


def _operations(expression: Expression) -> int:
    inner = sum(_operations(o) for o in expression.operands) if isinstance(expression, Operation) else -1
    return 1 + inner


# -------------------------------------------------------------------------------------------------- what is found


@pytest.mark.long
def test_nothing_is_found_wrong_with_the_running_rules() -> None:
    assert find_transformation_counterexample() is None


def both(make: Callable[[Transformed, Transformed], Transformed]) -> Rule:
    """A rule that makes something of both operands, which proofs do not execute, for it asks an enclosing function."""

    def rule(operation: Operation, limit: Label) -> Work:
        left = yield operation.operands[0], limit
        right = yield operation.operands[1], limit
        return make(left, right)

    return rule


def _labels_zero(left: Transformed, right: Transformed) -> Transformed:
    return Transformed(Operation("seq", (left.expression, right.expression), label=0), UNBOUNDED)


DROPS_THE_RIGHT = both(lambda left, right: left)
FORGETS_THE_LABEL = both(lambda left, right: Transformed(left.expression.then(right.expression), UNBOUNDED))
LABELS_ZERO = both(_labels_zero)
SAYS_ZERO = both(lambda left, right: Transformed(left.expression + right.expression, 0))


def _raises(operation: Operation, limit: Label) -> Work:
    yield operation.operands[0], limit
    raise ValueError("no")


def test_a_changed_meaning_is_told_with_the_smallest_trace() -> None:
    found = counterexample("dis", DROPS_THE_RIGHT)
    assert found.kind == "meaning"
    assert found.summary() == (
        "transform(a | b, ∞) = ⟨a, 0⟩: on the trace b@0 the two differ under τ = ∞: {b@0} against no instance"
    )


def test_a_bound_that_is_too_small_is_told() -> None:
    found = counterexample("con", SAYS_ZERO)
    expression, _, trace = found.tried
    assert (found.kind, size(expression), len(trace)) == ("bound", 3, 2)
    assert "not as short as the returned bound" in found.summary()


def test_a_missing_label_and_a_wrong_one_are_told() -> None:
    missing = counterexample("seq", FORGETS_THE_LABEL)
    assert (missing.kind, missing.tried[2]) == ("label", ())
    assert missing.summary().endswith("a ; b has no label")
    wrong = counterexample("seq", LABELS_ZERO)
    assert wrong.kind == "label"
    assert "is longer than the label" in wrong.summary()


def test_an_exception_is_told() -> None:
    found = counterexample("neg", _raises)
    assert found.kind == "exception"
    assert found.summary() == "transform(c - a, ∞) raises ValueError: no"


@pytest.mark.parametrize(("operator", "rule"), [("dis", DROPS_THE_RIGHT), ("con", SAYS_ZERO), ("seq", LABELS_ZERO)])
def test_what_is_found_can_be_replayed(operator: str, rule: Rule) -> None:
    found = counterexample(operator, rule)
    expression, limit, trace = found.tried
    outcome = transform(expression, limit, {**RULES, operator: rule})
    assert outcome_text(outcome) in found.summary()
    if found.kind == "meaning":
        scenario = interpretation(trace)
        assert denotation(expression, scenario) != denotation(outcome.expression, scenario)
    assert found.data()["left"] != found.data()["right"]


# --------------------------------------------------------------------------- the loop around the rules, unproved


def _leaves_alone(expression: Expression, limit: Label, rules: Mapping[str, Rule]) -> Transformed:
    return Transformed(expression, UNBOUNDED)


def _is_too_sure(expression: Expression, limit: Label, rules: Mapping[str, Rule]) -> Transformed:
    outcome = transform(expression, limit, rules)
    return outcome if isinstance(expression, Identifier) else Transformed(outcome.expression, limit)


def test_the_loop_that_applies_the_rules_is_examined_as_well() -> None:
    for wrong in (_leaves_alone, _is_too_sure):
        assert find_transformation_counterexample(transform=wrong) is not None
    assert {node.operator for node in bottom_up(parse("a[1] ; b")) if isinstance(node, Operation)} == {"tim", "seq"}
