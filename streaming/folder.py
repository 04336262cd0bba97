"""Folders of streams: the files of one that grows, results by micro-batch, and refusals on their way to the user.

Spark notes in the checkpoint which files belong to which micro-batch. A file is read when it appears, once: it is
written elsewhere and moved into the folder. Names that begin with `.` or `_` are not looked at. A micro-batch that is
done again after a kill has the same number and the same rows, so that its folder of results takes the place of the one
from before, and any reader of files sees each row once. A kill while a micro-batch is being planned may have its files
go into the next one: then it has more files than were asked for, and what is late is counted from what it has.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias
from urllib.parse import unquote, urlsplit

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from semantics.errors import InputError
from semantics.traces.tables import SKIP

ResultFormat: TypeAlias = Literal["jsonl", "parquet"]
"""The file format of results."""

PROVIDER = "spark.sql.streaming.stateStore.providerClass"
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

SESSION_OPTIONS: Mapping[str, str] = MappingProxyType(
    {
        PROVIDER: ROCKSDB,
        # What has changed is stored after each micro-batch, not everything.
        "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
        # The longer the batches of rows, the longer the packs of events of one key.
        "spark.sql.execution.arrow.maxRecordsPerBatch": "20000",
    }
)
"""The settings of a session in which detections are made; the first one is necessary."""


def require_store(session: SparkSession) -> None:
    """Make sure that a session keeps the state of streams in RocksDB.

    Raises:
        InputError: it does not.
    """
    if session.conf.get(PROVIDER, "") != ROCKSDB:
        raise InputError(
            "the session does not keep the state of streams in RocksDB, which this needs",
            remedy=f"Set {PROVIDER} to {ROCKSDB}, or take all of streaming.folder.SESSION_OPTIONS.",
        )


# ------------------------------------------------------------------------------------------------ refusals

_MARKED = re.compile(r"<<remora (\{.*?\}) remora>>")


class Refused(Exception):
    """An `InputError` in the form in which it survives being quoted by Python, Java and Python again."""

    def __init__(self, error: InputError) -> None:
        parts = {"place": error.place, "reason": error.reason, "remedy": error.remedy}
        # The JSON is ASCII on one line, and cannot contain the mark at its end.
        super().__init__(f"<<remora {json.dumps(parts).replace('>', chr(92) + 'u003e')} remora>>")


class StreamFailed(Exception):
    """Spark or the disk failed; `reason` says why in plain words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@contextmanager
def refusing() -> Iterator[None]:
    """In a worker: let an `InputError` travel."""
    try:
        yield
    except InputError as error:
        raise Refused(error) from None


def explained(error: Exception) -> InputError | StreamFailed:
    """On the driver: what an error of a query means to the user."""
    text = str(error)
    found = _MARKED.search(text)
    if found is not None:
        parts = json.loads(found[1])
        return InputError(parts["reason"], place=parts["place"], remedy=parts["remedy"])
    return StreamFailed(_innermost(text))


def _innermost(text: str) -> str:
    """The line that says what happened first: the last one of a Python traceback, or the first of all."""
    head = text.partition("=== Streaming Query ===")[0]
    lines = [line.strip() for line in head.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Interrupt)\b", line)]
    return (errors or lines or ["Spark gave no reason"])[-1 if errors else 0]


# -------------------------------------------------------------------------------------------------- files

_FILES = "path string, modificationTime timestamp, length bigint, content binary"
"""The columns that Spark gives of a file; of these only the path is asked for, and nothing is read."""

_FOR_EVER = "36500d"
"""By default Spark leaves out files that are a week older than the newest one, without a word."""


def new_files(session: SparkSession, folder: Path, files: int | None = None) -> DataFrame:
    """The addresses of the files of a folder as a live stream, in the column `path`.

    Args:
        session: of Spark; the folder has the same path on all of its machines.
        folder: of CSV, JSON Lines and Parquet files, in it or in folders in it.
        files: at most so many files make a micro-batch; without a number, all that are there.
    """
    reader = session.readStream.format("binaryFile").schema(_FILES).option("recursiveFileLookup", "true")
    reader = reader.option("maxFileAge", _FOR_EVER)
    if files is not None:
        reader = reader.option("maxFilesPerTrigger", files)
    # Glob characters in a path are none to the user.
    return reader.load(_without_globs(str(folder.absolute()))).select("path")


def _without_globs(path: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\*?[]{}" else letter for letter in path)


def packs_in(paths: DataFrame, read: Callable[[str], Iterator[pa.RecordBatch]], schema: StructType) -> DataFrame:
    """The packs that a function reads from each of the files.

    Args:
        paths: as `new_files` gives them.
        read: the packs in the file of a path; runs on the workers.
        schema: of packs.
    """

    def read_all(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for address in batch.column("path").to_pylist():
                with refusing(), _in_words_of_streams():
                    yield from read(unquote(urlsplit(address).path))

    return paths.mapInArrow(read_all, schema)


@contextmanager
def _in_words_of_streams() -> Iterator[None]:
    """Readers of traces name the option of other commands by which a column is chosen; here it is the key."""
    try:
        yield
    except InputError as error:
        error.remedy = error.remedy.replace("--partition-by", "--key").replace(SKIP, "").rstrip()
        raise


# ------------------------------------------------------------------------------------------------- results

PENDING_FOLDER = "pending"


class Results:
    """A folder of results.

    Attributes:
        folder: where it is.
        form: the file format.
    """

    def __init__(self, folder: Path, form: ResultFormat) -> None:
        """Take the place; nothing is written."""
        self.folder = folder
        self.form = form

    def has_batches(self) -> bool:
        """Whether there are results here."""
        return any(self.folder.glob("batch=*"))

    def write(self, rows: DataFrame, number: int) -> None:
        """Write the rows of a micro-batch, which have the form of the results."""
        self._write(rows, self.folder / f"batch={number:06}")

    def write_pending(self, rows: DataFrame) -> None:
        """Write what is pending, in place of what was."""
        self._write(rows, self.folder / PENDING_FOLDER)

    def remove_pending(self) -> None:
        """Take away what was pending, before it ceases to be true."""
        shutil.rmtree(self.folder / PENDING_FOLDER, ignore_errors=True)

    def _write(self, rows: DataFrame, target: Path) -> None:
        draft = target.with_name(f".{target.name}.draft")
        if self.form == "jsonl":
            rows.write.mode("overwrite").text(str(draft))
        else:
            rows.write.mode("overwrite").parquet(str(draft))
        for place in draft.iterdir():
            if not place.name.startswith("part-") or place.stat().st_size == 0:
                place.unlink()  # marks of Spark, checksums, and parts without a row
        for number, part in enumerate(sorted(draft.iterdir())):
            part.rename(draft / f"part-{number:03}.{self.form}")
        shutil.rmtree(target, ignore_errors=True)
        if any(draft.iterdir()):
            draft.rename(target)
        else:
            draft.rmdir()
