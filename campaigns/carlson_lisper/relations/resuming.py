"""A detector that is stored in mid-stream: it goes on, and so does a fresh one from the stored state."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from campaigns.carlson_lisper.judge import Failed
from campaigns.judging.verdicts import Kind
from detectors.carlson_lisper.adapters import AnyFactory
from detectors.protocol import NodeState, Snapshot
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Time, Value
from semantics.errors import LimitExceeded


@runtime_checkable
class Resumable(Protocol):
    """A detector of instances (`protocol.ResumableDetector`) or of starts and ends, with a stored state."""

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Any:
        """What ends at an instant."""

    def state(self) -> tuple[NodeState, ...]:
        """What is remembered."""

    def snapshot(self) -> Snapshot:
        """The state after the last step."""

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a state."""


def successor(detector: Resumable, factory: AnyFactory, expression: Expression) -> Resumable:
    """A fresh detector that has the state of another one, by way of a JSON text.

    Raises:
        LimitExceeded: the fresh one does not store its state between two instants.
    """
    text = json.dumps(detector.snapshot())
    fresh = resumable(factory, expression)
    fresh.restore(json.loads(text))
    return fresh


def resumable(factory: AnyFactory, expression: Expression) -> Resumable:
    """A fresh detector whose state can be stored.

    Raises:
        LimitExceeded: it does not store its state between two instants.
    """
    detector = factory(expression)
    if not isinstance(detector, Resumable):
        raise LimitExceeded("it does not store its state between two instants")
    return detector


class Resumed:
    """A detector whose place a fresh one takes now and then: its state goes over as a JSON text.

    The one that was stored last is fed as well: to be stored must not change it, nor must what its successor does.
    """

    def __init__(self, factory: AnyFactory, expression: Expression, when: Callable[[int], bool]) -> None:
        """Begin with the first one.

        Args:
            when: whether it happens before the instant with a number, from 0.

        Raises:
            LimitExceeded: such a detector does not store its state between two instants.
        """
        self._factory = factory
        self._expression = expression
        self._when = when
        self._instants = 0
        self._detector = resumable(factory, expression)
        self._stored: Resumable | None = None

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Any:
        """What the detector reports whose turn it is.

        Raises:
            Failed: the one that was stored reports something else.
        """
        if self._when(self._instants):
            self._stored = self._detector
            self._detector = successor(self._stored, self._factory, self._expression)
        self._instants += 1
        report = self._detector.step(time, occurrences)
        if self._stored is not None:
            other = self._stored.step(time, occurrences)
            if other != report:
                said = f"at {time}: {_shown(other)} reported by the one that was stored"
                raise Failed(Kind.RELATION, f"{said}, {_shown(report)} by the one that goes on from there")
        return report

    def state(self) -> tuple[NodeState, ...]:
        """What the detector remembers whose turn it is."""
        return self._detector.state()


def _shown(report: object) -> str:
    return "nothing" if report is None else str(report)
