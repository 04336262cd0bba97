"""Raw logs: the cells of files, tables and queries as lazy frames, by readers that are fast and accept too much.

Polars reads Parquet, tables and plain CSV, DuckDB reads JSON Lines, CSV with quotes and queries of SQL, both on all
cores. What they cannot be trusted with is looked for before.
"""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import duckdb
import polars as pl
from polars.io.plugins import register_io_source

from semantics.events import TraceForm
from semantics.traces.files import ArrowTable, format_of, read_rows
from semantics.traces.reading import Reading
from semantics.traces.rows import MAX_CELL, NOWHERE, Origin
from semantics.traces.tables import parquet_file, readable
from semantics.traces.text import decompressed, lines_of

FORM: Final = TraceForm(attributes=("value",))
"""The form of rows as the scan reads them: time, type, start, partition and value."""

MOST_UNPACKED: Final = 200
"""The most that a compressed text may grow by; what grows more is read row by row, without being kept."""

_CHUNK: Final = 1 << 20


class Unusual(Exception):
    """The log cannot be scanned, or a check found something: it is to be read row by row."""


class RawLog(NamedTuple):
    """The cells of a log as they stand in it, as a lazy frame, before times are counted.

    Attributes:
        frame: with the columns of `semantics.traces.scan.Scanned.rows`; in text, all are text.
        in_json: see there.
        folder: see there.
    """

    frame: pl.LazyFrame
    in_json: bool = False
    folder: object = None


def raw_log(source: Any, reading: Reading) -> RawLog:
    """The raw log in one file, table or query.

    Raises:
        Unusual: it is to be read row by row; many other exceptions of readers say the same.
    """
    return _table(source, reading) if isinstance(source, ArrowTable) else _of_name(source, reading)


def _named(names: Collection[str], reading: Reading) -> dict[str, str]:
    """The columns that are read, by what they are for.

    Raises:
        Unusual: one is missing.
    """
    named = {"time": reading.time, "event": reading.event}
    if reading.partition_by is not None:
        named["partition"] = reading.partition_by
    for role in ("value", "start"):
        name = getattr(reading, role)
        if name in names or name != role:
            named[role] = name
    if not set(names) >= set(named.values()) or len(set(names)) < len(names):
        raise Unusual
    return named


def _table(source: Any, reading: Reading) -> RawLog:
    import pyarrow

    frame = source if isinstance(source, pl.DataFrame) else pl.from_arrow(pyarrow.table(source))
    assert isinstance(frame, pl.DataFrame)
    named = _named(frame.columns, reading)
    return RawLog(frame.lazy().select(**_columns(named)).with_row_index("row"))


def _of_name(given: Any, reading: Reading) -> RawLog:
    if reading.sql:
        with duckdb.connect() as connection:
            schema = pl.DataFrame(connection.sql(given).limit(0).to_arrow_table()).schema
        named = _named(list(schema), reading)
        return RawLog(of_query(given, schema, as_it_is=True).select("row", **_columns(named)))
    path = os.fspath(given)
    if not Path(path).is_file():
        raise Unusual
    form = reading.format or format_of(path)
    with Path(path).open("rb") as stream:
        if form == "parquet" or (form is None and stream.peek(4).startswith(b"PAR1")):
            return _parquet(path, reading)
        # What the reader of rows says of the first row goes for the whole log.
        next(read_rows(path, replace(reading, round=reading.tick is not None), form=FORM), None)
        return _text(path, stream, form, reading)


def _columns(named: Mapping[str, str]) -> dict[str, pl.Expr]:
    return {role: pl.col(name) for role, name in named.items()}


def _parquet(path: str, reading: Reading) -> RawLog:
    if reading.delimiter is not None or reading.header is not None:
        raise Unusual
    with parquet_file(path) as file:
        named = _named(file.schema_arrow.names, reading)
        readable(file, list(named.values()), Origin(path))
    frame = pl.scan_parquet(path, row_index_name="row", glob=False, hive_partitioning=False)
    return RawLog(frame.select("row", **_columns(named)))


# ------------------------------------------------------------------------------------------------------------ text


