"""The detectors of a keyed stream behind one form: one object serves all keys, each from its own snapshot."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from detectors.catalogue import DETECTORS
from detectors.choice import Input, again, choose, obstacle
from detectors.intervals import IntervalDetector
from detectors.protocol import ResumableDetector, Snapshot
from semantics.errors import InputError
from semantics.expressions import Expression
from semantics.occurrences import Instance, Time, Value
from semantics.syntax import parse

AUTO = "auto"
"""The name that leaves it to `detectors.choice`."""

OF_INTERVALS = ("generated", "register-machine")
"""The detectors of starts and ends that have a name here."""


class Found(NamedTuple):
    """What was detected at an instant, its end.

    Attributes:
        start: the latest start of an instance that ends then, in ticks.
        instance: the instance, where instances are found.
    """

    start: Time
    instance: Instance | None


class Finder(Protocol):
    """A detector that is fed instant by instant and can be brought into any state."""

    def step(self, time: Time, values: Mapping[str, Value]) -> Found | None:
        """What ends at an instant."""

    def snapshot(self) -> Snapshot:
        """The state after the last instant."""

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a state."""


class _Intervals:
    def __init__(self, detector: IntervalDetector) -> None:
        self._step = detector.step
        self._bits = {name: 1 << bit for bit, name in enumerate(detector.names)}
        self.snapshot = detector.snapshot
        self.restore = detector.restore

    def step(self, time: Time, values: Mapping[str, Value]) -> Found | None:
        letter = 0
        for name in values:
            letter |= self._bits[name]
        start = self._step(time, letter)
        return None if start < 0 else Found(start, None)


class _Instances:
    def __init__(self, detector: ResumableDetector, *, keeps: bool) -> None:
        self._step = detector.step
        self._keeps = keeps
        self.snapshot = detector.snapshot
        self.restore = detector.restore

    def step(self, time: Time, values: Mapping[str, Value]) -> Found | None:
        instance = self._step(time, values)
        if instance is None:
            return None
        return Found(instance.start, instance if self._keeps else None)


def resolve(name: str, expression: Expression, *, instances: bool) -> str:
    """The name of the detector that `auto` stands for; any other name, if it is one.

    Raises:
        InputError: there is no such detector, or it does not do this.
    """
    if name == AUTO:
        return choose(expression, _input(instances)).name
    if name in OF_INTERVALS:
        if instances:
            raise InputError(
                f"{name} detects starts and ends alone",
                remedy="Ask for no more: --intervals, or instances=False.",
            )
        if again(name, expression, _input(instances)) is None:
            why = obstacle(name, expression, _input(instances))
            raise InputError(f"{name} cannot be taken: {why}", remedy=f"Leave it to {AUTO}.")
    elif name not in DETECTORS:
        known = ", ".join((AUTO, *DETECTORS, *OF_INTERVALS))
        raise InputError(f"there is no detector {name!r} for streams", remedy=f"Known: {known}.")
    return name


def is_bounded(name: str, expression: str, *, instances: bool) -> bool:
    """Whether the state of a detector is known not to grow with its input."""
    choice = again(name, parse(expression), _input(instances))
    return choice is not None and choice.bounded


@lru_cache(maxsize=8)
def finder(name: str, expression: str, *, instances: bool) -> tuple[Finder, Snapshot]:
    """A detector and its initial state; made once in a process, since code may be generated for it.

    Args:
        name: as `resolve` gives it.
        expression: as it is printed.
        instances: whether instances are to be found.

    Raises:
        InputError: there is no such detector here.
    """
    pattern = parse(expression)
    choice = again(name, pattern, _input(instances))
    detector: Any = choice.make() if choice is not None else DETECTORS[name](pattern)
    made: Finder = _Intervals(detector) if name in OF_INTERVALS else _Instances(detector, keeps=instances)
    # Through JSON once, so that the initial state has the form of every later one.
    return made, json.loads(json.dumps(made.snapshot()))


def _input(instances: bool) -> Input:
    return Input(wanted="instances" if instances else "intervals", compiles=False)
