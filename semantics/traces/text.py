"""The rows of a trace in text: CSV and JSON Lines, from their lines, one of which is held at a time."""

from __future__ import annotations

import csv
import io
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, BinaryIO, Final, TextIO

from semantics.errors import InputError
from semantics.traces import rows
from semantics.traces.instants import ReadReport
from semantics.traces.rows import Origin, Undecided
from semantics.traces.tables import (
    SKIP,
    Context,
    RowReader,
    attributes,
    check_columns,
    listed,
    require_columns,
    require_csv,
)

MAX_LINE: Final = 10_000_000
"""The longest line that is read, in bytes."""

_NOT_TEXT: Final = {
    b"PAR1": ("this is a Parquet file", "Give its path, and let its name end in .parquet."),
    b"\x1f\x8b": ("this is compressed with gzip twice", "Decompress it first: gzip -dc FILE."),
    b"\x28\xb5\x2f\xfd": ("this is compressed with zstd twice", "Decompress it first: zstd -dc FILE."),
    b"BZh": ("this is compressed with bzip2", "Decompress it first: bzip2 -dc FILE."),
    b"\xfd7zXZ": ("this is compressed with xz", "Decompress it first: xz -dc FILE."),
    b"PK\x03\x04": ("this is a ZIP archive or a spreadsheet", "Extract it, or export the sheet as CSV."),
    b"\xff\xfe": ("this is text in UTF-16", "Save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE."),
    b"\xfe\xff": ("this is text in UTF-16", "Save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE."),
}

BAD_LINE: Final = "\0\n"
"""The mark of a line that cannot be read, where such lines are left out; no line that is read has a NUL."""


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
    if head.startswith(b"\x1f\x8b"):
        import gzip

        unpacked: Any = gzip.GzipFile(fileobj=stream)
        return io.BufferedReader(unpacked)
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        import pyarrow

        source: Any = pyarrow.CompressedInputStream(pyarrow.PythonFile(stream, mode="r"), "zstd")
        return io.BufferedReader(source)
    return stream


# -------------------------------------------------------------------------------------------------------- lines


def lines_of(stream: BinaryIO | TextIO, origin: Origin, report: ReadReport | None = None) -> Iterator[str]:
    """The lines of a stream, each with its end, without a byte order mark.

    Args:
        stream: bytes, perhaps compressed, or text.
        origin: the file.
        report: where lines that cannot be read are noted, and `BAD_LINE` stands for them; None to refuse them.

    Raises:
        InputError: a line is not UTF-8, has a NUL byte or is longer than `MAX_LINE`; or what is compressed is damaged.
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
                text = _decoded(given, origin, number)
            except Undecided:
                raise
            except InputError as error:
                if report is None:
                    error.remedy = f"{error.remedy} {SKIP}"
                    raise
                report.leave_out(origin, number, error)
                text = BAD_LINE
            while len(line) == limit and line[-1:] not in (b"\n", "\n"):  # the rest of a line that is left out
                line = source.readline(limit)
            yield text
    except UnicodeDecodeError as error:
        reason = f"a byte at or after this line is not {error.encoding} text"
        raise origin.error(number + 1, reason, "Save the text as UTF-8.") from None
    except (EOFError, OSError, zlib.error) as error:
        if source is stream:
            raise
        reason = f"what is compressed is damaged, or cut off: {error}"
        raise origin.error(number + 1, reason, "Write it again; check it with gzip -t or zstd -t.") from None


def _decoded(line: bytes, origin: Origin, number: int) -> str:
    if len(line) > MAX_LINE:
        reason = f"the line is longer than {MAX_LINE:,} characters"
        raise origin.error(number, reason, "A row of a trace is one line of a text file.")
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        reason = f"the byte 0x{line[error.start]:02x} is not UTF-8 text"
        remedy = "Save it as UTF-8: iconv -f LATIN1 -t UTF-8 FILE, with the encoding that it has."
        raise origin.error(number, reason, remedy) from None
    if "\0" in text:
        if len(text) - 1 > 1 and text.strip("\0\r\n") and 2 * text.count("\0") >= len(text) - 1:
            remedy = f"Save it as UTF-8: iconv -f UTF-16{'BE' if text[0] == chr(0) else 'LE'} -t UTF-8 FILE."
            raise origin.error(number, "this is text in UTF-16", remedy, kind=Undecided)
        reason = "the line has a NUL byte; this is not a text file, or a damaged one"
        raise origin.error(number, reason, "Remove the byte: tr -d '\\000' < FILE.")
    return text


def nothing_to_read(origin: Origin, *, has_header: bool = True) -> InputError:
    """The error for a file without a single byte.

    Args:
        origin: the file.
        has_header: whether a file of its format begins with a header.
    """
    if has_header:
        remedy = "An empty trace is a CSV file with the header alone: time,event,value"
        return origin.error(0, "there is nothing to read, not even a header", remedy)
    remedy = 'A trace in JSON Lines has a row at least: {"time": 3, "event": "fail"}'
    return origin.error(0, "there is nothing to read, not a single row", remedy)


# -------------------------------------------------------------------------------------------------------- CSV


class _Records(Iterator[str]):
    """Lines for a reader of records, which goes back to the second line of a record that cannot be read."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self._record: list[str] = []
        self._again: list[str] = []

    def __next__(self) -> str:
        line = self._again.pop() if self._again else next(self._lines)
        self._record.append(line)
        return line

    def done(self) -> None:
        """The record was read."""
        self._record.clear()

    def back(self) -> int:
        """Go back to the second line of the record; how many lines are read again."""
        again = self._record[:0:-1]
        self._again += again
        self._record.clear()
        return len(again)


