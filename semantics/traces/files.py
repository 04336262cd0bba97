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
from typing import BinaryIO, Final, TextIO, TypeAlias, cast

from semantics.errors import InputError
from semantics.events import ANY_TRACE, Time, TraceForm
from semantics.traces.arrow_rows import parquet_rows
from semantics.traces.formats import Frame, csv_rows, json_rows
from semantics.traces.instants import Instant, ReadReport, admissible
from semantics.traces.lines import lines_of_bytes, lines_of_text, nothing_to_read
from semantics.traces.reading import USUAL, Format, Reading
from semantics.traces.rows import Origin, Row, Undecided

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
    reading: Reading = USUAL,
    *,
    form: TraceForm = ANY_TRACE,
    report: ReadReport | None = None,
) -> Iterator[Row]:
    """The rows of a trace, each checked on its own; nothing is read before the first row is asked for.

    Args:
        source: a path, `-` for standard input (CSV or JSON Lines), or an open stream of either; what is compressed with
            gzip or zstd is known by its first bytes.
        reading: where cells are, what times count, and whether rows that cannot be read are left out.
        form: what the system requires: which attributes are read, and whether events may take time.
        report: is told what was left out, and of times of day.

    Raises:
        InputError: the source cannot be read, or a row breaks a rule; names the file and line.
    """
    report = report or ReadReport()
    report.partition_by = reading.partition_by
    _ = reading.clock  # refused before anything is read
    rows = _rows(source, reading, form, report)
    return rows if reading.partition_by is None else _noting_partitions(rows, report)


def read_instants(
    source: TraceSource,
    reading: Reading = USUAL,
    *,
    form: TraceForm = ANY_TRACE,
    lateness: Time = 0,
    report: ReadReport | None = None,
) -> Iterator[Instant]:
    """The instants of a trace; arguments as `read_rows` and `semantics.traces.instants.admissible`.

    Raises:
        InputError: as `read_rows` and `admissible`.
    """
    report = report or ReadReport()
    rows = read_rows(source, reading, form=form, report=report)
    return admissible(
        rows,
        form=form,
        sort=reading.sort,
        lateness=lateness,
        same_time=reading.same_time,
        report=report,
    )


def _noting_partitions(rows: Iterator[Row], report: ReadReport) -> Iterator[Row]:
    for row in rows:
        if row.partition is None:
            report.without_partition += 1
        yield row


def _rows(source: TraceSource, reading: Reading, form: TraceForm, report: ReadReport) -> Iterator[Row]:
    if not isinstance(source, str | os.PathLike):
        name = getattr(source, "name", None)
        return _stream_rows(
            source, Frame(Origin(name if isinstance(name, str) else "stream"), reading, form, report)
        )
    if os.fspath(source) == "-":
        origin = Origin("standard input")
        if sys.stdin is None:
            raise origin.error(
                0, "it is closed", "Give the path of a file, or pipe a trace into the command."
            )
        return _stream_rows(getattr(sys.stdin, "buffer", sys.stdin), Frame(origin, reading, form, report))
    return _file_rows(os.fspath(source), reading, form, report)


def _file_rows(path: str, reading: Reading, form: TraceForm, report: ReadReport) -> Iterator[Row]:
    with _reading(path), Path(path).open("rb") as stream:
        format = reading.format or format_of(path)
        if format is None and stream.peek(4)[:4] == b"PAR1":
            format = "parquet"
        if format == "csv" and reading.format is None and stream.peek(2)[:2] == b'{"':
            reason, remedy = (
                "its name says CSV, and it begins like JSON Lines",
                "Say it: --input-format jsonl.",
            )
            raise Origin(path).error(1, reason, remedy, kind=Undecided)
        if format == "parquet":
            if not stream.peek(1):
                raise nothing_to_read(Origin(path))
            yield from parquet_rows(path, Frame(Origin(path, "row"), reading, form, report))
        else:
            frame = Frame(Origin(path), reading, form, report)
            yield from _text_rows(lines_of_bytes(stream, frame.origin, frame.bad), frame, format)


def format_of(path: str | os.PathLike[str]) -> Format | None:
    """The format that the suffix of a path says, that of a compressed file left out; None where it says none."""
    names = Path(path)
    if names.suffix.lower() in (".gz", ".zst"):
        names = names.with_suffix("")
    return _FORMAT_OF_SUFFIX.get(names.suffix.lower())


def _stream_rows(stream: TextIO | BinaryIO, frame: Frame) -> Iterator[Row]:
    if isinstance(stream, io.TextIOBase) or isinstance(getattr(stream, "encoding", None), str):
        lines = lines_of_text(cast(TextIO, stream), frame.origin, frame.bad)
    else:
        lines = lines_of_bytes(cast(BinaryIO, stream), frame.origin, frame.bad)
    return _text_rows(lines, frame, frame.reading.format)


def _text_rows(lines: Iterator[str], frame: Frame, format: Format | None) -> Iterator[Row]:
    origin = frame.origin
    if format == "parquet":
        remedy = "Give the path of the file; a stream is CSV or JSON Lines."
        raise origin.error(0, "Parquet cannot be read from a stream", remedy)
    with _reading(origin.name):
        if format is None:
            head = list(_through_first_text(lines))
            format = "jsonl" if head and head[-1].lstrip()[:1] in ("{", "[") else "csv"
            lines = itertools.chain(head, lines)
        rows = csv_rows if format == "csv" else json_rows
        yield from rows(lines, frame)


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
