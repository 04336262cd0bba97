"""Starts and ends by a detector of instances: for expressions with more event types than a letter has bits."""

from __future__ import annotations

from collections.abc import Sequence

from detectors import feeds
from detectors.intervals import Detections, Letters, Snapshot, Times, event_types
from detectors.protocol import ResumableDetector
from semantics.errors import InputError
from semantics.expressions import Expression
from semantics.occurrences import Time


class InstanceIntervals:
    """The starts and ends of the instances that a detector finds.

    A letter may have any number of bits; arrays of more than 64 have the type `object`.

    Attributes:
        names: the event types of the expression.
        detector: finds the instances.
    """

    def __init__(self, expression: Expression, detector: ResumableDetector) -> None:
        """Take a detector for the expression."""
        self.names = event_types(expression)
        self.detector = detector
        self._now: Time = -1

    def step(self, time: Time, letter: int) -> Time:
        """The greatest start of an instance that ends at this instant, or -1; see `IntervalDetector.step`."""
        occurring = {name: None for bit, name in enumerate(self.names) if letter >> bit & 1}
        self._check(time)
        instance = self.detector.step(time, occurring)
        self._now = time
        return -1 if instance is None else instance.start

    def chunk(self, letters: Letters, first: Time) -> Detections:
        """What ends within a stretch of a trace; see `IntervalDetector.chunk`."""
        self._check(first)
        found = feeds.chunk_by_steps(self.step, letters, first)
        self._now = max(self._now, first + len(letters) - 1)
        return found

    def events(self, times: Times, letters: Letters) -> Detections:
        """What ends at some instants; see `IntervalDetector.events`."""
        if len(times):
            self._check(int(times[0]))
            feeds.require_order(times)
        return feeds.events_by_steps(self.step, times, letters)

    def sparse(self, columns: Sequence[Times]) -> Detections:
        """What ends in a trace given as the times of each event type; see `IntervalDetector.sparse`."""
        at: dict[Time, int] = {}
        for bit, column in enumerate(columns):
            for time in column.tolist():
                at[time] = at.get(time, 0) | 1 << bit
        if at:
            self._check(min(at))
        return feeds.detections(
            (start, time) for time, letter in sorted(at.items()) if (start := self.step(time, letter)) >= 0
        )

    def _check(self, first: Time) -> None:
        if first <= self._now:
            raise ValueError(f"time {first} is not later than time {self._now} of the instant before")

    def snapshot(self) -> Snapshot:
        """The state after the last instant."""
        return {"now": self._now, "instances": dict(self.detector.snapshot())}

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a state that a detector for the same expression had; see `IntervalDetector.restore`."""
        stored, now = snapshot.get("instances"), snapshot.get("now")
        if not isinstance(stored, dict) or type(now) is not int:
            raise InputError("the snapshot is not one of a detector of instances for starts and ends")
        self.detector.restore(stored)
        self._now = now
