"""What Spark runs for each shard of keys and micro-batch: events wait until their time is done, then engines step.

Keys are put into shards by a hash of their text, and every file tells every shard how far time is: so a timer of a key
is due when any row of the log is late enough, as in `remora detect`.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.feeding import answers, timers
from detectors.bry_eckert.protocol import Engine
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.planning import planned, read_choices
from semantics.errors import InputError
from semantics.events import Event, Time
from streaming.bry_eckert.keys import Keys
from streaming.errors import refusing

SHARDS = 32
"""So many groups of keys share a state in Spark; at most so many tasks work at a time."""

KEYS = "keys"
"""The name of the state of the keys of a shard."""

KEY_SCHEMA = "key string"
STATE_SCHEMA = "waiting string, engine string"
"""The state of a key: the events that wait, and the engine's snapshot, as JSON; empty before its first step."""

DETECTED, PENDING, LATE = "detected", "pending", "late"


@dataclass(frozen=True)
class Settings:
    """What is detected and how; travels to the workers.

    Attributes:
        program: the text of the program.
        choices: the text of a plan (`semantics.bry_eckert.planning`); "" for the order of the rules.
        engine: a name of `detectors.bry_eckert.catalogue.ENGINES`.
        wanted: the event types whose answers are wanted.
        lateness: a time is done when one that is greater by more than this was seen, in ticks.
        partition_by: the column whose values have a log each.
        keys: without such a column, the key of each event type; None where there is none.
    """

    program: str
    choices: str
    engine: str
    wanted: frozenset[str]
    lateness: Time
    partition_by: str | None
    keys: tuple[tuple[str, str], ...] | None

    @property
    def shards(self) -> int:
        """How many shards there are: one for a program without a key."""
        return 1 if self.partition_by is None and self.keys is None else SHARDS

    def shard(self, key: str) -> int:
        """The shard of a key, the same on every machine."""
        return zlib.crc32(key.encode()) % self.shards

    def key_of(self, event: Event, partition: object) -> str | None:
        """The key of an event as JSON; None where the event can match nothing."""
        if self.partition_by is not None:
            return json.dumps(partition)
        if self.keys is None:
            return json.dumps(None)
        value = event.attributes.get(self._key_attributes.get(event.type, ""))
        return None if value is None else json.dumps(value)

    @property
    def _key_attributes(self) -> Keys:
        return dict(self.keys or ())


program_of = lru_cache(maxsize=8)(parse)
"""The program that a text states; read once in a process."""


@lru_cache(maxsize=8)
def engine_of(settings: Settings) -> tuple[Engine, str]:
    """An engine and its initial state; made once in a process, for all keys."""
    program = program_of(settings.program)
    plan = planned(program, read_choices(settings.choices, program) if settings.choices else {})
    engine = ENGINES[settings.engine](program, plan, frozenset())
    return engine, json.dumps(engine.snapshot())


def event_json(event: Event) -> str:
    """An event as JSON: type, start, end and attributes."""
    return json.dumps([event.type, event.start, event.time, dict(event.attributes)])


def event_from(text: str) -> Event:
    """The event that `event_json` has written."""
    type, start, time, attributes = json.loads(text)
    return Event(type, start, time, attributes)


@dataclass
class KeyState:
    """The state of one key.

    Attributes:
        waiting: events whose time is not done.
        engine: the engine's snapshot as JSON; "" before its first step.
    """

    waiting: list[Event] = field(default_factory=list)
    engine: str = ""

    @classmethod
    def restored(cls, stored: tuple[Any, ...] | None) -> KeyState:
        """The state from what was stored (`STATE_SCHEMA`)."""
        if stored is None:
            return cls()
        return cls([event_from(text) for text in json.loads(stored[0])], stored[1])

    def to_store(self) -> tuple[str, str]:
        """What is stored."""
        return json.dumps([event_json(event) for event in self.waiting]), self.engine

    def advance(self, settings: Settings, until: Time | None) -> tuple[list[Event], Time | None]:
        """Let time go on up to a time, or to the end of everything where it is None.

        Returns:
            The answers in the order of their times, and the next time at which there is something to do.

        Raises:
            InputError: the state is damaged.
        """
        ready = sorted(
            (event for event in self.waiting if until is None or event.time <= until), key=lambda at: at.time
        )
        self.waiting = [event for event in self.waiting if until is not None and event.time > until]
        engine, initial = engine_of(settings)
        engine.restore(json.loads(self.engine or initial))
        found = [*answers(engine, ready, flush=False), *timers(engine, until)]
        snapshot = json.dumps(engine.snapshot())
        self.engine = "" if snapshot == initial else snapshot
        coming = [event.time for event in self.waiting]
        due = engine.due()
        return found, min(coming if due is None else [*coming, due], default=None)


