"""A log by keys on Spark: events wait until their time is done, then the engine of their key steps.

Every file tells every shard of keys how far time is, so that what is due is due when any row of the log is late enough;
where each key is a log of its own (`own_time`), its own rows alone say how far its time is.
"""

from __future__ import annotations

import json
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Row as SparkRow, SparkSession, functions as f
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.types import ArrayType, DataType, LongType, StringType, StructField, StructType

from semantics.errors import InputError
from semantics.events import Event, Time
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition, Row
from streaming.folder import ResultFormat, refusing, require_store

SHARDS = 32  # So many groups of keys share a state in Spark; at most so many tasks work at a time
KEYS = "keys"  # The name of the state of the keys of a shard

KEY_SCHEMA = "key string"
STATE_SCHEMA = "waiting string, engine string"
"""The state of a key: the events that wait, and the engine's snapshot, as JSON; empty before its first step."""

PENDING, LATE = "pending", "late"

_TEXTS = ArrayType(StringType())

PACKS = StructType().add("shard", "integer").add("clock", "long").add("keys", _TEXTS).add("events", _TEXTS)
"""The events of a shard with their keys, and the greatest time of the rows that were read with them."""

_ROWS = 1 << 16  # So many rows of a file are packed together

_TICKS = (
    "A time is an integer in ticks. Say what a tick is, as in"
    ' stream.withColumn("time", unix_millis("time")), and count from an origin before the first event.'
)

Said = TypeVar("Said")


class Stepped(NamedTuple, Generic[Said]):
    """Result of a step: what an engine says, its state as JSON, and when it has something to do by itself."""

    said: list[Said]
    engine: str
    due: Time | None


class KeyedDetection(ABC, Generic[Said]):
    """A detection in the files of a folder by keys, as a system defines it; travels to the workers.

    A time is done when one that is greater by more than `lateness`, in ticks, was seen; where no more may come (not
    `live`), when the rows of a shard have been read. Each value of the column `partition_by` has a log.
    """

    lateness: Time
    partition_by: str | None
    live: bool

    kinds: ClassVar[tuple[str, ...]]
    own_time: ClassVar[bool] = False
    columns: ClassVar[tuple[StructField, ...]]
    """The columns of rows that only this system has."""
    end: ClassVar[str] = "time"
    """Column of the end of a detection."""

    @abstractmethod
    def question(self) -> Mapping[str, object]:
        """The text and the engine that are the identity of the detection, to which a checkpoint belongs."""

    @abstractmethod
    def rows(self, path: str, reading: Reading) -> Iterator[Row]:
        """The rows of a file."""

    @abstractmethod
    def events(self, row: Row) -> Iterable[Event]:
        """The event of a row; none where it is passed over."""

    @abstractmethod
    def step(self, engine: str, ready: Sequence[Event], until: Time | None) -> Stepped[Said]:
        """Let an engine take events, in the order of time; time is at `until` then, or over where that is None."""

    def ended(self, engine: str, ready: Sequence[Event], until: Time | None) -> Stepped[Said]:
        """The last step, where no more comes up to a time, or at all."""
        return self.step(engine, ready, until)

    @abstractmethod
    def row(self, said: Said, key: str, *, pending: bool) -> Mapping[str, Any]:
        """The row of what an engine says."""

    @abstractmethod
    def late(self, event: Event, key: str) -> Mapping[str, Any]:
        """The row of an event that was not taken."""

    def reached(self, clock: Time, done: Time) -> Time:
        """Up to which time engines step, where rows up to one time have come and one time is done."""
        return done

    def taken(self, waiting: list[Event], events: Iterable[Event], done: Time, key: str) -> Iterator[Mapping[str, Any]]:
        """Let events of a key wait whose time is not done; gives the rows of those that are not taken."""
        for event in events:
            if event.time <= done:
                yield self.late(event, key)
            else:
                waiting.append(event)

    @property
    def shards(self) -> int:
        """How many shards there are: one for a log without keys."""
        return 1 if self.partition_by is None else SHARDS

    def shard(self, key: str) -> int:
        """The shard of a key, the same on every machine."""
        return zlib.crc32(key.encode()) % self.shards

    def key_of(self, event: Event, partition: Partition) -> str | None:
        """The key of an event as JSON; None where the event can match nothing."""
        return json.dumps(partition)

    def row_of(self, data: Mapping[str, Any], key: str, kind: str, **columns: Any) -> Mapping[str, Any]:
        """A row with its columns; `line` is what is written as JSON Lines."""
        last = {} if self.partition_by is None else {"partition": json.loads(key)}
        own = {name: value for name, value in data.items() if name != "kind"}
        line = json.dumps({**own, **last, "kind": kind}, ensure_ascii=False)
        times = {"start": data["start"], "time": data[self.end], "event": data.get("event")}
        return {"key": key, "kind": kind, **times, **columns, "line": line}

    @property
    def results(self) -> StructType:
        """The columns of rows."""
        first = StructType().add("key", "string").add("kind", "string").add("start", "long").add("time", "long")
        return StructType([*first.add("event", "string"), *self.columns, StructField("line", StringType())])

    def packs(self, paths: DataFrame, reading: Reading) -> DataFrame:
        """The events in files as packs, one for each shard, which tells it the time too."""
        return paths.mapInArrow(partial(_packs, detection=self, reading=reading), PACKS)

    def detected(self, packs: DataFrame) -> DataFrame:
        """The rows of what engines say, and of late events; `InputError` if the session has no state in RocksDB."""
        require_store(packs.sparkSession)
        return packs.groupBy("shard").transformWithState(Processor(self), self.results, "Append", "None")

    def pending(self, session: SparkSession, checkpoint: Path, until: Time | None = None) -> DataFrame | None:
        """The rows of what the engines would say if nothing more came; of what they say if none does up to a time."""
        if not any(checkpoint.joinpath("commits").glob("[0-9]*")):
            return None
        store = session.read.format("statestore")
        states = store.option("stateVarName", KEYS).load(str(checkpoint.absolute()))
        states = states.select(f.col("user_map_key.key").alias("key"), "user_map_value.*")
        return states.mapInArrow(partial(_pending, detection=self, until=until), self.results)

    def written(self, rows: DataFrame, form: ResultFormat) -> DataFrame:
        """Rows as lines of JSON, as of `remora detect` with their kind; or as a table."""
        keys = [] if self.partition_by is None else [self.key_column()]
        return rows.select("line") if form == "jsonl" else self.table(rows, *keys)

    def key_column(self) -> Column:
        """The column of keys in a table of results."""
        return f.col("key").alias("partition")

    def table(self, rows: DataFrame, *first: Column) -> DataFrame:
        """Rows with the columns of results after others."""
        own = (column.name for column in self.columns)
        return rows.select(*first, "kind", "start", f.col("time").alias(self.end), "event", *own)


