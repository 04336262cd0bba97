"""Subjects that answer by the oracle, or wrongly, and take as long as they say on a clock of their own."""

from collections.abc import Callable

import numpy as np

from benchmarks.checks import oracle
from benchmarks.subjects import OURS, Answer, Pattern, Prepared, Query, Reports, Subject
from benchmarks.traces import Trace


class FakeClock:
    """Time that passes only when a subject lets it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def fake(
    name: str,
    *,
    clock: FakeClock | None = None,
    cost: Callable[[int], float] = lambda instants: 1e-6 * instants,
    change: Callable[[Answer], Answer] = lambda answer: answer,
    family: str = OURS,
    reports: Reports = "starts and ends",
) -> Subject:
    """A subject with the oracle's answer, changed as told; `cost` is the seconds of a run by the trace's length."""

    def prepare(pattern: Pattern, trace: Trace) -> Prepared:
        right = oracle(pattern, trace)
        answer = change(Answer(right.starts if reports == "starts and ends" else None, right.ends))

        def run() -> Answer:
            if clock is not None:
                clock.now += cost(trace.instants)
            return answer

        def fresh() -> Query:
            return run

        return fresh

    return Subject(name, family, "dense", prepare, reports)


def without_last(answer: Answer) -> Answer:
    return Answer(None if answer.starts is None else answer.starts[:-1], answer.ends[:-1])


def too_early(answer: Answer) -> Answer:
    assert answer.starts is not None
    return Answer(np.maximum(answer.starts - 1, 0), answer.ends)
