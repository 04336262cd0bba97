"""Statements of steps with event types as operands say the same after they were simplified."""

import ast
import itertools
from collections.abc import Sequence
from typing import cast

import pytest

from detectors.event_operands import OCCURS, for_events
from detectors.programs import START_FUNCTIONS, START_STEPS, code, defined, parts
from detectors.specialisation import StartRewriting, initial_starts
from semantics.expressions import Operation
from semantics.syntax import parse

PATTERNS = ("a | b", "a + b", "a - b", "a ; b", "a + a", "a ; a", "a - a", "a | a")
NOW = 5


def run(statements: Sequence[ast.stmt], variables: dict[str, int], result: str) -> dict[str, object]:
    """The result and the variables after statements were run on values of variables."""
    names = [*variables, result]
    text = f"def after({', '.join(variables)}):\n" + "".join(
        f"    {line}\n" for line in [*code(statements).splitlines(), f"return {', '.join(names)},"]
    )
    after = defined(text, "after", "<statements>", START_FUNCTIONS)
    return dict(zip(names, cast(tuple[object, ...], after(**variables)), strict=True))


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("simplifies", ["both", "left", "right"])
def test_a_step_over_event_types_does_the_same_after_every_history(pattern: str, simplifies: str) -> None:
    part = next(part for part in parts(parse(pattern), START_STEPS) if isinstance(part.expression, Operation))
    assert part.place is not None
    place = part.place
    plain = StartRewriting(place, label=0, compiled=False).statements()
    operands = list(dict.fromkeys((place.left, place.right)))
    events = {"both": operands, "left": operands[:1], "right": operands[-1:]}[simplifies]
    remembered = list(map(place.variable, initial_starts(place.step)))
    simplified = for_events(plain, events, remembered)
    assert not any(OCCURS + name in code(plain) for name in operands)
    starts = [(-1, NOW) if name in events else (-1, 0, 3, NOW) for name in operands]
    for values in itertools.product(*starts):
        for state in itertools.product((-1, 0, 2, NOW - 1), repeat=len(remembered)):
            variables = {
                "now": NOW,
                **dict(zip(operands, values, strict=True)),
                **{OCCURS + name: value >= 0 for name, value in zip(operands, values, strict=True)},
                **dict(zip(remembered, state, strict=True)),
            }
            assert run(simplified, variables, place.result) == run(plain, variables, place.result)


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
        (
            "b = -1\nif m >= a:\n    t = m\nif m >= 0:\n    b = m",
            "if occurs_a:\n    if m >= now:\n        t = m\nelse:\n    t = m\nb = m",
        ),
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
        ("b = -1\nif m >= 0:\n    b = m", "b = m"),
        ("if m < 0 or t > now:\n    b = -1\nelse:\n    b = m", "b = m"),
        ("m = f(n)\nb = m", "b = f(n)"),
        ("t = now\nb = t", "t = now\nb = now"),
        ("b = -1\nif n < 3:\n    t = now\nb = n", "if n < 3:\n    t = now\nb = n"),
    ],
)
def test_what_makes_no_difference_is_not_written(text: str, left: str) -> None:
    assert simplified(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "b = n\nif m >= 0:\n    b = m",  # b could be another start before
        "b = -1\nif m >= 1:\n    b = m",
        "if m < 0:\n    b = -1\nelse:\n    b = n",
        "m = f(n)\nb = m\nc = m",
        "b = f(n)\nif n < 3:\n    t = b\nb = n",
        "b = -1\nwhile b < n:\n    b = f(b)",
    ],
)
def test_what_makes_a_difference_is_kept(text: str) -> None:
    assert simplified(text) == code(ast.parse(text).body)
