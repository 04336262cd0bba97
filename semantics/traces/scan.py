"""Scans: a whole log as a lazy frame of Polars, and the checks that the rows of a log have to pass.

Polars reads Parquet, tables and plain CSV, DuckDB reads JSON Lines, CSV with quotes and queries of SQL, both on all
cores. They accept more than a log may hold. What they cannot be trusted with is looked for beside the scan; where
anything is found, the scan is `Unusual`, and the caller reads the rows one by one (`semantics.traces.files`): that
reader says what is wrong, and where.
"""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import duckdb
import polars as pl
from polars.io.plugins import register_io_source

from semantics.clock import Clock
from semantics.errors import InputError
from semantics.events import TraceForm, Value
from semantics.traces.arrow_rows import parquet_file, readable
from semantics.traces.files import format_of, read_rows
from semantics.traces.formats import Frame, header_of, require_csv
from semantics.traces.instants import ReadReport
from semantics.traces.lines import decompressed, lines_of_bytes
from semantics.traces.reading import USUAL, Reading
from semantics.traces.rows import (
    MAX_CELL,
    NOWHERE,
    Origin,
    Partition,
    partition_of,
    value_of,
)
from semantics.traces.time_columns import Ticks, ticks_of_cells

FORM: Final = TraceForm(attributes=("value",))
"""What the scan takes of a row besides its time, type, start and partition."""

MOST_UNPACKED: Final = 200
"""So many times its size a compressed text may have; what grows more is read row by row, without being kept."""

_CHUNK: Final = 1 << 20


class Unusual(Exception):
    """The log cannot be scanned, or a check found something: it is to be read row by row."""


@dataclass(frozen=True)
class Scanned:
    """A log as a lazy frame.

    Attributes:
        rows: one line a row, in the order of the log: `row` (Int64, from 0, across files), `time` (Int64, in ticks;
            null if it cannot be read), `event` (String; null if it is missing), and where they are there `value` (as
            it stands in the log), `partition` (likewise), `start` (as `time`, -1 if it cannot be read) and `rounded`
            (Boolean: the time lay between two ticks).
        reading: how the log is read.
        clock: how times of day are counted; None where times are ticks.
        in_json: whether cells of `value` and `partition` are written in JSON.
        folder: holds what was decompressed, as long as it is scanned.
    """

    rows: pl.LazyFrame
    reading: Reading
    clock: Clock | None = None
    in_json: bool = False
    folder: object = field(default=None, repr=False)

    def of(self, types: Collection[str]) -> pl.LazyFrame:
        """The rows of some event types in order of time; of equal ones at one time that which `--same-time` keeps."""
        rows = self._of(types)
        if self.reading.same_time is None:
            return rows
        return rows.unique(self._key, keep=self.reading.same_time, maintain_order=True)

    def checks(self, types: Collection[str]) -> pl.LazyFrame:
        """One line of numbers that `accept` judges; to be collected together with what is made of `of(types)`.

        Args:
            types: the event types that matter: of the rows of others only time, type and partition are looked at.
        """
        time, kept, names = pl.col("time"), self._of(types), self.rows.collect_schema()
        asked = pl.col("event").is_in(list(types))
        bad = time.is_null() | pl.col("event").is_null()
        if "start" in names:
            bad |= asked & (pl.col("start") != time).fill_null(False)
        if "value" in names:
            bad |= asked & self._no_scalar("value", names)
        if "partition" in names:
            bad |= self._no_scalar("partition", names)
        about = {
            "rows": pl.len(),
            "bad": bad.sum(),
            "disorder": (time < time.shift(1)).sum(),
            "without": pl.col("partition").is_null().sum() if "partition" in names else pl.lit(0),
            "rounded": pl.col("rounded").sum() if "rounded" in names else pl.lit(0),
        }
        beside = (time == time.shift(1)) | (
            time == time.shift(-1)
        )  # equal ones are among these, which are few
        twice = kept.filter(beside.fill_null(False)).group_by(self._key).len()
        twice = twice.select(twice=(pl.col("len") - 1).sum().cast(pl.Int64))
        return pl.concat([self.rows.select(**about), twice], how="horizontal")

    def accept(self, found: pl.DataFrame, report: ReadReport) -> None:
        """Judge what `checks` found, and tell the report what the options accepted.

        Raises:
            Unusual: rows are wrong, or their order is, and no option accepts it.
        """
        checks, reading = found.row(0, named=True), self.reading
        if (
            checks["bad"]
            or (checks["disorder"] and not reading.sort)
            or (checks["twice"] and not reading.same_time)
        ):
            raise Unusual
        report.clock, report.partition_by, report.same_time = (
            self.clock,
            reading.partition_by,
            reading.same_time,
        )
        report.rows, report.dropped = checks["rows"], checks["twice"]
        report.out_of_order, report.rounded = checks["disorder"], checks["rounded"]
        report.without_partition = checks["without"]

    def events(self) -> pl.LazyFrame:
        """How often each event type occurs: `event`, `count`."""
        return self.rows.group_by("event").agg(count=pl.len())

    def values(self, cells: pl.Series) -> list[Value]:
        """Values as they are printed, of cells of the column `value`.

        Raises:
            InputError: one is no scalar; the reader of rows says where.
        """
        return [value_of(cell, NOWHERE, 0) for cell in self._cells(cells)]

    def partitions(self, cells: pl.Series) -> list[Partition]:
        """The keys of partitions, of cells of the column `partition`."""
        return [partition_of(cell, NOWHERE, 0) for cell in self._cells(cells)]

    def _cells(self, cells: pl.Series) -> list[Any]:
        if self.in_json:
            import json

            return [None if cell is None else json.loads(cell) for cell in cells.to_list()]
        return cells.to_list()

    def _no_scalar(self, name: str, schema: pl.Schema) -> pl.Expr:
        """Whether a cell is no scalar that can be written, or too long."""
        if schema[name] != pl.String:
            return pl.lit(False)
        cell = pl.col(name)
        found = cell.str.contains("\\u0000" if self.in_json else "\0", literal=True)
        if self.in_json:
            found |= cell.str.starts_with("{") | cell.str.starts_with("[")
        return (found | (cell.str.len_bytes() > MAX_CELL)).fill_null(False)

    @property
    def _key(self) -> list[str]:
        return ["time", "event", *(["partition"] if self.reading.partition_by is not None else [])]

    def _of(self, types: Collection[str]) -> pl.LazyFrame:
        rows = self.rows.filter(pl.col("event").is_in(list(types)))
        return rows.sort("time", maintain_order=True) if self.reading.sort else rows


