"""Findings in a file or a table that is evaluated by columns."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from remora.api.detecting.columns import ColumnDetection
from remora.api.detecting.findings import Found
from remora.api.detecting.partitioned import FoundByPartition
from remora.api.detecting.tables import ColumnTrace, Detections, Rendering, as_arrow
from remora.api.detecting.traces import ArrowTable, LogOptions
from semantics.carlson_lisper.expressions import Expression
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition
from semantics.traces.scan import Unusual, scan

HOW = "detected by columns"


def found_by_columns(
    pattern: Expression, given: object, options: LogOptions, *, intervals: bool, partition_by: str | None
) -> Any:
    """What is found, a `Found` or a `FoundByPartition`; None where the log is to be read row by row.

    Args:
        given: a path or a table; other things are not for this.
    """
    is_path = isinstance(given, str | os.PathLike)
    if not (is_path and Path(os.fspath(given)).is_file()) and not isinstance(given, ArrowTable):  # type: ignore[arg-type]
        return None
    report, chunks = ReadReport(), list[pl.DataFrame]()
    try:
        scanned = scan(given, Reading(partition_by=partition_by, **options))
        detection = ColumnDetection(scanned, [pattern], report, instances=not intervals, values=True)

        def kept() -> Iterator[pl.DataFrame]:
            for chunk in detection.rows():
                chunks.append(chunk)
                yield chunk

        found = pl.concat(detection.found(kept()))
        rows = pl.concat(chunks)
    except Unusual:
        return None
    rendering, name = Rendering(scanned, [""]), os.fspath(given) if is_path else ""  # type: ignore[arg-type]
    trace = ColumnTrace(name, rows, rendering, report)
    whole: Found[Any] = Found(pattern, trace, Detections(found, rendering), HOW, not intervals)
    if partition_by is None:
        return whole
    return FoundByPartition(pattern, partition_by, _ByKey(whole, found, rows, report))


class _ByKey(Mapping[Partition, Found[Any]]):
    """What was found in each partition, taken apart when somebody looks at one."""

    def __init__(
        self, whole: Found[Any], found: pl.DataFrame, rows: pl.DataFrame, report: ReadReport
    ) -> None:
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
            {key[0]: each for key, each in frame.partition_by("partition", as_dict=True).items()}
            for frame in frames
        )
        return found, rows

    def __getitem__(self, key: Partition) -> Found[Any]:
        cell, (found, rows) = self._keys[key], self._apart
        shown = "(none)" if key is None else key
        by = self._rendering.scanned.reading.partition_by
        name = ", ".join(filter(None, (self._whole.trace.name, f"{by} {shown}")))
        trace = ColumnTrace(name, rows.get(cell, self._rows.clear()), self._rendering, self._report)
        own = found.get(cell, self._found.clear()).drop("partition")
        return replace(self._whole, trace=trace, found=Detections(own, self._rendering))

    def __iter__(self) -> Iterator[Partition]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


def _by_partition(frame: pl.DataFrame) -> dict[Any, pl.DataFrame]:
    return {cell: part for (cell,), part in frame.partition_by("partition", as_dict=True).items()}
