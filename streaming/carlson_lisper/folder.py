"""The detection of a pattern in the files of a folder; they are read by the same readers as any other trace."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import StringType, StructField

from semantics.carlson_lisper.syntax import parse
from semantics.carlson_lisper.traces import form_of
from semantics.events import TraceForm
from semantics.traces.files import read_rows
from semantics.traces.reading import Reading
from streaming.carlson_lisper.detection import detected, pending
from streaming.carlson_lisper.processor import Settings
from streaming.folder import packs_in
from streaming.packs import grouped, pack_schema
from streaming.systems import ResultFormat

_ROWS = 1 << 16
"""So many rows of a file are packed together."""


@dataclass(frozen=True)
class PatternDetection:
    """The detection of a pattern in the files of a folder.

    Attributes:
        settings: what is detected and how.
        key: the column whose values have a trace each; in packs it is JSON text.
    """

    settings: Settings
    key: str
    kinds = ("detected", "late", "repeated", "pending")

    def question(self) -> dict[str, object]:
        """What a checkpoint belongs to."""
        return {
            "expression": self.settings.expression,
            "wanted": "instances" if self.settings.instances else "intervals",
            "detector": self.settings.detector,
            "lateness": self.settings.lateness,
            "key": self.key,
        }

    def packs(self, paths: DataFrame, reading: Reading) -> DataFrame:
        """The events in files as packs."""
        read = partial(
            _packs,
            reading=replace(reading, partition_by=self.key),
            form=form_of(parse(self.settings.expression)),
        )
        return packs_in(paths, read, pack_schema(StructField("key", StringType())))

    def detected(self, packs: DataFrame) -> DataFrame:
        """The detections in packs."""
        return detected(packs, self.settings)

    def pending(self, session: SparkSession, checkpoint: Path) -> DataFrame | None:
        """The detections that are pending."""
        return pending(session, checkpoint, self.settings)

    def written(self, rows: DataFrame, form: ResultFormat) -> DataFrame:
        """Rows as lines of JSON, or as a table."""
        return json_lines(rows) if form == "jsonl" else table(rows)


def _packs(path: str, reading: Reading, form: TraceForm) -> Iterator[pa.RecordBatch]:
    rows: list[tuple[str, int, str, str | None]] = []
    for row in read_rows(path, reading, form=form):
        value = None if row.value is None else json.dumps(row.value)
        rows.append((json.dumps(row.partition), row.time, row.event, value))
        if len(rows) == _ROWS:
            yield from grouped(_batch(rows))
            rows = []
    if rows:
        yield from grouped(_batch(rows))


def _batch(rows: list[tuple[str, int, str, str | None]]) -> pa.RecordBatch:
    keys, times, events, values = zip(*rows, strict=True)
    columns = [pa.array(keys), pa.array(times, pa.int64()), pa.array(events), pa.array(values, pa.string())]
    return pa.RecordBatch.from_arrays(columns, ["key", "time", "event", "value"])


def json_lines(rows: DataFrame) -> DataFrame:
    """Detections by JSON keys as lines of JSON, in the form in which `remora detect` prints them, with a `kind`."""

    def text(*parts: str | Column) -> Column:
        return f.concat(*(f.lit(part) if isinstance(part, str) else part for part in parts))

    def optional(*parts: str | Column) -> Column:
        return f.coalesce(text(*parts), f.lit(""))

    event = f.expr("substr(to_json(array(event)), 2, length(to_json(array(event))) - 2)")
    line = text(
        *('{"start": ', f.col("start"), ', "end": ', f.col("end")),
        optional(', "instance": ', f.col("instance")),
        optional(', "event": ', f.when(f.col("event").isNotNull(), event)),
        *(', "partition": ', f.col("key"), ', "kind": "', f.col("kind"), '"}'),
    )
    return rows.select(line.alias("line"))


def table(rows: DataFrame) -> DataFrame:
    """Detections by JSON keys as a table with the columns `partition`, which is text, and those of detections."""
    key = f.get_json_object(f.concat(f.lit('{"key": '), f.col("key"), f.lit("}")), "$.key")
    return rows.select(key.alias("partition"), "kind", "start", "end", "event", "instance")