def _text(path: str, stream: BinaryIO, form: str | None, reading: Reading) -> RawLog:
    if form is None:
        line = next((line for line in lines_of(stream, NOWHERE) if line.strip()), "")
        form = "jsonl" if line.lstrip()[:1] == "{" else "csv"
        stream.seek(0)
    text = decompressed(stream)
    if form == "jsonl":
        magic = stream.read(2) if text is not stream else b""
        return _json(path, reading, {b"": "none", b"\x1f\x8b": "gzip"}.get(magic, "zstd"))
    if text is stream:
        return _csv(path, reading)
    folder = tempfile.TemporaryDirectory(prefix="remora-")
    most, path = MOST_UNPACKED * os.fstat(stream.fileno()).st_size, f"{folder.name}/log"
    with Path(path).open("wb") as unpacked:
        while chunk := text.read(_CHUNK):
            if unpacked.tell() > most:
                raise Unusual
            unpacked.write(chunk)
    return _csv(path, reading)._replace(folder=folder)


def _csv(path: str, reading: Reading) -> RawLog:
    with Path(path).open("rb") as stream:
        lines = lines_of(stream, Origin(path))
        reader = csv.reader(lines, strict=True, **reading.of_cells)
        names = reading.names or next(cells for cells in reader if cells)
        sign, spaced = reading.of_cells.values()
        if reader.line_num > 1 or len(sign.encode()) > 1:
            raise Unusual
        stream.seek(0)
        looked = _look(stream, sign.encode(), len(names))
    named = _named(names, reading)
    if looked.strict:
        if spaced:
            raise Unusual
        cells_in_sql = ", ".join(f"nullif(log.{_quoted(name)}, '') AS {role}" for role, name in named.items())
        columns = ", ".join(f"{_text_of(name)}: 'VARCHAR'" for name in names)
        query = f"""SELECT {cells_in_sql} FROM read_csv({_path(path)}, columns={{{columns}}},
            header={reading.header is None}, auto_detect=false, delim={_text_of(sign)}, quote='"', escape='"',
            strict_mode=true, null_padding=false, max_line_size={MAX_CELL}) AS log"""
        return RawLog(of_query(query, dict.fromkeys(named, pl.String)))
    frame = pl.scan_csv(
        path,
        has_header=reading.header is None,
        schema={
            name: pl.Int64 if name == reading.time and looked.unsigned and reading.tick is None else pl.String
            for name in names
        },
        separator=sign,
        quote_char=None,
        row_index_name="row",
        glob=False,
    )
    cells = _columns(named)
    if spaced:
        cells = {role: cell.str.strip_chars_start(" ") for role, cell in cells.items()}
    return RawLog(frame.select("row", **cells))


class _Looked(NamedTuple):
    """Properties of the text of CSV that decide on its reader.

    Attributes:
        strict: whether it needs a strict reader: it has quotes, blank lines or rows of another length.
        unsigned: whether no character is there that may stand before the digits of a number.
    """

    strict: bool
    unsigned: bool


