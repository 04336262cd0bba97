"""Detection by rules in a stream of Spark: a DataFrame of events goes in, one of answers comes out, live or not.

Source, sink, trigger and checkpoint are the user's. In a live stream an answer is given when time has passed it, which
is the greatest time of any row less the lateness; otherwise all times are done at the end.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeAlias

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import DataType, IntegralType, StringType, StructField

from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR, ENGINES, Correcting
from detectors.bry_eckert.protocol import Answer, Engine, answers
from detectors.bry_eckert.watch import noticed
from semantics.bry_eckert.algebra.planning import planned, read_choices
from semantics.bry_eckert.algebra.plans import Name
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import Violation, shown
from semantics.bry_eckert.programs import Axiom, Program, Rule, Unique
from semantics.bry_eckert.terms import Variable
from semantics.bry_eckert.traces import events_of, form_of
from semantics.errors import InputError
from semantics.events import Event, Time
from semantics.traces import files
from semantics.traces.reading import Reading
from semantics.traces.rows import MAX_TIME, Origin, Partition, Row
from streaming.keyed import LATE, PACKS, PENDING, SHARDS, KeyedDetection, Stepped, packs_of, require_columns

DETECTED, WITHDRAWN, BROKEN = "detected", "withdrawn", "broken"

Said: TypeAlias = Answer | Violation

_ORIGIN = Origin("the stream", "row")


@dataclass(frozen=True)
class Settings(KeyedDetection[Said]):
    """Settings of a detection, program and plan as texts; they travel to the workers.

    Without a column `partition_by`, `keys` has the key of each event type, if there is one. Nothing is dropped of the
    stores that are `doubtful` (`semantics.bry_eckert.algebra.plans.Plan`).
    """

    program: str
    choices: str
    engine: str
    wanted: frozenset[str]
    lateness: Time
    partition_by: str | None
    keys: tuple[tuple[str, str], ...] | None
    corrections: bool = False
    doubtful: frozenset[tuple[Name, int]] = frozenset()
    live: bool = True

    kinds = (DETECTED, WITHDRAWN, LATE, PENDING, BROKEN)
    columns = (StructField("attributes", StringType()),)

    def question(self) -> dict[str, object]:
        return {
            "program": self.program,
            "plan": self.choices,
            "detector": self.engine,
            "answers": sorted(self.wanted),
            **({"corrections": True} if self.corrections else {}),
        }

    def reached(self, clock: Time, done: Time) -> Time:
        return clock if self.corrections else done

    @property
    def shards(self) -> int:
        return 1 if self.partition_by is None and self.keys is None else SHARDS

    def rows(self, path: str, reading: Reading) -> Iterator[Row]:
        program = program_of(self.program)
        reading = replace(reading.with_tick(program.tick, "program"), partition_by=self.partition_by)
        return files.read_rows(path, reading, form=form_of(program))

    def events(self, row: Row) -> Iterable[Event]:
        return events_of((row,), program_of(self.program))

    def key_of(self, event: Event, partition: Partition) -> str | None:
        if self.partition_by is not None or self.keys is None:
            return super().key_of(event, partition)
        value = event.attributes.get(dict(self.keys).get(event.type, ""))
        return None if value is None else json.dumps(value)

    def step(self, engine: str, ready: Sequence[Event], until: Time | None) -> Stepped[Said]:
        stepping, initial = _engine(self)
        stepping.restore(json.loads(engine or initial))
        noticed(stepping)  # of another key, where that one failed
        first = None
        if isinstance(stepping, Correcting):
            found = [*stepping.take(ready), *stepping.go_on(until)]
            stepping.settle(None if until is None else until - self.lateness - 1)
            first = stepping.unsettled()
        else:
            found = list(map(Answer, answers(stepping, ready, until)))
        said: list[Said] = [answer for answer in found if answer.event.type in self.wanted]
        due, snapshot = stepping.due(), json.dumps(stepping.snapshot())
        times = (due, None if first is None else first + self.lateness + 1)
        idle = stepping.idle if isinstance(stepping, Correcting) else snapshot == initial
        next_time = min((time for time in times if time is not None), default=None)
        return Stepped([*said, *noticed(stepping)], "" if idle else snapshot, next_time)

    def row(self, said: Said, key: str, *, pending: bool) -> Mapping[str, Any]:
        if isinstance(said, Violation):
            more = {"axiom": str(said.axiom), "earlier": shown(said.earlier)}
            return self._row(said.event._replace(attributes={**said.event.attributes, **more}), key, BROKEN)
        kind = WITHDRAWN if said.withdrawn else DETECTED
        return self._row(said.event, key, PENDING if pending else kind)

    def late(self, event: Event, key: str) -> Mapping[str, Any]:
        return self._row(event, key, LATE)

    def _row(self, event: Event, key: str, kind: str) -> Mapping[str, Any]:
        data = {"start": event.start, "time": event.time, "event": event.type, **event.attributes}
        attributes = json.dumps(dict(event.attributes), ensure_ascii=False)
        return self.row_of(data, key, kind, attributes=attributes)


def detections(stream: DataFrame, settings: Settings) -> DataFrame:
    """Events that a program derives from the rows of a stream, and rows that were not taken.

    The stream has the columns `time` (integers in ticks), `event` (text), perhaps `start`, and the attributes that the
    program declares; the result has `key` (of the state, as JSON), `kind`, `start` and `time` (the end) in ticks,
    `event`, `attributes` (as JSON) and `line`, all of it as a line of JSON. Kinds are `detected`, `withdrawn` (given
    and false after all), `late` (not taken) and `broken`: the row breaks an axiom, which is among its attributes with
    the event that it contradicts.

    Raises:
        InputError: a column is missing or of a wrong type, or the session does not keep state in RocksDB. A row that
            is refused ends the query with the same error; see `streaming.folder.explained`.
    """
    keys = [] if settings.partition_by is None else [settings.partition_by]
    starts = ["start"] if "start" in stream.columns else []
    kinds = {**dict.fromkeys(keys, DataType), **dict.fromkeys(("time", *starts), IntegralType)}
    require_columns(stream, {**kinds, "event": StringType})
    packs = stream.mapInArrow(partial(packs_of, detection=settings, row=partial(_row, settings)), PACKS)
    return replace(settings, live=stream.isStreaming).detected(packs)


def settings_of(
    program: Program | str,
    *,
    lateness: Time = 0,
    key: str | None = None,
    only: Iterable[str] = (),
    detector: str = DEFAULT_DETECTOR,
    choices: str = "",
    corrections: bool = False,
) -> tuple[Settings, tuple[Axiom, ...]]:
    """Settings of a detection, and the axioms that are not believed: what breaks one may have keys that are apart.

    Args:
        lateness: a time is done when one that is greater by more than this was seen, in ticks.
        key: the column each of whose values has a log of its own; without one, events are kept apart by the variable
            that all atoms have in common, where there is one.
        only: the event types whose answers are wanted; all where none is named.
        detector: whether the conditions by which it forgets are safe for the program is for the caller to decide
            (`smt.bry_eckert.relevance.doubtful`).
        choices: the text of a plan (`semantics.bry_eckert.algebra.planning`); "" for the order of the rules.
        corrections: whether answers do not wait for rows that may come late, and are corrected where they come.

    Raises:
        InputError: the program or a name is not suitable.
    """
    checked = parse(program) if isinstance(program, str) else program
    wanted = frozenset(only or checked.derived)
    for name in wanted - set(checked.derived):
        raise InputError(f"the program derives no {name}", remedy=f"It derives {', '.join(checked.derived)}.")
    if detector not in ENGINES:
        raise InputError(f"no detector is called {detector}", remedy=f"There are {', '.join(ENGINES)}.")
    keys = None if key is not None else shared_keys(checked)
    kept = tuple(axiom for axiom in checked.axioms if keys is None or within_key(axiom, keys))
    text = str(replace(checked, axioms=kept))
    own = None if keys is None else tuple(keys.items())
    settings = Settings(text, choices, detector, wanted, lateness, key, own, corrections)
    return settings, tuple(axiom for axiom in checked.axioms if axiom not in kept)


def pending(session: SparkSession, checkpoint: str | Path, settings: Settings) -> DataFrame | None:
    """Rows as of `detections`, of the kind `pending`, that waiting rows and timers would give if nothing more came.

    None if no micro-batch has been finished; the checkpoint is of a query with one detection, which has stopped.
    """
    return settings.pending(session, Path(checkpoint))


program_of = lru_cache(maxsize=8)(parse)  # The program that a text states; read once in a process


def _row(settings: Settings, cells: Mapping[str, Any], number: int) -> Row:
    """A row of the stream; `InputError` where its time is missing or out of bounds, or it has no event type."""
    time, event = cells["time"], cells["event"]
    start = time if cells.get("start") is None else cells["start"]
    if time is None or not 0 <= time <= MAX_TIME or start > time or not event:
        remedy = "A time is an integer >= 0 in ticks, a start is not later, and each row has an event type."
        raise _ORIGIN.error(0, f"a row has time {time}, start {start} and event {event!r}", remedy)
    partition = None if settings.partition_by is None else cells[settings.partition_by]
    return Row(time, event, start, cells, partition, _ORIGIN, number)


@lru_cache(maxsize=8)
def _engine(settings: Settings) -> tuple[Engine | Correcting, str]:
    """Engine and its initial state; made once in a process, for all keys."""
    made = Correcting(partial(_made, settings)) if settings.corrections else _made(settings)
    return made, json.dumps(made.snapshot())


def _made(settings: Settings) -> Engine:
    program = program_of(settings.program)
    plan = planned(program, read_choices(settings.choices, program) if settings.choices else {})
    return ENGINES[settings.engine](program, replace(plan, doubtful=settings.doubtful), frozenset())


Keys = Mapping[str, str]  # By event type the attribute that is its key


def shared_keys(program: Program) -> Keys | None:
    """The key of each event type of rules, with which most axioms can be looked after; None if not all have one."""
    every = _keys(program, program.rules, {})
    found = max(every, key=lambda keys: sum(within_key(axiom, keys) for axiom in program.axioms), default=None)
    if found is None or len({program.signatures[type].types[name] for type, name in found.items()}) != 1:
        return None  # a variable that joins an int with a float equates values that are written differently
    return found


def within_key(axiom: Axiom, keys: Keys) -> bool:
    """Whether events that break an axiom together have the same key."""
    if isinstance(axiom, Unique):
        return keys.get(axiom.type) in axiom.attributes
    first, second = (dict(atom.arguments).get(keys.get(atom.type, "")) for atom in (axiom.first, axiom.second))
    return first is not None and first == second


def _keys(program: Program, rules: Sequence[Rule], chosen: Keys) -> Iterator[Keys]:
    """All keys, those that are chosen among them, with which the atoms and the head of each rule share a variable."""
    if not rules:
        yield chosen
        return
    rule, *rest = rules
    names = rule.attributes(tuple(program.signatures[rule.head.type].types))
    places = [(rule.head.type, tuple(zip(names, rule.head.terms, strict=True)))]
    places += [(atom.type, atom.arguments) for atom in rule.read()]
    for variable in dict.fromkeys(Variable(name) for atom in rule.atoms for name in atom.variables):
        found = [chosen]
        for type, arguments in places:
            attributes = [name for name, term in arguments if term == variable]
            found = [{**keys, type: name} for keys in found for name in attributes if keys.get(type, name) == name]
        for keys in found:
            yield from _keys(program, rest, keys)
