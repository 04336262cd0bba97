"""Traces (event logs) in files, tables and queries: CSV with the columns `time` and `event`, JSON Lines, Parquet.

A column `start` makes events intervals, every other one is an attribute. `read_rows` reads and checks every cell;
`rows.admissible` checks the order of time. Both are generators: of standard input, one line is held at a time.
"""

import contextlib
import csv
import glob
import io
import itertools
import json
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol, TextIO, TypeAlias, runtime_checkable

from semantics.errors import InputError, require_few_digits
from semantics.events import ANY_TRACE, Time, TraceForm
from semantics.traces.reading import USUAL, Format, Reading
from semantics.traces.rows import Context, Instant, Origin, ReadReport, Row, Undecided, admissible, listed, shown
from semantics.traces.tables import parquet_rows, query_rows, table_rows
from semantics.traces.times import epoch_of, times_of


@runtime_checkable
class ArrowTable(Protocol):
    """A table that can be handed on by Arrow's C interface: one of pandas, Polars, PyArrow or DuckDB."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The table as a stream of record batches."""


TraceSource: TypeAlias = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | TextIO | BinaryIO | ArrowTable"
"""A path or a pattern of paths, several of them, `-` for standard input, an open stream, a table, or a query of SQL."""

_FORMATS: dict[str, Format] = {"csv": "csv", "jsonl": "jsonl", "ndjson": "jsonl", "parquet": "parquet", "pq": "parquet"}


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
    return _some(rows, reading, report)


def _some(rows: Iterator[Row], reading: Reading, report: ReadReport) -> Iterator[Row]:
    """The rows; refused where all were left out. A report is told what ticks may have been meant to be."""
    for row in rows:
        report.meant = None if reading.tick else epoch_of(row.time)
        yield row
        yield from rows
        return
    if report.bad:
        remedy = "Say how the log is read: --time COLUMN, --event COLUMN, --tick LENGTH, --time-format FORMAT."
        raise InputError(f"no row can be read; the first one: {report.first_bad}", remedy=remedy)


def read_instants(
    source: TraceSource,
    reading: Reading = USUAL,
    *,
    form: TraceForm = ANY_TRACE,
    lateness: Time = 0,
    report: ReadReport | None = None,
) -> Iterator[Instant]:
    """The instants of a trace; arguments and errors as of `read_rows` and `semantics.traces.rows.admissible`."""
    report = report or ReadReport()
    rows = read_rows(source, reading, form=form, report=report)
    return admissible(rows, reading, form=form, lateness=lateness, report=report)


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
    return _FORMATS.get(names.suffix.lower().removeprefix("."))


def is_at_rest(source: str) -> bool:
    """Whether a log can be read twice: it is neither standard input nor a pipe."""
    try:
        return stat.S_ISREG(Path(source).stat().st_mode)
    except (OSError, ValueError):  # a pattern of paths, a query, or a file that is missing
        return source != "-"


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
        raise unreadable(path, "" if missing else f"it cannot be read: {error.strerror or error}") from None


def unreadable(path: str, reason: str = "") -> InputError:
    """The error for a file that cannot be read, or is not there."""
    reason = (reason or "there is no such file or directory") if path else "the path is empty"
    return InputError(reason, place=path, remedy=f"Give the path of a file; the working directory is {Path.cwd()}.")


MAX_LINE: Final = 10_000_000  # bytes
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_NOT_TEXT: Final = {
    (b"PAR1",): ("this is a Parquet file", "Give its path, and let its name end in .parquet."),
    (_GZIP, _ZSTD): ("this is compressed twice", "Decompress it first: gzip -dc FILE, or zstd -dc FILE."),
    (b"BZh", b"\xfd7zXZ"): ("this is compressed with bzip2 or xz", "Decompress it first: xz -dc FILE, or bzip2."),
    (b"PK\x03\x04",): ("this is a ZIP archive or a spreadsheet", "Extract it, or export the sheet as CSV."),
    (b"\xff\xfe", b"\xfe\xff"): ("this is text in UTF-16", "Save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE."),
}
_BAD_LINE: Final = "\0\n"  # stands for one that cannot be read and is left out; no line that is read has a NUL