def collected(frames: Sequence[pl.LazyFrame]) -> list[pl.DataFrame]:
    """Several frames of one scan, which is read once.

    Raises:
        Unusual: the log cannot be read so.
    """
    try:
        return pl.collect_all(frames)
    except (
        pl.exceptions.PolarsError,
        pl.exceptions.PanicException,
        duckdb.Error,
        OSError,
        InputError,
    ) as error:
        raise Unusual(str(error)) from None


# ------------------------------------------------------------------------------------------------------------ scan


def scan(source: Any, reading: Reading = USUAL) -> Scanned:
    """The scan of a log.

    Args:
        source: the path of a file, or a table that Arrow's C interface hands on.
        reading: how it is read.

    Raises:
        Unusual: it is to be read row by row.
    """
    if reading.skip_bad or (isinstance(source, str) and source == "-"):
        raise Unusual
    try:
        return _scan(source, reading)
    except (InputError, OSError, ValueError, EOFError, csv.Error, duckdb.Error, ImportError) as error:
        raise Unusual(str(error)) from None
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise Unusual(str(error)) from None


class _Raw(NamedTuple):
    """The cells of a log as they stand in it, before times are counted.

    Attributes:
        frame: with the columns of `Scanned.rows`; in text, all are text.
        in_json: see there.
        folder: see there.
    """

    frame: pl.LazyFrame
    in_json: bool = False
    folder: object = None