def _look(stream: BinaryIO, sign: bytes, width: int) -> _Looked:
    """Look through the text of CSV for what a fast reader gets wrong.

    Args:
        stream: the text.
        sign: what is between cells.
        width: how many columns there are.

    Raises:
        Unusual: there are bytes that are no text, lone carriage returns or very long lines.
        UnicodeDecodeError: it is not UTF-8.
    """
    others = bytes(set(range(256)) - {*sign, *b"\n"})
    row = sign * (width - 1) + b"\n"
    separators = row * (2 * _CHUNK // len(row) + 1)
    strict, signed = False, False
    while text := stream.read(_CHUNK):
        end = stream.readline(MAX_CELL + 1)
        if len(end) > MAX_CELL:
            raise Unusual
        text += end
        strict |= not _is_plain(text if text.endswith(b"\n") else text + b"\n", others, separators)
        signed |= b"+" in text or b"-" in text or b" " in text
    return _Looked(strict, not signed)


def _is_plain(text: bytes, others: bytes, separators: bytes) -> bool:
    """Whether no cell of some lines is in quotes, and all have as many cells.

    Args:
        text: the lines.
        others: what is neither between cells nor between lines.
        separators: what is between cells and lines where all have as many cells.
    """
    if b"\0" in text or (b"\r" in text and text.count(b"\r") != text.count(b"\r\n")):
        raise Unusual
    if not text.isascii():
        text.decode()
    if any(text.find(b"\n", place, place + _HALF) < 0 for place in range(0, len(text) - _HALF, _HALF)):
        raise Unusual
    found = text.translate(None, others)
    return b'"' not in text and found == separators[: len(found)]


_HALF: Final = MAX_CELL // 2
"""A line that is longer than a cell may be covers a stretch of so many bytes that begins at a multiple of it."""


def _json(path: str, reading: Reading, compression: str) -> RawLog:
    named = {"time": reading.time, "event": reading.event, "value": reading.value, "start": reading.start}
    if reading.partition_by is not None:
        named["partition"] = reading.partition_by
    keys = {key for name in named.values() for key in (name, name.partition(".")[0])}
    columns = ", ".join(f"{_text_of(key)}: 'JSON'" for key in sorted(keys))
    cells = {role: _member(name) for role, name in named.items()}
    unquoted = {"time": _TIME_OF_JSON, "event": _EVENT_OF_JSON, "start": _TIME_OF_JSON}
    members = ", ".join(f"{unquoted.get(role, '{0}').format(cell)} AS {role}" for role, cell in cells.items())
    query = f"""SELECT {members} FROM read_ndjson({_path(path)}, columns={{{columns}}},
        compression='{compression}', ignore_errors=false) AS log"""
    return RawLog(of_query(query, dict.fromkeys(named, pl.String)), in_json=True)


_TIME_OF_JSON: Final = """CASE WHEN starts_with({0}, '"') THEN substr({0}, 2, length({0}) - 2) ELSE {0} END"""

_EVENT_OF_JSON: Final = """CASE WHEN NOT starts_with({0}, '"') THEN
    CASE WHEN regexp_full_match({0}, '-?[0-9]+|true|false') THEN {0} END
    WHEN contains({0}, '\\') THEN CAST({0} AS JSON)->>'$' ELSE substr({0}, 2, length({0}) - 2) END"""


def _member(name: str) -> str:
    """The text of a member of an object in SQL: of the key, or of nested ones with dots between them."""
    first, *inner = name.split(".")
    member = f"log.{_quoted(name)}::VARCHAR"
    if not inner:
        return member
    if '"' in name:
        raise Unusual
    path = "$" + "".join(f'."{key}"' for key in inner)
    return f"coalesce({member}, (log.{_quoted(first)}->{_text_of(path)})::VARCHAR)"


# ----------------------------------------------------------------------------------------------------------- DuckDB


def of_query(query: str, schema: Mapping[str, Any], *, as_it_is: bool = False) -> pl.LazyFrame:
    """The rows of a query of DuckDB, as a lazy frame with a column `row`.

    Args:
        query: what is asked.
        schema: the types of its columns.
        as_it_is: whether it is asked as it stands, and not for some of its columns, which might change the order.
    """

    def batches(
        columns: list[str] | None, predicate: pl.Expr | None, most: int | None, _: int | None
    ) -> Iterator[pl.DataFrame]:
        names = ", ".join(_quoted(name) for name in schema if columns is None or name in columns) or "1"
        asked, row = query if as_it_is else f"SELECT {names} FROM ({query})", 0
        with duckdb.connect() as connection:
            for batch in connection.sql(asked).to_arrow_reader(_BATCH_ROWS):
                frame = pl.DataFrame(pl.from_arrow(batch)).with_row_index("row", row)
                row += len(frame)
                if columns is not None:
                    frame = frame.select(columns)
                if predicate is not None:
                    frame = frame.filter(predicate)
                yield frame if most is None else frame.head(most)
                if most is not None and (most := most - len(frame)) <= 0:
                    return

    return register_io_source(batches, schema={"row": pl.UInt32, **schema}, is_pure=True)


_BATCH_ROWS: Final = 1 << 18


def _quoted(name: str) -> str:
    """A name as it is written in SQL."""
    return '"' + name.replace('"', '""') + '"'


def _text_of(text: str) -> str:
    """A text as it is written in SQL."""
    return "'" + text.replace("'", "''") + "'"


def _path(path: str) -> str:
    """A path as DuckDB reads it, which takes some characters for patterns of names."""
    return _text_of("".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(Path(path).absolute())))