def csv_rows(lines: Iterable[str], context: Context) -> Iterator[rows.Row]:
    """The rows of CSV with a header; attributes stay text, an empty one is missing, blank lines are skipped.

    Raises:
        InputError: naming the line.
    """
    origin, records = context.origin, _Records(lines)
    reader = csv.reader(records, strict=True, **context.reading.of_cells)
    header = _header(reader, context)
    records.done()
    row_of, found = RowReader(context).row, attributes(header, context)
    line, again = reader.line_num, 0
    while True:
        number = line + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            context.leave_out(number, _not_csv(str(error), origin, number))
            again += records.back()
            line = reader.line_num - again
            continue
        if cells is None:
            return
        line = reader.line_num - again
        try:
            if len(cells) != len(header) or "\0" in "".join(cells):
                if not "".join(cells).strip() and len(cells) <= 1:
                    records.done()
                    continue
                raise _wrong_width(cells, header, origin, number)
            row = row_of({name: cell or None for name, cell in zip(header, cells, strict=True)}, found, number)
        except InputError as error:
            if cells != [BAD_LINE.strip()]:  # which was told when its line was read
                context.leave_out(number, error)
            again += records.back()
            line = reader.line_num - again
        else:
            records.done()
            yield row


def _header(reader: Any, context: Context) -> list[str]:
    """The names of the columns."""
    names = context.reading.names
    if not names:
        try:
            names = next((cells for cells in reader if cells), [])
        except csv.Error as error:
            raise _not_csv(str(error), context.origin, 1, kind=Undecided) from None
    if not names:
        if reader.line_num == 0:
            raise nothing_to_read(context.origin)
        remedy = "The first line names the columns: time,event,value"
        raise context.origin.error(1, "there is no header, only blank lines", remedy)
    check_columns(names, context, reader.line_num)
    return names


def _wrong_width(cells: Sequence[str], header: Sequence[str], origin: Origin, number: int) -> InputError:
    few = len(cells) < len(header)
    cells_of_row = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
    reason = f"the row has {cells_of_row}, too {'few' if few else 'many'} for {len(header)} columns"
    remedy = f"Its cells are {listed(cells)}. " + (
        "An empty cell still needs its comma." if few else 'A cell with a comma is quoted: "a,b".'
    )
    return origin.error(number, reason, remedy)


