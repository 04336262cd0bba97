"""The lines of a text file or stream, one at a time: decoded, and checked to be text at all."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, Final, TextIO

from semantics.errors import InputError
from semantics.traces.instants import ReadReport
from semantics.traces.rows import Origin, Undecided, is_unicode

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


SKIP: Final = "Or leave out what cannot be read: --skip-bad."
"""The advice where a row is refused."""

BAD_LINE: Final = "\0\n"
"""What stands for a line that cannot be read, where such lines are left out; no line that is read has a NUL."""


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


def lines_of_bytes(stream: BinaryIO, origin: Origin, report: ReadReport | None = None) -> Iterator[str]:
    """The lines of a byte stream, each with its end, without a byte order mark.

    Args:
        stream: text, perhaps compressed.
        origin: the file.
        report: where lines that cannot be read are noted, and `BAD_LINE` stands for them; None to refuse them.

    Raises:
        InputError: a line is not UTF-8, has a NUL byte or is longer than `MAX_LINE`; or what is compressed is damaged.
    """
    number = 0
    limit = MAX_LINE + 1
    source = decompressed(stream)
    readline = source.readline
    try:
        while line := readline(limit):
            number += 1
            if number == 1:
                for magic, (reason, remedy) in _NOT_TEXT.items():
                    if line.startswith(magic):
                        raise origin.error(1, reason, remedy)
                line = line.removeprefix(b"\xef\xbb\xbf")
            text = text_of(line, origin, number, report)
            while len(line) == limit and not line.endswith(b"\n"):  # the rest of a line that is left out
                line = readline(limit)
            yield text
    except (EOFError, OSError, zlib.error) as error:
        if source is stream:
            raise
        reason = f"what is compressed is damaged, or cut off: {error}"
        raise origin.error(number + 1, reason, "Write it again; check it with gzip -t or zstd -t.") from None


def text_of(line: bytes, origin: Origin, number: int, report: ReadReport | None = None) -> str:
    """A line of bytes as text; arguments as `lines_of_bytes`.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return _decoded(line, origin, number)
    except Undecided:
        raise
    except InputError as error:
        if report is None:
            error.remedy = f"{error.remedy} {SKIP}"
            raise
        report.leave_out(origin, number, error)
        return BAD_LINE


def _decoded(line: bytes, origin: Origin, number: int) -> str:
    if len(line) > MAX_LINE:
        raise _too_long(origin, number)
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
        raise _has_nul(origin, number)
    return text


def lines_of_text(stream: TextIO, origin: Origin, report: ReadReport | None = None) -> Iterator[str]:
    """The lines of a text stream, each with its end, without a byte order mark; arguments as `lines_of_bytes`.

    Raises:
        InputError: a line has a NUL character or half a surrogate pair or is longer than `MAX_LINE`, or the
            stream cannot decode its bytes.
    """
    number = 0
    try:
        while line := stream.readline(MAX_LINE + 1):
            number += 1
            if number == 1:
                line = line.removeprefix("\ufeff")
            try:
                _require_text(line, origin, number)
            except InputError as error:
                if report is None:
                    error.remedy = f"{error.remedy} {SKIP}"
                    raise
                while len(line) > MAX_LINE and not line.endswith("\n"):
                    line = stream.readline(MAX_LINE + 1)
                report.leave_out(origin, number, error)
                line = BAD_LINE
            yield line
    except UnicodeDecodeError as error:
        reason = f"a byte at or after this line is not {error.encoding} text"
        raise origin.error(number + 1, reason, "Save the text as UTF-8.") from None


def _require_text(line: str, origin: Origin, number: int) -> None:
    if len(line) > MAX_LINE:
        raise _too_long(origin, number)
    if "\0" in line:
        raise _has_nul(origin, number)
    if not line.isascii() and not is_unicode(line):
        reason = "the line has half a surrogate pair, or bytes in another encoding"
        raise origin.error(number, reason, "Save the text as UTF-8.")


def _too_long(origin: Origin, number: int) -> InputError:
    reason = f"the line is longer than {MAX_LINE:,} characters"
    return origin.error(number, reason, "A row of a trace is one line of a text file.")


def _has_nul(origin: Origin, number: int) -> InputError:
    reason = "the line has a NUL byte; this is not a text file, or a damaged one"
    return origin.error(number, reason, "Remove the byte: tr -d '\\000' < FILE.")


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
