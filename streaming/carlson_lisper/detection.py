"""Detection in a keyed stream of Spark: each key is a trace of its own, as with `remora detect --partition-by`.

Live or not, a DataFrame goes in and one comes out; source, sink, trigger and checkpoint are the user's. In a live
stream an instant is done when an event of the same key has come that is later by more than the lateness, in a batch
query at the end. `pending` tells what the instants that are not done yet would give if nothing more came, from a
checkpoint and without changing it: detections and pending ones together are the batch answer about all that came.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import LongType, StringType, StructField, StructType

from detectors.carlson_lisper.named import AUTO
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Time
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError
from streaming.carlson_lisper.finders import resolve
from streaming.carlson_lisper.processor import PENDING, STATE, Processor, Settings, detect, restored
from streaming.errors import refusing
from streaming.packs import packed
from streaming.systems import require_store

VALUE = "value"
"""The column of values, where no other one is named."""


def detections(
    stream: DataFrame,
    expression: Expression | str,
    *,
    key: str,
    time: str = "time",
    event: str = "event",
    value: str | None = None,
    lateness: Time = 0,
    detector: str = AUTO,
    instances: bool = False,
    keep_one: bool = False,
) -> DataFrame:
    """What is detected in each key's events, and which events were not taken.

    The columns of the result:

        key       as in the stream
        kind      "detected"; or for an event of the pattern that was not taken: "late", "repeated"
        start     of the detection (the latest, Def. 3.12), in ticks; of an event, its time
        end       of the detection, in ticks; of an event, its time
        event     the type of an event that was not taken; null for a detection
        instance  the occurrences of a detection as JSON, `[{"event": …, "time": …, "value": …}, …]`, where asked for

    An event is late when its instant was done before its micro-batch came. With `lateness` L this never happens to one
    that comes after events of its key that are later by at most L ticks, in whatever micro-batches.

    Args:
        stream: rows in any order within the lateness; live or not.
        expression: the pattern.
        key: the column whose values have a trace each; null is a value.
        time: the column of times: integers >= 0 in ticks.
        event: the column of event types. A type that the pattern does not mention moves the key's time on.
        value: the column of values; where none is named, `value` if it is there. Only instances show values.
        lateness: how many ticks an event may come after later ones of its key.
        detector: `auto`, or a name of `detectors.carlson_lisper.catalogue.DETECTORS`, `generated` or
            `register-machine`.
        instances: whether whole instances are wanted; starts and ends alone are found faster, with a smaller state.
        keep_one: whether an event type may occur twice at one time of a key: one of them is kept, the others are
            rows of the kind `repeated`. Otherwise this ends the query with an error.

    Raises:
        InputError: the expression, a name or a type of a column, the detector or the session is not suitable.
    """
    settings = settings_of(
        expression, lateness=lateness, detector=detector, instances=instances, keep_one=keep_one
    )
    if value is None and VALUE in stream.columns:
        value = VALUE
    packs = packed(stream, key=key, time=time, event=event, value=value if instances else None)
    return detected(packs, settings)


def settings_of(
    expression: Expression | str,
    *,
    lateness: Time = 0,
    detector: str = AUTO,
    instances: bool = False,
    keep_one: bool = False,
) -> Settings:
    """What is detected and how, checked; see `detections`.

    Raises:
        InputError: the expression, the lateness or the detector is not suitable.
    """
    pattern = parse(expression) if isinstance(expression, str) else expression
    if type(lateness) is not int or lateness < 0:
        raise InputError(f"the lateness {lateness!r} is not an integer >= 0", remedy="Give it in ticks.")
    name = resolve(detector, pattern, instances=instances)
    return Settings(str(pattern), name, instances, lateness, keep_one)


def detected(packs: DataFrame, settings: Settings) -> DataFrame:
    """`detections` in packs of events (`streaming.packs`).

    Raises:
        InputError: the session does not keep state in RocksDB.
    """
    require_store(packs.sparkSession)
    schema = result_schema(packs.schema["key"])
    return packs.groupBy("key").transformWithState(
        Processor(settings, live=packs.isStreaming), schema, "Append", "None"
    )


def result_schema(key: StructField) -> StructType:
    """The columns of detections."""
    return StructType(
        [
            StructField("key", key.dataType),
            StructField("kind", StringType()),
            StructField("start", LongType()),
            StructField("end", LongType()),
            StructField("event", StringType()),
            StructField("instance", StringType()),
        ]
    )


def pending(session: SparkSession, checkpoint: str | Path, settings: Settings) -> DataFrame | None:
    """What the instants that are not done would give if nothing more came: rows of the kind `pending`.

    The state is read, not changed: the stream can go on, and the next call tells what is pending then.

    Args:
        session: with no query running on the checkpoint.
        checkpoint: of a query with one detection that has stopped.
        settings: of that detection, as `settings_of` gives them.

    Returns:
        Rows as of `detections`, or None when no micro-batch has been finished yet.
    """
    if not any(Path(checkpoint, "commits").glob("[0-9]*")):
        return None
    states = session.read.format("statestore").option("stateVarName", STATE).load(str(checkpoint))
    states = states.select(f.col("key.key").alias("key"), "value.*")
    kernel = _Pending(settings)
    return states.mapInArrow(kernel, result_schema(states.schema["key"]))


class _Pending:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        events = frozenset(identifiers(parse(self._settings.expression)))
        for batch in batches:
            rows: dict[str, list[object]] = {"kind": [], "start": [], "end": [], "event": [], "instance": []}
            origins = []
            stored = zip(*(column.to_pylist() for column in batch.columns[1:]), strict=True)
            with refusing():
                for number, parts in enumerate(stored):
                    state = restored(parts, events)
                    instants = state.waiting.release_all()
                    for result in detect(state, self._settings, instants, PENDING) if instants else ():
                        origins.append(number)
                        for name, cells in rows.items():
                            cells.append(getattr(result, name))
            keys = batch.column("key").take(pa.array(origins, pa.int64()))
            types = {"start": pa.int64(), "end": pa.int64()}
            columns = [pa.array(cells, types.get(name, pa.string())) for name, cells in rows.items()]
            yield pa.RecordBatch.from_arrays([keys, *columns], ["key", *rows])
