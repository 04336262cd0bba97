"""Scans: a whole log as a lazy frame of Polars, and its rows in batches that are checked.

Polars reads Parquet, tables and plain CSV, DuckDB reads JSON Lines, CSV with quotes and queries of SQL. What they
cannot be trusted with is looked for before; where a check finds anything, the scan is `Unusual`, and the caller reads
the rows one by one (`semantics.traces.files`): that reader says what is wrong, and where.
"""

import csv
import io
import json
import os
import re
import tempfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, BinaryIO, Final

import polars as pl
from polars.io.plugins import register_io_source

from semantics.clock import Clock
from semantics.errors import InputError
from semantics.events import TraceForm, Value
from semantics.traces.files import ArrowTable, TraceSource, decompressed, format_of, lines_of, read_rows, sources_of
from semantics.traces.reading import USUAL, Reading
from semantics.traces.rows import MAX_CELL, MAX_TIME, Origin, Partition, ReadReport, partition_of, value_of
from semantics.traces.tables import parquet_file, readable
from semantics.traces.time_columns import TIME, ticks_of_cells
from semantics.traces.times import epoch_of

_EVENT, _PARTITION = pl.col("event"), pl.col("partition")
_EXPONENT = re.compile(r"^-?[0-9.]+e[+-]?[0-9]+$")
_POLARS: Final = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
REFUSALS: Final = (InputError, OSError, ValueError, EOFError, ImportError, csv.Error, zlib.error, *_POLARS)


BY_COLUMNS = {
    "time", "event", "value", "start", "delimiter", "header", "tick", "epoch", "zone", "round", "time_format", "year",
    "sort", "same_time", "ties", "tiebreak", "partition_by", "format", "sql", "several",
}  # fmt: skip
"""The fields of `Reading` that scans know; a log with others is read row by row."""


class Unusual(Exception):
    """The log cannot be scanned, or a check found something: it is to be read row by row."""


