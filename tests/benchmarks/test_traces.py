import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.traces import Trace, random_trace

NAMES = ("A", "B", "C")

densities = st.sampled_from([0.01, 0.1, 0.5, 0.9, 1.0])


@given(densities, st.integers(1, 3000), st.integers(1, 3000), st.integers(0, 5))
def test_a_longer_trace_of_the_same_seed_begins_with_the_shorter_one(
    density: float, one: int, other: int, seed: int
) -> None:
    short, long = sorted((one, other))
    shorter = random_trace(NAMES, density, short, seed)
    prefix = random_trace(NAMES, density, long, seed).prefix(short)
    for name in NAMES:
        assert np.array_equal(shorter.columns[name], prefix.columns[name])


@given(densities, st.integers(1, 2000), st.integers(0, 5))
def test_all_forms_of_a_trace_say_the_same(density: float, instants: int, seed: int) -> None:
    trace = random_trace(NAMES, density, instants, seed)
    letters = trace.letters(NAMES)
    assert letters.shape == (instants,)
    for bit, name in enumerate(NAMES):
        assert np.array_equal(np.flatnonzero(letters >> bit & 1), trace.columns[name])
        assert np.array_equal(trace.mask(name), (letters >> bit & 1).astype(bool))
    assert trace.busy(NAMES) == [(time, letter) for time, letter in enumerate(letters.tolist()) if letter]
    assert [
        (time, sum(1 << NAMES.index(name) for name in values)) for time, values in trace.occurring(NAMES)
    ] == (trace.busy(NAMES))


@given(densities, st.integers(2, 1000), st.data())
def test_stretches_put_together_are_the_trace(density: float, instants: int, data: st.DataObject) -> None:
    trace = random_trace(NAMES, density, instants, 0)
    cuts = sorted({0, instants, *data.draw(st.lists(st.integers(0, instants), max_size=4))})
    for name in NAMES:
        parts = [trace.stretch(*pair).columns[name] + pair[0] for pair in itertools.pairwise(cuts)]
        assert np.array_equal(np.concatenate(parts), trace.columns[name])


def test_event_types_occur_as_often_as_they_should_and_independently() -> None:
    trace = random_trace(NAMES, 0.1, 200_000, 1)
    for name in NAMES:
        assert abs(len(trace.columns[name]) - 20_000) < 1_000
    both = np.intersect1d(trace.columns["A"], trace.columns["B"])
    assert abs(len(both) - 2_000) < 300
    assert not np.array_equal(trace.columns["A"], random_trace(NAMES, 0.1, 200_000, 2).columns["A"])


@pytest.mark.parametrize("density", [0, -0.5, 1.5])
def test_what_is_no_probability_is_refused(density: float) -> None:
    with pytest.raises(ValueError, match="probability"):
        random_trace(NAMES, density, 10, 0)


def test_a_trace_without_occurrences_has_letters_and_no_instants() -> None:
    trace = Trace(5, {"A": np.empty(0, np.int64)})
    assert trace.letters(("A",)).tolist() == [0] * 5
    assert trace.busy(("A",)) == []
