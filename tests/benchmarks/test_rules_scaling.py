"""What is stored does not grow with the log of a program whose conditions are bounded."""

import pytest

from benchmarks.rules import SCALED, scaled


@pytest.mark.long
def test_a_hundred_times_as_many_events_store_no_more_tuples() -> None:
    """A million events take ten seconds, and twice that by node objects."""
    scales = list(scaled(1_000_000, seed=0))
    for name in SCALED:
        short, *_, long = (scale for scale in scales if scale.engine == name)
        assert (short.events, long.events) == (10_000, 1_000_000)
        assert long.stored <= 2 * short.stored
        assert long.answers > 90 * short.answers
