"""A detector that is asked at the end for a step into the past, which it has to refuse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaigns.judge import Failed, Kind
from campaigns.relations.resuming import Resumable, successor
from detectors.adapters import AnyFactory, TraceDetector
from detectors.protocol import NodeState
from semantics.errors import LimitExceeded
from semantics.expressions import Expression
from semantics.occurrences import Time, Value


class TurnedBack:
    """A detector that gets one more instant after the last one, at a time that is not later."""

    def __init__(
        self, factory: AnyFactory, expression: Expression, last: Time, back: Time, *, stored: bool
    ) -> None:
        """Begin.

        Args:
            factory: makes the detector.
            expression: what is detected.
            last: the time of the last instant.
            back: the time of the step after it, not later.
            stored: whether a fresh one with its state is asked in its place, if it can be stored.

        Raises:
            LimitExceeded: it takes whole traces, whose order is not its concern.
        """
        detector = factory(expression)
        if isinstance(detector, TraceDetector):
            raise LimitExceeded("it takes whole traces")
        self._factory, self._expression = factory, expression
        self._last, self._back, self._is_stored = last, back, stored
        self._detector: Any = detector

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Any:
        """What the detector reports.

        Raises:
            Failed: it takes the step into the past, or refuses it with something else than a `ValueError`.
        """
        report = self._detector.step(time, occurrences)
        if time == self._last:
            self._ask(dict(occurrences))
        return report

    def _ask(self, occurrences: Mapping[str, Value]) -> None:
        detector, said = self._detector, f"a step at {self._back} after one at {self._last}"
        if self._is_stored and isinstance(detector, Resumable):
            detector = successor(detector, self._factory, self._expression)
            said += " and a restored snapshot"
        try:
            detector.step(self._back, occurrences)
        except ValueError:
            return
        except Exception as error:
            said += f" raised {type(error).__name__}"
        else:
            said += " was taken"
        raise Failed(Kind.PROTOCOL, f"{said}; a ValueError is expected")

    def state(self) -> tuple[NodeState, ...]:
        """What the detector remembers."""
        states: tuple[NodeState, ...] = self._detector.state()
        return states
