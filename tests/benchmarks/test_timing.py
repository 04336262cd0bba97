from dataclasses import replace

import pytest

from benchmarks.patterns import PATTERNS
from benchmarks.subjects import Absent, NoQuery, Pattern, Prepared, Subject
from benchmarks.timing import QUICK, Effort, PatternTimings, compare, scaling
from benchmarks.traces import Trace, random_trace
from tests.benchmarks.fakes import FakeClock, fake, too_early

II = PATTERNS["ii"]
TRACE = random_trace(("A", "B"), 0.1, 100_000, 0)
EFFORT = Effort(repetitions=4, seconds=0.0199, instants=100_000)


def compared(clock: FakeClock, *subjects: Subject, effort: Effort = EFFORT) -> PatternTimings:
    return compare(II, 0.1, TRACE, subjects, effort, clock=clock)


def refusing(name: str, error: Exception, runs: int = 0) -> Subject:
    """A subject that fails when it is prepared, or after so many runs."""
    whole = fake(name)
    done = 0

    def prepare(pattern: Pattern, trace: Trace) -> Prepared:
        if not runs:
            raise error
        query = whole.prepare(pattern, trace)()

        def run():  # type: ignore[no-untyped-def]
            nonlocal done
            done += 1
            if done > runs:
                raise error
            return query()

        return lambda: run

    return replace(whole, prepare=prepare)


def test_the_rate_is_instants_by_seconds_per_repetition() -> None:
    clock = FakeClock()
    (one,) = compared(clock, fake("one", clock=clock, cost=lambda n: n * 1e-6)).measurements
    assert (one.status, one.instants, one.runs) == ("measured", 20_000, 1)
    assert len(one.rates) == EFFORT.repetitions
    assert one.rate == pytest.approx(1.0)


def test_a_wrong_subject_shows_the_first_difference_and_no_speed() -> None:
    clock = FakeClock()
    right, wrong = compared(
        clock, fake("right", clock=clock), fake("wrong", clock=clock, change=too_early)
    ).measurements
    assert right.status == "measured"
    assert (wrong.status, wrong.seconds, wrong.rate) == ("wrong", (), 0.0)
    assert "expected [" in wrong.detail


def test_a_subject_that_is_wrong_on_long_traces_only_is_wrong() -> None:
    clock = FakeClock()
    calls: list[int] = []

    def late(answer):  # type: ignore[no-untyped-def]
        calls.append(len(answer.ends))
        return too_early(answer) if len(answer.ends) > 2_000 else answer

    right, wrong = compared(
        clock, fake("right", clock=clock), fake("late", clock=clock, change=late)
    ).measurements
    assert (right.status, wrong.status) == ("measured", "wrong")
    assert max(calls) > 2_000


def test_a_slow_subject_gets_a_short_trace_and_does_not_delay() -> None:
    clock = FakeClock()
    slow = fake("slow", clock=clock, cost=lambda n: 1e-9 * n * n)
    fast = fake("fast", clock=clock, cost=lambda n: 1e-8 * n)
    slow_one, fast_one = compared(clock, slow, fast).measurements
    assert slow_one.instants < fast_one.instants == TRACE.instants
    # One timing of the slow one takes at the most as long as its shortest run and a few times what was asked for.
    assert clock.now < 20 * (0.1 + EFFORT.seconds * EFFORT.repetitions)


def test_a_fast_subject_runs_several_times_within_a_timing() -> None:
    clock = FakeClock()
    (one,) = compared(clock, fake("fast", clock=clock, cost=lambda n: 2e-8 * n)).measurements
    assert one.runs == 10
    assert one.rate == pytest.approx(50)


def test_subjects_take_turns() -> None:
    clock = FakeClock()
    order: list[str] = []

    def noted(name: str) -> Subject:
        def cost(instants: int) -> float:
            order.append(name)
            return 0.03

        return fake(name, clock=clock, cost=cost)

    compared(clock, noted("a"), noted("b"))
    assert order[-2 * EFFORT.repetitions :] == ["a", "b"] * EFFORT.repetitions


