"""Throughput: every answer is checked before it gets a speed, subjects take turns, traces are right."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from benchmarks import throughput
from benchmarks.throughput import PATTERNS, STEPS, SUBJECTS, Answer, Pattern, Run, Subject, Trace, random_trace
from benchmarks.timing import OURS, Row, Status, standing
from detectors.carlson_lisper.protocol import event_types
from laws.standings import Standing
from semantics.carlson_lisper.intervals import Intervals
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.syntax import parse


def fake(
    name: str,
    tool: str = OURS,
    change: Callable[[Answer], Answer] = lambda answer: answer,
    error: Exception | None = None,
    noted: list[str] | None = None,
) -> Subject:
    def prepare(asked: Pattern, trace: Trace) -> Run:
        if error is not None:
            raise error
        answer = change(throughput._columns(asked, trace)())

        def run() -> Answer:
            if noted is not None:
                noted.append(name)
            return answer

        return run

    return Subject(name, tool, True, prepare)


def too_early(answer: Answer) -> Answer:
    return np.maximum(answer[0] - 1, 0), answer[1]


def compared(*subjects: Subject) -> list[Row]:
    (found,) = throughput.throughput([PATTERNS["ii"]], [0.1], subjects, 100_000, 4, 0)
    return found


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda one: one.name)
@settings(max_examples=8, deadline=None)
@given(st.sampled_from([*PATTERNS]), st.sampled_from([0.05, 0.3, 0.8]), st.integers(1, 120), st.integers(0, 9))
def test_every_subject_finds_what_the_definition_says(
    subject: Subject, number: str, density: float, instants: int, seed: int
) -> None:
    asked = PATTERNS[number]
    trace = random_trace(event_types(parse(asked.text)), density, instants, seed)
    meant = interpretation(Occurrence(name, at) for name, found in trace.columns.items() for at in found.tolist())
    denoted = Intervals(parse(asked.text), meant).restricted()
    run = subject.prepare(asked, trace)
    assert run is not None
    starts, ends = run()
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == [(one.start, one.end) for one in denoted]


def test_no_query_is_made_up_for_a_pattern_of_the_users() -> None:
    (rows,) = throughput.throughput([throughput.pattern("x ; y")], [0.5], SUBJECTS[-2:], 10, 1, 0)
    assert [row.status for row in rows] == 2 * ["no query"]
    assert throughput.pattern("ii") is PATTERNS["ii"]
    assert throughput.pattern("(B ; B)[2] - (P | T)") is PATTERNS["i"]


def answer(*intervals: tuple[int, int]) -> Answer:
    return np.array([one for one, _ in intervals], np.int64), np.array([end for _, end in intervals], np.int64)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (answer((1, 3), (5, 9)), ""),
        (answer((1, 3), (4, 9)), "found [4, 9], expected [5, 9]"),
        (answer((1, 3)), "found nothing, expected [5, 9]"),
        (answer((1, 3), (5, 9), (5, 10)), "found [5, 10], expected nothing"),
        (answer((1, 3), (5, 9), (5, 20)), ""),
        (answer((1, 3), (1, 3), (5, 9)), "found [1, 3], expected [5, 9]"),
    ],
)
def test_the_first_difference_within_the_common_instants_is_said(found: Answer, said: str) -> None:
    assert throughput.difference(found, answer((1, 3), (5, 9)), 20) == said


def test_what_is_wrong_or_fails_is_said_and_the_others_go_on() -> None:
    found = compared(
        fake("right"),
        fake("wrong", change=too_early),
        fake("late", change=lambda answer: too_early(answer) if len(answer[1]) > 1_500 else answer),
        fake("broken", error=RuntimeError("out of order")),
    )
    assert [one.status for one in found] == ["measured", "wrong", "wrong", "failed"]
    assert [bool(one.seconds) for one in found] == [True, False, False, False]
    assert found[1].detail.endswith("by Figure 2")
    assert "expected [" in found[1].detail
    assert found[3].detail == "RuntimeError: out of order"


@pytest.mark.parametrize(
    ("tool", "status", "expected"),
    [
        (OURS, "measured", Standing.TESTED), (OURS, "wrong", Standing.REFUTED), ("Polars", "wrong", Standing.REFUTED),
        (OURS, "failed", Standing.REFUTED), ("Polars", "failed", Standing.ERROR),
        ("Polars", "no query", Standing.TESTED),
    ],
)  # fmt: skip
def test_a_breakdown_is_ours_or_another_tools(tool: str, status: Status, expected: Standing) -> None:
    assert standing([Row({}, "one", tool, status)]) is expected


@pytest.mark.slow
def test_subjects_take_turns_and_steps_have_shorter_traces() -> None:
    order: list[str] = []
    rows = compared(fake("a", noted=order), fake("b", noted=order))
    assert order[2:] == ["a", "b"] * 4
    assert [len(row.seconds) for row in rows] == [4, 4]
    wanted = [Subject("steps", OURS, False, throughput._generated), fake("columns")]
    (found,) = throughput.throughput([PATTERNS["ii"]], [0.1], wanted, 10 * STEPS, 1, 0)
    assert [row.size for row in found] == [STEPS, 10 * STEPS]
