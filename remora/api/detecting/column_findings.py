"""Findings in a file or a table that is evaluated by columns."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, cast, overload

import polars as pl

from remora.api.detecting.columns import ColumnDetection, Rows
from remora.api.detecting.found import Found, FoundT
from remora.api.detecting.partitioned import FoundByPartition
from remora.api.detecting.tables import Rendering, as_arrow
from remora.api.detecting.traces import Trace, are_paths, name_of, reading_of
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.clock import Clock
from semantics.traces.files import ArrowTable
from semantics.traces.instants import ReadReport
from semantics.traces.rows import Partition
from semantics.traces.scan import Unusual, scan

HOW = "detected by columns"


class Detections(Sequence[FoundT]):
    """Detections in a table, each of which becomes a value when somebody looks at it.

    Attributes:
        found: see `BatchDetection.found`.
    """

    def __init__(self, found: pl.DataFrame, rendering: Rendering) -> None:
        """Take a table, and how it is written."""
        self.found, self.rendering = found, rendering

    @overload
    def __getitem__(self, index: int) -> FoundT: ...
    @overload
    def __getitem__(self, index: slice) -> Detections[FoundT]: ...
    def __getitem__(self, index: int | slice) -> FoundT | Detections[FoundT]:
        """One of them, or some of them."""
        if isinstance(index, slice):
            return Detections(self.found[index], self.rendering)
        place = range(len(self))[index]
        return cast(FoundT, self.rendering.values(self.found[place : place + 1])[0])

    def to_arrow(self) -> Any:
        """Them as a table of PyArrow; see `Rendering.table`."""
        return as_arrow(self.rendering.table(self.found))

    def __len__(self) -> int:
        """How many there are."""
        return len(self.found)

    def __iter__(self) -> Iterator[FoundT]:
        """In order of their ends."""
        return iter(cast("list[FoundT]", self.rendering.values(self.found)))

    def __eq__(self, other: object) -> bool:
        """Whether another sequence has the same values."""
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        """The hash of the values."""
        return hash(tuple(self))


class ColumnTrace(Trace):
    """A trace of which the occurrences of a pattern's event types are known, as a table."""

    _read: tuple[pl.DataFrame, Rendering] | None

    def __init__(
        self,
        occurrences: tuple[Occurrence, ...] | None = None,
        name: str = "",
        notes: tuple[str, ...] = (),
        tick: str | None = None,
        clock: Clock | None = None,
        read: tuple[pl.DataFrame, Rendering] | None = None,
    ) -> None:
        """Take occurrences as any trace does, or the rows that they stand in."""
        given: dict[str, Any] = {"name": name, "notes": notes, "tick": tick, "clock": clock, "_read": read}
        if occurrences is not None:
            given["occurrences"] = occurrences
        for attribute, value in given.items():
            object.__setattr__(self, attribute, value)

    @cached_property
    def events(self) -> dict[str, int]:
        """How often each event type occurs, also those that are not asked for, the most frequent first."""
        if self._read is None:
            return super().events
        counts = self._read[1].scanned.events().sort("count", "event", descending=[True, False]).collect()
        return dict(counts.select("event", "count").iter_rows())

    @cached_property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """By time, then event type."""
        assert self._read is not None
        rows, rendering = self._read
        return tuple(sorted(rendering.occurrences(rows), key=Occurrence.sort_key))


def _trace(name: str, rows: pl.DataFrame, rendering: Rendering, report: ReadReport) -> ColumnTrace:
    """The trace of what was read."""
    tick = rendering.scanned.reading.tick
    return ColumnTrace(None, name, tuple(report.messages()), tick, report.clock, (rows, rendering))


def found_by_columns(
    pattern: Expression, given: Any, options: Mapping[str, Any], *, intervals: bool, partition_by: str | None
) -> Found[Any] | FoundByPartition[Any] | None:
    """What is found; None where the log is to be read row by row.

    Args:
        given: a path, several, or a table; other things are not for this.
    """
    if not isinstance(given, str | os.PathLike | ArrowTable) and not are_paths(given):
        return None
    report, chunks = ReadReport(), list[pl.DataFrame]()
    try:
        scanned = scan(given, reading_of({"partition_by": partition_by, **options}))
        detection = ColumnDetection(scanned, [pattern], report, instances=not intervals, values=True)

        def kept() -> Iterator[Rows]:
            for batch in detection.rows():
                chunks.append(batch[0])
                yield batch

        found = pl.concat(detection.found(kept()))
        rows = pl.concat(chunks)
    except Unusual:
        return None
    rendering, name = Rendering(scanned, [""]), name_of(given)
    trace = _trace(name, rows, rendering, report)
    whole: Found[Any] = Found(pattern, trace, Detections(found, rendering), HOW, not intervals)
    if partition_by is None:
        return whole
    return FoundByPartition(pattern, partition_by, _ByKey(whole, found, rows, report))


class _ByKey(Mapping[Partition, Found[Any]]):
    """What was found in each partition, taken apart when somebody looks at one."""

    def __init__(self, whole: Found[Any], found: pl.DataFrame, rows: pl.DataFrame, report: ReadReport) -> None:
        self._whole, self._found, self._rows, self._report = whole, found, rows, report
        self._rendering = Rendering(whole.found.rendering.scanned, [""])  # type: ignore[attr-defined]

    @property
    def total(self) -> int:
        """How many were found in all partitions together."""
        return len(self._found)

    def to_arrow(self) -> Any:
        """All of them as one table of PyArrow, with a column of partitions."""
        return as_arrow(self._rendering.table(self._found.sort("partition", maintain_order=True)))

    @cached_property
    def _keys(self) -> dict[Partition, Any]:
        """The cells of partitions by what they mean, in the order in which they come first."""
        cells = self._rendering.scanned.rows.select(pl.col("partition").unique(maintain_order=True)).collect()
        keys = self._rendering.scanned.partitions(cells["partition"])
        return {key: self._rendering.cell(key) for key in keys}

    @cached_property
    def _apart(self) -> tuple[dict[Any, pl.DataFrame], dict[Any, pl.DataFrame]]:
        frames = (self._found, self._rows)
        found, rows = (
            {key[0]: each for key, each in frame.partition_by("partition", as_dict=True).items()} for frame in frames
        )
        return found, rows

    def __getitem__(self, key: Partition) -> Found[Any]:
        cell, (found, rows) = self._keys[key], self._apart
        shown = "(none)" if key is None else key
        by = self._rendering.scanned.reading.partition_by
        name = ", ".join(filter(None, (self._whole.trace.name, f"{by} {shown}")))
        trace = _trace(name, rows.get(cell, self._rows.clear()), self._rendering, self._report)
        own = found.get(cell, self._found.clear()).drop("partition")
        return replace(self._whole, trace=trace, found=Detections(own, self._rendering))

    def __iter__(self) -> Iterator[Partition]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


def _by_partition(frame: pl.DataFrame) -> dict[Any, pl.DataFrame]:
    return {cell: part for (cell,), part in frame.partition_by("partition", as_dict=True).items()}
