"""Logs of rules: typed attributes, intervals, and what is refused."""

import io

import pytest

from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.traces import events_of, read_log
from semantics.errors import InputError
from semantics.events import Event
from tests.tables import table

PROGRAM = parse(
    "event A(x: int, f: float, s: str, b: bool) event S(at: time within 2) event R(at: time within 3) within 4\n"
    "E(x) <- a: A(x = x), s: S(), r: R()"
)


def read(text: str) -> list[Event]:
    instants = read_log(io.StringIO(text), PROGRAM)
    return [event for instant in instants for event in events_of(instant.rows, PROGRAM)]


def test_values_get_their_declared_types_from_text_and_from_json() -> None:
    expected = [Event("A", 2, 5, {"x": 3, "f": 1.0, "s": "u", "b": True})]
    assert read("start,time,event,x,f,s,b\n2,5,A,3,1,u,true\n") == expected
    assert read('{"start": 2, "time": 5, "event": "A", "x": 3, "f": 1, "s": "u", "b": true}\n') == expected


def test_what_is_missing_or_of_no_interest_is_left_out() -> None:
    assert read('{"time": 5, "event": "A", "x": null, "z": [1]}\n{"time": 5, "event": "B"}\n') == [Event("A", 5, 5, {})]


def test_a_start_may_be_before_zero_and_a_time_as_far_from_its_event_as_declared() -> None:
    assert read('{"start": -3, "time": 5, "event": "A"}\n') == [Event("A", -3, 5, {})]
    rows = "".join(f'{{"time": 9, "event": "S", "at": {at}}}\n' for at in (7, 11.0))
    assert [event.attributes["at"] for event in read(rows)] == [7, 11]


@pytest.mark.parametrize(
    ("row", "reason"),
    [*table(__file__, "no-fit"), ('{"time": 5, "event": "A", "f": 1' + "0" * 400 + "}", "no finite 64-bit float")],
)
def test_a_row_that_does_not_fit_is_refused_with_its_line(row: str, reason: str) -> None:
    with pytest.raises(InputError, match="stream:2") as caught:
        read('{"time": 1, "event": "B"}\n' + row + "\n")
    assert reason in f"{caught.value.reason} {caught.value.remedy}"
