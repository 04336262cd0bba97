"""Processor of Spark for a key: events into their instants, instants into the key's detector."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from detectors.carlson_lisper.protocol import Report
from semantics.carlson_lisper.expressions import identifiers
from semantics.carlson_lisper.occurrences import Instance, Time, Value
from semantics.carlson_lisper.syntax import parse
from streaming.carlson_lisper.finders import finder
from streaming.carlson_lisper.waiting import Fate, Instant, Waiting, second_occurrence
from streaming.errors import refusing

STATE = "detection"
"""The name of the state of a key."""

STATE_SCHEMA = "time bigint, done bigint, waiting string, detector string"
"""The state of a key: of `waiting.Waiting` all three parts, and the detector's snapshot as JSON."""

DETECTED = "detected"
PENDING = "pending"


@dataclass(frozen=True)
class Settings:
    """What is detected and how; travels to the workers.

    Attributes:
        expression: as it is printed.
        detector: a name that `streaming.carlson_lisper.finders.resolve` gave.
        instances: whether instances are wanted, not only starts and ends.
        lateness: an instant is done when a time greater by more than this was seen, in ticks.
        keep_one: whether an event type that occurs twice at one time is accepted.
    """

    expression: str
    detector: str
    instances: bool
    lateness: Time
    keep_one: bool


@dataclass
class KeyState:
    """The state of one key.

    Attributes:
        waiting: events of instants that are not done.
        detector: the detector's snapshot as JSON; empty before its first instant.
    """

    waiting: Waiting
    detector: str


@dataclass(frozen=True)
class Result:
    """One row of output: a detection, or an event that was not taken.

    Attributes:
        kind: `detected`, `pending`, `late` or `repeated`.
        start: in ticks; the time of an event.
        end: in ticks; the time of an event.
        event: the type of an event that was not taken.
        instance: the occurrences as JSON, where instances are wanted.
    """

    kind: str
    start: Time
    end: Time
    event: str | None = None
    instance: str | None = None


def arrive(
    state: KeyState, settings: Settings, packs: Iterable[tuple[Any, ...]], events: frozenset[str], key: object
) -> Iterator[Result]:
    """Let the events of one key in one micro-batch arrive; gives those that are not taken.

    Args:
        state: of the key; changed.
        settings: what is detected.
        packs: times, event types and values (as JSON) in lists of one length.
        events: the event types of the pattern.
        key: for messages.

    Raises:
        InputError: an event type occurs twice at one time, and that is not accepted.
    """
    waiting = state.waiting
    for times, names, values in packs:
        waiting.see(max(times))
        for place, name in enumerate(names):
            if name not in events:
                continue
            time = times[place]
            fate = waiting.add(name, time, _value(values[place]))
            if fate is Fate.WAITS:
                continue
            if fate is Fate.REPEATED and not settings.keep_one:
                raise second_occurrence(name, time, key)
            yield Result(fate.value, time, time, event=name)


def detect(state: KeyState, settings: Settings, instants: Iterable[Instant], kind: str) -> Iterator[Result]:
    """Feed instants to the detector of a key.

    Args:
        state: of the key; changed when all is done.
        settings: what is detected.
        instants: in order of time, later than those before.
        kind: of the results.

    Raises:
        InputError: the state is another detector's, or damaged.
    """
    found, initial = finder(settings.detector, settings.expression, instances=settings.instances)
    found.restore(json.loads(state.detector) if state.detector else initial)
    for time, values in instants:
        report = found.step(time, values)
        if report is not None:
            yield _result(kind, time, report)
    state.detector = json.dumps(found.snapshot(), separators=(",", ":"))


def _result(kind: str, time: Time, found: Report) -> Result:
    text = _json(found) if isinstance(found, Instance) else None
    return Result(kind, found.start, time, instance=text)


def _json(instance: Instance) -> str:
    return json.dumps([occurrence._asdict() for occurrence in instance.sorted_occurrences()])


def _value(text: str | None) -> Value:
    value: Value = None if text is None else json.loads(text)
    return value


class Processor(StatefulProcessor):
    """The detection of one pattern in a keyed stream, with one state per key.

    Attributes:
        settings: what is detected.
        live: whether more may come; if not, all instants are done when the rows of a key have been read.
    """

    def __init__(self, settings: Settings, *, live: bool) -> None:
        """Take the settings; nothing is built on the driver."""
        self.settings = settings
        self.live = live

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Ask for the state."""
        self._events = frozenset(identifiers(parse(self.settings.expression)))
        self._state = handle.getValueState(STATE, STATE_SCHEMA)

    def handleInputRows(  # noqa: N802, D102
        self, key: Any, rows: Any, timerValues: Any
    ) -> Iterator[Row]:
        with refusing():
            state = self._restored()
            packs = ((row.times, row.events, row.values) for row in rows)
            results = list(arrive(state, self.settings, packs, self._events, key[0]))
            waiting = state.waiting
            instants = waiting.release(self.settings.lateness) if self.live else waiting.release_all()
            if instants:
                results += detect(state, self.settings, instants, DETECTED)
        self._store(state)
        for result in results:
            yield Row(
                key=key[0],
                kind=result.kind,
                start=result.start,
                end=result.end,
                event=result.event,
                instance=result.instance,
            )

    def _restored(self) -> KeyState:
        stored = self._state.get()
        if stored is None:
            return KeyState(Waiting(), "")
        return restored(stored, self._events)

    def _store(self, state: KeyState) -> None:
        waiting = state.waiting
        self._state.update((waiting.time, waiting.done, waiting.to_json(), state.detector))

    def close(self) -> None:
        """Nothing is held."""


def restored(stored: tuple[Any, ...], events: frozenset[str]) -> KeyState:
    """The state of a key from what was stored (`STATE_SCHEMA`).

    Raises:
        InputError: it is damaged, or another pattern's.
    """
    time, done, waiting, detector = stored
    return KeyState(Waiting.from_json(time, done, waiting, events), detector)
