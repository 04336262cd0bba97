"""Statements of steps with event types as operands say the same after they were simplified."""

import ast

import pytest

from detectors.carlson_lisper.generated.event_operands import followed, for_events
from detectors.carlson_lisper.generated.parts import code


def joined(text: str) -> str:
    """Statements that assign the start `a` with a restriction of it to four ticks, where that is assigned."""
    following = ast.parse("if now - a <= 4:\n    b = a\n    b_9 = a_9\nelse:\n    b = -1\n    b_9 = -1").body
    return code(followed(ast.parse(text).body, "a", following))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a = now\na_9 = t9", "b = now\nb_9 = t9"),
        ("a = -1\na_9 = -1", "b = -1\nb_9 = -1"),
        (
            "if m < n:\n    a = -1\n    a_9 = -1\nelse:\n    a = now\n    a_9 = t9\n    m = now",
            "if m < n:\n    b = -1\n    b_9 = -1\nelse:\n    b = now\n    b_9 = t9\n    m = now",
        ),
        (
            "a = m\nm = now\na_9 = n",
            "a = m\nm = now\na_9 = n\n"
            "if now - a <= 4:\n    b = a\n    b_9 = a_9\nelse:\n    b = -1\n    b_9 = -1",
        ),
        ("a = m\na_9 = m_9", "if now - m <= 4:\n    b = m\n    b_9 = m_9\nelse:\n    b = -1\n    b_9 = -1"),
        (
            "a = f(m)\na_9 = m_9",
            "a = f(m)\na_9 = m_9\nif now - a <= 4:\n    b = a\n    b_9 = a_9\nelse:\n    b = -1\n    b_9 = -1",
        ),
    ],
)
def test_a_restriction_asks_no_more_than_it_has_to_where_its_operand_is_assigned(
    text: str, left: str
) -> None:
    assert joined(text) == left


def test_a_restriction_of_a_start_that_is_assigned_in_several_statements_follows_the_last() -> None:
    text = "a = -1\na_9 = -1\nif m < n:\n    a = m\n    a_9 = m_9\nm = now"
    assert joined(text).startswith(text.removesuffix("m = now"))
    assert joined(text).endswith("m = now")


def decided(text: str) -> str:
    """What is left of a statement about the event type `a`, where `t` is remembered."""
    return code(for_events(ast.parse(text).body, ["a"], ["t"]))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("b = 1 if a >= 0 else 0", "if occurs_a:\n    b = 1\nelse:\n    b = 0"),
        ("if t < a:\n    t = a", "if occurs_a:\n    t = now"),
        ("if a < 0:\n    t = -1", "if not occurs_a:\n    t = -1"),
        ("b = m if m <= a else a", "if occurs_a:\n    b = m\nelse:\n    b = -1"),
        ("if m >= a:\n    t = m", "if occurs_a:\n    if m >= now:\n        t = m\nelse:\n    t = m"),
        (
            "b = a_3\nb_9 = a_3_9",
            "if occurs_a:\n    b = now_3\n    b_9 = now_3_9\nelse:\n    b = -1\n    b_9 = -1",
        ),
        ("b = 1\nif t < a:\n    t = a", "b = 1\nif occurs_a:\n    t = now"),
        ("b = m - n <= 3 or a < 0", "if occurs_a:\n    b = m - n <= 3\nelse:\n    b = True"),
        ("b = t < 4", "b = t < 4"),
    ],
)
def test_what_is_decided_by_an_event_type_is_not_asked(text: str, left: str) -> None:
    assert decided(text) == left


def test_what_is_remembered_at_this_instant_is_not_taken_for_earlier() -> None:
    assert "t < now" in decided("t = s\nb = 1 if t < a else 0")
    assert "t < now" not in decided("b = 1 if t < a else 0\nt = s")
    within = "if m < 9:\n    {0}\n    {1}"
    assert "t < now" in decided(within.format("t = s", "b = 1 if t < a else 0"))
    assert "t < now" not in decided(within.format("b = 1 if t < a else 0", "t = s"))


@pytest.mark.parametrize("text", ["b = 4 <= a", "b = f(m) < a", "b = a <= 0"])
def test_what_an_event_type_does_not_decide_is_still_asked(text: str) -> None:
    assert "<" in decided(text)


def simplified(text: str) -> str:
    """What is left of statements about no event type."""
    return code(for_events(ast.parse(text).body, [], ["t"]))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("if m < 0 or t > now:\n    b = -1\nelse:\n    b = m", "b = m"),
        ("if m < 0:\n    b_9 = -1\n    b = -1\nelse:\n    b_9 = m_9\n    b = m", "b_9 = m_9\nb = m"),
        ("t = now\nb = t", "t = now\nb = now"),
        (
            "if n < 3:\n    b = 1\nelif m < 3:\n    b = 1\nelse:\n    b = 2",
            "if n < 3 or m < 3:\n    b = 1\nelse:\n    b = 2",
        ),
        ("if n < 3:\n    b = 1\n    c = 2\nelse:\n    b = 1", "b = 1\nif n < 3:\n    c = 2"),
        ("b = -1 if m <= -1 else m", "b = m"),
        ("if m <= -1:\n    b_9 = -1\nelse:\n    b_9 = m_9", "b_9 = m_9"),
        ("if now - now <= 3:\n    b = 1\nelse:\n    b = 2", "b = 1"),
        ("if 4 < 4:\n    b = 1\nelse:\n    b = 2", "b = 2"),
        ("b = -1\nif n < 3:\n    t = now\nb = n", "if n < 3:\n    t = now\nb = n"),
    ],
)
def test_what_makes_no_difference_is_not_written(text: str, left: str) -> None:
    assert simplified(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "if m < 0:\n    b = -1\nelse:\n    b = n",
        "if m < 0:\n    b = n\nelse:\n    b = m",
        "b = -1 if m <= -1 else n",
        "b = -1 if m <= n else m",
        "b = 2 if now - m <= 3 else 1",
        "b = 2 if m + m <= 3 else 1",
        "if m < 0:\n    b = -1\nelse:\n    b = m\n    c = n",
        "b = f(n)\nif n < 3:\n    t = b\nb = n",
        "if n < 3:\n    n = 1\n    c = 2\nelse:\n    n = 1",
        "if n < 3:\n    t = now\nelse:\n    t = -1\nb = t",
    ],
)
def test_what_makes_a_difference_is_kept(text: str) -> None:
    assert simplified(text) == code(ast.parse(text).body)
