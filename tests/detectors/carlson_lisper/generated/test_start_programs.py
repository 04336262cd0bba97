"""The function for single instants asks no more than it has to."""

import pytest

from detectors.carlson_lisper.generated.start_programs import start_program
from semantics.carlson_lisper.syntax import parse


def body(text: str) -> list[str]:
    """The statements of an instant, without what is the same for all patterns and without comments."""
    _, _, statements = start_program(parse(text)).partition("now = time\n")
    lines = statements.partition("return step")[0].strip().splitlines()
    return [line.removeprefix(" " * 8) for line in lines if not line.lstrip().startswith("#")]


def test_a_disjunction_of_event_types_is_a_single_question() -> None:
    assert body("a | b | c") == ["a5 = time if letter & 7 else -1", "return a5"]
    assert [line for line in body("(a ; b) - (c | d)") if "letter" in line] == [
        "if letter & 2:",
        "if letter & 1:",
        "if letter & 12:",
    ]


def test_the_start_of_a_sequence_is_asked_for_its_bound_only_where_the_sequence_can_end() -> None:
    assert body("(a ; b)[5]") == [
        "if letter & 2:",
        "    a4 = t3 if time - t3 <= 5 else -1",
        "else:",
        "    a4 = -1",
        "if letter & 1:",
        "    t3 = time",
        "return a4",
    ]


@pytest.mark.parametrize("text", ["(a ; b)[5] | (a ; b)", "((a ; b)[5] + c) ; (a ; b)"])
def test_an_operand_that_others_read_too_has_a_start_of_its_own(text: str) -> None:
    lines = "\n".join(body(text))
    assert "a3 = t3" in lines
    assert "time - a3 <= 5" in lines


def test_a_start_that_would_be_the_copy_of_another_one_is_that_one() -> None:
    assert body("a ; (b ; c)")[-1] == "return a4_5"
    assert not any(line.startswith("a") for line in body("a ; (b ; (c ; d))"))


def test_event_types_that_are_called_like_variables_keep_their_names_in_comments() -> None:
    assert ") - a5\n" in start_program(parse("(b ; (c ; d)) - a5"))
    assert "# a3: now ;[0] b" in start_program(parse("now ; b"))
