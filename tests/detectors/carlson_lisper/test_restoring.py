"""A snapshot that was altered, cut off or made elsewhere is refused, with what is wrong, and changes nothing."""

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from detectors.carlson_lisper.catalogue import DETECTORS
from detectors.carlson_lisper.generated import Generated
from detectors.carlson_lisper.protocol import event_types
from laws.carlson_lisper.checks.strategies import expressions, traces
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Interpretation
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError
from tests.detectors.carlson_lisper.feeding import letters_of

PATTERN = parse("(a ; (b ; c)) - d")


def generated() -> Generated:
    """With starts that carry matches, one of which carries a match too."""
    detector = Generated(PATTERN)
    for time in range(3, 9):
        detector.step(time, 1)
    detector.step(9, 2)
    return detector


Change = Callable[[Any], Any]

GENERATED: dict[str, tuple[Change, str]] = {
    "no object": (lambda s: [s], "not an object"),
    "another schema": (lambda s: s | {"schema": "remora/generated-detector/1"}, "schema"),
    "another expression": (lambda s: s | {"expression": "a"}, "expression"),
    "no times": (lambda s: {k: v for k, v in s.items() if k != "times"}, "lacks times"),
    "times as a list": (lambda s: s | {"times": []}, "times is"),
    "a variable more": (lambda s: s | {"times": s["times"] | {"t99": 1}}, "t99"),
    "a variable less": (lambda s: s | {"times": {}}, "times lacks"),
    "a time as text": (lambda s: s | {"now": "9"}, "now is '9', not a whole number"),
    "a variable later than now": (lambda s: s | {"times": dict.fromkeys(s["times"], 99)}, "not from -1 to 9"),
    "a match that starts with what it matches": (
        lambda s: s | {"times": s["times"] | {"t4_5": 9}},
        "match of t4, does not start before it",
    ),
    "a match of nothing": (lambda s: s | {"times": {**dict.fromkeys(s["times"], -1), "t4_5": 3}}, "match of t4"),
}


@pytest.mark.parametrize(("change", "said"), GENERATED.values(), ids=GENERATED)
def test_a_wrong_snapshot_is_refused_and_changes_nothing(change: Change, said: str) -> None:
    before = json.loads(json.dumps(generated().snapshot()))
    detector = generated()
    with pytest.raises(InputError, match=said):
        detector.restore(change(copy.deepcopy(before)))
    assert detector.snapshot() == before
    detector.restore(before)
    assert detector.step(12, 4) == 8


def numbers(value: Any) -> Iterator[tuple[list[Any] | dict[str, Any], Any]]:
    """Where the numbers of a snapshot are."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, member in pairs:
        if type(member) is int:
            yield value, key
        elif isinstance(member, dict | list):
            yield from numbers(member)


def step(detector: Any, time: int, letter: int, names: Sequence[str]) -> None:
    """Feed one instant to a detector of either kind."""
    if hasattr(detector, "names"):
        detector.step(time, letter)
    else:
        detector.step(time, {name: None for bit, name in enumerate(names) if letter >> bit & 1})


@settings(deadline=None, max_examples=40)
@given(
    expressions(max_leaves=4, max_bound=3),
    traces(max_time=12, max_size=12),
    st.integers(0, 1000),
    st.sampled_from([-2, 2**63, 2**80, "3", None, True, 1.0, [], {}, "x" * 500]),
)
def test_a_number_that_is_no_time_is_refused_by_every_detector_with_a_short_message(
    expression: Expression, trace: Interpretation, place: int, wrong: object
) -> None:
    letters, names = letters_of(expression, trace), event_types(expression)
    made: dict[str, Any] = {**DETECTORS, "generated": Generated}
    for name, make in made.items():
        detector = make(expression)
        for time, letter in enumerate(letters):
            step(detector, time, letter, names)
        before = json.dumps(detector.snapshot())
        stored = json.loads(before)
        places = list(numbers(stored))
        where, key = places[place % len(places)]
        where[key] = wrong
        with pytest.raises(InputError) as caught:
            detector.restore(stored)
        assert "snapshot" in caught.value.reason and len(caught.value.reason) < 300, name
        assert json.dumps(detector.snapshot()) == before
        step(detector, len(letters), 1, names)


@pytest.mark.parametrize("name", DETECTORS)
@pytest.mark.parametrize(
    ("queued", "said"),
    [
        ([[["a", 4, None]], [["a", 3, None]]], "q5 is not in order"),
        ([[["a", 4, None]], [["a", 4, None]]], "q5 is not in order"),
        ([[["a", 1, None], ["a", 1, 7]]], "an event twice at one time"),
        ([[["z", 1, None]]], "the event 'z', which is not in the expression"),
        ([[["a", 1, {}]]], "Expected `bool | int | float | str | null`, got `object`"),
        ([[["a", 1]]], "Expected `array` of length 3, got 2"),
        ([[]], "no occurrence"),
        ([[["a", 1, None]]], "but t5 is another one"),
        ({"a": 1}, "q5 is wrong: Expected `array`, got `object`"),
    ],
)
def test_wrong_instances_are_refused_by_every_detector_of_instances(name: str, queued: object, said: str) -> None:
    detector: Any = DETECTORS[name](parse("a ; (b ; c)[2]"))
    for time in (5, 6, 7):
        detector.step(time, {"a": None})
    before = json.dumps(detector.snapshot())
    stored = json.loads(before)
    (queue_name,) = (n for n, value in stored["variables"].items() if n.startswith("q") and len(value) > 1)
    stored["variables"][queue_name] = queued
    with pytest.raises(InputError, match=said.replace("5", queue_name[1:])):
        detector.restore(stored)
    assert json.dumps(detector.snapshot()) == before
