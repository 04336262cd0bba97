"""Limits and processes: the limit of time counts what a detector does, and what it waits for only up to some point."""

import os
import time
from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from campaigns.judging import isolation
from campaigns.judging.isolation import WAITING, Deadline, TimeUp, rounds, time_limit


@pytest.mark.parametrize(
    ("wall", "processor", "left", "last"),
    [
        (4.9, 4.9, 0.2, 0.2),  # works all the time
        (12.0, 4.0, 1.0, 1.1),  # shares the processor
        (5.0 * WAITING - 0.1, 0.0, 0.2, 0.0),  # only waits
    ],
)
def test_a_deadline_counts_the_processor_and_the_clock_at_last(
    monkeypatch: pytest.MonkeyPatch, wall: float, processor: float, left: float, last: float
) -> None:
    now = {"wall": 100.0, "processor": 100.0}
    clocks = SimpleNamespace(monotonic=lambda: now["wall"], thread_time=lambda: now["processor"])
    monkeypatch.setattr(isolation, "time", clocks)
    deadline = Deadline(5.0)
    now.update(wall=100 + wall, processor=100 + processor)
    assert 0 < deadline.left <= left
    now.update(wall=102 + wall, processor=100 + processor + last)
    assert deadline.left <= 0


def wait(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


@pytest.mark.parametrize("waits", [time.sleep, wait])
def test_a_block_that_never_ends_is_left(waits: object) -> None:
    with pytest.raises(TimeUp), time_limit(0.02):
        waits(30)  # type: ignore[operator]


def test_a_block_that_ends_in_time_is_not_disturbed_afterwards() -> None:
    with time_limit(0.01):
        pass
    time.sleep(0.05)


def test_a_time_that_is_up_in_a_destructor_is_up_after_it() -> None:
    class Slow:
        def __del__(self) -> None:
            wait(0.2)

    with pytest.raises(TimeUp), time_limit(0.02):
        Slow()
        wait(30)


def squares(numbers: Sequence[int], apart: bool) -> list[int]:
    return [number**2 for number in numbers]


@pytest.mark.parametrize(("processes", "until"), [(1, float("inf")), (2, float("inf")), (3, float("inf")), (2, 0.0)])
def test_rounds_give_results_in_order_of_numbers_and_do_something_without_time(processes: int, until: float) -> None:
    found = [r for some in rounds(squares, range(25), until=until, seconds=1, processes=processes) for r in some]
    assert found == [number**2 for number in range(len(found))]
    assert len(found) == 25 if until else 1 <= len(found) < 25


def test_a_lost_process_is_noticed_and_its_pieces_are_done_one_by_one() -> None:
    def work(numbers: Sequence[int], apart: bool) -> list[tuple[int, bool]]:
        if 5 in numbers and not apart:
            os._exit(0)
        return [(number, apart) for number in numbers]

    found = [r for some in rounds(work, range(9), until=float("inf"), seconds=1, processes=2) for r in some]
    assert [number for number, _ in found] == list(range(9)) and found[5] == (5, True)
