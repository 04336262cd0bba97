"""Findings in a file or a table that is evaluated by columns: values are made when somebody asks for them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, cast

import polars as pl

from remora.api.detecting.columns import ColumnDetection, Rows
from remora.api.detecting.found import Found, FoundByPartition, FoundT
from remora.api.detecting.tables import Rendering, as_arrow
from remora.api.detecting.traces import Trace, are_paths, name_of, reading_of
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.traces.files import ArrowTable
from semantics.traces.instants import ReadReport
from semantics.traces.rows import Partition
from semantics.traces.scan import Scanned, Unusual, scan


class FoundInTable(Found[FoundT]):
    """Detections in a log, as a table; its trace has the event types of the pattern alone."""

    _name: str
    _rendering: Rendering
    _report: ReadReport
    _found: pl.DataFrame
    _rows: pl.DataFrame

    def __init__(
        self,
        pattern: Expression,
        name: str,
        scanned: Scanned,
        report: ReadReport,
        found: pl.DataFrame,
        rows: pl.DataFrame,
    ) -> None:
        """Take detections (`BatchDetection.found`), and the rows of the event types of the pattern."""
        vars(self).update(
            {"pattern": pattern, "how": "detected by columns", "whole": "instance" in found.columns, "_name": name},
            _rendering=Rendering(scanned, [""]),
            _report=report,
            _found=found,
            _rows=rows,
        )

    @cached_property
    def trace(self) -> Trace:
        """The rows as a trace."""
        report, tick = self._report, self._rendering.scanned.reading.tick
        occurrences = sorted(self._rendering.occurrences(self._rows), key=Occurrence.sort_key)
        return Trace(tuple(occurrences), self._name, tuple(report.messages()), tick, report.clock)

    @cached_property
    def found(self) -> Sequence[FoundT]:
        """The instances or intervals."""
        return tuple(cast("list[FoundT]", self._rendering.values(self._found)))

    def __len__(self) -> int:
        """How many there are."""
        return len(self._found)

    def to_arrow(self) -> Any:
        """See `Found.to_arrow`."""
        return as_arrow(self._rendering.table(self._found))

    def _some(self, index: slice) -> Found[FoundT]:
        return self._part(self._name, self._found[index], self._rows)

    @property
    def _seen(self) -> Mapping[str, int]:
        return self._report.events

    def _part(self, name: str, found: pl.DataFrame, rows: pl.DataFrame) -> FoundInTable[FoundT]:
        return FoundInTable(self.pattern, name, self._rendering.scanned, self._report, found, rows)

    def by_partition(self) -> dict[Partition, Found[FoundT]]:
        """Detections by partition, in the order in which partitions come first."""
        scanned, apart = self._rendering.scanned, []
        for frame in (self._found, self._rows):
            apart.append({key[0]: each for key, each in frame.partition_by("partition", as_dict=True).items()})
        cells = scanned.rows.select(pl.col("partition").unique(maintain_order=True)).collect()["partition"]
        parts: dict[Partition, Found[FoundT]] = {}
        for cell, key in zip(cells.to_list(), scanned.partitions(cells), strict=True):
            name = f"{scanned.reading.partition_by} {'(none)' if key is None else key}"
            found, rows = apart[0].get(cell, self._found.clear()), apart[1].get(cell, self._rows.clear())
            parts[key] = self._part(", ".join(filter(None, (self._name, name))), found.drop("partition"), rows)
        return parts


class FoundInTableByPartition(FoundByPartition[FoundT]):
    """Detections in a log by the value of a column, as one table."""

    _whole: FoundInTable[FoundT]

    def __init__(self, partition_by: str, whole: FoundInTable[FoundT]) -> None:
        """Take what was found in all partitions together."""
        vars(self).update({"pattern": whole.pattern, "partition_by": partition_by, "_whole": whole})

    @cached_property
    def found(self) -> Mapping[Partition, Found[FoundT]]:
        """By value, in the order in which they come first; also where nothing was found."""
        return self._whole.by_partition()

    @property
    def total(self) -> int:
        """How many were found in all of them together."""
        return len(self._whole)

    def to_arrow(self) -> Any:
        """See `FoundByPartition.to_arrow`."""
        whole = self._whole
        return as_arrow(whole._rendering.table(whole._found.sort("partition", maintain_order=True)))


def found_by_columns(
    pattern: Expression, given: Any, options: Mapping[str, Any], *, intervals: bool, partition_by: str | None
) -> Found[Any] | FoundByPartition[Any] | None:
    """Detections; None where the log is to be read row by row.

    Args:
        given: a path, several, or a table; other things are not for this.
    """
    if not isinstance(given, str | os.PathLike | ArrowTable) and not are_paths(given):
        return None
    report, batches = ReadReport(), list[pl.DataFrame]()
    try:
        scanned = scan(given, reading_of({"partition_by": partition_by, **options}))
        detection = ColumnDetection(scanned, [pattern], report, instances=not intervals, values=True)

        def kept() -> Iterator[Rows]:
            for batch in detection.rows():
                batches.append(batch[0])
                yield batch

        found = pl.concat(detection.found(kept()))
    except Unusual:
        return None
    whole: FoundInTable[Any] = FoundInTable(pattern, name_of(given), scanned, report, found, pl.concat(batches))
    return whole if partition_by is None else FoundInTableByPartition(partition_by, whole)
