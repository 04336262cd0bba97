"""The protocol of engines for rules, and how they are fed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

from semantics.events import Event, Time


@dataclass
class Counts:
    """Steps, tuples stored after each (sum and peak) and looked at in joins; right sides evaluated, and avoided."""

    steps: int = 0
    stored: int = 0
    peak: int = 0
    candidates: int = 0
    evaluated: int = 0
    avoided: int = 0

    @property
    def mean(self) -> float:
        return self.stored / self.steps if self.steps else 0.0

    def after_step(self, stored: int) -> None:
        self.steps += 1
        self.stored += stored
        self.peak = max(self.peak, stored)


class Engine(Protocol):
    """Evaluates a program step by step, in strictly increasing order of time.

    A step at time t is given all base events that end at t; it yields exactly the answers that happen at t. There has
    to be a step at each time at which an event ends, and at each time at which a timer is due.
    """

    def step(self, time: Time, given: Sequence[Event], /) -> Sequence[Event]:
        """The answers that happen at a time, given the events that end at it."""

    def due(self) -> Time | None:
        """When the next timer is due; None if none is pending."""

    def snapshot(self) -> dict[str, Any]:
        """The state as plain data."""

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Take up a state that `snapshot` of an engine of the same plan made, in the place of its own."""


class Answer(NamedTuple):
    """An answer, or the withdrawal of one that is not derived after all."""

    event: Event
    withdrawn: bool = False


def answers(engine: Engine, events: Iterable[Event], until: Time | None = None) -> Iterator[Event]:
    """The answers to events in the order of time, then of timers up to a time; of all of them where it is None."""
    for time, given in groupby(events, key=attrgetter("time")):
        yield from timers(engine, time - 1)
        yield from engine.step(time, list(given))
    yield from timers(engine, until)


def timers(engine: Engine, until: Time | None) -> Iterator[Event]:
    """The answers at times at which only timers are due, up to a time; up to the last one where it is None."""
    while (due := engine.due()) is not None and (until is None or due <= until):
        yield from engine.step(due, ())
