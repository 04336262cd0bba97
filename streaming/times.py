"""Times of day in the rows of streams: ticks in lines of JSON become ISO 8601."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

import pyarrow as pa
from pyspark.sql import DataFrame

from semantics.clock import Clock


def in_times(lines: DataFrame, clock: Clock) -> DataFrame:
    """Lines of JSON, the column `line`, with their times as a clock shows them."""
    return lines.mapInArrow(partial(_shown, clock=clock), lines.schema)


def _shown(batches: Iterator[pa.RecordBatch], clock: Clock) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        texts = [line_in_times(line, clock) for line in batch.column("line").to_pylist()]
        yield pa.RecordBatch.from_arrays([pa.array(texts, pa.string())], ["line"])


def line_in_times(line: str, clock: Clock) -> str:
    """A row with its times as a clock shows them: start and end, and those of the members of an instance.

    The end of an event is its `time`; it may have an attribute `end`. A list of events is what a profile
    announces, with the time `at` which it does.
    """
    row = json.loads(line)
    row["start"] = clock.text(row["start"])
    end = "time" if "time" in row else "end"
    row[end] = clock.text(row[end])
    for member in row.get("instance", ()) if end == "end" else ():
        member["time"] = clock.text(member["time"])
    if isinstance(row.get("events"), list):
        row["at"] = clock.text(row["at"])
        for member in row["events"]:
            member["time"] = clock.text(member["time"])
    return json.dumps(row, ensure_ascii=False)
