"""This project's detectors as subjects."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from itertools import starmap
from typing import Any

import numpy as np

from benchmarks.printed import PRINTED_STEPS
from benchmarks.subjects import OURS, Answer, Found, NoQuery, Pattern, Prepared, Query, Subject
from benchmarks.traces import Trace
from detectors.carlson_lisper.fast.batches import Batch, aligned
from detectors.carlson_lisper.generated.generated import Generated
from detectors.carlson_lisper.intervals import Detections, IntervalDetector, columns, event_types
from detectors.carlson_lisper.protocol import Detector
from detectors.carlson_lisper.register.machine import RegisterMachine
from detectors.carlson_lisper.source.figure2 import STEPS, Figure2, StepFactory
from detectors.carlson_lisper.source.figure4 import figure4
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Time, Value
from semantics.errors import InputError

Occurring = list[tuple[Time, Mapping[str, Value]]]


def answer(found: Detections, detector: IntervalDetector) -> Answer:
    """Detections as an answer."""
    return Answer(found.starts, found.ends, stored_starts(detector))


def _arrays(starts: list[Time], ends: list[Time], stored: int | None) -> Answer:
    return Answer(np.array(starts, np.int64), np.array(ends, np.int64), stored)


# ------------------------------------------------------------------------------------------- detectors of instances


def instances(detector: Detector, occurring: Occurring) -> Answer:
    """The intervals of the instances that a detector finds."""
    starts: list[Time] = []
    ends: list[Time] = []
    step = detector.step
    for time, values in occurring:
        instance = step(time, values)
        if instance is not None:
            starts.append(instance.start)
            ends.append(instance.end)
    return _arrays(starts, ends, sum(node.stored for node in detector.state()))


def _of_instances(make: Callable[[Expression], Detector]) -> Callable[[Pattern, Trace], Prepared]:
    def prepare(pattern: Pattern, trace: Trace) -> Prepared:
        occurring = trace.occurring(event_types(pattern.expression))

        def fresh() -> Query:
            detector = make(pattern.expression)
            return lambda: instances(detector, occurring)

        return fresh

    return prepare


def _figure2(steps: Mapping[str, StepFactory]) -> Callable[[Expression], Detector]:
    return lambda expression: Figure2(expression, steps)


# ------------------------------------------------------------------------------------------- detectors of intervals

Run = Callable[[IntervalDetector, Any], Answer]
"""Feeds a fresh detector with the whole trace in one form."""


def _stepped(detector: IntervalDetector, busy: list[tuple[Time, int]]) -> Answer:
    """A call for each instant, and as little as possible beside it; a monitor of another tool is called likewise."""
    starts = np.fromiter(starmap(detector.step, busy), np.int64, len(busy))
    found = np.flatnonzero(starts >= 0)
    ends = np.fromiter((busy[index][0] for index in found.tolist()), np.int64, len(found))
    return Answer(starts[found], ends, stored_starts(detector))


def stored_starts(detector: object) -> int | None:
    """How many starts a detector of intervals keeps; None if it does not say."""
    if isinstance(detector, Generated):
        return detector.stored()
    if isinstance(detector, RegisterMachine):
        return len(detector.starts)
    return None


FEEDS: Mapping[str, tuple[Callable[[Trace, tuple[str, ...]], Any], Run]] = {
    "each instant": (lambda trace, names: trace.busy(names), _stepped),
    "each tick": (lambda trace, names: list(enumerate(trace.letters(names).tolist())), _stepped),
    "dense": (
        lambda trace, names: trace.letters(names),
        lambda detector, letters: answer(detector.chunk(letters, 0), detector),
    ),
    "columns": (
        lambda trace, names: {name: trace.columns[name] for name in names},
        lambda detector, occurrences: answer(columns(detector, occurrences), detector),
    ),
}
"""For each way to feed a detector: how the trace is brought into form, and how it is run."""


def _of_intervals(
    make: Callable[[Expression], IntervalDetector], fed: str
) -> Callable[[Pattern, Trace], Prepared]:
    """A detector of intervals that is fed in a way."""

    def prepare(pattern: Pattern, trace: Trace) -> Prepared:
        shaped, run = FEEDS[fed]
        try:
            detector = make(pattern.expression)
        except InputError as error:
            raise NoQuery(str(error)) from None
        beginning = detector.snapshot()
        form = shaped(trace, detector.names)

        def fresh() -> Query:
            detector.restore(beginning)
            return lambda: run(detector, form)

        return fresh

    return prepare


# --------------------------------------------------------------------------------------------- many traces at once

LANES = 64
"""So many traces side by side."""


def _batch(pattern: Pattern, trace: Trace) -> Prepared:
    try:
        names = Batch(pattern.expression, LANES).names
    except InputError as error:
        raise NoQuery(str(error)) from None
    length = trace.instants // LANES
    lanes = trace.letters(names)[: length * LANES].reshape(LANES, length)
    letters = aligned(lanes.T.shape, lanes.dtype)
    letters[:] = lanes.T
    room: list[Any] = [None]

    def fresh() -> Query:
        batch = Batch(pattern.expression, LANES)

        def run() -> Found:
            outcomes = room[0] = batch.run(letters, 0, out=room[0])
            return lambda: _side_by_side(
                [batch.detections(outcomes, lane, 0) for lane in range(LANES)], length
            )

        return run

    return fresh


def _side_by_side(found: list[Detections], length: int) -> Answer:
    """The detections of stretches of equal length, with times from the beginning of the first one."""
    return Answer(
        np.concatenate([one.starts + length * lane for lane, one in enumerate(found)]),
        np.concatenate([one.ends + length * lane for lane, one in enumerate(found)]),
    )


class Walked(Generated):
    """Generated code that goes from instant to instant, also where it could take 64 at a time."""

    words_from = sys.maxsize


SUBJECTS: tuple[Subject, ...] = (
    Subject("figure2 as printed", OURS, "each instant", _of_instances(_figure2(PRINTED_STEPS))),
    Subject("figure2", OURS, "each instant", _of_instances(_figure2(STEPS))),
    Subject("figure4", OURS, "each instant", _of_instances(figure4)),
    Subject("generated step", OURS, "each instant", _of_intervals(Generated, "each instant")),
    Subject("generated step, every tick", OURS, "each tick", _of_intervals(Generated, "each tick")),
    Subject("generated chunk", OURS, "dense", _of_intervals(Generated, "dense")),
    Subject(
        "generated chunk, walked",
        OURS,
        "dense",
        _of_intervals(Walked, "dense"),
        walks=True,
    ),
    Subject("generated columns", OURS, "columns", _of_intervals(Generated, "columns")),
    Subject("register-machine step", OURS, "each instant", _of_intervals(RegisterMachine, "each instant")),
    Subject(f"batch of {LANES}", OURS, "many traces", _batch, lanes=LANES),
)
"""The source's algorithms, and the detectors of starts and ends, from the slowest feed to the fastest."""
