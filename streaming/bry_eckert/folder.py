"""The detection of a program of rules in the files of a folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import ArrayType, IntegerType, LongType, StringType, StructField, StructType

from semantics.bry_eckert.traces import events_of, form_of
from semantics.traces import files
from semantics.traces.reading import Reading
from semantics.traces.rows import Row
from streaming.bry_eckert.processor import (
    KEYS,
    Processor,
    Settings,
    event_json,
    pending,
    program_of,
    restored_keys,
)
from streaming.errors import refusing
from streaming.folder import packs_in
from streaming.systems import ResultFormat, require_store

_ROWS = 1 << 16
"""So many rows of a file are packed together."""

_PACKS = StructType(
    [
        StructField("shard", IntegerType()),
        StructField("clock", LongType()),
        StructField("keys", ArrayType(StringType())),
        StructField("events", ArrayType(StringType())),
    ]
)
"""The events of a shard with their keys, and the greatest time of the rows that were read with them."""

_RESULTS = StructType(
    [
        StructField("key", StringType()),
        StructField("kind", StringType()),
        StructField("start", LongType()),
        StructField("time", LongType()),
        StructField("event", StringType()),
        StructField("attributes", StringType()),
        StructField("line", StringType()),
    ]
)


@dataclass(frozen=True)
class ProgramDetection:
    """The detection of a program in the files of a folder.

    Attributes:
        settings: what is detected and how.
    """

    settings: Settings
    kinds = ("detected", "late", "pending")

    def question(self) -> dict[str, object]:
        """What a checkpoint belongs to."""
        settings = self.settings
        return {
            "program": settings.program,
            "plan": settings.choices,
            "detector": settings.engine,
            "answers": sorted(settings.wanted),
            "lateness": settings.lateness,
            "key": settings.partition_by,
            "shards": settings.shards,
        }

    def packs(self, paths: DataFrame, reading: Reading) -> DataFrame:
        """The events in files as packs, one for each shard, which tells it the time too."""
        return packs_in(paths, partial(_packs, settings=self.settings, reading=reading), _PACKS)

    def detected(self, packs: DataFrame) -> DataFrame:
        """The answers of the program, and the events that come too late.

        Raises:
            InputError: the session does not keep state in RocksDB.
        """
        require_store(packs.sparkSession)
        grouped = packs.groupBy("shard")
        return grouped.transformWithState(Processor(self.settings), _RESULTS, "Append", "None")

    def pending(self, session: SparkSession, checkpoint: Path) -> DataFrame | None:
        """The answers that what waits and the pending timers would give if nothing more came."""
        if not any(checkpoint.joinpath("commits").glob("[0-9]*")):
            return None
        states = session.read.format("statestore").option("stateVarName", KEYS).load(str(checkpoint))
        states = states.select(f.col("user_map_key.key").alias("key"), "user_map_value.*")
        return states.mapInArrow(partial(_pending, settings=self.settings), _RESULTS)

    def written(self, rows: DataFrame, form: ResultFormat) -> DataFrame:
        """Rows as lines of JSON, as of `remora detect` with their kind; or as a table."""
        if form == "jsonl":
            return rows.select("line")
        partition = [] if self.settings.partition_by is None else [f.col("key").alias("partition")]
        return rows.select(*partition, "kind", "start", "time", "event", "attributes")


def _packs(path: str, settings: Settings, reading: Reading) -> Iterator[pa.RecordBatch]:
    program = program_of(settings.program)
    reading = replace(reading.with_tick(program.tick, "program"), partition_by=settings.partition_by)
    rows: list[Row] = []
    for row in files.read_rows(path, reading, form=form_of(program)):
        rows.append(row)
        if len(rows) == _ROWS:
            yield _packed(rows, settings)
            rows = []
    if rows:
        yield _packed(rows, settings)


def _packed(rows: list[Row], settings: Settings) -> pa.RecordBatch:
    program = program_of(settings.program)
    clock = max(row.time for row in rows)
    keys: list[list[str]] = [[] for _ in range(settings.shards)]
    events: list[list[str]] = [[] for _ in range(settings.shards)]
    for row in rows:
        for event in events_of((row,), program):
            key = settings.key_of(event, row.partition)
            if key is not None:
                shard = settings.shard(key)
                keys[shard].append(key)
                events[shard].append(event_json(event))
    texts = pa.list_(pa.string())
    columns = [
        pa.array(range(settings.shards), pa.int32()),
        pa.array([clock] * settings.shards, pa.int64()),
        pa.array(keys, texts),
        pa.array(events, texts),
    ]
    return pa.RecordBatch.from_arrays(columns, _PACKS.names)


def _pending(batches: Iterator[pa.RecordBatch], settings: Settings) -> Iterator[pa.RecordBatch]:
    schema = pa.schema(
        [(field.name, pa.int64() if field.dataType == LongType() else pa.string()) for field in _RESULTS]
    )
    for batch in batches:
        with refusing():
            stored = zip(*(column.to_pylist() for column in batch.columns), strict=True)
            rows = [row for key, state in restored_keys(stored) for row in pending(state, key, settings)]
        yield pa.RecordBatch.from_pylist(rows, schema)
