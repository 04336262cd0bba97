"""Throughput: every answer is checked before it gets a speed, subjects take turns, traces are right."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import throughput
from benchmarks.patterns import PATTERNS, Pattern, pattern
from benchmarks.throughput import (
    FIRST,
    OURS,
    QUICK,
    SUBJECTS,
    Answer,
    Comparison,
    Effort,
    Measurement,
    NoQuery,
    OracleDiffers,
    Run,
    Subject,
    Trace,
    confirmed_oracle,
    difference,
    random_trace,
    results_data,
    standing,
)
from detectors.carlson_lisper.protocol import event_types
from detectors.carlson_lisper.source.figure2 import Figure2
from laws.standings import Standing
from semantics.carlson_lisper.intervals import interval_denotation
from semantics.carlson_lisper.syntax import parse
from tests.remora.documents import of_its_schema

II = PATTERNS["ii"]
EFFORT = Effort(repetitions=4, seconds=0.0199, instants=100_000)


class FakeClock:
    """Time that passes only when a subject lets it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


CLOCK = FakeClock()


def fake(
    name: str,
    family: str = OURS,
    cost: Callable[[int], float] = lambda instants: 1e-6 * instants,
    change: Callable[[Answer], Answer] = lambda answer: answer,
    error: Exception | None = None,
) -> Subject:
    """A subject that has the right answer, changed as told, and takes the time that it says."""

    def prepare(asked: Pattern, trace: Trace) -> Run:
        if error is not None:
            raise error
        answer = change(throughput._columns(asked, trace)())

        def run() -> Answer:
            CLOCK.now += cost(trace.instants)
            return answer

        return run

    return Subject(name, family, "columns", prepare)


def too_early(answer: Answer) -> Answer:
    return np.maximum(answer[0] - 1, 0), answer[1]


def compared(*subjects: Subject, effort: Effort = EFFORT) -> Comparison:
    (found,) = throughput.throughput([II], [0.1], subjects, effort, 0, clock=CLOCK)
    return found


# --------------------------------------------------------------------------------------------------- subjects


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda one: one.name)
@settings(max_examples=15, deadline=None)
@given(st.sampled_from([*PATTERNS]), st.sampled_from([0.05, 0.3, 0.8]), st.integers(1, 120), st.integers(0, 9))
def test_every_subject_finds_what_the_definition_says(
    subject: Subject, number: str, density: float, instants: int, seed: int
) -> None:
    asked = PATTERNS[number]
    trace = random_trace(event_types(parse(asked.text)), density, instants, seed)
    denoted = interval_denotation(parse(asked.text), trace.interpretation()).restricted()
    starts, ends = subject.prepare(asked, trace)()
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == [(one.start, one.end) for one in denoted]


@pytest.mark.parametrize("subject", [one for one in SUBJECTS if one.family != OURS], ids=lambda one: one.name)
def test_no_query_is_made_up_for_a_pattern_of_the_users(subject: Subject) -> None:
    with pytest.raises(NoQuery):
        subject.prepare(pattern("x ; y"), random_trace(("x", "y"), 0.5, 10, 0))


def test_a_known_expression_gets_its_number_and_any_other_its_text() -> None:
    assert pattern("ii") is PATTERNS["ii"]
    assert pattern("(B ; B)[2] - (P | T)") is PATTERNS["i"]
    assert pattern("x;y").id == "x ; y"


# ----------------------------------------------------------------------------------------------------- checks


def answer(*intervals: tuple[int, int]) -> Answer:
    return np.array([one for one, _ in intervals], np.int64), np.array([end for _, end in intervals], np.int64)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (answer((1, 3), (5, 9)), None),
        (answer((1, 3), (4, 9)), "at 9: found [4, 9], expected [5, 9]"),
        (answer((1, 3)), "at 9: found nothing, expected [5, 9]"),
        (answer((5, 9)), "at 3: found nothing, expected [1, 3]"),
        (answer((1, 3), (5, 7), (5, 9)), "at 7: found [5, 7], expected nothing"),
        (answer((1, 3), (5, 9), (5, 10)), "at 10: found [5, 10], expected nothing"),
        (answer((1, 3), (5, 9), (5, 20)), None),
        (answer((1, 3), (1, 3), (5, 9)), "at 3: found [1, 3], expected nothing"),
    ],
)
def test_the_first_difference_within_the_common_instants_is_said(found: Answer, said: str | None) -> None:
    assert difference(found, answer((1, 3), (5, 9)), 20) == said


def test_an_oracle_that_differs_from_the_definition_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Early(Figure2):
        def step(self, time, occurrences):  # type: ignore[no-untyped-def]
            return super().step(time, occurrences) if time % 7 else None

    monkeypatch.setattr(throughput, "Figure2", Early)
    with pytest.raises(OracleDiffers, match="Figure 2 is wrong on A;B at"):
        confirmed_oracle(II, random_trace(("A", "B"), 0.2, 2_000, 3))


def test_a_wrong_subject_shows_the_first_difference_and_no_speed() -> None:
    one, wrong = compared(fake("right"), fake("wrong", change=too_early)).measurements
    assert one.status == "measured"
    assert (wrong.status, wrong.seconds, wrong.rate) == ("wrong", (), 0.0)
    assert "expected [" in wrong.detail


