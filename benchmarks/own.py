"""Benchmark subjects of this project: its detectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import starmap

import numpy as np

from benchmarks.peers.polars_frames import polars
from benchmarks.printed import PRINTED_STEPS
from benchmarks.subjects import OURS, Answer, NoQuery, Pattern, Prepared, Query, Subject
from benchmarks.traces import Trace
from detectors.carlson_lisper.generated import Generated
from detectors.carlson_lisper.intervals import IntervalDetector
from detectors.carlson_lisper.protocol import Detector, event_types
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.carlson_lisper.source.figure4 import figure4
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Time, Value
from semantics.errors import InputError

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


def _columns_of(pattern: Pattern, trace: Trace) -> Prepared:
    """The plan of a pattern, run by Polars on one thread over the times of each event type, which have been read."""
    pl = polars()
    from detectors.carlson_lisper.columns.plan import plan_of
    from detectors.carlson_lisper.columns.polars_plan import Queries

    plan = plan_of([pattern.expression])
    leaves = {
        name: pl.DataFrame({"start": trace.columns[name], "end": trace.columns[name]}).with_columns(
            pl.col("start", "end").set_sorted()
        )
        for name in plan.events
    }
    query = Queries(plan, leaves, with_rows=False).found[plan.results[0]]

    def run() -> Answer:
        found = query.collect(engine="in-memory")
        return Answer(found["start"].to_numpy(), found["end"].to_numpy())

    return lambda: run


SUBJECTS: tuple[Subject, ...] = (
    Subject("figure2 as printed", OURS, "each instant", _of_instances(partial(Figure2, steps=PRINTED_STEPS))),
    Subject("figure2", OURS, "each instant", _of_instances(Figure2)),
    Subject("figure4", OURS, "each instant", _of_instances(figure4)),
    Subject("generated step", OURS, "each instant", _of_intervals(Generated)),
    Subject("columns", OURS, "columns", _columns_of, package="polars"),
)
"""The source's algorithms, and the detectors of starts and ends, from the slowest feed to the fastest."""