def event_json(event: Event) -> str:
    """An event as JSON: type, start, end and attributes."""
    return json.dumps([event.type, event.start, event.time, dict(event.attributes)])


def event_from(text: str) -> Event:
    """The event that `event_json` has written."""
    type, start, time, attributes = json.loads(text)
    return Event(type, start, time, attributes)


class KeyState(NamedTuple):
    """The state of one key: the events whose time is not done, and the engine's snapshot as JSON, at first ""."""

    waiting: list[Event]
    engine: str

    def advanced(
        self, detection: KeyedDetection[Said], until: Time | None, step: Callable[..., Stepped[Said]] | None = None
    ) -> tuple[KeyState, list[Said], Time | None]:
        """The next state, what is said, and when there is something to do; time goes on up to a time or an end."""
        ready = sorted((e for e in self.waiting if until is None or e.time <= until), key=lambda event: event.time)
        waiting = [event for event in self.waiting if until is not None and event.time > until]
        said, engine, due = (step or detection.step)(self.engine, ready, until)
        coming = [event.time for event in waiting]
        return KeyState(waiting, engine), said, min(coming if due is None else [*coming, due], default=None)


def restored_keys(stored: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, KeyState]]:
    """The states of keys from rows of a key with what was stored of it; `InputError` where that is damaged."""
    for key, waiting, engine in stored:
        try:
            yield key, KeyState([event_from(text) for text in json.loads(waiting)], engine)
        except (ValueError, TypeError):
            raise InputError("the state of a key is damaged", place=f"key {key}") from None


def pending(
    state: KeyState, key: str, detection: KeyedDetection[Any], until: Time | None = None
) -> Iterator[Mapping[str, Any]]:
    """The rows to which the state of a key would lead if nothing more came; for good, if none does up to a time."""
    _, said, _ = state.advanced(detection, until, detection.ended)
    return (detection.row(one, key, pending=until is None) for one in said)


