"""Scans: a whole log as a lazy frame of Polars, and its rows in batches that are checked.

Where a check finds anything, the scan is `Unusual`, and the caller reads the rows one by one
(`semantics.traces.files`): that reader says what is wrong, and where.
"""

from __future__ import annotations

import csv
import io
import json
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import Any, Final

import duckdb
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

    def batches(self, types: Collection[str], report: ReadReport, size: int | None = None) -> Iterator[pl.DataFrame]:
        """The rows of some event types in order of time, checked; each batch consists of complete instants.

        Of the rows of other types only time and type are looked at, in JSON the partition too. The last batch may be
        empty.

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
        times, events = batch["time"], batch["event"]
        is_missing = times.null_count() or events.null_count() or (events == "").any()
        if is_missing or self._are_wrong(batch, found):
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
            rows[name]
            for rows, name in ((batch if self.in_json else found, "partition"), (found, "value"))
            if name in rows.columns
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
    rows = rows.with_columns(row=pl.int_range(pl.len(), dtype=pl.Int64))
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
