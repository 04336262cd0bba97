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
    """The columns that are read, by what they are for."""
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
        schema = _schema(given)
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
        reader = csv.reader(lines_of(stream, Origin(path)), strict=True, **reading.of_cells)
        names = reading.names or next(cells for cells in reader if cells)
        sign, spaced = reading.of_cells.values()
        if len(sign.encode()) > 1:
            raise Unusual
        stream.seek(0)
        header = [stream.readline() for _ in range(reader.line_num)]
        plain = _is_plain(stream, sign.encode(), len(names))
    named = _named(names, reading)
    if plain:
        frame = pl.scan_csv(
            path,
            has_header=False,
            skip_lines=len(header),
            schema=dict.fromkeys(names, pl.String),
            separator=sign,
            quote_char=None,
            row_index_name="row",
            glob=False,
        )
        cells = _columns(named)
        if spaced:
            cells = {role: cell.str.strip_chars_start(" ") for role, cell in cells.items()}
        return RawLog(frame.select("row", **cells))
    if spaced or len(header) > 1:
        raise Unusual
    cells_in_sql = ", ".join(f"nullif(log.{_quoted(name)}, '') AS {role}" for role, name in named.items())
    columns = ", ".join(f"{_text_of(name)}: 'VARCHAR'" for name in names)
    query = f"""SELECT {cells_in_sql} FROM read_csv({_path(path)}, columns={{{columns}}},
        header={bool(header)}, auto_detect=false, delim={_text_of(sign)}, quote='"', escape='"',
        strict_mode=true, null_padding=false, max_line_size={MAX_CELL}) AS log"""
    return RawLog(of_query(query, dict.fromkeys(named, pl.String)))


def _is_plain(stream: BinaryIO, sign: bytes, width: int) -> bool:
    """Whether text of CSV has no quotes, no blank lines and rows of one length: a fast reader gets others wrong."""
    others, row = bytes(set(range(256)) - {*sign, *b"\n"}), sign * (width - 1) + b"\n"
    separators, plain = row * (2 * _CHUNK // len(row) + 1), True
    while text := stream.read(_CHUNK):
        end = stream.readline(MAX_CELL + 1)
        text += end
        if not text.endswith(b"\n"):
            text += b"\n"
        if len(end) > MAX_CELL or b"\0" in text or (b"\r" in text and text.count(b"\r") != text.count(b"\r\n")):
            raise Unusual
        if any(text.find(b"\n", place, place + _HALF) < 0 for place in range(0, len(text) - _HALF, _HALF)):
            raise Unusual
        if not text.isascii():
            text.decode()
        found = text.translate(None, others)
        plain &= b'"' not in text and found == separators[: len(found)]
    return plain


_HALF: Final = MAX_CELL // 2
"""A line that is longer than a cell may be covers a stretch of so many bytes that begins at a multiple of it."""


def _json(path: str, reading: Reading, compression: str) -> RawLog:
    named = {"time": reading.time, "event": reading.event, "start": reading.start, "value": reading.value}
    if reading.partition_by is not None:
        named["partition"] = reading.partition_by
    kinds = {name: "VARCHAR" if role in ("time", "event", "start") else "JSON" for role, name in named.items()}
    kinds |= {name.partition(".")[0]: "JSON" for name in reading.nested}
    members = {role: _member(name, kinds, is_text=role in ("time", "event", "start")) for role, name in named.items()}
    if "partition" in members:
        members["partition"] = _KEY_OF_JSON.format(members["partition"])
    selected = ", ".join(f"{member} AS {role}" for role, member in members.items())
    columns = ", ".join(f"{_text_of(key)}: '{kind}'" for key, kind in kinds.items())
    query = f"""SELECT {selected} FROM read_ndjson({_path(path)}, columns={{{columns}}}, records=true,
        compression='{compression}', ignore_errors=false) AS log"""
    return RawLog(of_query(query, dict.fromkeys(named, pl.String)), in_json=True)


_KEY_OF_JSON: Final = """CASE WHEN starts_with({0}, '"') THEN
        't' || CASE WHEN contains({0}, '\\') THEN CAST({0} AS JSON)->>'$' ELSE substr({0}, 2, length({0}) - 2) END
    WHEN {0} IN ('true', 'false') THEN 't' || {0} WHEN regexp_full_match({0}, '-?[0-9]+') THEN 'n' || {0}
    WHEN {0} <> 'null' THEN '?' || {0} END"""
"""The key of a partition as `semantics.traces.rows.key_of` writes it; `?` stands before what is none, or a fraction."""


def _member(name: str, kinds: Mapping[str, str], *, is_text: bool) -> str:
    """The text of a member of an object in SQL: of the key, or of nested ones with dots between them."""
    first, *inner = name.split(".")
    arrow = "->>" if is_text else "->"
    member = f"log.{_quoted(name)}"
    member = f"({member}{arrow}'$')" if is_text and kinds[name] == "JSON" else f"{member}::VARCHAR"
    if not inner:
        return member
    if '"' in name:
        raise Unusual
    path = "$" + "".join(f'."{key}"' for key in inner)
    return f"coalesce({member}, (log.{_quoted(first)}{arrow}{_text_of(path)})::VARCHAR)"


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
        import duckdb

        names = ", ".join(_quoted(name) for name in schema if columns is None or name in columns) or "1"
        asked, row = query if as_it_is else f"SELECT {names} FROM ({query})", 0
        try:
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
        except duckdb.Error as error:
            raise Unusual(str(error)) from None

    return register_io_source(batches, schema={"row": pl.UInt32, **schema}, is_pure=True)


_BATCH_ROWS: Final = 1 << 18


def _schema(query: str) -> pl.Schema:
    """The columns of the result of a query."""
    import duckdb

    try:
        with duckdb.connect() as connection:
            return pl.DataFrame(connection.sql(query).limit(0).to_arrow_table()).schema
    except (duckdb.Error, AttributeError) as error:  # without a result there is nothing to limit
        raise Unusual(str(error)) from None


def _quoted(name: str) -> str:
    """A name as it is written in SQL."""
    return '"' + name.replace('"', '""') + '"'


def _text_of(text: str) -> str:
    """A text as it is written in SQL."""
    return "'" + text.replace("'", "''") + "'"


def _path(path: str) -> str:
    """A path as DuckDB reads it, which takes some characters for patterns of names."""
    return _text_of("".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(Path(path).absolute())))