def _not_csv(message: str, origin: Origin, number: int, *, kind: type[InputError] = InputError) -> InputError:
    if "unexpected end" in message or "field larger" in message:
        reason = 'a quote " that opens in this row is not closed'
        if "field larger" in message:
            reason = f"a cell of this row has more than {csv.field_size_limit():,} characters, or {reason}"
        remedy = 'Close it; a quote within a quoted cell is written twice: "say ""no""".'
    elif "expected after" in message:
        reason = "there is text between a closing quote and the next comma"
        remedy = 'A quote within a quoted cell is written twice: "say ""no""".'
    elif "new-line" in message:
        reason = "there is a carriage return in the middle of the line"
        remedy = "End lines with a line feed: tr '\\r' '\\n' < FILE; or quote the cell."
    else:
        reason, remedy = f"this is not CSV: {message}", ""
    return origin.error(number, reason, remedy, kind=kind)


# ------------------------------------------------------------------------------------------------- JSON Lines


class _Repeated(dict[str, Any]):
    """An object that names a key twice, where only one of the two could be kept."""

    key: str


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    counts = Counter(name for name, _ in pairs)
    repeated = _Repeated(members)
    repeated.key = next(name for name in counts if counts[name] > 1)
    return repeated


_decode: Final[Callable[[str], tuple[Any, int]]] = json.JSONDecoder(object_pairs_hook=_object_of).raw_decode


def json_rows(lines: Iterable[str], context: Context) -> Iterator[rows.Row]:
    """The rows of JSON Lines: one object with the keys of the columns on each line; blank lines are skipped.

    Raises:
        InputError: naming the line.
    """
    origin, read = context.origin, False
    require_csv(context, "JSON Lines")
    reader = RowReader(context)
    asked = None if context.form.attributes is None else attributes((), context)
    number = 0
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or line == BAD_LINE:
            continue
        try:
            members = _members(text, context, number, first=not read)
            row = reader.row(members, attributes(members, context) if asked is None else asked, number)
        except InputError as error:
            context.leave_out(number, error)
            continue
        read = True
        yield row
    if number == 0:
        raise nothing_to_read(origin, has_header=False)


def _members(text: str, context: Context, number: int, *, first: bool) -> dict[str, Any]:
    """The object that a line states, with the members that every row has; what the first one lacks, all may lack."""
    origin, reading = context.origin, context.reading
    try:
        members, end = _decode(text)
    except (ValueError, RecursionError) as error:
        if first and text.rstrip() == "[":
            raise _is_array(origin, number) from None
        raise _not_json(error, origin, number) from None
    if end != len(text):
        reason = f"there is text after the JSON value: {rows.shown(text[end:].strip())}"
        raise origin.error(number, reason, "Write one object on each line.")
    if isinstance(members, _Repeated):
        reason = f"an object has the key {rows.shown(members.key)} twice"
        raise origin.error(number, reason, "Write every key once.")
    if first and text.startswith("["):
        raise _is_array(origin, number)
    if type(members) is not dict:
        reason = f"the line is not a JSON object: {rows.shown(text)}"
        remedy = 'Write one object on each line: {"time": 3, "event": "fail"}'
        raise origin.error(number, reason, remedy)
    for name in reading.nested:
        if name not in members:
            _take_nested(name, members)
    key = reading.partition_by
    lacks_key = first and key is not None and key not in members
    if reading.time not in members or reading.event not in members or lacks_key:
        require_columns(list(members), context, number, kind=Undecided if first else InputError)
    return members


def _take_nested(name: str, members: dict[str, Any]) -> None:
    """Put what dots lead to, where it is there, among the members of an object."""
    found: Any = members
    for key in name.split("."):
        if type(found) is not dict or key not in found:
            return
        found = found[key]
    members[name] = found


def _is_array(origin: Origin, number: int) -> InputError:
    reason = "this begins like an array of JSON, and a log has one object on each line"
    remedy = 'Write them so: jq -c ".[]" FILE > log.jsonl'
    return origin.error(number, reason, remedy, kind=Undecided)


def _not_json(error: Exception, origin: Origin, number: int) -> InputError:
    remedy = 'Write one object on each line: {"time": 3, "event": "fail", "value": "root"}'
    match error:
        case json.JSONDecodeError():
            reason = f"the line is not JSON: {error.msg}, at column {error.colno}"
        case RecursionError():
            reason, remedy = "the line is nested too deeply", "A value is one scalar, or missing."
        case _:
            reason, remedy = "a number of the line has too many digits", "Write such a number as text."
    return origin.error(number, reason, remedy)