def decompressed(stream: BinaryIO) -> BinaryIO:
    """The stream, or what it holds where its first bytes say that it is compressed with gzip or zstd."""
    if isinstance(stream, io.BufferedReader):
        head = stream.peek(4)
    elif stream.seekable():
        place = stream.tell()
        head = stream.read(4)
        stream.seek(place)
    else:
        return stream
    if head.startswith(_GZIP):
        import gzip

        unpacked: Any = gzip.GzipFile(fileobj=stream)
    elif head.startswith(_ZSTD):
        import pyarrow

        unpacked = pyarrow.CompressedInputStream(pyarrow.PythonFile(stream, mode="r"), "zstd")
    else:
        return stream
    return io.BufferedReader(unpacked)


def lines_of(stream: BinaryIO | TextIO, origin: Origin, context: Context | None = None) -> Iterator[str]:
    """The lines of a stream of bytes, perhaps compressed, or of text, each with its end, without a byte order mark.

    With a context, a line that cannot be read may be left out, and `_BAD_LINE` stands for it.
    """
    is_text = isinstance(stream, io.TextIOBase) or isinstance(getattr(stream, "encoding", None), str)
    source: Any = stream if is_text else decompressed(stream)  # type: ignore[arg-type]
    number, limit = 0, MAX_LINE + 1
    try:
        while line := source.readline(limit):
            number += 1
            given = line.encode("utf-8", "surrogatepass") if is_text else line
            if number == 1:
                for magic, (reason, remedy) in _NOT_TEXT.items():
                    if given.startswith(magic):
                        raise origin.error(1, reason, remedy)
                given = given.removeprefix(b"\xef\xbb\xbf")
            try:
                text = _decoded(given, number)
            except InputError as error:
                if context is None:
                    raise origin.at(number, error) from None
                context.leave_out(number, error)
                text = _BAD_LINE
            while len(line) == limit and line[-1:] not in (b"\n", "\n"):  # the rest of a line that is left out
                line = source.readline(limit)
            yield text
    except UnicodeDecodeError as error:
        reason = f"a byte at or after this line is not {error.encoding} text"
        raise origin.error(number + 1, reason, "Save the text as UTF-8.", kind=Undecided) from None
    except (EOFError, OSError, zlib.error) as error:
        if source is stream:
            raise
        reason = f"what is compressed is damaged, or cut off: {error}"
        remedy = "Write it again; check it with gzip -t or zstd -t."
        raise origin.error(number + 1, reason, remedy, kind=Undecided) from None  # --skip-bad is about rows


def _decoded(line: bytes, number: int) -> str:
    if len(line) > MAX_LINE:
        reason = f"the line is longer than {MAX_LINE:,} characters"
        raise InputError(reason, remedy="A row of a trace is one line of a text file.")
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        remedy = "Save it as UTF-8: iconv -f LATIN1 -t UTF-8 FILE, with the encoding that it has."
        raise InputError(f"the byte 0x{line[error.start]:02x} is not UTF-8 text", remedy=remedy) from None
    if "\0" in text:
        reason = "the line has a NUL byte: this is text in UTF-16, or no text, or damaged"
        remedy = "Save it as UTF-8: iconv -f UTF-16LE -t UTF-8 FILE, or UTF-16BE; or remove the byte: tr -d '\\000'."
        raise (Undecided if number == 1 else InputError)(reason, remedy=remedy)
    return text


def nothing_to_read(origin: Origin) -> InputError:
    """The error for a file without a header or a row."""
    remedy = "An empty trace is a CSV file with the header alone: time,event,value; JSON Lines have a row at least."
    return origin.error(0, "there is nothing to read, neither a header nor a row", remedy)