def _scan(source: Any, reading: Reading) -> Scanned:
    raw = _file(source, reading) if isinstance(source, str | os.PathLike) else _table(source, reading)
    schema = raw.frame.collect_schema()
    first = raw.frame.select("time").head(1).collect()["time"].to_list()
    ticks = ticks_of_cells(schema["time"], first[0] if first else None, reading)
    columns = [pl.col("row").cast(pl.Int64), *_of_ticks(ticks, reading), _event(schema["event"])]
    for name in ("value", "partition"):
        if name in schema:
            columns.append(_scalar(name, schema[name]))
    if "start" in schema:
        starts = ticks_of_cells(schema["start"], first[0] if first else None, reading)
        columns.append(
            pl.when(pl.col("start").is_null())
            .then(None)
            .otherwise(starts.of("start").fill_null(-1))
            .alias("start")
        )
    return Scanned(raw.frame.select(columns), reading, ticks.clock, raw.in_json, raw.folder)


def _of_ticks(ticks: Ticks, reading: Reading) -> list[pl.Expr]:
    time = ticks.of("time").alias("time")
    return [time, ticks.between("time").alias("rounded")] if reading.round else [time]


def _event(kind: pl.DataType) -> pl.Expr:
    cell = pl.col("event")
    if kind == pl.String or isinstance(kind, pl.Categorical | pl.Enum):
        return pl.when(cell != "").then(cell.cast(pl.String)).alias("event")
    if kind.is_integer():
        return cell.cast(pl.String)
    raise Unusual


def _scalar(name: str, kind: pl.DataType) -> pl.Expr:
    if isinstance(kind, pl.Categorical | pl.Enum):
        return pl.col(name).cast(pl.String)
    if kind in (pl.String, pl.Boolean, pl.Null, pl.Float64) or kind.is_integer():
        return pl.col(name)
    raise Unusual


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


def _table(source: Any, reading: Reading) -> _Raw:
    import pyarrow

    frame = source if isinstance(source, pl.DataFrame) else pl.from_arrow(pyarrow.table(source))
    assert isinstance(frame, pl.DataFrame)
    named = _named(frame.columns, reading)
    columns = [pl.col(name).alias(role) for role, name in named.items()]
    return _Raw(frame.lazy().select(columns).with_row_index("row"))


def _file(path: Any, reading: Reading) -> _Raw:
    path = os.fspath(path)
    form = reading.format or format_of(path)
    with Path(path).open("rb") as stream:
        head = stream.peek(4)[:4]
        if not Path(path).is_file():
            raise Unusual
        if form == "parquet" or (form is None and head == b"PAR1"):
            return _parquet(path, reading)
        next(
            read_rows(path, replace(reading, round=reading.tick is not None), form=FORM), None
        )  # whose refusals come first
        return _text(path, stream, form, reading)


def _parquet(path: str, reading: Reading) -> _Raw:
    if reading.delimiter is not None or reading.header is not None:
        raise Unusual
    with parquet_file(path) as file:
        named = _named(file.schema_arrow.names, reading)
        readable(file, list(named.values()), Origin(path))
    frame = pl.scan_parquet(path, row_index_name="row", glob=False, hive_partitioning=False)
    return _Raw(frame.select("row", *(pl.col(name).alias(role) for role, name in named.items())))


# ------------------------------------------------------------------------------------------------------------ text


def _text(path: str, stream: BinaryIO, form: str | None, reading: Reading) -> _Raw:
    if form is None:
        line = next((line for line in lines_of_bytes(stream, NOWHERE) if line.strip()), "")
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


def _csv(path: str, reading: Reading) -> _Raw:
    with Path(path).open("rb") as stream:
        lines = lines_of_bytes(stream, Origin(path))
        reader = csv.reader(lines, strict=True, **reading.of_cells)
        names, _ = header_of(reader, Frame(Origin(path), reading, FORM, ReadReport()))
        sign, spaced = reading.of_cells.values()
        if reader.line_num > 1 or len(sign.encode()) > 1:
            raise Unusual
        stream.seek(0)
        looked = _look(stream, sign.encode(), len(names))
    named = _named(names, reading)
    if looked.strict:
        if spaced:
            raise Unusual
        cells_in_sql = ", ".join(f"nullif({_quoted(name)}, '') AS {role}" for role, name in named.items())
        columns = ", ".join(f"{_text_of(name)}: 'VARCHAR'" for name in names)
        query = f"""SELECT {cells_in_sql} FROM read_csv({_path(path)}, columns={{{columns}}},
            header={reading.header is None}, auto_detect=false, delim={_text_of(sign)}, quote='"', escape='"',
            strict_mode=true, null_padding=false, max_line_size={MAX_CELL})"""
        return _Raw(of_query(query, dict.fromkeys(named, pl.String)))
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
    cells = {role: pl.col(name) for role, name in named.items()}
    if spaced:
        cells = {role: cell.str.strip_chars_start(" ") for role, cell in cells.items()}
    return _Raw(frame.select("row", **cells))


