"""Folders of streams: the files of one that grows, results by micro-batch, and refusals on their way to the user.

A micro-batch that is done again after a kill has the same number and the same rows: its folder of results takes the
place of the one from before.
"""

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias

from pyspark.sql import DataFrame, SparkSession

from semantics.errors import InputError
from semantics.traces.rows import SKIP

ResultFormat: TypeAlias = Literal["jsonl", "parquet"]  # The file format of results

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
    """Make sure that a session keeps the state of streams in RocksDB; `InputError` if it does not."""
    if session.conf.get(PROVIDER, "") != ROCKSDB:
        raise InputError(
            "the session does not keep the state of streams in RocksDB, which this needs",
            remedy=f"Set {PROVIDER} to {ROCKSDB}, or take all of streaming.folder.SESSION_OPTIONS.",
        )


_MARKED = re.compile(r"<<remora (\{.*?\}) remora>>")


class Refused(Exception):
    """An `InputError` in the form in which it survives being quoted by Python, Java and Python again."""

    def __init__(self, error: InputError) -> None:
        parts = {"place": error.place, "reason": error.reason, "remedy": error.remedy}
        # The JSON is ASCII on one line, and cannot contain the mark at its end.
        super().__init__(f"<<remora {json.dumps(parts).replace('>', chr(92) + 'u003e')} remora>>")


class StreamFailed(Exception):
    """Spark or the disk failed; the text says why in plain words."""


@contextmanager
def refusing() -> Iterator[None]:
    """In a worker: let an `InputError` travel, in which the column that is chosen is the key."""
    try:
        yield
    except InputError as error:
        error.remedy = error.remedy.replace("--partition-by", "--key").replace(SKIP, "").rstrip()
        raise Refused(error) from None


def explained(error: Exception) -> InputError | StreamFailed:
    """On the driver: what an error of a query means to the user."""
    text = str(error)
    if found := _MARKED.search(text):
        return InputError(**json.loads(found[1]))
    # What happened first is the last line of a Python traceback, or the first of all.
    head = text.partition("=== Streaming Query ===")[0]
    lines = [line.strip() for line in head.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Interrupt)\b", line)]
    return StreamFailed((errors or lines or ["Spark gave no reason"])[-1 if errors else 0])


_FILES = "path string, modificationTime timestamp, length bigint, content binary"
"""The columns that Spark gives of a file; of these only the path is asked for, and nothing is read."""

_FOR_EVER = "36500d"  # By default Spark leaves out files that are a week older than the newest one, without a word


def new_files(session: SparkSession, folder: Path, files: int | None = None) -> DataFrame:
    """The addresses of the files of a folder, and of folders in it, as a live stream, in the column `path`."""
    options = {"recursiveFileLookup": "true", "maxFileAge": _FOR_EVER}
    reader = session.readStream.format("binaryFile").schema(_FILES).options(**options)
    if files is not None:
        reader = reader.option("maxFilesPerTrigger", files)
    # Glob characters in a path are none to the user.
    return reader.load(re.sub(r"([\\*?\[\]{}])", r"\\\1", str(folder.absolute()))).select("path")


PENDING_FOLDER = "pending"


class Results:
    """A folder of results in files of a format."""

    def __init__(self, folder: Path, form: ResultFormat) -> None:
        self.folder = folder
        self.form = form

    def write(self, rows: DataFrame, number: int | None) -> None:
        """Write the rows of a micro-batch, or without a number what is pending, in place of what was there."""
        target = self.folder / (PENDING_FOLDER if number is None else f"batch={number:06}")
        draft = target.with_name(f".{target.name}.draft")
        rows.write.mode("overwrite").format("text" if self.form == "jsonl" else "parquet").save(str(draft.absolute()))
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
