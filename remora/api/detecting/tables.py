"""Detections that were found by columns, as tables, as lines of text and as JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, cast
from zoneinfo import ZoneInfo

import polars as pl

from remora.terminal.texts import shown
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from semantics.clock import Clock
from semantics.events import Interval, quoted
from semantics.traces.scan import Scanned

_NANOSECONDS = 10**9


@dataclass(frozen=True)
class Rendering:
    """How detections of a log are written.

    Attributes:
        scanned: the log.
        patterns: the names of the patterns; a single one may have none.
    """

    scanned: Scanned
    patterns: Sequence[str]

    @property
    def _named(self) -> bool:
        return list(self.patterns) != [""]

    # ------------------------------------------------------------------------------------------------------- lines

    def text(self, found: pl.DataFrame) -> pl.Series:
        """A line for people for each detection, without its end."""
        parts: list[pl.Series | str] = []
        if self._named:
            parts += [self._of_pattern(found["pattern"], lambda name: f"{shown(name)}  ")]
        if "partition" in found.columns:
            parts += [self._keys(found["partition"], lambda key: "(none)" if key is None else shown(key)), "  "]
        parts += ["[", self.times(found["start"]), ", ", self.times(found["end"]), "]"]
        if "instance" in found.columns:
            parts.append(self._members(found, self._occurrence_text, before="  ", between="  "))
        return _joined(parts, len(found))

    def json(self, found: pl.DataFrame) -> pl.Series:
        """An object of JSON for each detection."""
        parts: list[pl.Series | str] = ["{"]
        if self._named:
            parts += [self._of_pattern(found["pattern"], lambda name: f'"pattern": {_json(name)}, ')]
        mark = "" if self.scanned.clock is None else '"'
        parts += [f'"start": {mark}', self.times(found["start"]), f'{mark}, "end": {mark}', self.times(found["end"])]
        parts.append(mark)
        if "instance" in found.columns:
            parts += [', "instance": [', self._members(found, self._occurrence_json, between=", "), "]"]
        if "partition" in found.columns:
            parts += [', "partition": ', self._keys(found["partition"], _json)]
        return _joined([*parts, "}"], len(found))

    def _of_pattern(self, numbers: pl.Series, text: Callable[[str], str]) -> pl.Series:
        known = range(len(self.patterns))
        return numbers.replace_strict(known, [text(name) for name in self.patterns], return_dtype=pl.String)

    def _members(
        self, found: pl.DataFrame, text: Callable[[pl.DataFrame], pl.Series], *, between: str, before: str = ""
    ) -> pl.Series:
        """The texts of the occurrences of each instance, one after the other."""
        flat = found.select(owner=pl.int_range(pl.len()), member="instance").explode("member")
        texts = text(flat["member"].struct.unnest())
        whole = (
            flat.select("owner", text=texts)
            .group_by("owner", maintain_order=True)
            .agg(pl.col("text").str.join(between))
        )
        return before + whole["text"] if before else whole["text"]

    def _occurrence_text(self, members: pl.DataFrame) -> pl.Series:
        events = _mapped(members["event"], str, lambda name: shown(quoted(name)))
        values = self._values(members["value"], lambda value: "" if value is None else f"({shown(value)})")
        return _joined([events, values, "@", self.times(members["time"])], len(members))

    def _occurrence_json(self, members: pl.DataFrame) -> pl.Series:
        mark = "" if self.scanned.clock is None else '"'
        events, values = _mapped(members["event"], str, _json), self._values(members["value"], _json)
        parts: list[pl.Series | str] = [
            '{"event": ',
            events,
            f', "time": {mark}',
            self.times(members["time"]),
            f'{mark}, "value": ',
            values,
            "}",
        ]
        return _joined(parts, len(members))

    # ------------------------------------------------------------------------------------------------------- cells

    def _keys(self, cells: pl.Series, text: Callable[[Any], str]) -> pl.Series:
        """The texts of keys of partitions: plain ones at once, each other one once."""
        if self.scanned.in_json and not cells.null_count():
            inner = cells.str.slice(1)
            if cells.str.starts_with("t").all() and (quoted := _quoted(inner, text)) is not None:
                return quoted
        elif cells.dtype == pl.String and (quoted := _quoted(cells, text)) is not None:
            return quoted
        unique = cells.unique()
        texts = [text(key) for key in self.scanned.partitions(unique)]
        return cells.replace_strict(unique, texts, return_dtype=pl.String)

    def _values(self, cells: pl.Series, text: Callable[[Any], str]) -> pl.Series:
        """The texts of values: those of numbers and plain text at once, each other one once."""
        whole = cells.dtype.is_integer() and not cells.null_count()
        in_text = cells.dtype == pl.String and not self.scanned.in_json
        plain = cells.cast(pl.String) if whole else _quoted(cells, text) if in_text else None
        if plain is not None:
            return plain if text is _json else "(" + plain + ")"
        unique = cells.unique()
        texts = [text(value) for value in self.scanned.values(unique)]
        return cells.replace_strict(unique, texts, return_dtype=pl.String)

    def times(self, ticks: pl.Series) -> pl.Series:
        """Times as they are printed."""
        clock = self.scanned.clock
        if clock is None:
            return ticks.cast(pl.String)
        moments = _moments(ticks, clock)
        if moments is None:
            return _mapped(ticks, int, clock.text)
        if clock.counts_days:
            return moments.dt.strftime("%Y-%m-%d")
        digits = next((places for places in (0, 3, 6) if (clock.tick * 10**places).denominator == 1), 9)
        texts = moments.dt.strftime(f"%Y-%m-%dT%H:%M:%S{f'%.{digits}f' if digits else ''}%:z")
        return texts.str.replace(r"\+00:00$", "Z")

    # ------------------------------------------------------------------------------------------------------ values

    def values(self, found: pl.DataFrame) -> list[Instance] | list[Interval]:
        """Detections as values."""
        if "instance" not in found.columns:
            return [Interval(start, end) for start, end in found.select("start", "end").iter_rows()]
        members = found["instance"].explode()
        occurrences = self.occurrences(members.struct.unnest())
        bounds = [0, *found["instance"].list.len().cum_sum().to_list()]
        return [Instance(occurrences[first:last]) for first, last in pairwise(bounds)]

    def occurrences(self, rows: pl.DataFrame) -> list[Occurrence]:
        """The occurrences of some rows with `event`, `time` and `value`."""
        values = self.scanned.values(rows["value"])
        cells = zip(rows["event"].to_list(), rows["time"].to_list(), values, strict=True)
        return [Occurrence(event, time, value) for event, time, value in cells]

    # ------------------------------------------------------------------------------------------------------- table

    def table(self, found: pl.DataFrame) -> pl.DataFrame:
        """Detections as a table: `pattern` and `partition` where there are several, `start` and `end`.

        Of instances also `instance`, their occurrences as text, and `rows`, the numbers of these in the log, from 0.
        Times are ticks, or timestamps where the log has times of day.
        """
        columns: dict[str, pl.Series] = {}
        if self._named:
            columns["pattern"] = self._of_pattern(found["pattern"], str)
        if "partition" in found.columns:
            name = self.scanned.reading.partition_by or "partition"
            keys = found["partition"]
            columns[name] = keys.str.slice(1) if self.scanned.in_json else keys.cast(pl.String)
        for name in ("start", "end"):
            columns[name] = table_times(found[name], self.scanned.clock)
        if "instance" in found.columns:
            columns["instance"] = self._members(found, self._plain_text, between=" ")
            rows = pl.element().struct.field("row")
            columns["rows"] = found.select(pl.col("instance").list.eval(rows))["instance"]
        return pl.DataFrame(columns)

    def _plain_text(self, members: pl.DataFrame) -> pl.Series:
        events = _mapped(members["event"], str, quoted)
        values = self._values(members["value"], lambda value: "" if value is None else f"({value})")
        return _joined([events, values, "@", self.times(members["time"])], len(members))


def as_arrow(table: pl.DataFrame) -> Any:
    """A table of PyArrow with its usual types of texts and lists."""
    import pyarrow

    whole = table.to_arrow()
    usual = {
        pyarrow.large_string(): pyarrow.string(),
        pyarrow.large_list(pyarrow.int64()): pyarrow.list_(pyarrow.int64()),
    }
    return whole.cast(pyarrow.schema([(field.name, usual.get(field.type, field.type)) for field in whole.schema]))


def table_times(ticks: pl.Series, clock: Clock | None) -> pl.Series:
    """Times as a column of a table: ticks, or timestamps where there is a clock."""
    if clock is None:
        return ticks
    scale = clock.tick * _NANOSECONDS
    exact = ticks if scale == 1 else pl.Series([int(time * scale) for time in ticks.to_list()], dtype=pl.Int64)
    zone = str(clock.zone or "UTC")
    moments = exact.cast(pl.Datetime("ns", "UTC"))
    return moments.dt.convert_time_zone(zone) if isinstance(clock.zone, ZoneInfo) else moments


def _moments(ticks: pl.Series, clock: Clock) -> pl.Series | None:
    """Times as moments in the zone of a clock; None where they are not written so at once."""
    scale: Fraction = clock.tick * _NANOSECONDS
    named = clock.zone is None or isinstance(clock.zone, ZoneInfo) or str(clock.zone) == "UTC"
    largest = cast(int, ticks.abs().max() or 0)
    if not named or scale.denominator != 1 or largest * int(scale) > 8 * 10**18:
        return None
    moments = (ticks * int(scale)).cast(pl.Datetime("ns", "UTC"))
    zoned = isinstance(clock.zone, ZoneInfo) and not clock.counts_days
    return moments.dt.convert_time_zone(str(clock.zone)) if zoned else moments


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _quoted(cells: pl.Series, text: Callable[[Any], str]) -> pl.Series | None:
    """Texts as JSON writes them, or as a terminal shows them; None where a character needs more than quotes."""
    if cells.null_count() or cells.str.contains('[^ -~]|["\\\\]' if text is _json else "[^ -~]").any():
        return None
    return '"' + cells + '"' if text is _json else cells


def _mapped(cells: pl.Series, value: Callable[[Any], Any], text: Callable[[Any], str]) -> pl.Series:
    unique = cells.unique()
    texts = [text(value(cell)) for cell in unique.to_list()]
    return cells.replace_strict(unique, texts, return_dtype=pl.String)


def _joined(parts: Sequence[pl.Series | str], rows: int) -> pl.Series:
    """Texts and columns of texts, row by row one after the other."""
    columns = {f"{place}": part for place, part in enumerate(parts) if isinstance(part, pl.Series)}
    exprs = [pl.col(f"{place}") if f"{place}" in columns else pl.lit(part) for place, part in enumerate(parts)]
    if not columns or not rows:
        return pl.Series([], dtype=pl.String)
    return pl.DataFrame(columns).select(line=pl.concat_str(exprs))["line"]
