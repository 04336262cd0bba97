"""Feeding of engines: a step at each time at which an event ends, and at each time at which a timer is due."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter

from detectors.bry_eckert.protocol import Engine
from semantics.events import Event, Time


def answers(engine: Engine, events: Iterable[Event], *, flush: bool = True) -> Iterator[Event]:
    """The answers to events in the order of their times, each as soon as it happens.

    Args:
        engine: the engine.
        events: the events by the time at which they end.
        flush: whether time goes on after the last event, until no timer is pending.
    """
    for time, given in groupby(events, key=attrgetter("time")):
        due = engine.due()
        if due is not None and due < time:
            yield from timers(engine, time - 1)
        yield from engine.step(time, list(given))
    if flush:
        yield from timers(engine, None)


def timers(engine: Engine, until: Time | None) -> Iterator[Event]:
    """The answers at times at which only timers are due, up to a time; up to the last one where it is None."""
    while (due := engine.due()) is not None and (until is None or due <= until):
        yield from engine.step(due, ())
