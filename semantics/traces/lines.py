"""The lines of a text file or stream, one at a time: decoded, and checked to be text at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final, TextIO

from semantics.errors import InputError
from semantics.traces.rows import Origin, is_unicode

MAX_LINE: Final = 10_000_000
"""The longest line that is read, in bytes."""

_NOT_TEXT: Final = {
    b"PAR1": ("this is a Parquet file", "Give its path, and let its name end in .parquet."),
    b"\x1f\x8b": ("this is compressed with gzip", "Decompress it first: gzip -dc FILE."),
    b"\x28\xb5\x2f\xfd": ("this is compressed with zstd", "Decompress it first: zstd -dc FILE."),
    b"PK\x03\x04": ("this is a ZIP archive or a spreadsheet", "Extract it, or export the sheet as CSV."),
    b"\xff\xfe": ("this is text in UTF-16", "Save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE."),
    b"\xfe\xff": ("this is text in UTF-16", "Save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE."),
}


def lines_of_bytes(stream: BinaryIO, origin: Origin) -> Iterator[str]:
    """The lines of a byte stream, each with its end, without a byte order mark.

    Raises:
        InputError: a line is not UTF-8, has a NUL byte or is longer than `MAX_LINE`.
    """
    number = 0
    readline, limit = stream.readline, MAX_LINE + 1
    while line := readline(limit):
        number += 1
        if number == 1:
            for magic, (reason, remedy) in _NOT_TEXT.items():
                if line.startswith(magic):
                    raise origin.error(1, reason, remedy)
            line = line.removeprefix(b"\xef\xbb\xbf")
        if len(line) == limit:
            raise _too_long(origin, number)
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            reason = f"the byte 0x{line[error.start]:02x} is not UTF-8 text"
            remedy = "Save it as UTF-8: iconv -f LATIN1 -t UTF-8 FILE, with the encoding that it has."
            raise origin.error(number, reason, remedy) from None
        if "\0" in text:
            raise _has_nul(origin, number)
        yield text


def lines_of_text(stream: TextIO, origin: Origin) -> Iterator[str]:
    """The lines of a text stream, each with its end, without a byte order mark.

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
            if len(line) > MAX_LINE:
                raise _too_long(origin, number)
            if "\0" in line:
                raise _has_nul(origin, number)
            if not line.isascii() and not is_unicode(line):
                reason = "the line has half a surrogate pair, or bytes in another encoding"
                raise origin.error(number, reason, "Save the text as UTF-8.")
            yield line
    except UnicodeDecodeError as error:
        reason = f"a byte at or after this line is not {error.encoding} text"
        raise origin.error(number + 1, reason, "Save the text as UTF-8.") from None


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
