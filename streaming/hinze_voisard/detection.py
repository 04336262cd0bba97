"""The continuous evaluation of profiles in the files of a folder: each key has an interval of its own."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pyspark.sql.types import LongType, StringType, StructField

from detectors.hinze_voisard.engine import Engine, notifications
from semantics.events import Event, Time
from semantics.hinze_voisard.evaluation import FORM, Notification, event_of, said_data
from semantics.hinze_voisard.profiles import ProfileFile
from semantics.hinze_voisard.syntax import parse
from semantics.traces import files
from semantics.traces.reading import Reading
from semantics.traces.rows import Row
from streaming.keyed import LATE, PENDING, KeyedDetection, Stepped


@dataclass(frozen=True)
class ProfileDetection(KeyedDetection[Notification]):
    """The continuous evaluation of the wanted profiles of a text, which may state no tick.

    Time events and the ends of negations count up to the last event of a key, as in an evaluation of its events alone.
    """

    lateness: Time
    partition_by: str | None
    text: str
    tick: str
    wanted: tuple[str, ...]
    live: bool = True

    kinds = ("announced", "withdrawn", LATE, PENDING)
    columns = (StructField("at", LongType()), StructField("says", StringType()), StructField("events", StringType()))

    def question(self) -> dict[str, object]:
        return {"profiles": self.text, "answers": list(self.wanted)}

    def rows(self, path: str, reading: Reading) -> Iterator[Row]:
        reading = reading.with_tick(_file(self).tick, "file")
        yield from files.read_rows(path, replace(reading, partition_by=self.partition_by), form=FORM)

    def events(self, row: Row) -> Iterable[Event]:
        return (event_of(row),)

    def step(self, engine: str, ready: Sequence[Event], until: Time | None) -> Stepped[Notification]:
        if not ready:
            return Stepped([], engine, None)
        stepping, initial = _engine(self)
        stepping.restore({"profiles": _file(self).text, **json.loads(engine or initial)})
        said = list(notifications(stepping, ready))
        return Stepped(said, _snapshot(stepping), None)

    def ended(self, engine: str, ready: Sequence[Event], until: Time | None) -> Stepped[Notification]:
        first = self.step(engine, ready, until)
        if until is None or not first.engine or until <= json.loads(first.engine)["time"][1]:
            return first
        stepping, _ = _engine(self)
        stepping.restore({"profiles": _file(self).text, **json.loads(first.engine)})
        return first._replace(said=[*first.said, *stepping.step(until, ())])

    def row(self, said: Notification, key: str, *, pending: bool) -> Mapping[str, Any]:
        data = said_data(said)
        events = json.dumps(data["events"], ensure_ascii=False)
        says = {"says": said.kind} if pending else {}
        return self.row_of(
            {**data, **says}, key, PENDING if pending else said.kind, at=said.time, says=said.kind, events=events
        )

    def late(self, event: Event, key: str) -> Mapping[str, Any]:
        data = {"start": event.start, "time": event.time, "event": event.type, **event.attributes}
        return self.row_of(data, key, LATE, at=None, says=None, events=None)


@lru_cache(maxsize=8)
def _file(detection: ProfileDetection) -> ProfileFile:
    return parse(detection.text, detection.tick).only(detection.wanted)


@lru_cache(maxsize=8)
def _engine(detection: ProfileDetection) -> tuple[Engine, str]:
    """An engine and its initial state; made once in a process, for all keys."""
    engine = Engine(_file(detection))
    return engine, _snapshot(engine)


def _snapshot(engine: Engine) -> str:
    """The state without the profiles, which are the same for all keys."""
    return json.dumps({name: value for name, value in engine.snapshot().items() if name != "profiles"})
