"""Detections over the instants of a trace: one for each partition."""

from __future__ import annotations

from collections.abc import Iterator

from detectors.carlson_lisper.protocol import Report
from detectors.carlson_lisper.steppers import Maker, Stepper
from detectors.carlson_lisper.steppers import WrongDetector as WrongDetector
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Time, Value
from semantics.traces.instants import Instant
from semantics.traces.rows import Partition


def key_of(partition: Partition) -> str:
    """A key as text, in which numbers and texts are apart; what ends at one time is ordered by it."""
    return "" if partition is None else f"{'t' if isinstance(partition, str) else 'n'}{partition}"


class Detection:
    """A detection that goes on from instant to instant.

    Attributes:
        time: of the last instant; -1 before the first.
        last: what occurred then, of the relevant types.
    """

    def __init__(self, expression: Expression, maker: Maker) -> None:
        """Begin with no detectors."""
        self.relevant = identifiers(expression)
        self.detectors: dict[Partition, Stepper] = {}
        self.time: Time = -1
        self.last: frozenset[tuple[Partition, str]] = frozenset()
        self._make = maker

    def instant(self, instant: Instant) -> Iterator[tuple[Partition, Report]]:
        """What ends at an instant, each as soon as it is found, ordered by partition.

        Raises:
            InputError: the detector does not take the expression.
            WrongDetector: it breaks down or reports nonsense.
        """
        time, rows = instant
        occurring: dict[Partition, dict[str, Value]] = {}
        for row in rows:
            if row.event in self.relevant:
                occurring.setdefault(row.partition, {})[row.event] = row.value
        for partition in sorted(occurring, key=key_of):
            values = occurring[partition]
            found = self.detector(partition).step(time, values)
            if found is not None:
                yield partition, found
        self.time = time
        self.last = frozenset((partition, event) for partition in occurring for event in occurring[partition])

    def detector(self, partition: Partition) -> Stepper:
        """The detector of a partition."""
        found = self.detectors.get(partition)
        if found is None:
            found = self.detectors[partition] = self._make()
        return found
