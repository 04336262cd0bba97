"""Traces by columns: what `files.read_instants` accepts of points, many rows at a time, for some event types.

Whatever is unusual, an error above all, is left to the reader of rows, which knows what is wrong and where: here it is
the exception `Unusual`, after the instants before it.
"""

from __future__ import annotations

import csv
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, timedelta, timezone
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from semantics.arrow_arrays import integers
from semantics.errors import InputError
from semantics.events import Value
from semantics.traces.instants import ReadReport
from semantics.traces.reading import USUAL, Reading
from semantics.traces.rows import Origin, Partition, partition_of, value_of


class Unusual(Exception):
    """The rest of the trace is to be read row by row."""


@dataclass(frozen=True)
class Values:
    """Values of occurrences, as they stand in a file.

    Attributes:
        cells: an Arrow array.
        in_json: whether a cell is a scalar written in JSON, shape `(n,)`; None if none is.
    """

    cells: Any
    in_json: NDArray[np.bool_] | None = None

    def of(self, rows: NDArray[np.integer]) -> list[Value]:
        """The values of some rows."""
        cells: list[Any] = self.cells.take(integers(rows)).to_pylist()
        if self.in_json is None:
            return [value_of(cell, NOWHERE, 0) for cell in cells]
        for place in np.flatnonzero(self.in_json[rows]).tolist():  # text has been checked
            cells[place] = value_of(json.loads(cells[place]), NOWHERE, 0)
        return cells

    def at(self, rows: NDArray[np.integer]) -> Values:
        """Those of some rows."""
        return Values(self.cells.take(integers(rows)), None if self.in_json is None else self.in_json[rows])

    def followed_by(self, other: Values) -> Values:
        """These and others."""
        import pyarrow

        kinds = self.in_json
        if kinds is not None and other.in_json is not None:
            kinds = np.concatenate([kinds, other.in_json])
        return Values(pyarrow.concat_arrays([self.cells, other.cells]), kinds)


NOWHERE = Origin("")
"""What has no place in a file."""


@dataclass(frozen=True)
class Rows:
    """Rows of complete instants, in order of time, of the event types that are asked for.

    Attributes:
        times: in ticks, shape `(n,)`.
        types: the event type, as its number among those that are asked for.
        partitions: the partition, as its number in `Columns.keys`; None where the trace is not partitioned.
        values: of the occurrences; None where they are not asked for.
    """

    times: NDArray[np.int64]
    types: NDArray[np.int64]
    partitions: NDArray[np.int64] | None
    values: Values | None

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.times)

    def at(self, rows: NDArray[np.integer]) -> Rows:
        """Some of them, in this order."""
        return Rows(
            self.times[rows],
            self.types[rows],
            None if self.partitions is None else self.partitions[rows],
            None if self.values is None else self.values.at(rows),
        )

    def followed_by(self, other: Rows) -> Rows:
        """These and later ones."""
        if not len(self):
            return other
        return Rows(
            np.concatenate([self.times, other.times]),
            np.concatenate([self.types, other.types]),
            None
            if self.partitions is None or other.partitions is None
            else np.concatenate([self.partitions, other.partitions]),
            None if self.values is None or other.values is None else self.values.followed_by(other.values),
        )


