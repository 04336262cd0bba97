"""Detection in files and tables by columns: what a scan yields, batch by batch, through a plan.

Polars evaluates batch by batch while the log is read; DuckDB and Spark evaluate all rows together, where they may be
more than memory holds.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import polars as pl

from detectors.carlson_lisper.columns.batches import BatchDetection, Unsuitable
from detectors.carlson_lisper.columns.plan import plan_of
from remora.api.detecting.found import Found, FoundByPartition, Lazy
from remora.api.detecting.tables import Rendering, as_arrow
from remora.api.detecting.traces import Trace, are_paths, name_of, reading_of
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.events import Time
from semantics.traces.files import ArrowTable
from semantics.traces.instants import ReadReport
from semantics.traces.rows import Partition
from semantics.traces.scan import Scanned, Unusual, scan

Engine: TypeAlias = Literal["columns", "duckdb", "spark"]

BATCH = 1 << 20
"""About so many rows of the event types that are asked for are evaluated together."""

Rows: TypeAlias = tuple[pl.DataFrame, bool]
"""A batch of rows, and whether it is the last one."""

MOST = 100
"""The most operators upon each other, and the most leaves of an instance, that queries are made of."""


class ColumnDetection:
    """A detection of patterns in a scanned log; what was read is told to the report.

    Attributes:
        time: what ends after it has not been found; -1 before the first instant.
    """

    def __init__(
        self,
        scanned: Scanned,
        patterns: Sequence[Expression],
        report: ReadReport,
        *,
        instances: bool,
        values: bool,
        engine: Engine = "columns",
        master: str = "local[*]",
    ) -> None:
        """Nothing is found yet; whole instances are asked for, or starts and ends, and values are read or not."""
        self.time: Time = -1
        self._plan = plan_of(patterns)
        if self._plan.depth > MOST or (instances and max(map(len, self._plan.leaves.values())) > MOST):
            raise Unusual
        self._how = {"with_rows": instances, "partitioned": scanned.reading.partition_by is not None}
        self._engine, self._master, self._report = engine, master, report
        has_values = "value" in scanned.rows.collect_schema().names()
        if has_values and not values:
            scanned = replace(scanned, rows=scanned.rows.drop("value"))
        elif values and not has_values:
            scanned = replace(scanned, rows=scanned.rows.with_columns(value=pl.lit(None, pl.String)))
        self._scanned = scanned

    def found(self, rows: Iterable[Rows]) -> Iterator[pl.DataFrame]:
        """Detections in the rows: see `BatchDetection.found`; values and partitions as they stand in the log."""
        try:
            if self._engine == "columns":
                detection = BatchDetection(self._plan, **self._how)
                for batch, last in rows:
                    found = detection.found(batch, last=last)
                    self.time = detection.time
                    yield found
                return
            from detectors.carlson_lisper.columns import sql_plan  # with SQLGlot

            frames = (batch for batch, _ in rows)
            if self._engine == "duckdb":
                yield sql_plan.found_by_duckdb(self._plan, frames, **self._how)
                return
            from cluster.session import spark_session

            with spark_session(self._master) as session, sql_plan.on_spark(frames, session, **self._how) as table:
                yield sql_plan.found_by_spark(self._plan, table, session, **self._how)
        except (Unsuitable, pl.exceptions.PolarsError) as error:
            raise Unusual(str(error)) from None

    def rows(self, told: Callable[[int], object] = lambda _: None) -> Iterator[Rows]:
        """The rows of the event types of the patterns, in order of time, checked; see `Scanned.batches`.

        It is told how many rows of the log have been read.
        """
        for rows in self._scanned.batches(self._plan.events, self._report, BATCH):
            told(self._report.rows)
            yield rows


def found_by_columns(
    pattern: Expression, given: Any, options: Mapping[str, Any], *, intervals: bool, partition_by: str | None
) -> Found[Any] | FoundByPartition[Any] | None:
    """Detections in a file, several, or a table; None where the log is to be read row by row.

    Their values and tables, and the occurrences of their traces, are made when somebody asks for them.
    """
    if not isinstance(given, str | os.PathLike | ArrowTable) and not are_paths(given):
        return None
    report = ReadReport()
    try:
        scanned = scan(given, reading_of({"partition_by": partition_by, **options}))
        detection = ColumnDetection(scanned, [pattern], report, instances=not intervals, values=True)
        batches = list(detection.rows())
        found = pl.concat(detection.found(batches))
    except Unusual:
        return None
    rendering, rows = Rendering(scanned, [""]), pl.concat([batch for batch, _ in batches])
    whole = Trace((), name_of(given), tuple(report.messages()), scanned.reading.tick, report.clock)

    def part(trace: Trace, found: pl.DataFrame, rows: pl.DataFrame) -> Found[Any]:
        occurrences = Lazy(len(rows), lambda: sorted(rendering.occurrences(rows), key=Occurrence.sort_key))
        return Found(
            pattern,
            replace(trace, occurrences=occurrences),
            Lazy(len(found), lambda: rendering.values(found)),
            "detected by columns",
            whole=not intervals,
            table=lambda: as_arrow(rendering.table(found)),
            seen=report.events,
        )

    if partition_by is None:
        return part(whole, found, rows)
    found_of, rows_of = (frame.partition_by("partition", as_dict=True) for frame in (found, rows))
    cells = scanned.rows.select(pl.col("partition").unique(maintain_order=True)).collect()["partition"]
    parts: dict[Partition, Found[Any]] = {}
    for cell, key in zip(cells.to_list(), scanned.partitions(cells), strict=True):
        inside = found_of.get((cell,), found.clear()).drop("partition")
        parts[key] = part(whole.part(partition_by, key, ()), inside, rows_of.get((cell,), rows.clear()))
    ordered = found.sort("partition", maintain_order=True)
    return FoundByPartition(pattern, partition_by, parts, table=lambda: as_arrow(rendering.table(ordered)))
