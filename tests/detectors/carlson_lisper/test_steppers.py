"""Detectors of others, of which nothing is taken on trust."""

from collections.abc import Mapping
from typing import Any

import pytest

from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.carlson_lisper.steppers import Instances, InstanceSpans, WrongDetector
from semantics.carlson_lisper.occurrences import Time, Value
from semantics.carlson_lisper.syntax import parse
from semantics.events import Interval


class Says(Figure2):
    """Reports what is written in its expression's place."""

    report: Any = None

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Any:
        return self.report


def says(given: object) -> type[Says]:
    return type("Says", (Says,), {"report": given})


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (Interval(1.0, 3), "reported 1.0 as a start; a time is an int (at time 3)"),  # type: ignore[arg-type]
        (Interval(1, 3.0), "reported 3.0 as an end; a time is an int (at time 3)"),  # type: ignore[arg-type]
        (Interval(True, 3), "reported True as a start; a time is an int (at time 3)"),
        ((1, 3), "reported (1, 3) at time 3, which is of type tuple; expected is Interval or None"),
        (Interval(1, 2), "reported Interval(start=1, end=2) at time 3, which ends at time 2"),
    ],
)
def test_what_only_equals_a_time_is_none(report: object, said: str) -> None:
    with pytest.raises(WrongDetector) as raised:
        InstanceSpans(says(report), parse("a")).step(3, {"a": None})
    assert str(raised.value) == said


def test_what_is_right_is_handed_on() -> None:
    assert InstanceSpans(says(Interval(1, 3)), parse("a")).step(3, {"a": None}) == Interval(1, 3)
    assert InstanceSpans(says(None), parse("a")).step(3, {"a": None}) is None
    found = Instances(Figure2, parse("a")).step(3, {"a": None})
    assert str(found) == "{a@3}"