class Processor(StatefulProcessor):
    """A detection in shards of keys; nothing is built on the driver."""

    def __init__(self, detection: KeyedDetection[Any]) -> None:
        self.detection = detection

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Ask for the states: of the keys; when each has something to do; how far time is and what is done."""
        self._keys = handle.getMapState(KEYS, KEY_SCHEMA, STATE_SCHEMA)
        self._due = handle.getMapState("due", KEY_SCHEMA, "time bigint")
        self._clock = handle.getValueState("clock", "time bigint, done bigint")
        if self.detection.own_time:
            self._times = handle.getMapState("times", KEY_SCHEMA, "time bigint, done bigint")

    def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[SparkRow]:  # noqa: N802, D102
        with refusing():
            results = list(self._results(rows))
        yield from (SparkRow(**result) for result in results)

    def _results(self, packs: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
        detection = self.detection
        clock, done = self._clock.get() or (-1, -1)
        arrived: dict[str, list[Event]] = {}
        for pack in packs:
            clock = max(clock, pack.clock)
            for key, text in zip(pack.keys, pack.events, strict=True):
                arrived.setdefault(key, []).append(event_from(text))
        if detection.own_time:
            for key, events in sorted(arrived.items()):
                time, before = self._times.getValue((key,)) or (-1, -1)
                time = max(time, *(event.time for event in events))
                until = max(before, time - detection.lateness - 1)
                self._times.updateValue((key,), (time, until))
                yield from self._advanced(key, events, before, until)
            return
        until = max(done, clock - detection.lateness - 1)
        reached = detection.reached(clock, until)
        due = {key: at for (key,), (at,) in self._due.iterator()}
        concerned = {*arrived, *(key for key, at in due.items() if at <= reached)}
        for key in sorted(concerned):
            yield from self._advanced(key, arrived.get(key, ()), done, reached)
        self._clock.update((clock, until))

    def _advanced(self, key: str, events: Iterable[Event], done: Time, until: Time) -> Iterator[Mapping[str, Any]]:
        """The rows of a key, whose time was done up to one time when its events came, and steps up to another one."""
        detection, stored = self.detection, self._keys.getValue((key,))
        ((_, state),) = restored_keys([(key, *(stored or ("[]", "")))])
        yield from detection.taken(state.waiting, events, done, key)
        state, said, due = state.advanced(detection, until if detection.live else None)
        yield from (detection.row(one, key, pending=False) for one in said)
        if due is None or detection.own_time:
            self._due.removeKey((key,))
        else:
            self._due.updateValue((key,), (due,))
        if state.waiting or state.engine:
            waiting = json.dumps([event_json(event) for event in state.waiting])
            self._keys.updateValue((key,), (waiting, state.engine))
        else:
            self._keys.removeKey((key,))

    def close(self) -> None:
        """Nothing is held."""


def require_columns(stream: DataFrame, kinds: Mapping[str, type[DataType]]) -> None:
    """Make sure that a stream has columns of some types, or raise `InputError`."""
    for name, kind in kinds.items():
        if name not in stream.columns:
            reason = f"there is no column {name!r}; the columns are {', '.join(stream.columns)}"
            raise InputError(reason, remedy="Name the columns of key, time, event and value.")
        found = stream.schema[name].dataType
        if not isinstance(found, kind):
            text = kind is StringType
            reason = f"the column {name!r} is of type {found.simpleString()}{', not text' if text else ''}"
            raise InputError(reason, remedy="Name the column of event types." if text else _TICKS)


def packs_of(
    batches: Iterable[pa.RecordBatch], detection: KeyedDetection[Any], row: Callable[[Mapping[str, Any], int], Row]
) -> Iterator[pa.RecordBatch]:
    """The events of a stream's rows as packs; a function makes a row of a log from its cells and its number."""
    with refusing():
        for batch in batches:
            rows = [row(cells, number) for number, cells in enumerate(batch.to_pylist(), 1)]
            if rows:
                yield packed(rows, detection)


def _packs(
    batches: Iterable[pa.RecordBatch], detection: KeyedDetection[Any], reading: Reading
) -> Iterator[pa.RecordBatch]:
    for address in (address for batch in batches for address in batch.column("path").to_pylist()):
        with refusing():
            rows = detection.rows(unquote(urlsplit(address).path), reading)
            while some := list(islice(rows, _ROWS)):
                yield packed(some, detection)


def packed(rows: Sequence[Row], detection: KeyedDetection[Any]) -> pa.RecordBatch:
    """The events of rows as packs, one for each shard."""
    clock = max(row.time for row in rows)
    keys: list[list[str]] = [[] for _ in range(detection.shards)]
    events: list[list[str]] = [[] for _ in range(detection.shards)]
    for row in rows:
        for event in detection.events(row):
            if (key := detection.key_of(event, row.partition)) is not None:
                shard = detection.shard(key)
                keys[shard].append(key)
                events[shard].append(event_json(event))
    texts = pa.list_(pa.string())
    numbers, clocks = pa.array(range(detection.shards), pa.int32()), pa.array([clock] * detection.shards, pa.int64())
    columns = [numbers, clocks, pa.array(keys, texts), pa.array(events, texts)]
    return pa.RecordBatch.from_arrays(columns, PACKS.names)


def _pending(
    batches: Iterator[pa.RecordBatch], detection: KeyedDetection[Any], until: Time | None
) -> Iterator[pa.RecordBatch]:
    fields = detection.results.fields
    schema = pa.schema([(each.name, pa.int64() if each.dataType == LongType() else pa.string()) for each in fields])
    for batch in batches:
        with refusing():
            stored = zip(*(column.to_pylist() for column in batch.columns), strict=True)
            rows = [row for key, state in restored_keys(stored) for row in pending(state, key, detection, until)]
        yield pa.RecordBatch.from_pylist(rows, schema)
