"""The places for a sequence's candidates keep the contract of the queue of Figure 2."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.steps import CandidateQueue, Candidates
from detectors.stores import StaticQueue, TickRing
from semantics.occurrences import Instance, Occurrence

STORES: dict[str, Callable[[int], Candidates]] = {
    "static queue": lambda ticks: StaticQueue(ticks + 1),
    "tick ring": TickRing,
}


@st.composite
def uses(draw: st.DrawFn) -> tuple[int, list[tuple[Instance, int | None]]]:
    """A label, and pushes each followed by a question that a sequence with this label may ask."""
    ticks = draw(st.integers(0, 6))
    start = end = -1
    calls = []
    for _ in range(draw(st.integers(0, 20))):
        end += draw(st.integers(1, 9))
        start = draw(st.integers(start + 1, end)) if start < end else end
        pushed = Instance((Occurrence("a", start), Occurrence("b", end)))
        later = end + draw(st.integers(1, 9))
        asked = draw(st.none() | st.integers(max(later - ticks, 0), later))
        calls.append((pushed, asked))
        if asked is not None:
            end = later - 1
    return ticks, calls


@pytest.mark.parametrize("name", STORES)
def test_it_answers_like_the_queue_that_forgets_nothing(name: str) -> None:
    @settings(deadline=None, max_examples=300)
    @given(uses())
    def check(use: tuple[int, list[tuple[Instance, int | None]]]) -> None:
        ticks, calls = use
        store, queue = STORES[name](ticks), CandidateQueue()
        for pushed, asked in calls:
            store.push(pushed)
            queue.push(pushed)
            assert len(store) <= ticks + 1
            assert store.contents() == queue.contents()[len(queue) - len(store) :] or name == "tick ring"
            if asked is not None:
                assert store.latest_before(asked) is queue.latest_before(asked)

    check()


def test_one_place_less_would_not_do() -> None:
    queue = StaticQueue(2)
    for time in range(3):
        queue.push(Instance.primitive("a", time))
    assert queue.latest_before(1).start < 0, "time 1 is two ticks before the next instant, 3"


def test_evicted_instances_are_gone_and_the_last_of_them_is_returned() -> None:
    queue = StaticQueue(4)
    for time in (1, 4, 6):
        queue.push(Instance.primitive("a", time))
    assert queue.evict_before(5).start == 4
    assert [instance.start for instance in queue.contents()] == [6]
    assert queue.evict_before(5).start < 0
