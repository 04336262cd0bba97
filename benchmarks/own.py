"""Benchmark subjects of this project: its detectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import starmap

import numpy as np

from benchmarks.printed import PRINTED_STEPS
from benchmarks.subjects import OURS, Answer, NoQuery, Pattern, Prepared, Query, Subject
from benchmarks.traces import Trace
from detectors.carlson_lisper.blocks import Blocks
from detectors.carlson_lisper.generated import Generated
from detectors.carlson_lisper.intervals import IntervalDetector
from detectors.carlson_lisper.protocol import Detector, event_types
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.carlson_lisper.source.figure4 import figure4
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Time, Value
from semantics.errors import InputError
from semantics.traces.columns import Rows

Occurring = list[tuple[Time, Mapping[str, Value]]]


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
    stored = sum(node.stored for node in detector.state())
    return Answer(np.array(starts, np.int64), np.array(ends, np.int64), stored)


def _of_instances(make: Callable[[Expression], Detector]) -> Callable[[Pattern, Trace], Prepared]:
    def prepare(pattern: Pattern, trace: Trace) -> Prepared:
        occurring = trace.occurring(event_types(pattern.expression))

        def fresh() -> Query:
            detector = make(pattern.expression)
            return lambda: instances(detector, occurring)

        return fresh

    return prepare


# ------------------------------------------------------------------------------------------- detectors of intervals


def _stepped(detector: IntervalDetector, busy: list[tuple[Time, int]]) -> Answer:
    """A call for each instant, and as little as possible beside it; a monitor of another tool is called likewise."""
    starts = np.fromiter(starmap(detector.step, busy), np.int64, len(busy))
    found = np.flatnonzero(starts >= 0)
    ends = np.fromiter((busy[index][0] for index in found.tolist()), np.int64, len(found))
    return Answer(starts[found], ends, _stored_starts(detector))


def _stored_starts(detector: object) -> int | None:
    """How many starts a detector of intervals keeps; None if it does not say."""
    if isinstance(detector, Generated):
        return detector.stored()
    return None


def _of_intervals(make: Callable[[Expression], IntervalDetector]) -> Callable[[Pattern, Trace], Prepared]:
    def prepare(pattern: Pattern, trace: Trace) -> Prepared:
        try:
            detector = make(pattern.expression)
        except InputError as error:
            raise NoQuery(str(error)) from None
        beginning = detector.snapshot()
        busy = trace.busy(detector.names)

        def fresh() -> Query:
            detector.restore(beginning)
            return lambda: _stepped(detector, busy)

        return fresh

    return prepare


def _arrays_of(pattern: Pattern, trace: Trace) -> Prepared:
    """The evaluation by arrays of all rows of the trace, which have been read."""
    names = event_types(pattern.expression)
    times = np.concatenate([trace.columns[name] for name in names])
    types = np.repeat(np.arange(len(names)), [len(trace.columns[name]) for name in names])
    order = np.argsort(times, kind="stable")
    rows = Rows(times[order], types[order], None, None)

    def run() -> Answer:
        blocks = Blocks([pattern.expression], names, instances=False)
        found = [*blocks.detect(rows), *blocks.finish()]
        starts = np.concatenate([each.starts for each in found]) if found else rows.times[:0]
        return Answer(starts, np.concatenate([each.ends for each in found]) if found else starts, blocks.kept)

    return lambda: run


SUBJECTS: tuple[Subject, ...] = (
    Subject("figure2 as printed", OURS, "each instant", _of_instances(partial(Figure2, steps=PRINTED_STEPS))),
    Subject("figure2", OURS, "each instant", _of_instances(Figure2)),
    Subject("figure4", OURS, "each instant", _of_instances(figure4)),
    Subject("generated step", OURS, "each instant", _of_intervals(Generated)),
    Subject("arrays", OURS, "columns", _arrays_of),
)
"""The source's algorithms, and the detectors of starts and ends, from the slowest feed to the fastest."""
