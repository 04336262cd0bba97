"""Twins: two detectors of one expression that are alive at the same time, each with a state of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from detectors.carlson_lisper.adapters import AnyDetector, AnyFactory, Instant, TraceDetector
from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Time, Value
from semantics.events import Interval


def with_a_twin(factory: AnyFactory, expression: Expression, other: Sequence[Instant]) -> AnyDetector:
    """A detector beside another one, made just after it, that is fed another trace in turn.

    Args:
        other: the trace of the other one; from detectors of whole traces it gets it at once, before the first is fed.
    """
    first, second = factory(expression), factory(expression)
    if isinstance(first, TraceDetector):
        return _Whole(first, second, other)
    return _InTurn(first, second, other)


class _InTurn:
    """Is fed instant by instant, its twin always first."""

    def __init__(self, first: Any, second: Any, other: Sequence[Instant]) -> None:
        self._first, self._second = first, second
        self._other = iter(other)

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Any:
        instant = next(self._other, None)
        if instant is not None:
            self._second.step(*instant)
        return self._first.step(time, occurrences)

    def state(self) -> tuple[NodeState, ...]:
        states: tuple[NodeState, ...] = self._first.state()
        return states


class _Whole:
    """Answers for the whole trace, after its twin has answered for another one."""

    def __init__(self, first: Any, second: Any, other: Sequence[Instant]) -> None:
        self._first, self._second, self._other = first, second, other

    def detect_trace(self, trace: Sequence[Instant]) -> Iterable[Interval]:
        self._second.detect_trace(list(self._other))
        found: Iterable[Interval] = self._first.detect_trace(trace)
        return found