class _Records(Iterator[str]):
    """Lines for a reader of records: those of the record that is read, and those that are read again."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.record: list[str] = []
        self.again: list[str] = []

    def __next__(self) -> str:
        self.record.append(self.again.pop() if self.again else next(self._lines))
        return self.record[-1]


def csv_rows(lines: Iterable[str], context: Context) -> Iterator[Row]:
    """The rows of CSV with a header; attributes stay text, an empty one is missing, blank lines are skipped.

    Of a record that cannot be read, only the first line is left out: it may have a quote that is not closed.
    """
    records, header = _Records(lines), context.reading.names
    reader = csv.reader(records, strict=True, **context.reading.of_cells)
    try:
        header = header or next((cells for cells in reader if cells), [])
    except csv.Error as error:
        raise context.origin.at(1, _not_csv(error, Undecided)) from None
    if not header:
        raise nothing_to_read(context.origin)
    context.check_columns(header, reader.line_num)
    found, number = context.attributes(header), 1
    while True:
        number += len(records.record)
        records.record.clear()
        cells: list[str] | None = []
        try:
            cells = next(reader, None)
            if cells is None:
                return
            if len(cells) <= 1 and not "".join(cells).strip():
                continue
            if len(cells) != len(header) or "\0" in "".join(cells):
                reason = f"the number of cells is {len(cells)}, and that of columns {len(header)}"
                remedy = 'An empty cell needs its comma; one with a comma is quoted: "a,b". They are '
                raise InputError(reason, remedy=f"{remedy}{listed(cells)}.")
            yield context.row({name: cell or None for name, cell in zip(header, cells, strict=True)}, found, number)
            continue
        except csv.Error as error:
            wrong = _not_csv(error)
        except InputError as error:
            wrong = error
        if cells != [_BAD_LINE.strip()]:  # which was told when its line was read
            context.leave_out(number, wrong)
        records.again += records.record[:0:-1]
        del records.record[1:]


def _not_csv(error: csv.Error, kind: type[InputError] = InputError) -> InputError:
    remedy = 'A quote is closed, and written twice within a quoted cell: "say ""no"""; lines end with a line feed.'
    return kind(f"this is not CSV: {str(error).partition(' - ')[0]}", remedy=remedy)


class _Repeated(dict[str, Any]):
    """An object that names a key twice, where only one of the two could be kept."""


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    return members if len(members) == len(pairs) else _Repeated(members)


_decode: Final[Callable[[str], tuple[Any, int]]] = json.JSONDecoder(object_pairs_hook=_object_of).raw_decode


def json_rows(lines: Iterable[str], context: Context) -> Iterator[Row]:
    """The rows of JSON Lines: one object with the keys of the columns on each line; blank lines are skipped."""
    context.require_no_csv("JSON Lines")
    number, first = 0, True
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or line == _BAD_LINE:
            continue
        try:
            members = _members(text, context, number, first=first)
            row = context.row(members, context.attributes(members), number)
        except InputError as error:
            context.leave_out(number, error)
            continue
        first = False
        yield row
    if number == 0:
        raise nothing_to_read(context.origin)


def _members(text: str, context: Context, number: int, *, first: bool) -> dict[str, Any]:
    """The object that a line states, with the members that every row has; what the first one lacks, all may lack."""
    reading = context.reading
    remedy = 'Write one object on each line, with each key once: {"time": 3, "event": "fail", "value": "root"}'
    if first and text.startswith("["):
        reason = "this begins like an array of JSON, and a log has one object on each line"
        raise Undecided(reason, remedy='Write them so: jq -c ".[]" FILE > log.jsonl')
    try:
        members, end = _decode(text)
    except RecursionError:
        raise InputError("the line is nested too deeply", remedy="A value is one scalar, or missing.") from None
    except ValueError as error:
        require_few_digits(text)
        raise InputError(f"the line is not JSON: {str(error).replace('line 1 ', '')}", remedy=remedy) from None
    if end != len(text):
        reason = f"there is text after the JSON value: {shown(text[end:].strip())}"
        raise InputError(reason, remedy=remedy)
    if type(members) is not dict:
        raise InputError(f"the line is no JSON object that has each key once: {shown(text)}", remedy=remedy)
    for name in reading.nested:
        found: Any = members
        for part in (name,) if name in members else name.split("."):
            found = found.get(part, ...) if type(found) is dict else ...
        if found is not ...:
            members[name] = found
    key = reading.partition_by
    if reading.time not in members or reading.event not in members or (first and key and key not in members):
        context.require_columns(list(members), number, Undecided if first else InputError)
    return members
