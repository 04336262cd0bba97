"""Detectors of starts and ends in whole traces, for trying them on cases.

One instant after the other, `detectors.carlson_lisper.steppers.Spans` has the shape of `protocol.Detector` and reports
intervals in the place of instances. What answers only after a whole stretch is a `TraceDetector`: it gets the trace and
says what it found. How a trace is cut into stretches, and how each is fed, is the plan's part
(`detectors.carlson_lisper.plans`), so a case that was found wrong is wrong again wherever it is tried.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np

from detectors.carlson_lisper.blocks import Blocks
from detectors.carlson_lisper.fast.batches import Batch
from detectors.carlson_lisper.intervals import (
    Detections,
    IntervalDetector,
    Letters,
    Times,
    columns,
    events_by_steps,
    letter_type,
)
from detectors.carlson_lisper.plans import SNAPSHOT, Choices, Instant, Plan, Stretch, plan
from detectors.carlson_lisper.protocol import Detector
from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Time, Value
from semantics.errors import LimitExceeded
from semantics.events import Interval
from semantics.traces.columns import Rows

IntervalFactory: TypeAlias = Callable[[Expression], IntervalDetector]
"""Makes a fresh detector of starts and ends for a ground expression."""

BatchFactory: TypeAlias = Callable[[Expression, int], Batch]
"""Makes a fresh detector for a ground expression in so many traces."""

TRACES = 70
"""How many traces go side by side: more than one group of lanes, and not a whole number of groups."""

DELAYS = 5
"""The traces beside the one that is asked for are the same up to so many ticks later."""

BESIDE, BLOCKS = 3, 4
"""The evaluation by arrays gets so many traces beside each other, and about so many blocks."""

MAX_SPAN = 2500
"""Traces that take more ticks are not taken side by side: each tick costs, whether something happens or not."""


class IntervalReporter(Protocol):
    """Detects starts and ends while time goes on."""

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Interval | None:
        """The latest started interval of the expression that ends at this instant; see `Detector.step`."""

    def state(self) -> tuple[NodeState, ...]:
        """What is remembered now, where that is known by subexpression."""


@runtime_checkable
class TraceDetector(Protocol):
    """Detects starts and ends in a whole trace."""

    def detect_trace(self, trace: Sequence[Instant]) -> Iterable[Interval]:
        """The latest started interval for each end, in order of the ends.

        Args:
            trace: strictly increasing times, each with the values of the events that occur then, by event type.
        """


AnyDetector: TypeAlias = Detector | IntervalReporter | TraceDetector
"""What can be tried on a trace."""

AnyFactory: TypeAlias = Callable[[Expression], AnyDetector]
"""Makes a fresh one for a ground expression."""


def letter_of(names: Sequence[str], occurrences: Mapping[str, Value]) -> int:
    """What occurs at an instant as a bit set; events that are not among the names are left out."""
    return sum(1 << bit for bit, name in enumerate(names) if name in occurrences)


class Stretched:
    """A detector of starts and ends that is fed stretch by stretch, each in another way.

    In mid-stream it may be replaced by another one that goes on from its snapshot as a JSON text.
    """

    def __init__(self, expression: Expression, make: IntervalFactory) -> None:
        """Prepare the first detector for an expression."""
        self._expression = expression
        self._make = make
        self._detector = make(expression)

    def detect_trace(self, trace: Sequence[Instant], given: Plan | None = None) -> list[Interval]:
        """What the detectors find, one stretch after the other; see `TraceDetector.detect_trace`.

        Args:
            trace: the trace.
            given: how it is fed; by default as `detectors.carlson_lisper.plans.plan` says.
        """
        found: list[Interval] = []
        for stretch in plan(self._expression, trace) if given is None else given.stretches(trace):
            if stretch.way == SNAPSHOT:
                text = json.dumps(self._detector.snapshot())
                self._detector = self._make(self._expression)
                self._detector.restore(json.loads(text))
            else:
                found += map(Interval._make, self._fed(stretch).intervals())
        return found

    def _fed(self, stretch: Stretch) -> Detections:
        detector = self._detector
        times, letters = instants_of(detector.names, stretch.instants)
        match stretch.way:
            case "chunk":
                dense = np.zeros(stretch.stop - stretch.first, letters.dtype)
                dense[times - stretch.first] = letters
                return detector.chunk(dense, stretch.first)
            case "events":
                return detector.events(times, letters)
            case "sparse":
                occurrences = {
                    name: times[(letters >> letters.dtype.type(bit)) & 1 == 1]
                    for bit, name in enumerate(detector.names)
                }
                return columns(detector, occurrences)
            case _:
                return events_by_steps(detector.step, times, letters)


def instants_of(names: Sequence[str], trace: Sequence[Instant]) -> tuple[Times, Letters]:
    """The times of some instants, and a letter for each."""
    times = np.array([time for time, _ in trace], np.int64)
    letters = [letter_of(names, occurrences) for _, occurrences in trace]
    return times, np.array(letters, letter_type(len(names)))


class SideBySide:
    """A batch of many traces, of which one is the trace that is asked for.

    The others are the same trace up to `DELAYS` - 1 ticks later or with other events in it; which of them is asked for
    follows from the expression and the trace. The first tick of the batch is the first instant of the trace, for
    traces go side by side tick by tick from 0 on.
    """

    def __init__(self, expression: Expression, make: BatchFactory) -> None:
        """Prepare a batch for an expression.

        Raises:
            LimitExceeded: the expression is not taken side by side.
        """
        self._expression = expression
        self.batch = make(expression, TRACES)

    def detect_trace(self, trace: Sequence[Instant]) -> list[Interval]:
        """What is found in the trace; see `TraceDetector.detect_trace`.

        Raises:
            LimitExceeded: the trace takes more than `MAX_SPAN` ticks.
        """
        if not trace:
            return []
        origin = trace[0][0]
        span = trace[-1][0] - origin + 1
        if span > MAX_SPAN:
            raise LimitExceeded(f"the trace takes {span:,} ticks; side by side, traces go tick by tick")
        choices = Choices(self._expression, trace)
        asked = choices.below(TRACES)
        times, letters = instants_of(self.batch.names, trace)
        side = np.zeros((span + DELAYS, TRACES), letters.dtype)
        for lane in range(TRACES):
            other = lane % 7 == 3 and lane != asked
            side[times - origin + lane % DELAYS, lane] = np.roll(letters, 1) if other else letters
        cuts = sorted({0, choices.below(len(side)), choices.below(len(side)), len(side)})
        shift = origin - asked % DELAYS
        found: list[Interval] = []
        for begin, stop in pairwise(cuts):
            outcomes = self.batch.run(side[begin:stop])
            detections = self.batch.detections(outcomes, asked, begin)
            found += [Interval(start + shift, end + shift) for start, end in detections.intervals()]
        return found


class Blockwise:
    """The evaluation by arrays, fed in blocks, the trace beside others in which other events occur.

    Where blocks begin, and which trace is the one, follows from the expression and the trace.
    """

    def __init__(self, expression: Expression) -> None:
        """Prepare the detection of an expression."""
        self._expression = expression

    def detect_trace(self, trace: Sequence[Instant]) -> list[Interval]:
        """What is found in the trace; see `TraceDetector.detect_trace`."""
        names = sorted(identifiers(self._expression))
        blocks = Blocks([self._expression], names, instances=False)
        choices = Choices(self._expression, trace)
        asked = choices.below(BESIDE)
        cuts = sorted({0, *(choices.below(len(trace) + 1) for _ in range(BLOCKS)), len(trace)})
        found: list[Interval] = []
        for begin, stop in pairwise(cuts):
            cells = [
                (time, (number + other - asked) % len(names), other)
                for time, occurrences in trace[begin:stop]
                for other in range(BESIDE)
                for number, name in enumerate(names)
                if name in occurrences
            ]
            times, types, traces = np.array(cells, np.int64).reshape(-1, 3).T
            for detected in (*blocks.detect(Rows(times, types, traces, None)), *blocks.finish()):
                spans = zip(detected.starts.tolist(), detected.ends.tolist(), strict=True)
                of = [] if detected.partitions is None else detected.partitions.tolist()
                found += [Interval(*span) for span, other in zip(spans, of, strict=True) if other == asked]
        return found
