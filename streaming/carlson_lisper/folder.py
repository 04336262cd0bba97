"""A folder of trace files that grows, as a stream of packs; read by the same readers as any other trace.

Spark notes in the checkpoint which files belong to which micro-batch. A file is read when it appears, once: it is
written elsewhere and moved into the folder. Names that begin with `.` or `_` are not looked at.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StringType, StructField

from semantics.carlson_lisper.traces import read_rows
from semantics.errors import InputError
from semantics.traces.files import Format
from streaming.errors import refusing
from streaming.packs import grouped, pack_schema

_ROWS = 1 << 16
"""So many rows of a file are packed together."""

_FILES = "path string, modificationTime timestamp, length bigint, content binary"
"""What Spark tells of a file; of these only the path is asked for, and nothing is read."""

_FOR_EVER = "36500d"
"""By default Spark leaves out files that are a week older than the newest one, without a word."""


def folder_packs(
    session: SparkSession, folder: Path, *, key: str, files: int | None = None, form: Format | None = None
) -> DataFrame:
    """The events in the files of a folder as a live stream of packs; `key` is the key as JSON text.

    Args:
        session: of Spark; the folder has the same path on all of its machines.
        folder: of CSV, JSON Lines and Parquet files, in it or in folders in it.
        key: the column whose values have a trace each.
        files: at most so many files make a micro-batch; without a number, all that are there.
        form: the file format, where names and first bytes do not tell.
    """
    reader = session.readStream.format("binaryFile").schema(_FILES).option("recursiveFileLookup", "true")
    reader = reader.option("maxFileAge", _FOR_EVER)
    if files is not None:
        reader = reader.option("maxFilesPerTrigger", files)
    # Glob characters in a path are none to the user.
    paths = reader.load(_without_globs(str(folder.absolute()))).select("path")
    schema = pack_schema(StructField("key", StringType()))
    return paths.mapInArrow(_reader(key, form), schema)


def _without_globs(path: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\*?[]{}" else letter for letter in path)


def _reader(key: str, form: Format | None) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for address in batch.column("path").to_pylist():
                for rows in _batches(unquote(urlsplit(address).path), key, form):
                    yield from grouped(rows)

    return read


def _batches(path: str, key: str, form: Format | None) -> Iterator[pa.RecordBatch]:
    rows: list[tuple[str, int, str, str | None]] = []
    with refusing(), _in_words_of_streams():
        for row in read_rows(path, format=form, partition_by=key):
            value = None if row.value is None else json.dumps(row.value)
            rows.append((json.dumps(row.partition), row.time, row.event, value))
            if len(rows) == _ROWS:
                yield _batch(rows)
                rows = []
    if rows:
        yield _batch(rows)


@contextmanager
def _in_words_of_streams() -> Iterator[None]:
    """Readers of traces name the option of other commands by which a column is chosen; here it is the key."""
    try:
        yield
    except InputError as error:
        error.remedy = error.remedy.replace("--partition-by", "--key")
        raise


def _batch(rows: list[tuple[str, int, str, str | None]]) -> pa.RecordBatch:
    keys, times, events, values = zip(*rows, strict=True)
    columns = [pa.array(keys), pa.array(times, pa.int64()), pa.array(events), pa.array(values, pa.string())]
    return pa.RecordBatch.from_arrays(columns, ["key", "time", "event", "value"])
