"""The detection of a program of rules by keys: what its engines are given, and what they say."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial, reduce
from typing import Any, TypeAlias

from pyspark.sql.types import StringType, StructField

from detectors.bry_eckert.adding import Growing
from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.correcting import Answer, Correcting
from detectors.bry_eckert.feeding import answers, timers
from detectors.bry_eckert.protocol import Engine
from detectors.bry_eckert.watch import noticed
from semantics.bry_eckert.algebra.planning import planned, read_choices
from semantics.bry_eckert.axioms import Violation, shown
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.traces import events_of, form_of
from semantics.events import Event, Time
from semantics.traces import files
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition, Row
from streaming.keyed import ADDITIONS, LATE, PENDING, SHARDS, KeyedDetection, Stepped

DETECTED, WITHDRAWN, BROKEN = "detected", "withdrawn", "broken"

Said: TypeAlias = Answer | Violation
"""An answer, or that it is withdrawn; or how an event breaks an axiom."""


@dataclass(frozen=True)
class Added:
    """Rules that were added to a stream that goes on.

    Attributes:
        program: their text.
        engine: a name of `detectors.bry_eckert.catalogue.ENGINES`.
        past: how many ticks of the past they see; all that they need where it is None.
        doubtful: as of `Settings`.
    """

    program: str
    engine: str
    past: Time | None
    doubtful: frozenset[tuple[str, int]] = frozenset()


@dataclass(frozen=True)
class Settings(KeyedDetection[Said]):
    """What is detected and how; travels to the workers.

    Attributes:
        program: the text of the program with which the stream began.
        choices: the text of a plan (`semantics.bry_eckert.algebra.planning`); "" for the order of the rules.
        engine: a name of `detectors.bry_eckert.catalogue.ENGINES`.
        wanted: the event types whose answers are wanted, besides those that are derived by what was added.
        lateness: a time is done when one that is greater by more than this was seen, in ticks.
        partition_by: the column whose values have a log each.
        keys: without such a column, the key of each event type; None where there is none.
        corrections: whether answers do not wait for what may come late, and are corrected where it comes.
        doubtful: the stores of which nothing is dropped (`semantics.bry_eckert.algebra.plans.Plan`).
        keep: for how many ticks events and answers are kept for what is added.
        added: what was added, in its order.
        live: whether more may come; if not, all times are done when the rows of a shard have been read.
    """

    program: str
    choices: str
    engine: str
    wanted: frozenset[str]
    lateness: Time
    partition_by: str | None
    keys: tuple[tuple[str, str], ...] | None
    corrections: bool = False
    doubtful: frozenset[tuple[str, int]] = frozenset()
    keep: Time = 0
    added: tuple[Added, ...] = ()
    live: bool = True

    kinds = (DETECTED, WITHDRAWN, LATE, PENDING, BROKEN)
    columns = (StructField("attributes", StringType()),)

    def question(self) -> dict[str, object]:
        """What a checkpoint belongs to."""
        return {
            "program": self.program,
            "plan": self.choices,
            "detector": self.engine,
            "answers": sorted(self.wanted),
            "lateness": self.lateness,
            "key": self.partition_by,
            "shards": self.shards,
            **({"corrections": True} if self.corrections else {}),
            **({"keep": self.keep} if self.keep else {}),
            **({ADDITIONS: [to_json(one) for one in self.added]} if self.added else {}),
        }

    @property
    def additions(self) -> int:
        """How often rules were added."""
        return len(self.added)

    def grown(self, engine: str, done: Time) -> str:
        """The state of an engine, with the rules that it does not have yet."""
        if not engine or not self.added:
            return engine  # what is made afresh has them
        state = json.loads(engine)
        if "parts" not in state:
            state = {"parts": [state], "history": [], "forgotten": None}
        growing = _growing(replace(self, added=self.added[: len(state["parts"]) - 1]))
        growing.restore(state)
        for one in self.added[len(state["parts"]) - 1 :]:
            growing.add(_engine(one), done, one.past)
        return json.dumps(growing.snapshot())

    def reached(self, clock: Time, done: Time) -> Time:
        """The greatest time of any row, where answers do not wait."""
        return clock if self.corrections else done

    @property
    def shards(self) -> int:
        """How many shards there are: one for a program without a key."""
        return 1 if self.partition_by is None and self.keys is None else SHARDS

    def rows(self, path: str, reading: Reading) -> Iterator[Row]:
        """The rows of a file with what the program reads."""
        program = whole_of(self)
        reading = replace(reading.with_tick(program.tick, "program"), partition_by=self.partition_by)
        yield from files.read_rows(path, reading, form=form_of(program))

    def events(self, row: Row) -> Iterable[Event]:
        """The event of a row, if the program reads its type."""
        return events_of((row,), whole_of(self))

    def key_of(self, event: Event, partition: Partition) -> str | None:
        """The value of the column, or of the attribute that is the key of the type."""
        if self.partition_by is not None or self.keys is None:
            return super().key_of(event, partition)
        value = event.attributes.get(dict(self.keys).get(event.type, ""))
        return None if value is None else json.dumps(value)

    def step(self, engine: str, ready: Sequence[Event], until: Time | None) -> Stepped[Said]:
        """The answers in the order of their times, then how axioms are broken."""
        if self.corrections:
            return self._corrected(engine, ready, until)
        stepping, initial = engine_of(self)
        stepping.restore(json.loads(engine or initial))
        noticed(stepping)  # of another key, where that one failed
        found = [*answers(stepping, ready, flush=False), *timers(stepping, until)]
        times = [stepping.due()]
        if isinstance(stepping, Growing):
            times += [None if until is None else stepping.forget(until)]
            stepping.forgotten = None  # all keys keep equally much, also one whose state is empty
        snapshot = json.dumps(stepping.snapshot())
        unwanted = set(program_of(self.program).derived) - self.wanted
        said: list[Said] = [Answer(event) for event in found if event.type not in unwanted]
        due = min((time for time in times if time is not None), default=None)
        return Stepped([*said, *noticed(stepping)], "" if snapshot == initial else snapshot, due)

    def _corrected(self, engine: str, ready: Sequence[Event], until: Time | None) -> Stepped[Said]:
        """Answers and corrections in the order in which they are given, then how axioms are broken."""
        correcting, initial = correcting_of(self)
        correcting.restore(json.loads(engine or initial))
        noticed(correcting)
        said: list[Said] = [
            answer for answer in correcting.catch_up(ready, until) if answer.event.type in self.wanted
        ]
        correcting.settle(None if until is None else until - self.lateness - 1)
        snapshot = "" if correcting.idle else json.dumps(correcting.snapshot())
        first, due = correcting.unsettled(), correcting.due()
        times = [] if first is None else [first + self.lateness + 1]
        following = min(times if due is None else [*times, due], default=None)
        return Stepped([*said, *noticed(correcting)], snapshot, following)

    def row(self, said: Said, key: str, *, pending: bool) -> Mapping[str, Any]:
        """The row of an answer, or of an event that breaks an axiom, with that and the event that it contradicts."""
        if isinstance(said, Answer):
            return self._row(
                said.event, key, PENDING if pending else WITHDRAWN if said.withdrawn else DETECTED
            )
        more = {"axiom": str(said.axiom), "earlier": shown(said.earlier)}
        event = said.event._replace(attributes={**said.event.attributes, **more})
        return self._row(event, key, BROKEN)

    def late(self, event: Event, key: str) -> Mapping[str, Any]:
        """The row of an event that was not taken."""
        return self._row(event, key, LATE)

    def _row(self, event: Event, key: str, kind: str) -> Mapping[str, Any]:
        data = {"start": event.start, "time": event.time, "event": event.type, **event.attributes}
        attributes = json.dumps(dict(event.attributes), ensure_ascii=False)
        return self.row_of({**data, "kind": kind}, key, attributes=attributes)


program_of = lru_cache(maxsize=8)(parse)
"""The program that a text states; read once in a process."""


def to_json(added: Added) -> list[Any]:
    """What was added, as plain data."""
    return [added.program, added.engine, added.past, sorted(map(list, added.doubtful))]


def added_from(data: Sequence[Any]) -> Added:
    """What `to_json` has written."""
    program, engine, past, doubtful = data
    return Added(program, engine, past, frozenset((point, number) for point, number in doubtful))


@lru_cache(maxsize=8)
def whole_of(settings: Settings) -> Program:
    """The rules of a stream, those that were added among them."""
    programs = (settings.program, *(one.program for one in settings.added))
    return reduce(Program.united, map(program_of, programs))


@lru_cache(maxsize=8)
def engine_of(settings: Settings) -> tuple[Engine, str]:
    """An engine and its initial state; made once in a process, for all keys."""
    engine: Engine = _growing(settings) if settings.keep or settings.added else _made(settings)
    return engine, json.dumps(engine.snapshot())


@lru_cache(maxsize=8)
def correcting_of(settings: Settings) -> tuple[Correcting, str]:
    """The engines of a detection with corrections and their initial state; made once in a process, for all keys."""
    correcting = Correcting(partial(_made, settings))
    return correcting, json.dumps(correcting.snapshot())


def _growing(settings: Settings) -> Growing:
    growing = Growing(_made(settings), settings.keep)
    for one in settings.added:
        growing.add(_engine(one), -1)
    return growing


def _made(settings: Settings) -> Engine:
    return _engine(settings, settings.choices)


def _engine(of: Settings | Added, choices: str = "") -> Engine:
    program = program_of(of.program)
    plan = planned(program, read_choices(choices, program) if choices else {})
    return ENGINES[of.engine](program, replace(plan, doubtful=of.doubtful), frozenset())
