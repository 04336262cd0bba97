"""Scans: a whole log as a lazy frame of Polars, and the checks that the rows of a log have to pass.

Polars reads Parquet, tables and plain CSV, DuckDB reads JSON Lines, CSV with quotes and queries of SQL, both on all
cores. They accept more than a log may hold. What they cannot be trusted with is looked for beside the scan; where
anything is found, the scan is `Unusual`, and the caller reads the rows one by one (`semantics.traces.files`): that
reader says what is wrong, and where.
"""

from __future__ import annotations

import csv
import io
import json
import os
import tempfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import duckdb
import polars as pl
from polars.io.plugins import register_io_source

from semantics.clock import Clock
from semantics.errors import InputError
from semantics.events import TraceForm, Value
from semantics.traces.files import ArrowTable, TraceSource, format_of, read_rows, sources_of
from semantics.traces.instants import ReadReport
from semantics.traces.reading import USUAL, Reading
from semantics.traces.rows import MAX_CELL, NOWHERE, Origin, Partition, partition_of, value_of
from semantics.traces.tables import parquet_file, readable
from semantics.traces.text import decompressed, lines_of
from semantics.traces.time_columns import ticks_of_cells

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

    def batches(
        self, types: Collection[str], report: ReadReport, size: int | None = None
    ) -> Iterator[pl.DataFrame]:
        """The rows of some event types in order of time, checked; each batch consists of complete instants.

        Of the rows of other types only time, type and partition are looked at. The last batch may be empty.

        Args:
            types: the event types.
            report: is told what was read; which other event types there are only where one of these is missing.
            size: how many rows are looked at together; what Polars chooses by default.

        Raises:
            Unusual: what follows can only be read, or refused, row by row.
        """
        reading, latest = self.reading, -1
        report.clock, report.same_time = self.clock, reading.same_time
        report.partition_by = reading.partition_by
        try:
            waiting = self.rows.head(0).collect()
            for batch in self.rows.collect_batches(chunk_size=size, maintain_order=True):
                found = batch.filter(_is_one_of(types))
                latest = self._checked(batch, found, latest, report)
                waiting = pl.concat([waiting, found])
                done = 0 if reading.sort else int(waiting["time"].search_sorted(latest, side="left"))
                if done:  # a row of the latest time may follow
                    yield self._kept(waiting[:done], report)
                    waiting = waiting[done:]
            waiting = waiting.sort("time", maintain_order=True) if reading.sort else waiting
            yield self._kept(waiting, report)
            if not set(types) <= report.events.keys():
                report.events.clear()
                report.events.update(dict(self.events().collect().iter_rows()))
        except REFUSALS as error:
            raise Unusual(str(error)) from None

    def _checked(self, batch: pl.DataFrame, found: pl.DataFrame, latest: int, report: ReadReport) -> int:
        """Look for what no scan can judge, count what is told of, and return the time of the last row.

        Args:
            batch: of all rows.
            found: those of the event types that are asked for.
            latest: the time of the row before.
            report: is told.

        Raises:
            Unusual: rows are wrong, or out of order and not sorted.
        """
        times = batch["time"]
        if times.null_count() or batch["event"].null_count() or self._are_wrong(batch, found):
            raise Unusual("rows cannot be read")
        if batch.height and (times[0] < latest or not times.is_sorted()):
            if not self.reading.sort:
                raise Unusual("rows are out of order")
            report.out_of_order += int((times < times.shift(1, fill_value=latest)).sum())
        report.rows += batch.height
        if "partition" in batch.columns:
            report.without_partition += batch["partition"].null_count()
        if "rounded" in batch.columns:
            report.rounded += int(batch["rounded"].sum())
        for event, count in found["event"].value_counts().iter_rows():
            report.events[event] += count
        return int(times[-1]) if batch.height else latest

    def _are_wrong(self, batch: pl.DataFrame, found: pl.DataFrame) -> bool:
        """Whether a key or a value is no scalar, or an event takes time."""
        cells = [
            rows[name] for rows, name in ((batch, "partition"), (found, "value")) if name in rows.columns
        ]
        takes_time = "start" in found.columns and bool((found["start"] != found["time"]).any())
        return takes_time or any(self._no_scalar(each).any() for each in cells if each.dtype == pl.String)

    def _no_scalar(self, cells: pl.Series) -> pl.Series:
        """Whether cells of text are no scalars that can be written, or too long."""
        found = cells.str.contains("\\u0000" if self.in_json else "\0", literal=True)
        if self.in_json:
            found |= cells.str.starts_with("{") | cells.str.starts_with("[")
        return found | (cells.str.len_bytes() > MAX_CELL)

    def _kept(self, rows: pl.DataFrame, report: ReadReport) -> pl.DataFrame:
        """Of the rows of one event type and one partition at one time, the one that is asked for.

        Raises:
            Unusual: there are several, and none is asked for.
        """
        key = ["time", "event", *(["partition"] if "partition" in rows.columns else [])]
        same = rows["time"].diff() == 0
        if not same.any():
            return rows
        together = rows.filter((same | same.shift(-1)).fill_null(False))
        if together.select(pl.struct(key).n_unique()).item() == together.height:
            return rows
        if self.reading.same_time is None:
            raise Unusual("an event type occurs twice at one time")
        kept = rows.unique(key, keep=self.reading.same_time, maintain_order=True)
        report.dropped += rows.height - kept.height
        return kept

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
            return [None if cell is None else json.loads(cell) for cell in cells.to_list()]
        return cells.to_list()


