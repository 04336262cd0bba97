"""Traces (event logs) in files: CSV with the columns `time` and `event`, JSON Lines with these keys, Parquet likewise.

A column `start` makes events intervals, every other one is an attribute. `read_rows` reads and checks every cell;
`instants.admissible` checks the order of time and groups rows by time. Both are generators, so a trace on standard
input is processed as it comes.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, Literal, TextIO, TypeAlias, cast, get_args

from semantics.errors import InputError
from semantics.events import ANY_TRACE, TraceForm
from semantics.traces.formats import csv_rows, json_rows, parquet_rows
from semantics.traces.lines import lines_of_bytes, lines_of_text, nothing_to_read
from semantics.traces.rows import Origin, Row

Format: TypeAlias = Literal["csv", "jsonl", "parquet"]
"""A file format of traces."""

TraceSource: TypeAlias = str | os.PathLike[str] | TextIO | BinaryIO
"""A path, `-` for standard input, or an open stream."""

_FORMAT_OF_SUFFIX: Final[dict[str, Format]] = {
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}

# ---------------------------------------------------------------------------------------------------- reading


def read_rows(
    source: TraceSource,
    *,
    form: TraceForm = ANY_TRACE,
    format: Format | None = None,
    partition_by: str | None = None,
) -> Iterator[Row]:
    """The rows of a trace, each checked on its own; nothing is read before the first row is asked for.

    Args:
        source: a path, `-` for standard input (CSV or JSON Lines), or an open stream of either.
        form: what the system requires: which attributes are read, and whether events may take time.
        format: the file format; by default that of the file's suffix, otherwise that of its first bytes.
        partition_by: the column whose cells become the `partition` of each row.

    Raises:
        InputError: the source cannot be read, or a row breaks a rule; names the file and line.
    """
    _check_format(format)
    if not isinstance(source, str | os.PathLike):
        name = getattr(source, "name", None)
        return _stream_rows(
            source, Origin(name if isinstance(name, str) else "stream"), form, format, partition_by
        )
    if os.fspath(source) == "-":
        origin = Origin("standard input")
        if sys.stdin is None:
            raise origin.error(
                0, "it is closed", "Give the path of a file, or pipe a trace into the command."
            )
        return _stream_rows(getattr(sys.stdin, "buffer", sys.stdin), origin, form, format, partition_by)
    return _file_rows(os.fspath(source), form, format, partition_by)


def _file_rows(path: str, form: TraceForm, format: Format | None, partition_by: str | None) -> Iterator[Row]:
    with _reading(path), Path(path).open("rb") as stream:
        format = format or _FORMAT_OF_SUFFIX.get(Path(path).suffix.lower())
        if format is None and stream.peek(4)[:4] == b"PAR1":
            format = "parquet"
        if format == "parquet":
            if not stream.peek(1):
                raise nothing_to_read(Origin(path))
            yield from parquet_rows(path, Origin(path, "row"), form, partition_by)
        else:
            origin = Origin(path)
            yield from _text_rows(lines_of_bytes(stream, origin), origin, form, format, partition_by)


def _stream_rows(
    stream: TextIO | BinaryIO,
    origin: Origin,
    form: TraceForm,
    format: Format | None,
    partition_by: str | None,
) -> Iterator[Row]:
    if isinstance(stream, io.TextIOBase) or isinstance(getattr(stream, "encoding", None), str):
        lines = lines_of_text(cast(TextIO, stream), origin)
    else:
        lines = lines_of_bytes(cast(BinaryIO, stream), origin)
    return _text_rows(lines, origin, form, format, partition_by)


def _text_rows(
    lines: Iterator[str], origin: Origin, form: TraceForm, format: Format | None, partition_by: str | None
) -> Iterator[Row]:
    if format == "parquet":
        remedy = "Give the path of the file; a stream is CSV or JSON Lines."
        raise origin.error(0, "Parquet cannot be read from a stream", remedy)
    with _reading(origin.name):
        if format is None:
            head = list(_through_first_text(lines))
            format = "jsonl" if head and head[-1].lstrip()[:1] in ("{", "[") else "csv"
            lines = itertools.chain(head, lines)
        rows = csv_rows if format == "csv" else json_rows
        yield from rows(lines, origin, form, partition_by)


def _through_first_text(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if line.strip():
            return


@contextlib.contextmanager
def _reading(path: str) -> Iterator[None]:
    """Turn what the operating system refuses into an `InputError`."""
    try:
        yield
    except OSError as error:
        raise _refused(path, error) from None


def _refused(path: str, error: OSError) -> InputError:
    if not path:
        return InputError("the path is empty", remedy="Give the path of a file.")
    match error:
        case FileNotFoundError():
            reason, remedy = "there is no such file or directory", f"The working directory is {Path.cwd()}."
        case IsADirectoryError():
            reason, remedy = "this is a directory", "Give the path of a file in it."
        case PermissionError():
            reason, remedy = "there is no permission to read it", "Check the owner and mode: ls -l."
        case _:
            reason, remedy = f"the system refuses to read it: {error.strerror or error}", ""
    return InputError(reason, place=path, remedy=remedy)


def _check_format(format: Format | None) -> None:
    if format is not None and format not in get_args(Format):
        remedy = f"The formats are {', '.join(get_args(Format))}."
        raise InputError(f"there is no format {format!r}", remedy=remedy)
