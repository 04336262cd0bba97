"""Register machines: the greatest start for each end, for every ground expression, however they are fed."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.carlson_lisper.intervals import IntervalDetector, Letters
from detectors.carlson_lisper.register.machine import RegisterMachine
from laws.carlson_lisper.checks.strategies import expressions, traces
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.interpretations import Interpretation
from semantics.carlson_lisper.syntax import parse
from tests.detectors.carlson_lisper.feeding import Interval, expected
from tests.detectors.carlson_lisper.register.machines import (
    LISTED,
    WAYS,
    fed,
    gappy_traces,
    lettered,
    occurring,
    quick,
    random_letters,
    same,
    stepped,
)


@quick
@given(expressions(max_leaves=8), traces(max_time=60, max_size=45) | gappy_traces())
def test_a_machine_detects_the_greatest_start_for_each_end_over_gaps_of_any_length(
    expression: Expression, trace: Interpretation
) -> None:
    # Theorem 4.5
    machine = RegisterMachine(expression)
    assert stepped(machine, lettered(machine.names, trace)) == expected(expression, trace)


@pytest.mark.parametrize("max_states", [2, 5, 10_000])
@settings(deadline=None, max_examples=20)
@given(expressions(), gappy_traces(40), st.lists(st.integers(0, 40), max_size=4), st.data())
def test_the_ways_to_feed_can_be_mixed_with_snapshots_between_them(
    max_states: int,
    expression: Expression,
    trace: Interpretation,
    cuts: list[int],
    data: st.DataObject,
) -> None:
    machine = RegisterMachine(expression, max_states=max_states)
    feed = lettered(machine.names, trace)
    found: list[Interval] = []
    edges = [0, *sorted(cuts), len(feed)]
    for begin, end in itertools.pairwise(edges):
        found += fed(machine, feed[begin:end], data.draw(st.sampled_from(WAYS)))
        if data.draw(st.booleans()):
            saved = json.loads(json.dumps(machine.snapshot()))
            machine = machine.fresh() if data.draw(st.booleans()) else RegisterMachine(expression)
            machine.restore(saved)
    assert found == expected(expression, trace)
    assert len(machine.table.states) <= machine.table.capacity


@pytest.mark.parametrize("text", LISTED)
def test_stretches_of_changing_density_are_exact(text: str) -> None:
    machine = RegisterMachine(parse(text))
    letters = random_letters(len(machine.names), 3000)
    times = np.flatnonzero(letters)
    wanted = expected(machine.expression, occurring(machine.names, letters))
    assert wanted
    assert list(machine.fresh().chunk(letters, 0).intervals()) == wanted
    assert list(machine.fresh().events(times, letters[times]).intervals()) == wanted
    columns = [np.flatnonzero(letters >> bit & 1) for bit in range(len(machine.names))]
    assert list(machine.fresh().sparse(columns).intervals()) == wanted
    late = list(machine.fresh().chunk(letters, 10**15).intervals())
    assert late == [(start + 10**15, end + 10**15) for start, end in wanted]


@pytest.mark.parametrize("text", LISTED)
def test_ticks_without_events_between_chunks_may_be_left_out(text: str) -> None:
    machine = RegisterMachine(parse(text))
    source = np.random.default_rng(8)
    edges = np.cumsum(source.integers(20, 40, 60)).tolist()
    letters = random_letters(len(machine.names), edges[-1], seed=7)
    found: list[Interval] = []
    for begin, end in itertools.pairwise([0, *edges]):
        quiet = int(source.integers(1, 8))
        letters[begin : begin + quiet] = 0
        found += machine.chunk(letters[begin + quiet : end], begin + quiet).intervals()
    assert found == expected(machine.expression, occurring(machine.names, letters))


def test_after_a_chunk_it_is_the_time_of_its_last_tick() -> None:
    machine = RegisterMachine(parse("(A+B)[10]"))
    letters = np.zeros(1000, np.uint8)
    letters[990] = 1
    machine.chunk(letters, 5)
    assert machine.now == 1004
    assert machine.starts == (995,)
    with pytest.raises(ValueError):
        machine.step(1004, 2)
    assert machine.step(1005, 2) == 995


def test_letters_may_be_of_any_width_read_only_strided_or_misaligned() -> None:
    machine = RegisterMachine(parse("A;(B;C)[5]"))
    letters = random_letters(3, 5000)
    times = np.flatnonzero(letters)
    wanted = machine.fresh().chunk(letters, 0)
    assert len(wanted.ends)
    variants: list[Letters] = [letters.astype(kind) for kind in (np.uint16, np.uint32, np.uint64)]
    variants.append(letters | np.uint8(0b10101000))  # bits of no type
    variants.append(np.repeat(letters, 2)[::2])
    misaligned = np.zeros(5001, np.uint8)[1:]
    misaligned[:] = letters
    variants.append(misaligned)
    for variant in variants:
        variant.flags.writeable = False
        assert same(machine.fresh().chunk(variant, 0), wanted)
        times.flags.writeable = False
        assert same(machine.fresh().events(times, variant[times]), wanted)
        assert same(machine.fresh().events(times.astype(np.int32), variant[times]), wanted)


def test_a_trace_that_runs_backwards_is_refused_and_changes_nothing() -> None:
    machine = RegisterMachine(parse("a ; b"))
    for number in range(100, 200):
        machine.step(number, number % 4)
    before = machine.snapshot()
    ones = np.ones(164, np.uint8)
    swapped = np.arange(200, 200 + len(ones))
    swapped[[70, 71]] = swapped[[71, 70]]
    for backwards in (
        lambda: machine.step(199, 1),
        lambda: machine.chunk(ones, 199),
        lambda: machine.chunk(ones[:0], 199),
        lambda: machine.events(np.arange(199, 199 + len(ones)), ones),
        lambda: machine.events(swapped, ones),
        lambda: machine.sparse([np.arange(199, 399), np.arange(250, 260)]),
        lambda: machine.events(swapped, ones[1:]),
    ):
        with pytest.raises(ValueError):
            backwards()
        assert machine.snapshot() == before


def test_nothing_fed_is_nothing_found() -> None:
    machine = RegisterMachine(parse("a"))
    assert len(machine.chunk(np.zeros(0, np.uint8), 5).ends) == 0
    assert len(machine.events(np.zeros(0, np.int64), np.zeros(0, np.uint8)).ends) == 0
    assert len(machine.sparse([np.zeros(0, np.int64)]).ends) == 0
    assert machine.step(0, 1) == 0


def test_a_register_machine_is_a_detector_of_intervals() -> None:
    detector: IntervalDetector = RegisterMachine(parse("a ; b"))
    assert detector.names == ("a", "b")