class _Looked(NamedTuple):
    """What the text of CSV was found to be.

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
    rows = row * (2 * _CHUNK // len(row) + 1)
    strict, signed, rest = False, False, b""
    while chunk := stream.read(_CHUNK):
        text, _, rest = (rest + chunk).rpartition(b"\n")
        signed = signed or b"+" in chunk or b"-" in chunk or b" " in chunk
        strict = strict or b'"' in chunk or not _is_even(text + b"\n", others, rows)
    if rest:
        strict = not _is_even(rest + b"\n", others, rows) or strict
    return _Looked(strict, not signed)


def _is_even(text: bytes, others: bytes, rows: bytes) -> bool:
    """Whether all lines of a text have as many cells, where no cell is in quotes; `rows` are its separators then."""
    if b"\0" in text or (b"\r" in text and text.count(b"\r") != text.count(b"\r\n")):
        raise Unusual
    if not text.isascii():
        text.decode()
    if any(text.find(b"\n", place, place + _HALF) < 0 for place in range(0, len(text) - _HALF, _HALF)):
        raise Unusual
    separators = text.translate(None, others)
    return separators == rows[: len(separators)]


_HALF: Final = MAX_CELL // 2
"""A line that is longer than a cell may be covers a stretch of so many bytes that begins at a multiple of it."""


def _json(path: str, reading: Reading, compression: str) -> _Raw:
    require_csv(reading, Origin(path), "JSON Lines")
    named = {"time": reading.time, "event": reading.event, "value": reading.value, "start": reading.start}
    if reading.partition_by is not None:
        named["partition"] = reading.partition_by
    keys = {key for name in named.values() for key in (name, name.partition(".")[0])}
    columns = ", ".join(f"{_text_of(key)}: 'JSON'" for key in sorted(keys))
    cells = {role: _member(name) for role, name in named.items()}
    unquoted = {"time": _TIME_OF_JSON, "event": _EVENT_OF_JSON, "start": _TIME_OF_JSON}
    query = f"""SELECT {", ".join(f"{unquoted.get(role, '{}').format(cell)} AS {role}" for role, cell in cells.items())}
        FROM read_ndjson({_path(path)}, columns={{{columns}}}, compression='{compression}', ignore_errors=false)"""
    return _Raw(of_query(query, dict.fromkeys(named, pl.String)), in_json=True)


_TIME_OF_JSON: Final = """CASE WHEN starts_with({0}, '"') THEN substr({0}, 2, length({0}) - 2) ELSE {0} END"""

_EVENT_OF_JSON: Final = """CASE WHEN NOT starts_with({0}, '"') THEN
    CASE WHEN regexp_full_match({0}, '-?[0-9]+|true|false') THEN {0} END
    WHEN contains({0}, '\\') THEN CAST({0} AS JSON)->>'$' ELSE substr({0}, 2, length({0}) - 2) END"""


def _member(name: str) -> str:
    """The text of a member of an object in SQL: of the key, or of nested ones with dots between them."""
    first, *inner = name.split(".")
    member = f"{_quoted(name)}::VARCHAR"
    if not inner:
        return member
    path = "$" + "".join(f'."{key}"' for key in inner)
    return f"coalesce({member}, ({_quoted(first)}->{_text_of(path)})::VARCHAR)"


# ----------------------------------------------------------------------------------------------------------- DuckDB


def of_query(query: str, schema: dict[str, Any]) -> pl.LazyFrame:
    """The rows of a query of DuckDB, as a lazy frame with a column `row`."""

    def batches(
        columns: list[str] | None, predicate: pl.Expr | None, most: int | None, _: int | None
    ) -> Iterator[pl.DataFrame]:
        names = ", ".join(name for name in schema if columns is None or name in columns) or "1"
        row = 0
        with duckdb.connect() as connection:
            for batch in connection.sql(f"SELECT {names} FROM ({query})").to_arrow_reader(_BATCH_ROWS):
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
