"""The detectors by their names, and those of others: the same is found, and what does not fit is refused."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings

from detectors.carlson_lisper.catalogue import AUTO, DETECTORS, OF_INTERVALS, Checked, Made, WrongDetector, by_name
from detectors.carlson_lisper.protocol import event_types, instants
from detectors.carlson_lisper.source.figure2 import Figure2
from laws.carlson_lisper.checks.strategies import expressions, traces
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.intervals import Intervals
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Time, Value
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError
from semantics.events import Interval


def fed(found: Made | None, pattern: Expression, trace: Interpretation) -> list[Instance | Interval]:
    """What is found in a trace, of which only what the pattern mentions is shown."""
    assert found is not None
    stepper, names = found.maker(), event_types(pattern)
    reports = []
    for time, values in instants(trace):
        relevant = {name: value for name, value in values.items() if name in names}
        if relevant:
            reports.append(stepper.step(time, relevant))
    return [report for report in reports if report is not None]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        *((name, Interval) for name in (AUTO, *DETECTORS, *OF_INTERVALS)),
        *((name, Instance) for name in (AUTO, *DETECTORS)),
    ],
)
@settings(deadline=None, max_examples=20)
@given(pattern=expressions(max_leaves=4), trace=traces(max_time=20, max_size=12))
def test_every_name_finds_the_starts_and_ends_with_instances_if_they_are_wanted(
    name: str, wanted: type, pattern: Expression, trace: Interpretation
) -> None:
    made = by_name(name, pattern, "intervals" if wanted is Interval else "instances")
    found = fed(made, pattern, trace)
    assert all(isinstance(report, wanted) for report in found)
    assert [Interval(report.start, report.end) for report in found] == list(Intervals(pattern, trace).restricted())


@pytest.mark.parametrize("name", OF_INTERVALS)
def test_a_detector_of_starts_and_ends_gives_no_instances(name: str) -> None:
    with pytest.raises(InputError, match="detects starts and ends alone"):
        by_name(name, parse("a ; b"), "instances")


def test_a_name_that_no_detector_has_is_none() -> None:
    assert by_name("mutant:seq-newest", parse("a"), "intervals") is None
    assert by_name("", parse("a"), "intervals") is None


@pytest.mark.parametrize("stored", OF_INTERVALS)
def test_what_a_state_belongs_to_is_taken_again(stored: str) -> None:
    again = by_name(AUTO, parse("a ; b"), "intervals", stored=stored)
    assert again is not None
    assert again.name == stored


def says(given: object) -> type[Figure2]:
    class Says(Figure2):
        def step(self, time: Time, occurrences: Mapping[str, Value]) -> Any:
            return given

    return Says


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
        Checked(says(report), parse("a"), intervals=True).step(3, {"a": None})
    assert str(raised.value) == said


def test_what_is_right_is_handed_on() -> None:
    assert Checked(says(Interval(1, 3)), parse("a"), intervals=True).step(3, {"a": None}) == Interval(1, 3)
    assert Checked(says(None), parse("a"), intervals=True).step(3, {"a": None}) is None
    assert str(Checked(Figure2, parse("a")).step(3, {"a": None})) == "{a@3}"
