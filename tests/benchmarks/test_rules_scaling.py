"""What is stored does not grow with the log of a program whose conditions are bounded."""

import pytest

from benchmarks.rules import SCALED, measured


@pytest.mark.long
def test_a_hundred_times_as_many_events_store_no_more_tuples() -> None:
    """A million events take ten seconds, and twice that by node objects."""
    short, *_, long = list(measured(1_000, 1_000_000, 1, seed=0))[1:]
    assert [one.subject for one in short] == [one.subject for one in long] == [*SCALED]
    for one, other in zip(short, long, strict=True):
        assert (one.size, other.size) == (10_000, 1_000_000)
        assert other.more["stored"] <= 2 * one.more["stored"]
        assert other.found > 90 * one.found