@dataclass(frozen=True)
class Scanned:
    """A log as a lazy frame."""

    # one line a row, in the order of the log: `row` (Int64, from 0, across files), `time` (Int64, in ticks; null if it
    # cannot be read), `event` (String; null or empty if it is missing), and where they are there `value`, `partition`
    # and `start` (as they stand in the log) and `rounded` (Boolean: the time lay between two ticks)
    rows: pl.LazyFrame
    reading: Reading
    clock: Clock | None = None  # how times of day are counted; None where times are ticks
    in_json: bool = False  # whether cells of `value` and `partition` are written in JSON
    folder: object = field(default=None, repr=False)  # holds what was decompressed, as long as it is scanned

    def batches(
        self,
        types: Collection[str],
        report: ReadReport,
        size: int | None = None,
        *,
        ordered: Callable[[bool], bool] = bool,
    ) -> Iterator[tuple[pl.DataFrame, bool]]:
        """The rows of some event types in order of time, checked, and whether these are the last.

        Each batch consists of complete instants, in about `size` rows; the last one may be empty. Of other rows only
        time and type are looked at, in JSON the partition too; the report is told of them where a type is missing,
        and of the first time that events share, where that may matter (`ordered`). `Unusual` where what follows
        can only be read, or refused, row by row.
        """
        reading = self.reading
        report.clock, report.same_time, report.partition_by = self.clock, reading.same_time, reading.partition_by
        report.ties = reading.ties
        if self.in_json and any(map(_EXPONENT.search, types)):
            raise Unusual("a number is not written as in the log")
        # To compare with each of a few is faster than to look it up.
        few = reduce(or_, (_EVENT == each for each in types), pl.lit(False))
        wanted = few if len(types) <= 8 else _EVENT.is_in(list(types))
        wrong, odd, told = *self._wrong(), pl.lit(False)
        names = self.rows.collect_schema().names()
        for name, mark in (("partition", _PARTITION.is_null()), ("rounded", pl.col("rounded"))):
            told = told | mark if name in names else told
        late = (TIME < TIME.shift(1)).fill_null(False)
        rows = self.rows.with_columns(late=late).filter(wanted | wrong | told | pl.col("late"))
        try:
            waiting = rows.head(0).collect().drop("late")
            for batch in rows.collect_batches(chunk_size=size, maintain_order=True):
                found = batch.filter(wanted).drop("late")
                if batch.select(wrong.any()).item() or found.select(odd.any()).item():
                    raise Unusual("rows cannot be read")
                if batch["late"].any() and not reading.sort:
                    raise Unusual("rows are out of order")
                report.out_of_order += int(batch["late"].sum())
                report.rows = int(batch["row"][-1]) + 1 if batch.height else report.rows
                report.meant = epoch_of(batch["time"][0]) if batch.height and not reading.tick else report.meant
                report.without_partition += batch["partition"].null_count() if "partition" in names else 0
                report.rounded += int(batch["rounded"].sum()) if "rounded" in names else 0
                report.events.update(dict(found["event"].value_counts().iter_rows()))
                if waiting.height and found.height and not reading.sort:
                    done = int(waiting["time"].search_sorted(found["time"][0], side="left"))
                    yield self._kept(waiting[:done], report, ordered), False
                    waiting = waiting[done:]
                waiting = pl.concat([waiting, found])
            waiting = waiting.sort("time", maintain_order=True) if reading.sort else waiting
            yield self._kept(waiting, report, ordered), True
            if not set(types) <= report.events.keys():
                report.events.clear()
                report.events.update(dict(self.rows.group_by("event").agg(count=pl.len()).collect().iter_rows()))
        except REFUSALS as error:
            raise Unusual(str(error)) from None

    def _wrong(self) -> tuple[pl.Expr, pl.Expr]:
        """Whether a row of any type cannot be read; and one that is asked for may take time, or has no scalars."""
        wrong = TIME.is_null() | _EVENT.is_null() | (_EVENT == "")
        if self.in_json:
            wrong |= _EVENT.str.contains(r"^[{\[]")
            if self.reading.partition_by is not None:
                wrong |= _PARTITION.str.starts_with("?").fill_null(False)
        schema = self.rows.collect_schema()
        odd = pl.col("start").is_not_null() if "start" in schema else pl.lit(False)
        for name in ("partition", "value"):
            if schema.get(name) == pl.String:
                cell = pl.col(name)
                no_scalar = cell.str.contains("\0", literal=True) | (cell.str.len_bytes() > MAX_CELL)
                if self.in_json and name == "value":
                    no_scalar |= cell.str.contains(r"^[{\[]") | cell.str.contains("\\u0000", literal=True)
                odd |= no_scalar.fill_null(False)
        return wrong, odd | pl.col("tiebreak").is_null() if "tiebreak" in schema else odd

    def _kept(self, rows: pl.DataFrame, report: ReadReport, ordered: Callable[[bool], bool]) -> pl.DataFrame:
        """Of the rows of one event type and one partition at one time, the one that is asked for; or all, in order."""
        key = ["time", *(["partition"] if "partition" in rows.columns else [])]
        in_order, same = self.reading.ties is not None, rows["time"].diff() == 0
        together = rows.filter((same | same.shift(-1)).fill_null(False))
        if report.tied is None and together.height and ordered(not in_order):
            ties = together.filter(pl.struct(key).is_duplicated())
            if not (ties.height or in_order):
                return rows
            types = ties.unique([*key, "event"], maintain_order=True)
            report.tied = next(iter(types.filter(pl.struct(key).is_duplicated())["time"]), None)
        if in_order:
            rows = rows.sort([name for name in ("time", "tiebreak") if name in rows.columns], maintain_order=True)
            place, scale = pl.int_range(pl.len()).over(key), self.reading.scale
            if rows.select(((place >= scale // 2) | (TIME >= MAX_TIME // scale)).any()).item():
                raise Unusual("too many rows in a tick, or times that are too late")
            return rows.with_columns(TIME * scale + place).sort("time", maintain_order=True)
        key.append("event")
        if not together.height or together.select(pl.struct(key).n_unique()).item() == together.height:
            return rows
        if self.reading.same_time is None:
            raise Unusual("an event type occurs twice at one time")
        kept = rows.unique(key, keep=self.reading.same_time, maintain_order=True)
        report.dropped += rows.height - kept.height
        return kept

    def values(self, cells: pl.Series) -> list[Value]:
        """Values as they are printed, of cells of the column `value`."""
        given = cells.to_list()
        if self.in_json:
            given = [None if cell is None else json.loads(cell) for cell in given]
        return list(map(value_of, given))

    def partitions(self, cells: pl.Series) -> list[Partition]:
        """The keys of partitions, of cells of the column `partition`."""
        if self.in_json:
            return [key and (key[1:] if key[0] == "t" else int(key[1:])) for key in cells.to_list()]
        return list(map(partition_of, cells.to_list()))


def scan(source: TraceSource, reading: Reading = USUAL) -> Scanned:
    """The scan of a log, which is no stream; `Unusual` where it is to be read row by row."""
    if isinstance(source, io.IOBase) or (isinstance(source, str) and source == "-"):
        raise Unusual
    if reading.stated().keys() - BY_COLUMNS:
        raise Unusual
    try:
        scans = [_with_ticks(_raw_log(each, reading)) for each in sources_of(source, reading)]
    except REFUSALS as error:
        raise Unusual(str(error)) from None
    first = scans[0]
    if len(scans) == 1:
        return first
    if any((each.in_json, each.clock) != (first.in_json, first.clock) for each in scans):
        raise Unusual
    rows = pl.concat([each.rows for each in scans], how="diagonal")
    rows = rows.drop("row").with_row_index("row").with_columns(pl.col("row").cast(pl.Int64))
    return replace(first, rows=rows, folder=[each.folder for each in scans])


def _with_ticks(raw: Scanned) -> Scanned:
    """The log with its times counted in ticks, where its cells are those of the file."""
    reading, schema = raw.reading, raw.rows.collect_schema()
    first = raw.rows.select("time").head(_PEEKED).collect()["time"].to_list()
    ticks = ticks_of_cells(schema["time"], first, reading)
    columns = [pl.col("row").cast(pl.Int64), ticks.times, _text(schema, "event")]
    columns += [ticks.between.alias("rounded")] if reading.round else []
    columns += [pl.col("start")] if "start" in schema else []
    if "tiebreak" in schema:
        cell = pl.col("tiebreak") if schema["tiebreak"].is_integer() else _text(schema, "tiebreak")
        columns.append(cell.cast(pl.Int64, strict=False))
    for name in ("value", "partition"):
        if name in schema:
            as_it_is = schema[name] in (pl.Boolean, pl.Null, pl.Float32, pl.Float64) or schema[name].is_integer()
            columns.append(pl.col(name) if as_it_is else _text(schema, name))
    return replace(raw, rows=raw.rows.with_columns(ticks.numbers).select(columns), clock=ticks.clock)


def _text(schema: pl.Schema, name: str) -> pl.Expr:
    kind = schema[name]
    number = kind.is_integer() if name == "event" else isinstance(kind, pl.Decimal)
    if kind != pl.String and not isinstance(kind, pl.Categorical | pl.Enum) and not number:
        raise Unusual
    return pl.col(name).cast(pl.String)


_FORM: Final = TraceForm(attributes=("value",))
_PEEKED: Final = 100  # first rows, which tell how times are written
_CHUNK: Final = 1 << 20
_HALF: Final = MAX_CELL // 2  # a line longer than a cell may be covers such a stretch that begins at a multiple of it
_MOST_UNPACKED: Final = 200  # times: a compressed text that grows more is read row by row, without being kept


def _raw_log(source: Any, reading: Reading) -> Scanned:
    """The cells of one file, table or query as they stand in it, before times are counted; in text, all are text."""
    if isinstance(source, ArrowTable):
        import pyarrow

        table = source if isinstance(source, pl.DataFrame) else pl.DataFrame(pyarrow.table(source))
        return Scanned(table.lazy().with_row_index("row").select("row", **_named(table.columns, reading)), reading)
    if reading.sql:
        import duckdb

        try:
            with duckdb.connect() as connection:
                schema = pl.DataFrame(connection.sql(source).limit(0).to_arrow_table()).schema
        except (duckdb.Error, AttributeError) as error:  # without a result there is nothing to limit
            raise Unusual(str(error)) from None
        named = _named(list(schema), reading)
        return Scanned(_of_query(source, schema, as_it_is=True).select("row", **named), reading)
    path = os.fspath(source)
    if not Path(path).is_file():
        raise Unusual
    form = reading.format or format_of(path)
    with Path(path).open("rb") as stream:
        if form == "parquet" or (form is None and stream.peek(4).startswith(b"PAR1")):
            return _parquet(path, reading)
        # What the reader of rows says of the first row goes for the whole log.
        next(read_rows(path, replace(reading, round=reading.tick is not None), form=_FORM), None)
        if form is None:
            line = next((line for line in lines_of(stream, Origin(path)) if line.strip()), "")
            form = "jsonl" if line.lstrip()[:1] == "{" else "csv"
            stream.seek(0)
        text = decompressed(stream)
        if form == "jsonl":
            magic = stream.read(2) if text is not stream else b""
            return _json(path, reading, {b"": "none", b"\x1f\x8b": "gzip"}.get(magic, "zstd"))
        if text is stream:
            return _csv(path, reading)
        folder = tempfile.TemporaryDirectory(prefix="remora-")
        most, path = _MOST_UNPACKED * os.fstat(stream.fileno()).st_size, f"{folder.name}/log"
        with Path(path).open("wb") as unpacked:
            while chunk := text.read(_CHUNK):
                if unpacked.tell() > most:
                    raise Unusual
                unpacked.write(chunk)
        return replace(_csv(path, reading), folder=folder)


def _named(names: Collection[str], reading: Reading) -> dict[str, str]:
    """The columns that are read, by what they are for."""
    named = {"time": reading.time, "event": reading.event, **reading.keys}
    named |= {role: name for role in ("value", "start") if (name := getattr(reading, role)) in names or name != role}
    if not set(names) >= set(named.values()) or len(set(names)) < len(names):
        raise Unusual
    return named


def _parquet(path: str, reading: Reading) -> Scanned:
    if reading.delimiter is not None or reading.header is not None:
        raise Unusual
    with parquet_file(path) as file:
        named = _named(file.schema_arrow.names, reading)
        readable(file, list(named.values()), Origin(path))
    frame = pl.scan_parquet(path, row_index_name="row", glob=False, hive_partitioning=False)
    return Scanned(frame.select("row", **named), reading)


def _csv(path: str, reading: Reading) -> Scanned:
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
        how: Any = {"quote_char": None, "row_index_name": "row", "glob": False, "has_header": False}
        schema = dict.fromkeys(names, pl.String)
        frame = pl.scan_csv(path, skip_lines=len(header), schema=schema, separator=sign, **how)
        cells = {role: pl.col(name) for role, name in named.items()}
        if spaced:
            cells = {role: cell.str.strip_chars_start(" ") for role, cell in cells.items()}
        return Scanned(frame.select("row", **cells), reading)
    if spaced or len(header) > 1:
        raise Unusual
    selected = ", ".join(f"nullif(log.{_quoted(name)}, '') AS {role}" for role, name in named.items())
    columns = ", ".join(f"{_literal(name)}: 'VARCHAR'" for name in names)
    query = f"""SELECT {selected} FROM read_csv({_path(path)}, columns={{{columns}}},
        header={bool(header)}, auto_detect=false, delim={_literal(sign)}, quote='"', escape='"',
        strict_mode=true, null_padding=false, max_line_size={MAX_CELL}) AS log"""
    return Scanned(_of_query(query, dict.fromkeys(named, pl.String)), reading)


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


def _json(path: str, reading: Reading, compression: str) -> Scanned:
    texts = {"time": reading.time, "event": reading.event, "start": reading.start}
    named = texts | {"value": reading.value, **reading.keys}
    kinds = {name: "VARCHAR" if role in texts else "JSON" for role, name in named.items()}
    kinds |= {name.partition(".")[0]: "JSON" for name in reading.nested}
    members = {role: _member(name, kinds, is_text=role in texts) for role, name in named.items()}
    if "partition" in members:
        members["partition"] = _KEY_OF_JSON.format(members["partition"])
    selected = ", ".join(f"{member} AS {role}" for role, member in members.items())
    columns = ", ".join(f"{_literal(key)}: '{kind}'" for key, kind in kinds.items())
    query = f"""SELECT {selected} FROM read_ndjson({_path(path)}, columns={{{columns}}}, records=true,
        compression='{compression}', ignore_errors=false) AS log"""
    return Scanned(_of_query(query, dict.fromkeys(named, pl.String)), reading, in_json=True)


_KEY_OF_JSON: Final = """CASE WHEN starts_with({0}, '"') THEN
        't' || CASE WHEN contains({0}, '\\') THEN CAST({0} AS JSON)->>'$' ELSE substr({0}, 2, length({0}) - 2) END
    WHEN {0} IN ('true', 'false') THEN 't' || {0} WHEN regexp_full_match({0}, '-?[0-9]+') THEN 'n' || {0}
    WHEN {0} <> 'null' THEN '?' || {0} END"""
"""The key of a partition: `t` stands before text, `n` before a number, `?` before what is none, or a fraction."""


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
    return f"coalesce({member}, (log.{_quoted(first)}{arrow}{_literal(path)})::VARCHAR)"


def _of_query(query: str, schema: Mapping[str, Any], *, as_it_is: bool = False) -> pl.LazyFrame:
    """The rows of a query of DuckDB, with a `row`: as it is, or some columns of it, which might change the order."""

    def batches(
        columns: list[str] | None, predicate: pl.Expr | None, most: int | None, _: int | None
    ) -> Iterator[pl.DataFrame]:
        import duckdb

        names = ", ".join(_quoted(name) for name in schema if columns is None or name in columns) or "1"
        asked, row = query if as_it_is else f"SELECT {names} FROM ({query})", 0
        try:
            with duckdb.connect() as connection:
                for batch in connection.sql(asked).to_arrow_reader(1 << 18):
                    frame = pl.DataFrame(pl.from_arrow(batch)).with_row_index("row", row)
                    row += len(frame)
                    frame = frame if columns is None else frame.select(columns)
                    frame = frame if predicate is None else frame.filter(predicate)
                    yield frame if most is None else frame.head(most)
                    if most is not None and (most := most - len(frame)) <= 0:
                        return
        except duckdb.Error as error:
            raise Unusual(str(error)) from None

    return register_io_source(batches, schema={"row": pl.UInt32, **schema}, is_pure=True)


def _quoted(name: str) -> str:
    """A name as it is written in SQL."""
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    """A text as it is written in SQL."""
    return "'" + text.replace("'", "''") + "'"


def _path(path: str) -> str:
    """A path as DuckDB reads it, which takes some characters for patterns of names."""
    return _literal("".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(Path(path).absolute())))
