"""What starts carry is what a search through the past finds, and no start carries more than is asked for."""

import ast
from collections.abc import Sequence
from typing import cast

import pytest
from hypothesis import given, settings

from detectors.carlson_lisper.generated.carried import carrying, needed, sequences, with_present
from detectors.carlson_lisper.generated.demand import demand, read_by_step
from detectors.carlson_lisper.generated.instants import start_variables
from detectors.carlson_lisper.generated.parts import code
from detectors.carlson_lisper.generated.start_detector import Generated
from laws.carlson_lisper.checks.strategies import expressions, traces
from semantics.carlson_lisper.expressions import Expression, Operation
from semantics.carlson_lisper.interpretations import Interpretation
from semantics.carlson_lisper.intervals import interval_denotation
from semantics.carlson_lisper.syntax import parse
from tests.detectors.carlson_lisper.feeding import Interval, letters_of


def latest_start(intervals: Sequence[Interval], before: int) -> int:
    """The greatest start of an interval that ends before a time, or -1."""
    return max((start for start, end in intervals if end < before), default=-1)


@settings(deadline=None, max_examples=120)
@given(expressions(max_leaves=8), traces(max_time=25, max_size=25))
def test_a_start_carries_the_latest_start_of_what_ended_before_it(
    expression: Expression, trace: Interpretation
) -> None:
    parts = {part.number: part.expression for part in demand(expression)}
    lefts = {
        number: [*interval_denotation(part.operands[0], trace).intervals()]
        for number, part in parts.items()
        if isinstance(part, Operation) and part.operator == "seq"
    }
    detector = Generated(expression)
    for time, letter in enumerate(letters_of(expression, trace)):
        detector.step(time, letter)
        kept = cast(dict[str, int], detector.snapshot()["times"])
        for name, match in kept.items():
            start, _, number = name.rpartition("_")
            if start in kept:
                assert match == latest_start(lefts[int(number)], kept[start])


@settings(deadline=None, max_examples=120)
@given(expressions(max_leaves=8))
def test_what_an_operand_is_asked_for_it_carries(expression: Expression) -> None:
    wanted = demand(expression)
    suffixes = {part.number: set(part.suffixes) for part in wanted}
    for part in wanted:
        if part.place is not None:
            assert all(suffix in suffixes[number] for number, suffix in read_by_step(part))
    known = start_variables(wanted)
    for part in wanted:  # the matches of the present instant are variables
        for suffix in part.suffixes[1:] if part.suffixes[0] == "" else part.suffixes:
            assert with_present(f"now{suffix}") in known


def test_the_present_instant_has_the_matches_that_sequences_have_found_last() -> None:
    assert with_present("now_6_9") == "t6_9"
    assert with_present("a = now_6 if now - b_3 <= 5 else now_6_9") == "a = t6 if now - b_3 <= 5 else t6_9"
    assert sequences("_6_9") == (6, 9)


STATEMENTS = "if left < right:\n    kept = left\na = kept if kept >= 0 else right"


def test_what_is_compared_is_needed_itself_and_what_may_be_the_result_carries_what_that_carries() -> None:
    needs = needed(ast.parse(STATEMENTS).body, {"a": ["_3"]})
    assert {name: set(suffixes) for name, suffixes in needs.items()} == {
        "a": {"_3"},
        "kept": {"", "_3"},
        "left": {"", "_3"},
        "right": {"", "_3"},
    }


@pytest.mark.parametrize(
    ("suffixes", "carried"),
    [
        (["_3"], "a_3 = kept_3 if kept >= 0 else right_3"),
        (
            ["", "_3"],
            "if kept >= 0:\n    a = kept\n    a_3 = kept_3\nelse:\n    a = right\n    a_3 = right_3",
        ),
    ],
)
def test_matches_go_where_their_starts_go(suffixes: list[str], carried: str) -> None:
    statements = ast.parse(STATEMENTS).body
    text = code(carrying(statements, needed(statements, {"a": suffixes})))
    assert text == f"if left < right:\n    kept = left\n    kept_3 = left_3\n{carried}"


def test_nothing_is_carried_for_a_sequence_whose_right_side_happens_at_once() -> None:
    assert start_variables(demand(parse("(a ; b) ; c"))) == ("now", "t3", "t5")
