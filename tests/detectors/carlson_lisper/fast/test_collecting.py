"""Detections of stretches, collected."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from detectors.carlson_lisper.fast.collecting import Collected
from detectors.carlson_lisper.intervals import Detections


def detections(ends: list[int]) -> Detections:
    return Detections(np.array(ends, np.int64) - 1, np.array(ends, np.int64))


@given(st.lists(st.lists(st.integers(1, 3), max_size=5), max_size=5))
def test_stretches_come_out_as_one_in_their_order(gaps: list[list[int]]) -> None:
    parts, now = [], 0
    for stretch in gaps:
        ends = [now := now + gap for gap in stretch]
        parts.append(detections(ends))
    collected = Collected(sum(map(len, gaps)))
    for part in parts:
        collected.put(part)
    found = collected.detections()
    assert found.ends.tolist() == [end for part in parts for end in part.ends.tolist()]
    assert (found.starts == found.ends - 1).all()


@given(st.lists(st.integers(0, 30), max_size=12, unique=True), st.integers(0, 31))
def test_what_ends_before_a_time_is_left_out(times: list[int], since: int) -> None:
    ends = sorted(times)
    found = Collected(len(ends) + 2)
    found.put(detections([-5]))
    for room, wanted in zip(found.room(), detections(ends), strict=True):
        room[: len(ends)] = wanted
    found.add(len(ends), since=since)
    assert found.detections().ends.tolist() == [-5, *(end for end in ends if end >= since)]


def test_room_that_was_not_needed_is_given_back() -> None:
    found = Collected(1_000_000)
    found.put(detections([4, 9]))
    starts, ends = found.detections()
    assert starts.base is None and ends.base is None
    assert starts.nbytes == ends.nbytes == 16
