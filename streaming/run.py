"""A run of a detection over a folder that grows: from its checkpoint to the end of what is there, or for ever."""

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, Observation, SparkSession, functions as f

from semantics.atomic_files import write_text
from semantics.clock import Clock
from semantics.errors import InputError
from semantics.events import Time
from semantics.traces.reading import USUAL, Reading
from streaming.folder import PENDING_FOLDER, ResultFormat, Results, explained, new_files
from streaming.keyed import KeyedDetection

SCHEMA = "remora/stream/1"

_QUESTION = "remora.json"

_OTHER = "Name another folder with --checkpoint, and one for its results with --out."


@dataclass(frozen=True)
class Job:
    """A detection over a folder: once for all that is there, or every so many seconds, in batches of so many files."""

    detection: KeyedDetection[Any]
    source: Path
    checkpoint: Path
    reading: Reading = USUAL
    files: int | None = None
    once: bool = False
    every: float = 1.0
    until: Time | None = None  # with `once`: up to when nothing more comes

    def question(self) -> dict[str, Any]:
        """The identity of the detection, its source and its reading."""
        stated = self.reading.stated()
        how = {"reading": stated} if stated else {}
        made = self.detection
        shared = {"lateness": made.lateness, "key": made.partition_by, "shards": made.shards}
        return {"schema": SCHEMA, **made.question(), **shared, "source": str(self.source.absolute()), **how}


def run(session: SparkSession, job: Job, results: Results | None, emit: Callable[[str], None]) -> Counter[str]:
    """Detect in what has come since the last run, and with `once` also what is pending; how many rows of each kind.

    The session has `SESSION_OPTIONS`. Without `results` rows are handed to `emit` as lines of JSON. `InputError` if a
    row of the source is refused, `StreamFailed` if Spark or the disk failed.
    """
    counts: Counter[str] = Counter(dict.fromkeys(job.detection.kinds, 0))

    def written(rows: DataFrame, form: ResultFormat) -> DataFrame:
        found, clock = job.detection.written(rows, form), job.reading.clock
        counts_times = job.reading.several and job.reading.epoch != "ticks"
        return in_times(found, clock) if form == "jsonl" and clock and counts_times else found

    def batch(rows: DataFrame, number: int | None) -> None:
        observed = Observation()
        kinds = [f.count(f.when(f.col("kind") == kind, 1)).alias(kind) for kind in job.detection.kinds]
        rows = rows.observe(observed, *kinds)
        if results is not None:
            results.write(written(rows, results.form), number)
        else:
            for (line,) in written(rows, "jsonl").collect():  # in one job: the state must be changed once
                emit(f"{line}\n")
        counts.update(observed.get)

    try:
        packs = job.detection.packs(new_files(session, job.source, job.files), job.reading)
        writer = job.detection.detected(packs).writeStream.outputMode("append").foreachBatch(batch)
        writer = writer.option("checkpointLocation", str(job.checkpoint.absolute()))
        if results is not None:
            shutil.rmtree(results.folder / PENDING_FOLDER, ignore_errors=True)  # before it ceases to be true
        trigger = {"availableNow": True} if job.once else {"processingTime": f"{job.every} seconds"}
        query = writer.trigger(**trigger).start()
        try:
            while not query.awaitTermination(1):
                pass
        finally:
            if query.isActive:
                query.stop()
        if job.once and (rest := job.detection.pending(session, job.checkpoint, job.until)) is not None:
            batch(rest, None)
    except PySparkException as error:
        raise explained(error) from error
    return counts


def open_checkpoint(job: Job, results: Results | None) -> None:
    """Begin a checkpoint; `InputError` if it is another detection's, or its results would be mixed with older ones."""
    question, path = job.question(), job.checkpoint / _QUESTION
    try:
        stored = json.loads(path.read_text("utf-8")) if path.exists() else None
    except ValueError:
        stored = ""
    if not isinstance(stored, dict | None):
        raise InputError("the file is damaged", place=str(path), remedy=_OTHER)
    if stored is None:
        if job.checkpoint.exists() and any(job.checkpoint.iterdir()):
            reason = "the folder is not empty, and not the checkpoint of a stream of Remora"
            raise InputError(reason, place=str(job.checkpoint), remedy=_OTHER)
        if results is not None and any(results.folder.glob("batch=*")):
            reason = "the folder has results, and the checkpoint that they belong to is not this one"
            raise InputError(reason, place=str(results.folder), remedy="Name another folder with --out.")
    else:
        for name in {**question, **stored}:
            found, value = stored.get(name), question.get(name)
            if found != value:
                reason = f"the checkpoint belongs to the {name} {found}, not to {value}"
                raise InputError(reason, place=str(job.checkpoint), remedy=_OTHER)
    if stored != question:
        write_text(path, json.dumps(question, indent=2, ensure_ascii=False) + "\n")


def in_times(lines: DataFrame, clock: Clock) -> DataFrame:
    """Lines of JSON, the column `line`, with their times as a clock shows them."""

    def shown(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            texts = [line_in_times(line, clock) for line in batch.column("line").to_pylist()]
            yield pa.RecordBatch.from_arrays([pa.array(texts, pa.string())], ["line"])

    return lines.mapInArrow(shown, lines.schema)


def line_in_times(line: str, clock: Clock) -> str:
    """A row with its times as a clock shows them; the end of an event is its `time`, it may have an attribute `end`.

    A list of events is what a profile announces, with the time `at` which it does.
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
