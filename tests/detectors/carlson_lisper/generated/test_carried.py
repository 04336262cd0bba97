"""What starts carry is what a search through the past finds, and no start carries more than is asked for."""

import ast

import pytest

from detectors.carlson_lisper.generated.carried import carrying, needed, sequences, with_present
from detectors.carlson_lisper.generated.demand import demand
from detectors.carlson_lisper.generated.instants import start_variables
from detectors.carlson_lisper.generated.parts import code
from semantics.carlson_lisper.syntax import parse


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
