"""The limit of time counts what a detector does, and what it waits for only up to some point."""

import time

import pytest

from campaigns.judging import limits
from campaigns.judging.isolation import WAITING, Deadline, TimeUp, time_limit


class Clocks:
    """Two clocks that go as they are told."""

    def __init__(self) -> None:
        self.wall = self.processor = 100.0

    def monotonic(self) -> float:
        return self.wall

    def thread_time(self) -> float:
        return self.processor

    def go(self, wall: float, processor: float) -> None:
        self.wall += wall
        self.processor += processor


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    clocks = Clocks()
    monkeypatch.setattr(limits, "time", clocks)
    return clocks


def test_what_works_all_the_time_has_the_time_that_is_given(clocks: Clocks) -> None:
    deadline = Deadline(5.0)
    clocks.go(4.9, 4.9)
    assert 0 < deadline.left < 0.2
    clocks.go(0.2, 0.2)
    assert deadline.left <= 0


def test_what_shares_the_processor_has_longer(clocks: Clocks) -> None:
    deadline = Deadline(5.0)
    clocks.go(12.0, 4.0)
    assert 0 < deadline.left <= 1.0
    clocks.go(2.0, 1.1)
    assert deadline.left <= 0


def test_what_only_waits_has_an_end_as_well(clocks: Clocks) -> None:
    deadline = Deadline(5.0)
    clocks.go(5.0 * WAITING - 0.1, 0.0)
    assert 0 < deadline.left <= 0.2
    clocks.go(0.2, 0.0)
    assert deadline.left <= 0


@pytest.mark.parametrize("sleeps", [True, False])
def test_a_block_that_never_ends_is_left(sleeps: bool) -> None:
    with pytest.raises(TimeUp), time_limit(0.02):
        while True:
            if sleeps:
                time.sleep(0.001)


def test_a_block_that_ends_in_time_is_not_disturbed_afterwards() -> None:
    with time_limit(0.01):
        pass
    time.sleep(0.05)


def test_a_time_that_is_up_in_a_destructor_is_up_after_it() -> None:
    class Slow:
        def __del__(self) -> None:
            wait(0.2)

    def wait(seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pass

    with pytest.raises(TimeUp), time_limit(0.02):
        Slow()
        wait(30)
