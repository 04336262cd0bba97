"""Bit planes and sorted times give the latest instant before a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.carlson_lisper.fast.planes import (
    BLOCK,
    Plane,
    fill,
    highest,
    latest_in,
    latest_point,
    lowest,
    planes,
)
from detectors.carlson_lisper.intervals import Letters

quick = settings(deadline=None, max_examples=150)

WIDTHS = (np.uint8, np.uint16, np.uint32, np.uint64)


@quick
@given(st.integers(1, 2**64 - 1))
def test_lowest_and_highest_are_numbers_of_bits_that_are_set(bits: int) -> None:
    low, high = lowest(np.uint64(bits)), highest(np.uint64(bits))
    assert bits >> low & 1 and bits % (1 << low) == 0
    assert bits >> high == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_a_plane_says_where_a_letter_has_one_of_the_bits(width: type) -> None:
    @quick
    @given(st.lists(st.sampled_from([0, 0, 1, 2, 64, 128, 129, 255]), max_size=200), st.integers(1, 255))
    def check(letters: list[int], mask: int) -> None:
        (plane,) = planes(1)
        block: Letters = np.array(letters, width)
        fill(block, mask, plane)
        found = [place for place in range(len(letters)) if int(plane[place >> 6]) >> (place & 63) & 1]
        assert found == [place for place, letter in enumerate(letters) if letter & mask]

    check()


@st.composite
def places(draw: st.DrawFn) -> tuple[list[int], int]:
    """Some instants of a block, and how many instants it has."""
    count = draw(st.integers(1, 400))
    return sorted(draw(st.sets(st.integers(0, count - 1), max_size=30))), count


def plane_of(instants: list[int], count: int) -> Plane:
    letters = np.zeros(count, np.uint16)
    letters[instants] = 4
    plane: Plane = planes(1)[0]
    fill(letters, 4, plane)
    return plane


@quick
@given(places(), st.integers(0, 10**9), st.lists(st.integers(-5, 420), min_size=1, max_size=20))
def test_the_latest_instant_before_a_time_is_found_in_a_plane_and_in_a_column(
    where: tuple[list[int], int], base: int, asked: list[int]
) -> None:
    instants, count = where
    plane = plane_of(instants, count)
    column, hints = np.array(instants, np.int64) + base, np.zeros(1, np.int64)
    for place in asked:
        time = base + min(place, count)
        expected = max((base + i for i in instants if base + i < time), default=-1)
        assert latest_in(plane, time, base) == expected
        assert latest_point(column, hints, 0, time) == expected


def test_a_block_is_a_whole_number_of_words() -> None:
    assert BLOCK % 64 == 0
