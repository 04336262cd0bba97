"""A detector that is asked at the end for a step into the past: if it refuses that, so does its successor.

A detector need not look at times at all; whoever feeds it keeps them in order. One that looks has to store the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaigns.carlson_lisper.judge import Failed
from campaigns.carlson_lisper.relations.resuming import Resumable, resumable, successor
from campaigns.judging.verdicts import Kind
from detectors.carlson_lisper.adapters import AnyFactory
from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Time, Value


class TurnedBack:
    """A detector that is stored after the last instant, and then gets one more, at a time that is not later."""

    def __init__(self, factory: AnyFactory, expression: Expression, last: Time, back: Time) -> None:
        """Begin.

        Args:
            last: the time of the last instant.
            back: the time of the step after it, not later.

        Raises:
            LimitExceeded: the detector does not store its state between two instants.
        """
        self._factory, self._expression = factory, expression
        self._last, self._back = last, back
        self._detector = resumable(factory, expression)

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Any:
        """What the detector reports.

        Raises:
            Failed: it refuses the step into the past, but one that was restored from its state takes it.
        """
        report = self._detector.step(time, occurrences)
        if time == self._last:
            restored = successor(self._detector, self._factory, self._expression)
            if self._is_refused(self._detector, occurrences) and not self._is_refused(restored, occurrences):
                raise Failed(
                    Kind.PROTOCOL,
                    f"a step at {self._back} after one at {self._last} is refused, but taken after a restored snapshot",
                )
        return report

    def _is_refused(self, detector: Resumable, occurrences: Mapping[str, Value]) -> bool:
        try:
            detector.step(self._back, dict(occurrences))
        except (
            Exception
        ):  # by whatever it is refused; `TimeUp`, the end of the detector's time, is none of these
            return True
        return False

    def state(self) -> tuple[NodeState, ...]:
        """What the detector remembers."""
        return self._detector.state()
