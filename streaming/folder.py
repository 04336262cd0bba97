"""The files of a folder that grows, as a stream of their addresses, and reading them on the workers.

Spark notes in the checkpoint which files belong to which micro-batch. A file is read when it appears, once: it is
written elsewhere and moved into the folder. Names that begin with `.` or `_` are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from semantics.errors import InputError
from semantics.traces.lines import SKIP
from streaming.errors import refusing

_FILES = "path string, modificationTime timestamp, length bigint, content binary"
"""What Spark tells of a file; of these only the path is asked for, and nothing is read."""

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


def packs_in(
    paths: DataFrame, read: Callable[[str], Iterator[pa.RecordBatch]], schema: StructType
) -> DataFrame:
    """What a function reads from each of the files.

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