def test_a_subject_that_is_wrong_on_long_traces_only_is_wrong() -> None:
    def late(answer: Answer) -> Answer:
        return too_early(answer) if len(answer[1]) > 1_500 else answer

    one, wrong = compared(fake("right"), fake("late", change=late)).measurements
    assert (one.status, wrong.status) == ("measured", "wrong")
    assert "by right" in wrong.detail


def test_what_is_missing_or_fails_is_said_and_the_others_go_on() -> None:
    def tired(instants: int) -> float:
        if instants > FIRST:
            raise RuntimeError("tired")
        return 1e-6

    found = compared(
        fake("absent", family="No such tool"),
        fake("no query", error=NoQuery("none")),
        fake("broken", error=RuntimeError("out of order")),
        fake("broken later", cost=tired),
        fake("right"),
    ).measurements
    assert [(one.status, one.detail) for one in found] == [
        ("absent", "No such tool is not installed"),
        ("no query", "none"),
        ("failed", "RuntimeError: out of order"),
        ("failed", "RuntimeError: tired"),
        ("measured", ""),
    ]


@pytest.mark.parametrize(
    ("family", "status", "expected"),
    [
        (OURS, "measured", Standing.TESTED), (OURS, "wrong", Standing.REFUTED), ("Polars", "wrong", Standing.REFUTED),
        (OURS, "failed", Standing.REFUTED), ("Polars", "failed", Standing.ERROR), ("Polars", "absent", Standing.TESTED),
    ],
)  # fmt: skip
def test_a_breakdown_is_ours_or_another_tools(family: str, status: throughput.Status, expected: Standing) -> None:
    found = Comparison(II, 0.1, (Measurement(fake("one", family), status),))
    assert standing([found]) is expected


# ----------------------------------------------------------------------------------------------------- timing


def test_the_rate_is_instants_by_seconds_and_a_trace_is_as_long_as_it_has_to_be() -> None:
    slow, fast = compared(fake("slow"), fake("fast", cost=lambda n: 2e-8 * n)).measurements
    assert (slow.instants, fast.instants) == (100_000, 100_000)
    assert slow.rate == pytest.approx(1.0)
    assert fast.rate == pytest.approx(50)
    (short,) = compared(fake("slower", cost=lambda n: 1e-5 * n)).measurements
    assert short.instants == FIRST
    assert len(short.rates) == EFFORT.repetitions


def test_subjects_take_turns() -> None:
    order: list[str] = []

    def noted(name: str) -> Subject:
        def cost(_: int) -> float:
            order.append(name)
            return 0.03

        return fake(name, cost=cost)

    compared(noted("a"), noted("b"))
    assert order[-2 * EFFORT.repetitions :] == ["a", "b"] * EFFORT.repetitions


def test_the_length_is_bounded_by_occurrences_and_by_instants() -> None:
    effort = Effort(instants=100, occurrences=10)
    assert [effort.length(density) for density in (0.01, 0.1, 0.5)] == [100, 100, 20]
    assert QUICK.length(0.5) == 1_000_000


def test_results_with_every_part_are_a_document_and_keep_every_timing() -> None:
    wrong = fake("no", change=too_early)
    found = compared(fake("ours"), fake("theirs", "Polars", cost=lambda n: 3e-6 * n), wrong)
    data = {"remora": "1", **results_data([found], EFFORT, 7)}
    of_its_schema(json.dumps(data, allow_nan=False))
    (result,) = data["results"]
    assert [len(one["seconds"]) for one in result["subjects"]] == [EFFORT.repetitions, EFFORT.repetitions, 0]
    (ratio,) = result["ratios"]
    assert (ratio["subject"], ratio["peer"], ratio["family"]) == ("ours", "theirs", "Polars")
    assert ratio["values"] == pytest.approx([3.0] * EFFORT.repetitions)
    assert (data["seed"], data["exit_status"]) == (7, 1)


# ----------------------------------------------------------------------------------------------------- traces

NAMES = ("A", "B", "C")
DENSITIES = st.sampled_from([0.01, 0.1, 0.5, 0.9, 1.0])


@given(DENSITIES, st.integers(1, 3000), st.integers(1, 3000), st.integers(0, 5))
def test_a_longer_trace_of_the_same_seed_begins_with_the_shorter_one(
    density: float, one: int, other: int, seed: int
) -> None:
    short, long = sorted((one, other))
    shorter = random_trace(NAMES, density, short, seed)
    prefix = random_trace(NAMES, density, long, seed).prefix(short)
    for name in NAMES:
        assert np.array_equal(shorter.columns[name], prefix.columns[name])
        assert (np.diff(shorter.columns[name]) > 0).all()
        assert not len(shorter.columns[name]) or shorter.columns[name][-1] < short


@given(DENSITIES, st.integers(1, 2000), st.integers(0, 5))
def test_both_forms_of_a_trace_say_the_same(density: float, instants: int, seed: int) -> None:
    trace = random_trace(NAMES, density, instants, seed)
    occurring = trace.occurring(NAMES)
    for bit, name in enumerate(NAMES):
        assert [at for at, letter in occurring if letter >> bit & 1] == trace.columns[name].tolist()


def test_event_types_occur_as_often_as_they_should_and_independently() -> None:
    trace = random_trace(NAMES, 0.1, 200_000, 1)
    assert all(abs(len(times) - 20_000) < 1_000 for times in trace.columns.values())
    assert abs(len(np.intersect1d(trace.columns["A"], trace.columns["B"])) - 2_000) < 300
    assert not np.array_equal(trace.columns["A"], random_trace(NAMES, 0.1, 200_000, 2).columns["A"])