def test_ratios_are_paired_by_repetition_and_noise_that_hits_both_cancels() -> None:
    clock = FakeClock()
    slowness = 1

    def say(what: str) -> None:
        nonlocal slowness
        slowness = int(what.split()[1]) if what.startswith("timing") else 1

    ours = fake("ours", clock=clock, cost=lambda n: 1e-6 * n * slowness)
    theirs = fake("theirs", clock=clock, cost=lambda n: 3e-6 * n * slowness, family="Other")
    comparison = compare(II, 0.1, TRACE, [ours, theirs], EFFORT, clock=clock, say=say)
    (ratio,) = comparison.ratios()
    assert (ratio.subject, ratio.peer, ratio.family) == ("ours", "theirs", "Other")
    assert [round(value, 6) for value in ratio.values] == [3.0] * EFFORT.repetitions
    assert len(set(comparison.measurements[0].rates)) == EFFORT.repetitions


def test_a_tool_is_represented_by_its_fastest_formulation() -> None:
    clock = FakeClock()
    ours = fake("ours", clock=clock)
    slower = fake("x", clock=clock, cost=lambda n: 4e-6 * n, family="Other")
    faster = fake("y", clock=clock, cost=lambda n: 2e-6 * n, family="Other")
    (ratio,) = compared(clock, ours, slower, faster).ratios()
    assert ratio.peer == "y"


def test_a_disturbance_while_a_length_is_sought_does_not_shorten_the_trace() -> None:
    clock = FakeClock()
    runs = 0

    def cost(instants: int) -> float:
        nonlocal runs
        runs += 1
        return 1e-6 * instants + (5 if runs in (2, 4) else 0)

    (one,) = compared(clock, fake("one", clock=clock, cost=cost)).measurements
    assert one.instants == 20_000


def test_what_is_missing_or_fails_is_said_and_the_others_go_on() -> None:
    clock = FakeClock()
    found = compared(
        clock,
        refusing("absent", Absent("tool is not installed")),
        refusing("no query", NoQuery()),
        refusing("broken", RuntimeError("out\nof order")),
        refusing("broken later", RuntimeError("tired"), runs=4),
        fake("right", clock=clock),
    ).measurements
    assert [(one.status, one.detail) for one in found] == [
        ("absent", "tool is not installed"),
        ("no query", "no hand-written query"),
        ("failed", "RuntimeError: out of order"),
        ("failed", "RuntimeError: tired"),
        ("measured", ""),
    ]


def test_the_length_is_bounded_by_occurrences_and_by_instants() -> None:
    effort = Effort(instants=100, occurrences=10)
    assert [effort.length(density) for density in (0.01, 0.1, 0.5)] == [100, 100, 20]
    assert QUICK.length(0.5) == 1_000_000


def test_growth_tells_a_flat_cost_from_a_growing_one() -> None:
    clock = FakeClock()
    flat, quadratic = scaling(
        II,
        0.1,
        TRACE,
        [
            fake("flat", clock=clock),
            fake("quadratic", clock=clock, cost=lambda n: 1e-9 * n * n),
            refusing("absent", Absent("no")),
        ],
        EFFORT,
        clock=clock,
    )
    assert flat.growth == pytest.approx(1.0)
    assert quadratic.growth == pytest.approx(10.0)
    assert [point.instants for point in flat.points] == [10_000, 100_000]
    assert flat.stopped == ""


def test_a_length_that_would_take_too_long_is_not_tried() -> None:
    clock = FakeClock()
    (found,) = scaling(
        II,
        0.1,
        TRACE,
        [fake("slow", clock=clock, cost=lambda n: 1e-4 * n)],
        EFFORT,
        most_seconds=5,
        clock=clock,
    )
    assert [point.instants for point in found.points] == [10_000]
    assert found.stopped == "100,000 instants would take about 10 s"
    assert found.growth is None
