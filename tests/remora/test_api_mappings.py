"""A trace that is written down as a mapping says what it means, or is refused."""

from typing import Any

import numpy
import pytest

import remora

unchecked: Any = remora
"""Remora without its types, for calls that are wrong on purpose."""


@pytest.mark.parametrize(
    "times",
    [
        (3, 9),
        (3, 9, 12),
        (numpy.int64(3), 9),
        {3: "anna"},
        numpy.array([[3, 9], [12, 15]]),
        [numpy.array([3, 9])],
    ],
    ids=str,
)
def test_times_that_can_be_read_in_two_ways_or_none_are_refused_with_a_remedy(times: object) -> None:
    with pytest.raises(remora.InputError) as refused:
        unchecked.trace({"ok": times})
    assert refused.value.remedy


def test_one_time_with_a_value_is_no_list_of_times() -> None:
    expected = (remora.Occurrence("ok", 3, "anna"),)
    assert remora.trace({"ok": (3, "anna")}).occurrences == expected
    assert remora.trace({"ok": [(3, "anna")]}).occurrences == expected
    assert remora.trace({"ok": [(3, 9)]}).occurrences == (remora.Occurrence("ok", 3, 9),)


def test_a_detector_that_is_asked_for_by_name_says_why_it_cannot_be_taken() -> None:
    pattern = "(d + a)[9] + (b | c)[0]"
    with pytest.raises(remora.InputError, match=r"cannot be taken: .+") as refused:
        remora.detect(pattern, {"a": 1}, detector="register-machine", intervals=True)
    assert "steps" in refused.value.reason or "types" in refused.value.reason