def row_of(event: Event, kind: str, key: str, settings: Settings) -> Mapping[str, Any]:
    """The row of an answer, or of an event that was not taken; `line` is what is written as JSON Lines."""
    data = {"start": event.start, "time": event.time, "event": event.type, **event.attributes}
    partition = {} if settings.partition_by is None else {"partition": json.loads(key)}
    return {
        "key": key,
        "kind": kind,
        "start": event.start,
        "time": event.time,
        "event": event.type,
        "attributes": json.dumps(dict(event.attributes), ensure_ascii=False),
        "line": json.dumps({**data, **partition, "kind": kind}, ensure_ascii=False),
    }


def pending(state: KeyState, key: str, settings: Settings) -> Iterator[Mapping[str, Any]]:
    """The rows to which the state of a key would lead if nothing more came."""
    found, _ = state.advance(settings, None)
    return (row_of(event, PENDING, key, settings) for event in found if event.type in settings.wanted)


class Processor(StatefulProcessor):
    """The detection of a program in shards of keys.

    Attributes:
        settings: what is detected.
    """

    def __init__(self, settings: Settings) -> None:
        """Take the settings; nothing is built on the driver."""
        self.settings = settings

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Ask for the states: of the keys; when each has something to do; how far time is and what is done."""
        self._keys = handle.getMapState(KEYS, KEY_SCHEMA, STATE_SCHEMA)
        self._due = handle.getMapState("due", KEY_SCHEMA, "time bigint")
        self._clock = handle.getValueState("clock", "time bigint, done bigint")

    def handleInputRows(  # noqa: N802, D102
        self, key: Any, rows: Any, timerValues: Any
    ) -> Iterator[Row]:
        with refusing():
            results = list(self._results(rows))
        for result in results:
            yield Row(**result)

    def _results(self, packs: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
        settings = self.settings
        clock, done = self._clock.get() or (-1, -1)
        arrived: dict[str, list[Event]] = {}
        for pack in packs:
            clock = max(clock, pack.clock)
            for key, text in zip(pack.keys, pack.events, strict=True):
                event = event_from(text)
                if event.time <= done:
                    yield row_of(event, LATE, key, settings)
                else:
                    arrived.setdefault(key, []).append(event)
        done = max(done, clock - settings.lateness - 1)
        due = {key: at for (key,), (at,) in self._due.iterator()}
        for key in sorted({*arrived, *(key for key, at in due.items() if at <= done)}):
            state = KeyState.restored(self._keys.getValue((key,)))
            state.waiting += arrived.get(key, ())
            found, following = state.advance(settings, done)
            for event in found:
                if event.type in settings.wanted:
                    yield row_of(event, DETECTED, key, settings)
            self._store(key, state, following)
        self._clock.update((clock, done))

    def _store(self, key: str, state: KeyState, following: Time | None) -> None:
        if following is None:
            self._due.removeKey((key,))
        else:
            self._due.updateValue((key,), (following,))
        if state.waiting or state.engine:
            self._keys.updateValue((key,), state.to_store())
        else:
            self._keys.removeKey((key,))

    def close(self) -> None:
        """Nothing is held."""


def restored_keys(stored: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, KeyState]]:
    """The states of keys from rows of a key with what was stored of it.

    Raises:
        InputError: one is damaged.
    """
    for key, *parts in stored:
        try:
            yield key, KeyState.restored(tuple(parts))
        except (ValueError, TypeError):
            raise InputError("the state of a key is damaged", place=f"key {key}") from None
