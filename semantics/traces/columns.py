"""Traces by columns: what `files.read_instants` accepts of points, many rows at a time, for some event types.

Whatever is unusual, an error above all, is left to the reader of rows, which knows what is wrong and where: here it is
the exception `Unusual`, after the instants before it.
"""

from __future__ import annotations

import csv
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from semantics.errors import InputError
from semantics.events import Value
from semantics.traces.instants import ReadReport
from semantics.traces.reading import USUAL, Reading
from semantics.traces.rows import NOWHERE, value_of
from semantics.traces.text_tables import Keys
from semantics.traces.zones import NO_ZONE, Offsets, offsets_of


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
        from semantics.arrow_arrays import integers

        cells: list[Any] = self.cells.take(integers(rows)).to_pylist()
        if self.in_json is None:
            return [value_of(cell, NOWHERE, 0) for cell in cells]
        for place in np.flatnonzero(self.in_json[rows]).tolist():  # text has been checked
            cells[place] = value_of(json.loads(cells[place]), NOWHERE, 0)
        return cells

    @property
    def longest(self) -> int:
        """How many bytes the longest text has."""
        from pyarrow import compute, types

        if not (types.is_string(self.cells.type) or types.is_large_string(self.cells.type)):
            return 0
        return compute.max(compute.binary_length(self.cells)).as_py() or 0

    def at(self, rows: NDArray[np.integer]) -> Values:
        """Those of some rows."""
        from semantics.arrow_arrays import integers

        return Values(self.cells.take(integers(rows)), None if self.in_json is None else self.in_json[rows])

    def between(self, begin: int, end: int) -> Values:
        """Those of the rows from one on, before another."""
        kinds = None if self.in_json is None else self.in_json[begin:end]
        return Values(self.cells.slice(begin, end - begin), kinds)

    @staticmethod
    def joined(given: Sequence[Values]) -> Values:
        """Some, at least one, one after the other."""
        import pyarrow

        kinds = [each.in_json for each in given if each.in_json is not None]
        return Values(
            pyarrow.concat_arrays([each.cells for each in given]), np.concatenate(kinds) if kinds else None
        )


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

    def between(self, begin: int, end: int) -> Rows:
        """Those from one on, before another, in the same memory."""
        return Rows(
            self.times[begin:end],
            self.types[begin:end],
            None if self.partitions is None else self.partitions[begin:end],
            None if self.values is None else self.values.between(begin, end),
        )

    def followed_by(self, other: Rows) -> Rows:
        """These and later ones."""
        return Rows.joined([self, other]) if len(self) else other

    @staticmethod
    def joined(given: Sequence[Rows]) -> Rows:
        """Some, at least one, one after the other."""
        partitions = [each.partitions for each in given if each.partitions is not None]
        values = [each.values for each in given if each.values is not None]
        return Rows(
            np.concatenate([each.times for each in given]),
            np.concatenate([each.types for each in given]),
            np.concatenate(partitions) if partitions else None,
            Values.joined(values) if values else None,
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
        self.keys = Keys()
        self.path, self.format, self.events, self.table = path, format, events, table
        self.reading, self.report, self.values = reading, report, values

    def rows(self) -> Iterator[Rows]:
        """The rows.

        Raises:
            Unusual: what follows can only be read, or refused, row by row.
        """
        self.report.partition_by = self.reading.partition_by
        if self.table is not None or self.format == "parquet":
            from semantics.traces.arrow_columns import arrow_rows as read
        else:
            from semantics.traces.text_columns import text_rows as read

        self.report.same_time = self.reading.same_time
        try:
            yield from self._complete(_sorted(read(self)) if self.reading.sort else read(self))
        except (OSError, EOFError, InputError, ImportError, ValueError, csv.Error, zlib.error) as error:
            raise Unusual from error

    def _complete(self, read: Iterable[tuple[Rows, int]]) -> Iterator[Rows]:
        """The admissible rows, those of an instant together; they come with the time of the last row of all."""
        kept: Rows | None = None
        for rows, last in read:
            kept = self._admissible(rows if kept is None else kept.followed_by(rows))
            complete = int(np.searchsorted(kept.times, last))  # a row of the last time may follow
            if complete:
                yield kept.between(0, complete)
                kept = kept.between(complete, len(kept))
        if kept is not None and len(kept):
            yield kept

    def _admissible(self, rows: Rows) -> Rows:
        """The rows without those of one event type and one partition at one time, but for the one that is asked for.

        Raises:
            Unusual: there are such rows, and none of them is asked for.
        """
        same = rows.times[1:] == rows.times[:-1]
        if not same.any():
            return rows
        together = np.flatnonzero(np.append(same, False) | np.append(False, same))
        columns = [rows.types[together], rows.times[together]]
        if rows.partitions is not None:
            columns.insert(0, rows.partitions[together])
        order = np.lexsort(columns)  # in which equal ones keep their order
        twice = np.ones(max(len(order) - 1, 0), np.bool_)
        for column in columns:
            twice &= column[order][1:] == column[order][:-1]
        if not twice.any():
            return rows
        which = {"first": order[1:], "last": order[:-1]}.get(self.reading.same_time or "")
        if which is None:
            raise Unusual
        self.report.dropped += int(twice.sum())
        return rows.at(np.delete(np.arange(len(rows)), together[which[twice]]))

    def note_disorder(self, rows: int) -> None:
        """Take note of rows whose time is before that of the row before.

        Raises:
            Unusual: there are some, and rows are not sorted.
        """
        if rows and not self.reading.sort:
            raise Unusual
        self.report.out_of_order += rows


def _sorted(read: Iterable[tuple[Rows, int]]) -> Iterator[tuple[Rows, int]]:
    """All rows at once, in order of time."""
    found = [rows for rows, _ in read if len(rows)]
    if found:
        rows = Rows.joined(found)
        rows = rows.at(np.argsort(rows.times, kind="stable"))
        yield rows, int(rows.times[-1])


def about_rows(path: str, format: str) -> int:
    """About how many rows a file has: those that a Parquet file states, or a text file's size by its first lines.

    Raises:
        Unusual: it cannot be read.
    """
    try:
        if format == "parquet":
            from semantics.traces.arrow_rows import parquet_file

            with parquet_file(path) as found:
                return int(found.metadata.num_rows)
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
    """How times are counted.

    Attributes:
        dated: whether they are times of day, of which nanoseconds are counted first.
        factor: what is counted is so many ticks, divided by `divisor`.
        divisor: see above.
        rounds: whether what lies between two ticks is taken for the one before.
        offsets: of times of day without zone.
    """

    dated: bool
    factor: int
    divisor: int
    rounds: bool
    offsets: Offsets = NO_ZONE


def clocked_by(first: object, reading: Reading, report: ReadReport) -> Clocked:
    """How times are counted, by the first of them.

    Raises:
        Unusual: they are not counted here.
        InputError: it is no time.
    """
    clock = reading.clock
    if clock is None:
        return Clocked(False, 1, 1, False)
    from semantics.traces.times import Times

    told = ReadReport()
    times = Times(clock, replace(reading, round=True), NOWHERE, told)
    times.of(first, 0)
    report.clock = told.clock
    if times.kind == "number":
        ratio = times.factor / clock.tick
        return Clocked(False, ratio.numerator, ratio.denominator, reading.round)
    nanoseconds = clock.tick * 10**9
    if nanoseconds.denominator != 1 or (clock.counts_days and clock.zone is not None):
        raise Unusual
    zone = UTC if clock.counts_days else clock.zone
    return Clocked(True, 1, int(nanoseconds), reading.round, NO_ZONE if zone is None else offsets_of(zone))