def _is_one_of(types: Collection[str]) -> pl.Expr:
    """Whether the event type is one of these; to compare with each of a few is faster than to look it up."""
    event = pl.col("event")
    if len(types) > _FEW:
        return event.is_in(list(types))
    return reduce(or_, (event == each for each in types), pl.lit(False))


_FEW: Final = 8


REFUSALS: Final = (
    InputError,
    OSError,
    ValueError,
    EOFError,
    ImportError,
    csv.Error,
    zlib.error,
    duckdb.Error,
    pl.exceptions.PolarsError,
    pl.exceptions.PanicException,
)
"""What readers raise where a log cannot be scanned."""


# ------------------------------------------------------------------------------------------------------------ scan


def scan(source: TraceSource, reading: Reading = USUAL) -> Scanned:
    """The scan of a log.

    Args:
        source: what is read, but no stream.
        reading: how it is read.

    Raises:
        Unusual: it is to be read row by row.
    """
    if reading.skip_bad or isinstance(source, io.IOBase) or (isinstance(source, str) and source == "-"):
        raise Unusual
    try:
        scans = [_scan(each, reading) for each in sources_of(source, reading)]
    except REFUSALS as error:
        raise Unusual(str(error)) from None
    first = scans[0]
    if len(scans) == 1:
        return first
    alike = all((each.in_json, each.clock) == (first.in_json, first.clock) for each in scans)
    if reading.year is not None or not alike:  # years go on from file to file
        raise Unusual
    rows = pl.concat([each.rows for each in scans], how="diagonal")
    rows = rows.with_columns(row=pl.int_range(pl.len(), dtype=pl.Int64))
    return replace(first, rows=rows, folder=[each.folder for each in scans])


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
    raw = _table(source, reading) if isinstance(source, ArrowTable) else _named_log(source, reading)
    schema = raw.frame.collect_schema()
    first = raw.frame.select("time").head(_PEEKED).collect()["time"].to_list()
    ticks = ticks_of_cells(schema["time"], first, reading)
    columns = [pl.col("row").cast(pl.Int64), ticks.of("time").alias("time"), _event(schema["event"])]
    if reading.round:
        columns.append(ticks.between("time").alias("rounded"))
    columns += [_scalar(name, schema[name]) for name in ("value", "partition") if name in schema]
    if "start" in schema:
        starts = ticks_of_cells(schema["start"], first, reading).of("start").fill_null(-1)
        if reading.year is not None:  # a start may be in the year before
            starts = pl.lit(-1, pl.Int64)
        columns.append(pl.when(pl.col("start").is_not_null()).then(starts).alias("start"))
    return Scanned(raw.frame.select(columns), reading, ticks.clock, raw.in_json, raw.folder)


_PEEKED: Final = 100
"""So many of the first rows tell how times are written."""


def _event(kind: pl.DataType) -> pl.Expr:
    cell = pl.col("event")
    if kind == pl.String or isinstance(kind, pl.Categorical | pl.Enum):
        return pl.when(cell != "").then(cell.cast(pl.String)).alias("event")
    if kind.is_integer():
        return cell.cast(pl.String)
    raise Unusual


def _scalar(name: str, kind: pl.DataType) -> pl.Expr:
    if isinstance(kind, pl.Categorical | pl.Enum | pl.Decimal):
        return pl.col(name).cast(pl.String)
    if kind in (pl.String, pl.Boolean, pl.Null, pl.Float32, pl.Float64) or kind.is_integer():
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
    return _Raw(frame.lazy().select(**_columns(named)).with_row_index("row"))


def _named_log(given: Any, reading: Reading) -> _Raw:
    if reading.sql:
        with duckdb.connect() as connection:
            schema = pl.DataFrame(connection.sql(given).limit(0).to_arrow_table()).schema
        named = _named(list(schema), reading)
        return _Raw(of_query(given, schema, as_it_is=True).select("row", **_columns(named)))
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


def _parquet(path: str, reading: Reading) -> _Raw:
    if reading.delimiter is not None or reading.header is not None:
        raise Unusual
    with parquet_file(path) as file:
        named = _named(file.schema_arrow.names, reading)
        readable(file, list(named.values()), Origin(path))
    frame = pl.scan_parquet(path, row_index_name="row", glob=False, hive_partitioning=False)
    return _Raw(frame.select("row", **_columns(named)))


# ------------------------------------------------------------------------------------------------------------ text


def _text(path: str, stream: BinaryIO, form: str | None, reading: Reading) -> _Raw:
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


def _csv(path: str, reading: Reading) -> _Raw:
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
    cells = _columns(named)
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
    separators = row * (2 * _CHUNK // len(row) + 1)
    strict, signed, rest = False, False, b""
    while chunk := stream.read(_CHUNK):
        text, end, rest = (rest + chunk).rpartition(b"\n")
        strict |= not _is_plain(text + end, others, separators)
        signed |= b"+" in chunk or b"-" in chunk or b" " in chunk
        if len(rest) > MAX_CELL:
            raise Unusual
    if rest:
        strict |= not _is_plain(rest + b"\n", others, separators)
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


def _json(path: str, reading: Reading, compression: str) -> _Raw:
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
    return _Raw(of_query(query, dict.fromkeys(named, pl.String)), in_json=True)


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
