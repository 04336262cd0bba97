"""Scans: a whole log as a lazy frame of Polars, and its rows in batches that are checked.

Where a check finds anything, the scan is `Unusual`, and the caller reads the rows one by one
(`semantics.traces.files`): that reader says what is wrong, and where.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import Any, Final

import polars as pl

from semantics.clock import Clock
from semantics.errors import InputError
from semantics.events import Value
from semantics.traces.files import TraceSource, sources_of
from semantics.traces.instants import ReadReport
from semantics.traces.raw_logs import Unusual as Unusual
from semantics.traces.raw_logs import raw_log
from semantics.traces.reading import USUAL, Reading
from semantics.traces.rows import MAX_CELL, NOWHERE, Partition, partition_of, value_of
from semantics.traces.time_columns import ticks_of_cells


@dataclass(frozen=True)
class Scanned:
    """A log as a lazy frame.

    Attributes:
        rows: one line a row, in the order of the log: `row` (Int64, from 0, across files), `time` (Int64, in ticks;
            null if it cannot be read), `event` (String; null or empty if it is missing), and where they are there
            `value` (as it stands in the log), `partition` (likewise), `start` (as `time`, -1 if it cannot be read) and
            `rounded` (Boolean: the time lay between two ticks).
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
    ) -> Iterator[tuple[pl.DataFrame, bool]]:
        """The rows of some event types in order of time, checked, and whether these are the last.

        Each batch consists of complete instants. Of the rows of other types only time and type are looked at, in JSON
        the partition too. The last batch may be empty.

        Args:
            types: the event types.
            report: is told what was read; which other event types there are only where one of these is missing.
            size: about how many rows a batch has; what Polars chooses by default.

        Raises:
            Unusual: what follows can only be read, or refused, row by row.
        """
        reading = self.reading
        report.clock, report.same_time = self.clock, reading.same_time
        report.partition_by = reading.partition_by
        if self.in_json and any(map(_EXPONENT.search, types)):
            raise Unusual("a number is not written as in the log")
        wanted = _is_one_of(types)
        rows = self.rows.with_columns(late=(_TIME < _TIME.shift(1)).fill_null(False)).filter(wanted | self._odd())
        try:
            waiting = rows.head(0).collect().drop("late")
            for batch in rows.collect_batches(chunk_size=size, maintain_order=True):
                found = batch.filter(wanted).drop("late")
                self._check(batch, found, report)
                if waiting.height and found.height and not reading.sort:
                    done = int(waiting["time"].search_sorted(found["time"][0], side="left"))
                    yield self._kept(waiting[:done], report), False
                    waiting = waiting[done:]
                waiting = pl.concat([waiting, found])
            waiting = waiting.sort("time", maintain_order=True) if reading.sort else waiting
            yield self._kept(waiting, report), True
            if not set(types) <= report.events.keys():
                report.events.clear()
                report.events.update(dict(self.events().collect().iter_rows()))
        except REFUSALS as error:
            raise Unusual(str(error)) from None

    def _odd(self) -> pl.Expr:
        """Whether a row of whatever type matters: it is wrong, out of order, or there is something to be told of it."""
        odd = _TIME.is_null() | _EVENT.is_null() | (_EVENT == "") | pl.col("late")
        names = self.rows.collect_schema().names()
        if self.in_json:
            odd |= _EVENT.str.starts_with("{") | _EVENT.str.starts_with("[")
        if "partition" in names:
            odd |= pl.col("partition").is_null()
            if self.in_json:
                odd |= pl.col("partition").str.starts_with("?")
        return odd | pl.col("rounded") if "rounded" in names else odd

    def _check(self, batch: pl.DataFrame, found: pl.DataFrame, report: ReadReport) -> None:
        """Look for what no scan can judge, and count what is told of."""
        events = batch["event"]
        wrong = batch["time"].null_count() or events.null_count() or (events == "").any()
        if self.in_json:
            wrong = wrong or (events.str.starts_with("{") | events.str.starts_with("[")).any()
        if wrong or self._are_wrong(batch, found):
            raise Unusual("rows cannot be read")
        late = int(batch["late"].sum())
        if late and not self.reading.sort:
            raise Unusual("rows are out of order")
        report.out_of_order += late
        report.rows = int(batch["row"][-1]) + 1 if batch.height else report.rows
        if "partition" in batch.columns:
            report.without_partition += batch["partition"].null_count()
        if "rounded" in batch.columns:
            report.rounded += int(batch["rounded"].sum())
        for event, count in found["event"].value_counts().iter_rows():
            report.events[event] += count

    def _are_wrong(self, batch: pl.DataFrame, found: pl.DataFrame) -> bool:
        """Whether a key or a value is no scalar, or an event takes time."""
        if self.in_json and "partition" in batch.columns and batch["partition"].str.starts_with("?").any():
            return True
        cells = [found[name] for name in ("partition", "value") if name in found.columns]
        takes_time = "start" in found.columns and bool((found["start"] != found["time"]).any())
        return takes_time or any(self._no_scalar(each).any() for each in cells if each.dtype == pl.String)

    def _no_scalar(self, cells: pl.Series) -> pl.Series:
        """Whether cells of text are no scalars that can be written, or too long."""
        found = cells.str.contains("\0", literal=True) | (cells.str.len_bytes() > MAX_CELL)
        if self.in_json and cells.name == "value":
            found |= cells.str.starts_with("{") | cells.str.starts_with("[")
            found |= cells.str.contains("\\u0000", literal=True)
        return found

    def _kept(self, rows: pl.DataFrame, report: ReadReport) -> pl.DataFrame:
        """Of the rows of one event type and one partition at one time, the one that is asked for."""
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
        if self.in_json:
            return [key and (key[1:] if key[0] == "t" else int(key[1:])) for key in cells.to_list()]
        return [partition_of(cell, NOWHERE, 0) for cell in cells.to_list()]

    def _cells(self, cells: pl.Series) -> list[Any]:
        if self.in_json:
            return [None if cell is None else json.loads(cell) for cell in cells.to_list()]
        return cells.to_list()


