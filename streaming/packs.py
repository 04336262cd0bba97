"""Rows of a keyed stream, packed: the events of one key that came together travel as one row.

Between Spark and a Python worker each row has a price, a list as long as it may be has it once. What a row may be is
checked here, a column at a time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql.types import (
    ArrayType,
    IntegralType,
    LongType,
    StringType,
    StructField,
    StructType,
)

from semantics.errors import InputError
from semantics.traces.rows import MAX_TIME, Origin, event_of, time_of, value_of
from streaming.errors import refusing

_ORIGIN = Origin("a row of the stream")
_TICKS = (
    "A time is an integer in ticks. Say what a tick is, as in"
    ' stream.withColumn("time", unix_millis("time")), and count from an origin before the first event.'
)


def packed(stream: DataFrame, *, key: str, time: str, event: str, value: str | None) -> DataFrame:
    """The rows of a stream as packs: `key`, `times`, `events` and `values`, three lists of one length.

    Args:
        stream: live or not.
        key: the column that says which rows belong together.
        time: the column of times, integers in ticks.
        event: the column of event types.
        value: the column of values; None where nobody asks for them. In packs they are JSON.

    Raises:
        InputError: a column is missing or of a wrong type. A row that breaks a rule of traces ends the query with
            the same error; see `streaming.errors.explained`.
    """
    _require_columns(stream, [key, time, event, *([] if value is None else [value])])
    if not isinstance(stream.schema[time].dataType, IntegralType):
        reason = f"the column {time!r} is of type {stream.schema[time].dataType.simpleString()}"
        raise InputError(reason, remedy=_TICKS)
    if not isinstance(stream.schema[event].dataType, StringType):
        reason = f"the column {event!r} is of type {stream.schema[event].dataType.simpleString()}, not text"
        raise InputError(reason, remedy="Name the column of event types.")
    rows = stream.select(
        f.col(f"`{key}`").alias("key"),
        f.col(f"`{time}`").cast("long").alias("time"),
        f.col(f"`{event}`").alias("event"),
        (f.lit(None).cast("string") if value is None else f.col(f"`{value}`")).alias("value"),
    )
    schema = pack_schema(stream.schema[key])
    return rows.mapInArrow(_packer(with_values=value is not None), schema)


def pack_schema(key: StructField) -> StructType:
    """The columns of packs."""
    return StructType(
        [
            StructField("key", key.dataType),
            StructField("times", ArrayType(LongType())),
            StructField("events", ArrayType(StringType())),
            StructField("values", ArrayType(StringType())),
        ]
    )


def _require_columns(stream: DataFrame, names: list[str]) -> None:
    for name in names:
        if name not in stream.columns:
            reason = f"there is no column {name!r}; the columns are {', '.join(stream.columns)}"
            raise InputError(reason, remedy="Name the columns of key, time, event and value.")


def _packer(*, with_values: bool) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def pack(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            with refusing():
                check(batch)
                if with_values:
                    values = [as_json(value) for value in batch.column("value").to_pylist()]
                    batch = batch.set_column(3, "value", pa.array(values, pa.string()))
            yield from grouped(batch)

    return pack


def check(batch: pa.RecordBatch) -> None:
    """Make sure that all times and events of a batch are ones.

    Raises:
        InputError: one is not.
    """
    times, events = batch.column("time"), batch.column("event")
    if batch.num_rows == 0:
        return
    least = pc.min_max(times).as_py()
    if times.null_count or least["min"] < 0 or least["max"] > MAX_TIME:
        for time in times.to_pylist():
            time_of(time, _ORIGIN, 0)
    for event in pc.unique(events).to_pylist():
        event_of(event, _ORIGIN, 0)


def as_json(value: object) -> str | None:
    """A value as JSON text; None where it is missing.

    Raises:
        InputError: it is no scalar.
    """
    return None if value is None else json.dumps(value_of(value, _ORIGIN, 0))


def grouped(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """The rows of a batch (`key`, `time`, `event`, `value`) as packs, one for each key."""
    lists: Any = [("time", "list"), ("event", "list"), ("value", "list")]
    table = pa.Table.from_batches([batch]).group_by(["key"], use_threads=False).aggregate(lists)
    table = table.select(["key", "time_list", "event_list", "value_list"])
    yield from table.rename_columns(["key", "times", "events", "values"]).to_batches()
