"""Times of a whole column at once: the same ticks that `semantics.traces.times` reads cell by cell, or null."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Any, TypeAlias

import polars as pl

from semantics.clock import Clock
from semantics.traces.reading import Reading
from semantics.traces.rows import MAX_TIME, ReadReport
from semantics.traces.times import AHEAD, BACK, ISO, MAX_EXACT, MONTHS, Times, pattern_of

TIME = pl.col("time")

Computed: TypeAlias = Callable[[pl.Expr], pl.Expr]
"""What is computed of each cell of a column; null where it cannot be read."""


@dataclass(frozen=True)
class Ticks:
    """How times are counted, from the column `time`: a cell stands for `number(cell) * factor / divisor` ticks."""

    number: Computed
    factor: int = 1
    divisor: int = 1
    rounds: bool = False  # whether what lies between two ticks is taken for the one before
    clock: Clock | None = None  # of times of day; None where times are ticks

    @property
    def numbers(self) -> pl.Expr:
        """The number of each cell, times the factor; of these `times` and `between` make the rest."""
        number = self.number(TIME)
        if self.factor == 1:
            return number.alias("time")
        most = min(MAX_TIME * self.divisor // self.factor + 1, 2**63 // self.factor - 1)  # what overflows is too great
        return pl.when(number.is_between(0, most)).then(number * self.factor).alias("time")

    @property
    def times(self) -> pl.Expr:
        """The times in ticks; null where there is none from 0 to `MAX_TIME`."""
        ticks = TIME // self.divisor if self.divisor > 1 else TIME
        fine = ticks.is_between(0, MAX_TIME)
        return pl.when(fine if self.rounds else fine & ~self.between).then(ticks).alias("time")

    @property
    def between(self) -> pl.Expr:
        """Whether a time lies between two ticks."""
        return TIME % self.divisor != 0


def ticks_of_cells(kind: pl.DataType, cells: Sequence[Any], reading: Reading) -> Ticks:
    """How the times of a column are counted, by its type and first cells; `ValueError` where not by columns."""
    clock, whole = reading.clock, _whole(kind)
    if clock is None and whole is not None:
        return Ticks(whole)
    if clock is None:
        raise ValueError
    if not cells:
        return Ticks(lambda cell: pl.lit(0, pl.Int64))
    told = ReadReport()
    times = Times(replace(reading, round=True), told)
    times.of(cells[0])
    nanoseconds = clock.tick * 10**9
    if times.kind == "number" and whole is not None:
        integers = all(cell.isdigit() if isinstance(cell, str) else cell is None or cell % 1 == 0 for cell in cells)
        number, unit = (whole, 1) if integers else (_billionths, 10**9)
        ratio = times.factor / clock.tick / unit
        return Ticks(number, ratio.numerator, ratio.denominator, reading.round, told.clock)
    if nanoseconds.denominator > 1 or times.kind == "number":
        raise ValueError
    if reading.time_format is not None:
        moments = _of_format(pattern_of(reading.time_format), reading.year, clock)
    else:
        moments = _of_type(kind, clock) if kind.is_temporal() else _of_iso(cells, clock)
    return Ticks(moments, 1, int(nanoseconds), reading.round, clock)


def _whole(kind: pl.DataType) -> Computed | None:
    """Whole numbers from 0 on, as integers."""
    if kind == pl.String:
        # A sign comes before the digits in the order of characters, and is the only other thing that a cast takes.
        return lambda cell: pl.when(cell >= "0").then(cell.cast(pl.Int64, strict=False))
    if kind.is_integer():
        return lambda cell: cell.cast(pl.Int64, strict=False)
    if kind.is_float():
        return lambda cell: pl.when((cell >= 0) & (cell < MAX_EXACT) & (cell == cell.floor())).then(cell).cast(pl.Int64)
    return None


def _billionths(cell: pl.Expr) -> pl.Expr:
    """A number in decimal digits, at most nine of them behind the point, times 10^9."""
    text = cell.cast(pl.String)
    parts = text.str.split_exact(".", 1).struct
    digits = parts.field("field_0") + parts.field("field_1").fill_null("").str.pad_end(9, "0")
    fine = text.str.contains(r"^[0-9]{1,9}[0-9]?(\.[0-9]{1,9})?$") & (text < "9")
    return pl.when(fine).then(digits.cast(pl.Int64, strict=False))


# What follows computes nanoseconds since 1970 in UTC, or since its local beginning where days are counted.


def _of_type(kind: pl.DataType, clock: Clock) -> Computed:
    if getattr(kind, "time_zone", None) is None:
        return lambda cell: _counted(cell.cast(pl.Datetime("ns")), clock, in_utc=False)
    return lambda cell: _counted(cell.dt.convert_time_zone("UTC").dt.replace_time_zone(None), clock, in_utc=True)


def _of_iso(cells: Sequence[str], clock: Clock) -> Computed:
    """Times in ISO 8601 that are all written like the first one, but for the digits of a fraction and the offset."""
    found = ISO.fullmatch(cells[0])
    offset = "" if found is None else found["z"] or ""
    if found is None or 1 < len(offset) < 5:
        raise ValueError
    mark = next((mark for mark in ".," if any(mark in cell for cell in cells if cell)), None)
    form, pattern = "%Y-%m-%d", r"(19[7-9][0-9]|2[01][0-9]{2})-[01][0-9]-[0-3][0-9]"
    if found["H"] is not None:
        form, pattern = f"{form}{cells[0][10]}%H:%M", rf"{pattern}{cells[0][10]}([01][0-9]|2[0-3]):[0-5][0-9]"
    if found["S"] is not None:
        form, pattern = f"{form}:%S", rf"{pattern}:[0-5][0-9]"
    if mark is not None:
        form, pattern = f"{form}%.f", rf"{pattern}([{mark}][0-9]{{1,9}})?"
    pattern += "[+-][0-9]{2}" + ":" * (len(offset) - 5) + "[0-9]{2}" if len(offset) > 1 else offset

    def moments(cell: pl.Expr) -> pl.Expr:
        local = cell.str.head(-len(offset)) if offset else cell
        local = local.str.replace(",", ".", literal=True) if mark == "," else local
        moment = local.str.to_datetime(form, time_unit="us" if mark is None else "ns", strict=False)
        if len(offset) > 1:
            moment -= _offset(cell.str.tail(len(offset)))
        return _counted(pl.when(cell.str.contains(f"^{pattern}$")).then(moment), clock, in_utc=bool(offset))

    return moments


def _offset(text: pl.Expr) -> pl.Expr:
    """How far an offset such as +02:00 is ahead of UTC; a name such as Z is none."""
    digits = text.str.replace(":", "", literal=True)
    hours, minutes = (digits.str.slice(at, 2).cast(pl.Int64, strict=False) for at in (1, 3))
    sign = pl.when(digits.str.starts_with("-")).then(-1).otherwise(1)
    return pl.duration(minutes=(sign * (60 * hours + minutes)).fill_null(0), time_unit="ns")


def _of_format(pattern: re.Pattern[str], first: int | None, clock: Clock) -> Computed:
    """Times in a stated format, by the groups of its regular expression, in a year that goes on from the first one."""
    stated = pattern.groupindex

    def moments(cell: pl.Expr) -> pl.Expr:
        groups = cell.cast(pl.String).str.extract_groups(f"^(?:{pattern.pattern})$").struct

        def part(name: str) -> pl.Expr:
            return groups.field(name).cast(pl.Int64, strict=False) if name in stated else pl.lit(0, pl.Int64)

        month, day, year, hour = part("m"), part("d"), part("Y"), part("H")
        if "b" in stated:
            names = groups.field("b").str.slice(0, 3).str.to_lowercase()
            month = names.replace_strict(MONTHS, default=None, return_dtype=pl.Int64)
        if "y" in stated and "Y" not in stated:
            year = part("y") + pl.when(part("y") >= 69).then(1900).otherwise(2000)
        elif "Y" not in stated:
            step = (31 * month + day).diff().fill_null(0)
            year = first + ((step <= -BACK).cast(pl.Int64) - (step >= AHEAD).cast(pl.Int64)).cum_sum()
        if "I" in stated:
            noon = groups.field("p").str.to_lowercase() == "pm"
            hour = pl.when(part("I").is_between(1, 12)).then(part("I") % 12 + 12 * noon.cast(pl.Int64))
        fraction = groups.field("f").str.pad_end(9, "0").cast(pl.Int64) if "f" in stated else pl.lit(0)
        fine = hour.is_between(0, 23) & part("M").is_between(0, 59) & part("S").is_between(0, 59)
        days = ((year * 100 + month) * 100 + day).cast(pl.String)
        clock_time = {"hours": hour, "minutes": part("M"), "seconds": part("S"), "nanoseconds": fraction}
        moment = days.str.to_datetime("%Y%m%d", time_unit="ns", strict=False)
        moment += pl.duration(**clock_time, time_unit="ns")
        if "z" in stated:
            moment -= _offset(groups.field("z"))
        return _counted(pl.when(fine & year.is_between(1970, 2199)).then(moment), clock, in_utc="z" in stated)

    return moments


def _counted(moment: pl.Expr, clock: Clock, *, in_utc: bool) -> pl.Expr:
    """Moments that are in UTC or local, as the clock counts them: in UTC, or days in local time."""
    zone = clock.zone
    if zone is not None and zone is not UTC and in_utc == clock.counts_days:
        ahead = zone.utcoffset(None)
        if ahead is not None:
            moment = moment + ahead if in_utc else moment - ahead
        else:
            one, other = ("UTC", str(zone)) if in_utc else (str(zone), "UTC")
            known = pl.when(moment.dt.year() < 2100).then(moment)  # Polars has no summer time after that
            found = known.dt.replace_time_zone(one, ambiguous="null", non_existent="null")
            moment = found.dt.convert_time_zone(other).dt.replace_time_zone(None)
    return moment.dt.cast_time_unit("ns").to_physical()