def _is_one_of(types: Collection[str]) -> pl.Expr:
    """Whether the event type is one of these; to compare with each of a few is faster than to look it up."""
    if len(types) > _FEW:
        return _EVENT.is_in(list(types))
    return reduce(or_, (_EVENT == each for each in types), pl.lit(False))


_FEW: Final = 8

_TIME, _EVENT = pl.col("time"), pl.col("event")

_EXPONENT = re.compile(r"^-?[0-9.]+e[+-]?[0-9]+$")


REFUSALS: Final = (
    InputError,
    OSError,
    ValueError,
    EOFError,
    ImportError,
    csv.Error,
    zlib.error,
    pl.exceptions.PolarsError,
    pl.exceptions.PanicException,
)
"""The exceptions of readers where a log cannot be scanned."""


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
    rows = rows.drop("row").with_row_index("row").with_columns(pl.col("row").cast(pl.Int64))
    return replace(first, rows=rows, folder=[each.folder for each in scans])


def _scan(source: Any, reading: Reading) -> Scanned:
    raw = raw_log(source, reading)
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
"""The number of first rows that tell how times are written."""


def _event(kind: pl.DataType) -> pl.Expr:
    cell = pl.col("event")
    if kind == pl.String or isinstance(kind, pl.Categorical | pl.Enum) or kind.is_integer():
        return cell.cast(pl.String)
    raise Unusual


def _scalar(name: str, kind: pl.DataType) -> pl.Expr:
    if isinstance(kind, pl.Categorical | pl.Enum | pl.Decimal):
        return pl.col(name).cast(pl.String)
    if kind in (pl.String, pl.Boolean, pl.Null, pl.Float32, pl.Float64) or kind.is_integer():
        return pl.col(name)
    raise Unusual
