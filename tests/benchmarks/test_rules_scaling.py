"""What is stored, and what an event costs, does not grow with the log of a program whose conditions are bounded."""

import pytest

from benchmarks.rules import SCALED, scaled


@pytest.mark.long
def test_a_hundred_times_as_many_events_take_no_more_memory_and_cost_the_same() -> None:
    """A million events take ten seconds, and twice that by node objects."""
    scales = list(scaled(1_000_000, seed=0))
    for name in SCALED:
        short, *_, long = (scale for scale in scales if scale.engine == name)
        assert (short.events, long.events) == (10_000, 1_000_000)
        assert long.stored <= 2 * short.stored
        assert long.memory <= 4  # MiB, where a million stored tuples would take a hundred
        assert long.answers > 90 * short.answers
