"""Calls that are given up after so many lines."""

import sys

import pytest

from proofs.carlson_lisper.runs.endless import Endless, limited


def _count(number: int) -> int:
    found = 0
    for _ in range(number):
        found += 1
    return found


def test_a_call_that_ends_returns_what_it_returns() -> None:
    assert limited(_count, 1_000)(10) == 10


def test_a_call_that_does_not_end_is_given_up() -> None:
    def endless() -> None:
        while True:
            pass

    with pytest.raises(Endless, match="within 100 lines"):
        limited(endless, 100)()


def test_the_lines_of_what_is_called_count() -> None:
    with pytest.raises(Endless):
        limited(lambda: _count(1_000), 100)()
    with pytest.raises(Endless):
        limited(lambda: [_count(1) for _ in range(1_000)], 100)()


def test_each_call_has_its_own_lines() -> None:
    count = limited(_count, 100)
    assert [count(20) for _ in range(20)] == [20] * 20


def test_whoever_traces_goes_on_afterwards() -> None:
    before = sys.gettrace()
    limited(_count, 100)(1)
    with pytest.raises(Endless):
        limited(_count, 10)(1_000)
    assert sys.gettrace() is before
