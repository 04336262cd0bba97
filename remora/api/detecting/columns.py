"""Detection in files and tables by columns: what a scan yields, batch by batch, through a plan.

Polars evaluates batch by batch while the log is read; DuckDB and Spark evaluate all rows together, where they may be
more than memory holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

import polars as pl

from detectors.carlson_lisper.columns.batches import BatchDetection, Unsuitable
from detectors.carlson_lisper.columns.plan import plan_of
from semantics.carlson_lisper.expressions import Expression
from semantics.events import Time
from semantics.traces.instants import ReadReport
from semantics.traces.scan import Scanned, Unusual

Engine: TypeAlias = Literal["columns", "duckdb", "spark"]

BATCH = 1 << 20
"""About so many rows of the event types that are asked for are evaluated together."""

Rows: TypeAlias = tuple[pl.DataFrame, bool]
"""A batch of rows, and whether it is the last one."""

MOST = 100
"""The most operators upon each other, and the most leaves of an instance, that queries are made of."""


class ColumnDetection:
    """A detection of patterns in a scanned log.

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
        values: bool | None = None,
        engine: Engine = "columns",
        master: str = "local[*]",
    ) -> None:
        """Nothing is found yet.

        Args:
            report: is told what was read.
            instances: whether whole instances are asked for, or starts and ends.
            values: whether values are read; by default for instances.

        Raises:
            Unusual: a pattern is too large for queries.
        """
        self.time: Time = -1
        self._plan = plan_of(patterns)
        if self._plan.depth > MOST or (instances and max(map(len, self._plan.leaves.values())) > MOST):
            raise Unusual
        self._instances, self._engine, self._master, self._report = instances, engine, master, report
        self._partitioned = scanned.reading.partition_by is not None
        names = scanned.rows.collect_schema().names()
        wanted = instances if values is None else values
        if not wanted and "value" in names:
            scanned = replace(scanned, rows=scanned.rows.drop("value"))
        elif wanted and "value" not in names:
            scanned = replace(scanned, rows=scanned.rows.with_columns(value=pl.lit(None, pl.String)))
        self._scanned = scanned

    def found(self, rows: Iterable[Rows]) -> Iterator[pl.DataFrame]:
        """Detections: see `BatchDetection.found`; values and partitions as they stand in the log.

        Args:
            rows: those of `rows`.

        Raises:
            Unusual: the rest of the log is to be read row by row.
        """
        how = {"with_rows": self._instances, "partitioned": self._partitioned}
        try:
            if self._engine == "columns":
                detection = BatchDetection(self._plan, **how)
                for batch, last in rows:
                    found = detection.found(batch, last=last)
                    self.time = detection.time
                    yield found
            else:
                from detectors.carlson_lisper.columns import sql_plan  # with SQLGlot

                frames = (batch for batch, _ in rows)
                if self._engine == "duckdb":
                    yield sql_plan.found_by_duckdb(self._plan, frames, **how)
                else:
                    from cluster.session import spark_session

                    with spark_session(self._master) as session, sql_plan.on_spark(frames, session, **how) as table:
                        yield sql_plan.found_by_spark(self._plan, table, session, **how)
        except (Unsuitable, pl.exceptions.PolarsError) as error:
            raise Unusual(str(error)) from None

    def rows(self, told: Callable[[int], object] = lambda _: None) -> Iterator[Rows]:
        """The rows of the event types of the patterns, in order of time, checked; see `Scanned.batches`.

        Args:
            told: is told how many rows of the log have been read.

        Raises:
            Unusual: they cannot be read so.
        """
        for rows in self._scanned.batches(self._plan.events, self._report, BATCH):
            told(self._report.rows)
            yield rows
