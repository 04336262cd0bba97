"""Traces (event logs) in files, tables and queries: CSV with the columns `time` and `event`, JSON Lines, Parquet.

A column `start` makes events intervals, every other one is an attribute. `read_rows` reads and checks every cell;
`instants.admissible` checks the order of time. Both are generators: standard input is processed as it comes.
"""

import contextlib
import glob
import itertools
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol, TextIO, TypeAlias, runtime_checkable

from semantics.errors import InputError
from semantics.events import ANY_TRACE, Time, TraceForm
from semantics.traces.instants import Instant, ReadReport, admissible
from semantics.traces.reading import USUAL, Format, Reading
from semantics.traces.rows import Origin, Row, Undecided
from semantics.traces.tables import Context, parquet_rows, query_rows, table_rows
from semantics.traces.text import csv_rows, json_rows, lines_of, nothing_to_read
from semantics.traces.times import times_of


@runtime_checkable
class ArrowTable(Protocol):
    """A table that can be handed on by Arrow's C interface: one of pandas, Polars, PyArrow or DuckDB."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The table as a stream of record batches."""


TraceSource: TypeAlias = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | TextIO | BinaryIO | ArrowTable"
"""A path or a pattern of paths, several of them, `-` for standard input, an open stream, a table, or a query of SQL."""

_SUFFIXES: Final[dict[Format, tuple[str, ...]]] = {
    "csv": (".csv",),
    "jsonl": (".jsonl", ".ndjson"),
    "parquet": (".parquet", ".pq"),
}


def read_rows(
    source: TraceSource, reading: Reading = USUAL, *, form: TraceForm = ANY_TRACE, report: ReadReport | None = None
) -> Iterator[Row]:
    """The rows of a trace, each checked on its own; nothing is read before the first row is asked for.

    Args:
        source: what is read; what is compressed with gzip or zstd is known by its first bytes.
        reading: where cells are, what times count, and whether rows that cannot be read are left out.
        form: what the system requires: which attributes are read, and whether events may take time.
        report: is told what was left out, and of times of day.

    Raises:
        InputError: the source cannot be read, or a row breaks a rule; names the file and line.
    """
    report = report or ReadReport()
    report.partition_by = reading.partition_by
    read_time = times_of(reading, report)  # refused before anything is read
    context = Context(Origin("table", "row"), reading, form, report, read_time)
    rows = itertools.chain.from_iterable(_rows(each, context) for each in sources_of(source, reading))
    return rows if reading.partition_by is None else _noting_partitions(rows, report)


def read_instants(
    source: TraceSource,
    reading: Reading = USUAL,
    *,
    form: TraceForm = ANY_TRACE,
    lateness: Time = 0,
    report: ReadReport | None = None,
) -> Iterator[Instant]:
    """The instants of a trace; arguments and errors as of `read_rows` and `semantics.traces.instants.admissible`."""
    report = report or ReadReport()
    rows = read_rows(source, reading, form=form, report=report)
    return admissible(rows, form=form, sort=reading.sort, lateness=lateness, same_time=reading.same_time, report=report)


def sources_of(source: TraceSource, reading: Reading) -> Sequence[Any]:
    """The parts of a log in the order in which they are read: paths, or the one stream, table or query."""
    if isinstance(source, list | tuple):
        return [each for one in source for each in sources_of(one, reading)]
    if not isinstance(source, str | os.PathLike) or reading.sql:
        return [source]
    path = os.fspath(source)
    if not glob.has_magic(path) or Path(path).exists():
        return [path]
    found = sorted(glob.glob(path, recursive=True))  # noqa: PTH207  # Path.glob takes no absolute patterns
    if not found:
        raise InputError("no file is like this pattern", place=path, remedy=f"The working directory is {Path.cwd()}.")
    return found


def format_of(path: str | os.PathLike[str]) -> Format | None:
    """The format that the suffix of a path says, that of a compressed file left out; None where it says none."""
    names = Path(path)
    if names.suffix.lower() in (".gz", ".zst"):
        names = names.with_suffix("")
    return next((format for format, suffixes in _SUFFIXES.items() if names.suffix.lower() in suffixes), None)


def is_at_rest(source: str) -> bool:
    """Whether a log can be read twice: it is neither standard input nor a pipe."""
    try:
        return stat.S_ISREG(Path(source).stat().st_mode)
    except (OSError, ValueError):  # a pattern of paths, a query, or a file that is missing
        return source != "-"


def _noting_partitions(rows: Iterator[Row], report: ReadReport) -> Iterator[Row]:
    for row in rows:
        if row.partition is None:
            report.without_partition += 1
        yield row


def _rows(source: Any, context: Context) -> Iterator[Row]:
    if isinstance(source, ArrowTable):
        import pyarrow

        context.require_no_csv("a table")
        table: Any = pyarrow.table(source)
        return table_rows(table.column_names, table.to_batches(), context)
    if isinstance(source, str) and context.reading.sql:
        return query_rows(source, replace(context, origin=Origin("query", "row")))
    if isinstance(source, str) and source != "-":
        return _file_rows(source, replace(context, origin=Origin(source)))
    name = "standard input" if source == "-" else getattr(source, "name", None)
    origin = Origin(name if isinstance(name, str) else "stream")
    stream = getattr(sys.stdin, "buffer", sys.stdin) if source == "-" else source
    if stream is None:
        raise origin.error(0, "it is closed", "Give the path of a file, or pipe a trace into the command.")
    return _text_rows(stream, replace(context, origin=origin), context.reading.format)


def _file_rows(path: str, context: Context) -> Iterator[Row]:
    with _refusing(path), Path(path).open("rb") as stream:
        format, head = context.reading.format or format_of(path), stream.peek(4)
        if format is None and head.startswith(b"PAR1"):
            format = "parquet"
        if format == "csv" and context.reading.format is None and head.startswith(b'{"'):
            reason = "its name says CSV, and it begins like JSON Lines"
            raise context.origin.error(1, reason, "Say it: --input-format jsonl.", kind=Undecided)
        if format != "parquet":
            yield from _text_rows(stream, context, format)
        elif head:
            yield from parquet_rows(path, replace(context, origin=Origin(path, "row")))
        else:
            raise nothing_to_read(context.origin)


def _text_rows(stream: TextIO | BinaryIO, context: Context, format: Format | None) -> Iterator[Row]:
    origin = context.origin
    if format == "parquet":
        remedy = "Give the path of the file; a stream is CSV or JSON Lines."
        raise origin.error(0, "Parquet cannot be read from a stream", remedy)
    lines = lines_of(stream, origin, context)
    with _refusing(origin.name):
        if format is None:
            head: list[str] = []
            while not (head and head[-1].strip()) and (line := next(lines, None)) is not None:
                head.append(line)
            format = "jsonl" if head and head[-1].lstrip()[:1] in ("{", "[") else "csv"
            lines = itertools.chain(head, lines)
        yield from (csv_rows if format == "csv" else json_rows)(lines, context)


@contextlib.contextmanager
def _refusing(path: str) -> Iterator[None]:
    """Turn what the operating system refuses into an `InputError`."""
    try:
        yield
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        reason = "there is no such file or directory" if missing else f"it cannot be read: {error.strerror or error}"
        remedy = f"The working directory is {Path.cwd()}."
        raise InputError(reason if path else "the path is empty", place=path, remedy=remedy) from None
