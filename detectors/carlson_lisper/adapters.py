"""Detectors of starts and ends, for trying them on cases.

One instant after the other, `detectors.carlson_lisper.steppers.Spans` has the shape of `protocol.Detector` and reports
intervals in the place of instances. What answers only after a whole trace is a `TraceDetector`: it gets the trace and
says what it found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import cycle, pairwise
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np

from detectors.carlson_lisper.blocks import Blocks
from detectors.carlson_lisper.protocol import Detector
from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Time, Value
from semantics.events import Interval
from semantics.traces.columns import Rows

Instant: TypeAlias = tuple[Time, Mapping[str, Value]]
"""A time in ticks, with the values of the events that occur then, by event type."""

BESIDE, BLOCKS = 3, 4
"""The evaluation by arrays gets so many traces beside each other, and about so many blocks."""


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


class Choices:
    """Numbers that are determined by an expression and a trace, the same on every machine."""

    def __init__(self, expression: Expression, trace: Sequence[Instant]) -> None:
        """Begin with the first number."""
        text = f"{expression} {[(time, sorted(occurrences)) for time, occurrences in trace]}"
        self._bytes = cycle(hashlib.shake_256(text.encode()).digest(256))

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1; limits up to some thousands."""
        return (next(self._bytes) << 8 | next(self._bytes)) % limit


class Blockwise:
    """The evaluation by arrays, fed in blocks, the trace alone or beside others in which other events occur.

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
        many = 1 + choices.below(BESIDE)
        asked = choices.below(many)
        cuts = sorted({0, *(choices.below(len(trace) + 1) for _ in range(BLOCKS)), len(trace)})
        found: list[Interval] = []
        for begin, stop in pairwise(cuts):
            cells = [
                (time, (number + other - asked) % len(names), other)
                for time, occurrences in trace[begin:stop]
                for other in range(many)
                for number, name in enumerate(names)
                if name in occurrences
            ]
            times, types, traces = np.array(cells, np.int64).reshape(-1, 3).T
            rows = Rows(times, types, traces if many > 1 else None, None)
            for detected in (*blocks.detect(rows), *blocks.finish()):
                spans = zip(detected.starts.tolist(), detected.ends.tolist(), strict=True)
                of = [asked] * len(detected.ends) if detected.partitions is None else detected.partitions
                found += [Interval(*span) for span, other in zip(spans, of, strict=True) if other == asked]
        return found
