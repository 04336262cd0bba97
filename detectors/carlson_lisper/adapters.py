"""Detectors of starts and ends, for trying them on cases.

One instant after the other, `detectors.carlson_lisper.catalogue.Spans` has the shape of `protocol.Detector` and reports
intervals in the place of instances. What answers only after a whole trace is a `TraceDetector`: it gets the trace and
says what it found.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Protocol, TypeAlias, runtime_checkable

import polars as pl

from detectors.carlson_lisper.catalogue import Spans
from detectors.carlson_lisper.columns.batches import BatchDetection
from detectors.carlson_lisper.columns.plan import plan_of
from detectors.carlson_lisper.protocol import Detector, Report
from detectors.carlson_lisper.snapshots import LATEST
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Time, Value
from semantics.errors import LimitExceeded
from semantics.events import Interval

Instant: TypeAlias = tuple[Time, Mapping[str, Value]]
"""A time in ticks, with the values of the events that occur then, by event type."""

BESIDE, BATCHES = 3, 2
"""The evaluation by columns gets so many traces beside each other at most, and about so many batches."""


@runtime_checkable
class TraceDetector(Protocol):
    """Detects in a whole trace."""

    def detect_trace(self, trace: Sequence[Instant]) -> Iterable[Report]:
        """The latest started interval for each end, in order, given increasing times, each with its events' values."""


AnyDetector: TypeAlias = Detector | Spans | TraceDetector  # What can be tried on a trace
AnyFactory: TypeAlias = Callable[[Expression], AnyDetector]  # Makes a fresh one for a ground expression


class InBatches:
    """The evaluation by columns, fed in batches, the trace alone or beside others in which other events occur.

    Where batches begin, and which trace is the one, follows from the expression and the trace.
    """

    def __init__(self, expression: Expression) -> None:
        """Prepare the detection of an expression."""
        self._expression, self._plan = expression, plan_of([expression])

    def detect_trace(self, trace: Sequence[Instant]) -> list[Interval]:
        """What is found in the trace, as by `TraceDetector`; `LimitExceeded` for a time beyond those of columns."""
        if trace and trace[-1][0] > LATEST:
            raise LimitExceeded(f"columns hold times up to {LATEST:,}")
        names = self._plan.events
        choices = Random(f"{self._expression} {[(time, sorted(occurrences)) for time, occurrences in trace]}")
        many = 1 + choices.randrange(BESIDE)
        asked = choices.randrange(many)
        detection = BatchDetection(self._plan, with_rows=False, partitioned=many > 1)
        cuts = sorted({0, *(choices.randrange(len(trace) + 1) for _ in range(BATCHES)), len(trace)})
        found: list[Interval] = []
        for begin, stop in pairwise(cuts):
            cells = [
                (time, names[(number + other - asked) % len(names)], str(other))
                for time, occurrences in trace[begin:stop]
                for other in range(many)
                for number, name in enumerate(names)
                if name in occurrences
            ]
            rows = pl.DataFrame(cells, _ROWS, orient="row")
            detected = detection.found(rows, last=stop == len(trace))
            if many > 1:
                detected = detected.filter(pl.col("partition") == str(asked))
            found += [Interval(start, end) for start, end in detected.select("start", "end").iter_rows()]
        return found


_ROWS = {"time": pl.Int64, "event": pl.String, "partition": pl.String}
