"""The rows of a trace in text: CSV and JSON Lines, from their lines, one of which is held at a time."""

import csv
import io
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, Final, TextIO

from semantics.errors import InputError
from semantics.traces import rows
from semantics.traces.rows import Origin, Undecided
from semantics.traces.tables import Context, listed

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

_BAD_LINE: Final = "\0\n"
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
    elif head.startswith(b"\x28\xb5\x2f\xfd"):
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
        raise origin.error(number + 1, reason, "Save the text as UTF-8.") from None
    except (EOFError, OSError, zlib.error) as error:
        if source is stream:
            raise
        reason = f"what is compressed is damaged, or cut off: {error}"
        raise origin.error(number + 1, reason, "Write it again; check it with gzip -t or zstd -t.") from None


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


def csv_rows(lines: Iterable[str], context: Context) -> Iterator[rows.Row]:
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


def json_rows(lines: Iterable[str], context: Context) -> Iterator[rows.Row]:
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
    except (ValueError, RecursionError) as error:
        raise InputError(f"the line is not JSON: {str(error).replace('line 1 ', '')}", remedy=remedy) from None
    if end != len(text):
        reason = f"there is text after the JSON value: {rows.shown(text[end:].strip())}"
        raise InputError(reason, remedy=remedy)
    if type(members) is not dict:
        raise InputError(f"the line is no JSON object that has each key once: {rows.shown(text)}", remedy=remedy)
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
