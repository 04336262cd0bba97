"""Detection in files and tables by columns, batch by batch, and its results as tables, text and JSON Lines.

Polars evaluates batch by batch while the log is read; DuckDB and Spark evaluate all rows together, where they may be
more than memory holds.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, Literal, TypeAlias, cast
from zoneinfo import ZoneInfo

import polars as pl

from detectors.carlson_lisper.columns.batches import BatchDetection, Unsuitable
from detectors.carlson_lisper.columns.plan import plan_of
from remora.terminal.console import shown
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from semantics.carlson_lisper.ties import finer, may_matter
from semantics.clock import Clock
from semantics.events import Interval, Moment, Time, quoted
from semantics.traces.rows import ReadReport
from semantics.traces.scan import Scanned, Unusual

Engine: TypeAlias = Literal["columns", "duckdb", "spark"]
Rows: TypeAlias = tuple[pl.DataFrame, bool]  # A batch of rows, and whether it is the last one

BATCH = 1 << 20  # About so many rows of the event types that are asked for are evaluated together
MOST = 100  # The most operators upon each other, and the most leaves of an instance, that queries are made of
_json = partial(json.dumps, ensure_ascii=False)
_NANOSECONDS = 10**9
_NO_SUMMER = 4_102_444_800 * _NANOSECONDS  # Polars has no summer time from 2100


class ColumnDetection:
    """A detection of patterns in a scanned log; `time` is that up to which all ends are found, -1 before the first."""

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
        self._plan = plan_of([finer(pattern, scanned.reading.scale) for pattern in patterns])
        self._ordered = partial(may_matter, patterns)
        if self._plan.depth > MOST or (instances and max(map(len, self._plan.leaves.values())) > MOST):
            raise Unusual
        self._how = {"with_rows": instances, "partitioned": scanned.reading.partition_by is not None}
        self._engine, self._master, self._report = engine, master, report
        if not values:
            scanned = replace(scanned, rows=scanned.rows.drop("value", strict=False))
        elif "value" not in scanned.rows.collect_schema().names():
            scanned = replace(scanned, rows=scanned.rows.with_columns(value=pl.lit(None, pl.String)))
        self._scanned = scanned

    def found(self, rows: Iterable[Rows]) -> Iterator[pl.DataFrame]:
        """Detections in the rows: see `BatchDetection.found`; values and partitions as they stand in the log."""
        try:
            if self._engine == "columns":
                detection = BatchDetection(self._plan, **self._how)
                for batch, last in rows:
                    found = detection.found(batch, last=last)
                    self.time = detection.time // self._scanned.reading.scale
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
        """The rows of the event types of the patterns, in order of time, checked; told is how many have been read."""
        for rows in self._scanned.batches(self._plan.events, self._report, BATCH, ordered=self._ordered):
            told(self._report.rows)
            yield rows


@dataclass(frozen=True)
class Rendering:
    """How detections of a log are written; a single pattern may have the name ""."""

    scanned: Scanned
    patterns: Sequence[str]

    def text(self, found: pl.DataFrame) -> pl.Series:
        """A line for people for each detection."""
        parts = self._pattern(found, lambda name: f"{shown(name)}  ")
        if "partition" in found.columns:
            keys, known = found["partition"], self.scanned.partitions
            parts += [_mapped(keys, known, lambda key: "(none)" if key is None else shown(key)), "  "]
        parts += ["[", self.times(found["start"]), ", ", self.times(found["end"]), "]"]
        if "instance" in found.columns:
            parts += ["  ", self._members(found, shown, between="  ")]
        return _joined(parts, len(found))

    def json(self, found: pl.DataFrame) -> pl.Series:
        """An object of JSON for each detection."""
        mark = "" if self.scanned.clock is None else '"'
        parts: list[pl.Series | str] = ["{", *self._pattern(found, lambda name: f'"pattern": {_json(name)}, ')]
        parts += [f'"start": {mark}', self.times(found["start"]), f'{mark}, "end": {mark}', self.times(found["end"])]
        parts.append(mark)
        if "instance" in found.columns:
            parts += [', "instance": [', self._members(found, None, between=", "), "]"]
        if "partition" in found.columns:
            parts += [', "partition": ', _mapped(found["partition"], self.scanned.partitions, _json)]
        return _joined([*parts, "}"], len(found))

    def table(self, found: pl.DataFrame, form: str | None = None) -> pl.DataFrame:
        """Detections as a table: `pattern` and `partition` where there are several, `start` and `end`, in CSV as text.

        Of instances also `instance`, their occurrences as text, and `rows`, the numbers of these in the log, from 0.
        """
        columns: dict[str, pl.Series] = {}
        for part in self._pattern(found, str):
            columns["pattern"] = cast(pl.Series, part)
        if "partition" in found.columns:
            keys = found["partition"]
            name = self.scanned.reading.partition_by or "partition"
            columns[name] = keys.str.slice(1) if self.scanned.in_json else keys.cast(pl.String)
        for name in ("start", "end"):
            ticks = found[name] // self.scanned.reading.scale
            columns[name] = self.times(found[name]) if form == "csv" else table_times(ticks, self.scanned.clock)
        if "instance" in found.columns:
            columns["instance"] = self._members(found, str, between=" ")
            rows = pl.element().struct.field("row")
            columns["rows"] = found.select(pl.col("instance").list.eval(rows))["instance"]
        return pl.DataFrame(columns)

    def _pattern(self, found: pl.DataFrame, text: Callable[[str], str]) -> list[pl.Series | str]:
        if list(self.patterns) == [""]:
            return []
        names = [text(name) for name in self.patterns]
        return [found["pattern"].replace_strict(range(len(names)), names, return_dtype=pl.String)]

    def _members(self, found: pl.DataFrame, safe: Callable[[str], str] | None, *, between: str) -> pl.Series:
        """The occurrences of each instance, one after the other, as text that is made safe, or in JSON."""
        flat = found.select(owner=pl.int_range(pl.len()), member="instance").explode("member")
        members, scanned = flat["member"].struct.unnest(), self.scanned
        parts: list[pl.Series | str]
        if safe is None:
            mark = "" if scanned.clock is None else '"'
            events, values = _mapped(members["event"], list, _json), _mapped(members["value"], scanned.values, _json)
            parts = ['{"event": ', events, f', "time": {mark}', self.times(members["time"]), f'{mark}, "value": ']
            parts += [values, "}"]
        else:
            events = _mapped(members["event"], list, lambda name: safe(quoted(name)))
            values = _mapped(members["value"], scanned.values, lambda one: "" if one is None else f"({safe(str(one))})")
            parts = [events, values, "@", self.times(members["time"])]
        texts = flat.select("owner", text=_joined(parts, len(members)))
        return texts.group_by("owner", maintain_order=True).agg(pl.col("text").str.join(between))["text"]

    def times(self, ticks: pl.Series) -> pl.Series:
        """Times as they are printed."""
        ticks, clock = ticks // self.scanned.reading.scale, self.scanned.clock
        if clock is None:
            return ticks.cast(pl.String)
        scale = clock.tick * _NANOSECONDS
        named = clock.zone is None or isinstance(clock.zone, ZoneInfo) or str(clock.zone) == "UTC"
        known = _NO_SUMMER if isinstance(clock.zone, ZoneInfo) else 8 * 10**18
        if not named or scale.denominator != 1 or cast(int, ticks.abs().max() or 0) * scale > known:
            return _mapped(ticks, list, clock.text)
        if clock.counts_days:
            return (ticks * int(scale)).cast(pl.Datetime("ns")).dt.strftime("%Y-%m-%d")
        digits = next((places for places in (0, 3, 6) if (clock.tick * 10**places).denominator == 1), 9)
        texts = table_times(ticks, clock).dt.strftime(f"%Y-%m-%dT%H:%M:%S{f'%.{digits}f' if digits else ''}%:z")
        return texts.str.replace(r"\+00:00$", "Z")

    def values(self, found: pl.DataFrame) -> list[Instance] | list[Interval]:
        """Detections as values."""
        if "instance" not in found.columns:
            return list(map(Interval, *(self._moments(found[name]) for name in ("start", "end"))))
        occurrences = self.occurrences(found["instance"].explode().struct.unnest())
        bounds = [0, *found["instance"].list.len().cum_sum().to_list()]
        return [Instance(occurrences[first:last]) for first, last in pairwise(bounds)]

    def occurrences(self, rows: pl.DataFrame) -> list[Occurrence]:
        """The occurrences of some rows with `event`, `time` and `value`."""
        values = self.scanned.values(rows["value"])
        return list(map(Occurrence, rows["event"].to_list(), self._moments(rows["time"]), values))

    def _moments(self, times: pl.Series) -> list[Time]:
        scale = self.scanned.reading.scale
        return times.to_list() if scale == 1 else [Moment(time, scale) for time in times]


def as_arrow(table: pl.DataFrame) -> Any:
    """A table of PyArrow with its usual types of texts and lists."""
    import pyarrow

    whole = table.to_arrow()
    numbers = pyarrow.int64()
    usual = {pyarrow.large_string(): pyarrow.string(), pyarrow.large_list(numbers): pyarrow.list_(numbers)}
    return whole.cast(pyarrow.schema([(field.name, usual.get(field.type, field.type)) for field in whole.schema]))


def table_times(ticks: pl.Series, clock: Clock | None) -> pl.Series:
    """Times as a column of a table: ticks, or timestamps where there is a clock."""
    if clock is None:
        return ticks
    scale = clock.tick * _NANOSECONDS
    if scale.denominator == 1:
        exact = ticks * int(scale)
    else:
        exact = ticks.map_elements(lambda time: int(time * scale), pl.Int64)
    moments = exact.cast(pl.Datetime("ns", "UTC"))
    return moments.dt.convert_time_zone(str(clock.zone)) if isinstance(clock.zone, ZoneInfo) else moments


def _mapped(cells: pl.Series, values: Callable[[pl.Series], Sequence[Any]], text: Callable[[Any], str]) -> pl.Series:
    """The text of each cell, which is made of its value once."""
    unique = cells.unique()
    return cells.replace_strict(unique, [text(value) for value in values(unique)], return_dtype=pl.String)


def _joined(parts: Sequence[pl.Series | str], rows: int) -> pl.Series:
    columns = {f"{place}": part for place, part in enumerate(parts) if isinstance(part, pl.Series)}
    exprs = [pl.col(f"{place}") if f"{place}" in columns else pl.lit(part) for place, part in enumerate(parts)]
    if not columns or not rows:
        return pl.Series([], dtype=pl.String)
    return pl.DataFrame(columns).select(line=pl.concat_str(exprs))["line"]
