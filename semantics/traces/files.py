"""Traces (event logs) in files: CSV `time,event,value`, JSON Lines with these keys, Parquet likewise.

`read_rows` reads and checks every cell; `admissible` checks the order of time and Def. 3.4 and groups rows by
time. Both are generators, so a trace on standard input is processed as it comes. `write_trace` writes what
they read.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, Literal, TextIO, TypeAlias, cast, get_args

from semantics.atomic_files import draft
from semantics.carlson_lisper.interpretations import Interpretation, interpretation
from semantics.carlson_lisper.occurrences import Occurrence, Value
from semantics.errors import InputError
from semantics.traces.formats import HEADER, csv_rows, json_rows, parquet_rows
from semantics.traces.instants import Instant, ReadReport, SameTime, admissible, unknown_events
from semantics.traces.lines import lines_of_bytes, lines_of_text, nothing_to_read
from semantics.traces.rows import Origin, Partition, Row, event_of, time_of, value_of

__all__ = [
    "Format",
    "Instant",
    "Partition",
    "ReadReport",
    "Row",
    "SameTime",
    "TraceSource",
    "admissible",
    "read_interpretation",
    "read_partitions",
    "read_rows",
    "unknown_events",
    "write_trace",
]

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
    source: TraceSource, *, format: Format | None = None, partition_by: str | None = None
) -> Iterator[Row]:
    """The rows of a trace, each checked on its own; nothing is read before the first row is asked for.

    Args:
        source: a path, `-` for standard input (CSV or JSON Lines), or an open stream of either.
        format: the file format; by default that of the file's suffix, otherwise that of its first bytes.
        partition_by: the column whose cells become the `partition` of each row.

    Raises:
        InputError: the source cannot be read, or a row breaks a rule; names the file and line.
    """
    _check_format(format)
    if not isinstance(source, str | os.PathLike):
        name = getattr(source, "name", None)
        return _stream_rows(source, Origin(name if isinstance(name, str) else "stream"), format, partition_by)
    if os.fspath(source) == "-":
        origin = Origin("standard input")
        if sys.stdin is None:
            raise origin.error(
                0, "it is closed", "Give the path of a file, or pipe a trace into the command."
            )
        return _stream_rows(getattr(sys.stdin, "buffer", sys.stdin), origin, format, partition_by)
    return _file_rows(os.fspath(source), format, partition_by)


def _file_rows(path: str, format: Format | None, partition_by: str | None) -> Iterator[Row]:
    with _reading(path), Path(path).open("rb") as stream:
        format = format or _FORMAT_OF_SUFFIX.get(Path(path).suffix.lower())
        if format is None and stream.peek(4)[:4] == b"PAR1":
            format = "parquet"
        if format == "parquet":
            if not stream.peek(1):
                raise nothing_to_read(Origin(path))
            yield from parquet_rows(path, Origin(path, "row"), partition_by)
        else:
            origin = Origin(path)
            yield from _text_rows(lines_of_bytes(stream, origin), origin, format, partition_by)


def _stream_rows(
    stream: TextIO | BinaryIO, origin: Origin, format: Format | None, partition_by: str | None
) -> Iterator[Row]:
    if isinstance(stream, io.TextIOBase) or isinstance(getattr(stream, "encoding", None), str):
        lines = lines_of_text(cast(TextIO, stream), origin)
    else:
        lines = lines_of_bytes(cast(BinaryIO, stream), origin)
    return _text_rows(lines, origin, format, partition_by)


def _text_rows(
    lines: Iterator[str], origin: Origin, format: Format | None, partition_by: str | None
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
        yield from rows(lines, origin, partition_by)


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
        raise _refused(path, error, "read") from None


def _refused(path: str, error: OSError, action: str) -> InputError:
    if not path:
        return InputError("the path is empty", remedy="Give the path of a file.")
    match error:
        case FileNotFoundError():
            reason, remedy = "there is no such file or directory", f"The working directory is {Path.cwd()}."
        case IsADirectoryError():
            reason, remedy = "this is a directory", "Give the path of a file in it."
        case PermissionError():
            reason, remedy = f"there is no permission to {action} it", "Check the owner and mode: ls -l."
        case _:
            reason, remedy = f"the system refuses to {action} it: {error.strerror or error}", ""
    return InputError(reason, place=path, remedy=remedy)


def _check_format(format: Format | None) -> None:
    if format is not None and format not in get_args(Format):
        remedy = f"The formats are {', '.join(get_args(Format))}."
        raise InputError(f"there is no format {format!r}", remedy=remedy)


def read_interpretation(
    source: TraceSource,
    *,
    format: Format | None = None,
    sort: bool = False,
    same_time: SameTime | None = None,
    report: ReadReport | None = None,
) -> Interpretation:
    """The interpretation (Def. 3.5) that a trace describes; options as for `read_rows` and `admissible`.

    Raises:
        InputError: as `read_rows` and `admissible`.
    """
    rows = read_rows(source, format=format)
    instants = admissible(rows, sort=sort, same_time=same_time, report=report or ReadReport())
    return interpretation(row.occurrence() for instant in instants for row in instant.rows)


def read_partitions(
    source: TraceSource,
    partition_by: str | None,
    *,
    format: Format | None = None,
    sort: bool = False,
    same_time: SameTime | None = None,
    report: ReadReport | None = None,
) -> dict[Partition, Interpretation]:
    """One interpretation per value of the column `partition_by`, in the order of their first occurrence.

    Without a column there is one interpretation, of the partition `None`.

    Raises:
        InputError: as `read_rows` and `admissible`.
    """
    rows = read_rows(source, format=format, partition_by=partition_by)
    found: defaultdict[Partition, list[Occurrence]] = defaultdict(list)
    for instant in admissible(rows, sort=sort, same_time=same_time, report=report or ReadReport()):
        for row in instant.rows:
            found[row.partition].append(row.occurrence())
    return {key: interpretation(occurrences) for key, occurrences in found.items()}


# ---------------------------------------------------------------------------------------------------- writing


def write_trace(
    path: str | os.PathLike[str], occurrences: Iterable[Occurrence], *, format: Format | None = None
) -> None:
    """Write occurrences in the order given; the file appears whole or not at all.

    What `read_rows` reads back is the same, but for some values: CSV has text alone, and an empty text is a
    missing value; a Parquet column has one type, so that values of several types are written as text; numbers
    that are not finite are text everywhere.

    Args:
        path: the file.
        occurrences: admissible or not; order and simultaneity are for the reader to check.
        format: the file format; by default that of the suffix.

    Raises:
        InputError: the format is not known, an occurrence is not one, or the file cannot be written.
    """
    _check_format(format)
    name = os.fspath(path)
    format = format or _FORMAT_OF_SUFFIX.get(Path(name).suffix.lower())
    if format is None:
        remedy = f"End its name in one of {', '.join(_FORMAT_OF_SUFFIX)}."
        raise InputError("the name does not say the file format", place=name, remedy=remedy)
    rows = _checked(occurrences, Origin(name, "row"))
    try:
        with _replacing(name) as stream:
            _WRITERS[format](stream, rows)
    except OSError as error:
        raise _refused(name, error, "write") from None


@contextlib.contextmanager
def _replacing(path: str) -> Iterator[BinaryIO]:
    """A new file that takes the place of `path` when all is written; a device or pipe is written directly."""
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        with target.open("wb") as stream:
            yield stream
        return
    with draft(target) as place, place.open("xb") as stream:
        yield stream


_Cells: TypeAlias = tuple[int, str, Value]


def _checked(occurrences: Iterable[Occurrence], origin: Origin) -> Iterator[_Cells]:
    for number, occurrence in enumerate(occurrences, 1):
        yield (
            time_of(occurrence.time, origin, number),
            event_of(occurrence.event, origin, number),
            value_of(occurrence.value, origin, number),
        )


def _write_csv(stream: BinaryIO, rows: Iterable[_Cells]) -> None:
    stream.write(f"{','.join(HEADER)}\n".encode())
    for time, event, value in rows:
        cell = _text_of(value)
        if any(mark in cell for mark in ',"\r\n'):
            doubled = cell.replace('"', '""')
            cell = f'"{doubled}"'
        stream.write(f"{time},{event},{cell}\n".encode())


def _write_jsonl(stream: BinaryIO, rows: Iterable[_Cells]) -> None:
    empty = True
    for time, event, value in rows:
        empty = False
        members = {"time": time, "event": event} | ({} if value is None else {"value": value})
        stream.write(f"{json.dumps(members, ensure_ascii=False)}\n".encode())
    if empty:
        stream.write(b"\n")  # a file without a single byte is taken for an accident by the reader


def _write_parquet(stream: BinaryIO, rows: Iterable[_Cells]) -> None:
    import pyarrow
    from pyarrow import parquet

    times, events, values = map(list, zip(*rows, strict=True)) if (rows := list(rows)) else ([], [], [])
    kinds = {type(value) for value in values if value is not None}
    kind = kinds.pop() if len(kinds) == 1 else str
    if kind is int and any(value is not None and not -(2**63) <= value < 2**63 for value in values):
        kind = str
    if kind is str:
        values = [None if value is None else _text_of(value) for value in values]
    native = {bool: pyarrow.bool_(), int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string()}
    columns = [pyarrow.array(times, pyarrow.int64()), pyarrow.array(events, pyarrow.string())]
    columns.append(pyarrow.array(values, native[kind]))
    parquet.write_table(pyarrow.table(columns, names=list(HEADER)), stream)


def _text_of(value: Value) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


_WRITERS: Final = {"csv": _write_csv, "jsonl": _write_jsonl, "parquet": _write_parquet}
