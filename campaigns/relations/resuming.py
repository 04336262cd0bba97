"""A detector that is replaced in mid-stream by fresh ones, each of which goes on from the stored state."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from detectors.adapters import AnyFactory
from detectors.protocol import NodeState, Snapshot
from semantics.errors import LimitExceeded
from semantics.expressions import Expression
from semantics.occurrences import Time, Value


@runtime_checkable
class _Resumable(Protocol):
    """A detector of instances (`detectors.protocol.ResumableDetector`) or of starts and ends, with a stored state."""

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Any: ...

    def state(self) -> tuple[NodeState, ...]: ...

    def snapshot(self) -> Snapshot: ...

    def restore(self, snapshot: Snapshot) -> None: ...


class Resumed:
    """A detector whose place a fresh one takes now and then: its state goes over as a JSON text."""

    def __init__(self, factory: AnyFactory, expression: Expression, when: Callable[[int], bool]) -> None:
        """Begin with the first one.

        Args:
            factory: makes each of them.
            expression: what is detected.
            when: whether it happens before the instant with a number, from 0.

        Raises:
            LimitExceeded: such a detector does not store its state between two instants.
        """
        self._factory = factory
        self._expression = expression
        self._when = when
        self._instants = 0
        self._detector = self._fresh()

    def _fresh(self) -> _Resumable:
        detector = self._factory(self._expression)
        if not isinstance(detector, _Resumable):
            raise LimitExceeded("it does not store its state between two instants")
        return detector

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Any:
        """What the detector reports whose turn it is."""
        if self._when(self._instants):
            text = json.dumps(self._detector.snapshot())
            self._detector = self._fresh()
            self._detector.restore(json.loads(text))
        self._instants += 1
        return self._detector.step(time, occurrences)

    def state(self) -> tuple[NodeState, ...]:
        """What the detector remembers whose turn it is."""
        return self._detector.state()