class Columns:
    """A trace file, or a table, that is read by columns.

    Attributes:
        path: the file; "" for a table.
        format: "csv", "jsonl" or "parquet".
        table: the table of Arrow; None for a file.
        events: the event types that are asked for; those of others need not keep Def. 3.4.
        reading: how it is read.
        report: is told what was read.
        values: whether values are asked for.
        keys: the partitions, by the numbers that rows have.
    """

    def __init__(
        self,
        path: str,
        format: str,
        events: Sequence[str],
        reading: Reading,
        report: ReadReport,
        *,
        values: bool,
        table: Any = None,
    ) -> None:
        """A regular file, or a table; arguments as the attributes."""
        self.keys: list[Partition] = []
        self._numbers: dict[Partition, int] = {}
        self.path, self.format, self.events, self.table = path, format, events, table
        self.reading, self.report, self.values = reading, report, values

    def number_of(self, cell: object) -> int:
        """The number of the partition that a cell names; a new one gets the next number."""
        key = partition_of(cell, NOWHERE, 0)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.keys)
            self.keys.append(key)
        return number

    def rows(self) -> Iterator[Rows]:
        """The rows.

        Raises:
            Unusual: what follows can only be read, or refused, row by row.
        """
        self.report.partition_by = self.reading.partition_by
        from semantics.traces.arrow_columns import parquet_rows, table_rows
        from semantics.traces.text_columns import text_rows

        read = (
            table_rows if self.table is not None else parquet_rows if self.format == "parquet" else text_rows
        )
        kept: Rows | None = None
        try:
            for rows, last in read(self):
                kept = rows if kept is None else kept.followed_by(rows)
                self._require_admissible(kept)
                complete = int(np.searchsorted(kept.times, last))  # a row of the last time may follow
                if complete:
                    yield kept.at(np.arange(complete))
                    kept = kept.at(np.arange(complete, len(kept)))
        except (OSError, EOFError, InputError, ImportError, ValueError, csv.Error, zlib.error) as error:
            raise Unusual from error
        if kept is not None and len(kept):
            yield kept

    def _require_admissible(self, rows: Rows) -> None:
        """Make sure that rows of one event type and one partition have different times.

        Raises:
            Unusual: two have not.
        """
        same = rows.times[1:] == rows.times[:-1]
        if not same.any():
            return
        together = np.flatnonzero(np.append(same, False) | np.append(False, same))
        columns = [rows.types[together], rows.times[together]]
        if rows.partitions is not None:
            columns.insert(0, rows.partitions[together])
        order = np.lexsort(columns)
        twice = np.ones(max(len(order) - 1, 0), np.bool_)
        for column in columns:
            twice &= column[order][1:] == column[order][:-1]
        if twice.any():
            raise Unusual


def about_rows(path: str, format: str) -> int:
    """About how many rows a file has: those that a Parquet file states, or a text file's size by its first lines.

    Raises:
        Unusual: it cannot be read.
    """
    try:
        if format == "parquet":
            from pyarrow import parquet

            return int(parquet.read_metadata(path).num_rows)
        with Path(path).open("rb") as file:
            head = file.read(1 << 16)
        return Path(path).stat().st_size * head.count(b"\n") // max(len(head), 1)
    except Exception as error:
        raise Unusual from error


def require_columns(names: Sequence[str], reading: Reading) -> None:
    """Make sure that the columns are there, each once, and that none says when events begin.

    Raises:
        Unusual: they are not.
    """
    needed = {reading.time, reading.event} | ({reading.value} - {USUAL.value})
    if reading.partition_by is not None:
        needed.add(reading.partition_by)
    if len(set(names)) < len(names) or not needed <= set(names) or reading.start in names:
        raise Unusual
    if reading.partition_by in (reading.time, reading.event, reading.value):
        raise Unusual
    if reading.value in (reading.time, reading.event):
        raise Unusual


class Clocked(NamedTuple):
    """How times are counted; see `scanning.Clocked`."""

    dated: bool
    factor: int
    divisor: int
    shift: int
    has_zone: bool
    rounds: bool


def clocked_by(first: object, reading: Reading, report: ReadReport) -> Clocked:
    """How times are counted, by the first of them.

    Raises:
        Unusual: they are not counted here.
        InputError: it is no time.
    """
    clock = reading.clock
    if clock is None:
        return Clocked(False, 1, 1, 0, False, False)
    from semantics.traces.times import Times

    told = ReadReport()
    times = Times(clock, replace(reading, round=True), NOWHERE, told)
    times.of(first, 0)
    report.clock = told.clock
    if times.kind == "number":
        ratio = times.factor / clock.tick
        return Clocked(False, ratio.numerator, ratio.denominator, 0, False, reading.round)
    nanoseconds = clock.tick * 10**9
    if nanoseconds.denominator != 1 or (clock.counts_days and clock.zone is not None):
        raise Unusual
    fixed = isinstance(clock.zone, timezone)
    shift = clock.zone.utcoffset(None) if isinstance(clock.zone, timezone) else timedelta(0)
    has_zone = fixed or clock.zone is UTC or clock.counts_days
    ahead = 0 if clock.counts_days or shift is None else int(Fraction(shift.total_seconds()) * 10**9)
    return Clocked(True, 1, int(nanoseconds), ahead, has_zone, reading.round)
