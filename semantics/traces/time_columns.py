"""Times of a whole column at once: the same ticks that `semantics.traces.times` reads cell by cell, or null."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from fractions import Fraction
from typing import Any

import polars as pl
from polars._typing import TimeUnit

from semantics.clock import Clock
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading
from semantics.traces.rows import MAX_TIME, NOWHERE
from semantics.traces.times import AHEAD, BACK, ISO, MAX_EXACT, MONTHS, Times, pattern_of


class Uncounted(ValueError):
    """Times of this kind are not counted by columns."""


@dataclass(frozen=True)
class Ticks:
    """How the times of a column are counted.

    A cell stands for `number(cell) * factor / divisor` ticks.

    Attributes:
        number: an integer for each cell, null where it cannot be read.
        factor: see above.
        divisor: see above.
        rounds: whether what lies between two ticks is taken for the one before.
        clock: of times of day; None where times are ticks.
    """

    number: Callable[[pl.Expr], pl.Expr]
    factor: int = 1
    divisor: int = 1
    rounds: bool = False
    clock: Clock | None = None

    def of(self, name: str) -> pl.Expr:
        """The times of a column in ticks; null where there is none from 0 to `MAX_TIME`."""
        number, rest = self._parts(name)
        ticks = number // self.divisor if self.divisor > 1 else number
        fine = ticks.is_between(0, MAX_TIME)
        return pl.when(fine if self.rounds or self.divisor == 1 else fine & (rest == 0)).then(ticks)

    def between(self, name: str) -> pl.Expr:
        """Whether a time lies between two ticks."""
        return self._parts(name)[1] != 0 if self.divisor > 1 else pl.lit(False)

    def _parts(self, name: str) -> tuple[pl.Expr, pl.Expr]:
        number = self.number(pl.col(name))
        if self.factor > 1:  # what would overflow is too great a time
            most = MAX_TIME * self.divisor // self.factor + 1
            number = pl.when(number.is_between(0, min(most, 2**63 // self.factor - 1))).then(number * self.factor)
        return number, number % self.divisor


def ticks_of_cells(kind: pl.DataType, cells: Sequence[Any], reading: Reading) -> Ticks:
    """How the times of a column are counted, by its type and its first cells.

    Raises:
        Uncounted: they are to be read cell by cell.
        InputError: the first cell is no time.
    """
    clock = reading.clock
    if clock is None:
        return Ticks(_whole(kind))
    if not cells:
        return Ticks(lambda cell: pl.lit(0, pl.Int64))
    if reading.time_format is not None:
        if kind != pl.String and not kind.is_integer():
            raise Uncounted
        return _of_format(pattern_of(reading.time_format), clock, reading)
    first = cells[0]
    if isinstance(first, datetime | date):
        return _of_moments(_moments(kind), "ns", bool(getattr(kind, "time_zone", None)), clock, reading)
    told = ReadReport()
    times = Times(replace(reading, round=True), told)
    times.of(first, NOWHERE, 0)
    if times.kind == "number":
        ratio = times.factor / clock.tick
        return _of_numbers(kind, cells, ratio, reading, told.clock)
    if kind != pl.String:
        raise Uncounted
    return _of_iso(cells, clock, reading)


# ---------------------------------------------------------------------------------------------------------- numbers


def _whole(kind: pl.DataType) -> Callable[[pl.Expr], pl.Expr]:
    """Whole numbers from 0 on, as integers."""
    if kind == pl.String:
        # A sign comes before the digits in the order of characters, and is the only other thing that a cast takes.
        return lambda cell: pl.when(cell >= "0").then(cell.cast(pl.Int64, strict=False))
    if kind.is_integer():
        return lambda cell: cell.cast(pl.Int64, strict=False)
    if kind.is_float():
        return lambda cell: pl.when((cell >= 0) & (cell < MAX_EXACT) & (cell == cell.floor())).then(cell).cast(pl.Int64)
    raise Uncounted


def _of_numbers(
    kind: pl.DataType, cells: Sequence[Any], ratio: Fraction, reading: Reading, clock: Clock | None
) -> Ticks:
    if kind.is_float() or any(isinstance(cell, str) and "." in cell for cell in cells):
        ratio /= 10**9
        factor, divisor = ratio.numerator, ratio.denominator
        return Ticks(_billionths, factor, divisor, reading.round, clock)
    return Ticks(_whole(kind), ratio.numerator, ratio.denominator, reading.round, clock)


def _billionths(cell: pl.Expr) -> pl.Expr:
    """A number in decimal digits, at most nine of them behind the point, times 10^9."""
    text = cell.cast(pl.String)
    parts = text.str.split_exact(".", 1)
    whole, rest = parts.struct.field("field_0"), parts.struct.field("field_1").fill_null("")
    digits = (whole + rest.str.pad_end(9, "0")).cast(pl.Int64, strict=False)
    return pl.when(text.str.contains(r"^[0-9]{1,9}[0-9]?(\.[0-9]{1,9})?$") & (text < "9")).then(digits)


# ---------------------------------------------------------------------------------------------------- times of day


def _moments(kind: pl.DataType) -> Callable[[pl.Expr], pl.Expr]:
    if kind == pl.Date:
        return lambda cell: cell.cast(pl.Datetime("ns"))
    if isinstance(kind, pl.Datetime):
        if kind.time_zone is None:
            return lambda cell: cell.dt.cast_time_unit("ns")
        return lambda cell: cell.dt.convert_time_zone("UTC").dt.replace_time_zone(None).dt.cast_time_unit("ns")
    raise Uncounted


def _of_iso(cells: Sequence[str], clock: Clock, reading: Reading) -> Ticks:
    """Times in ISO 8601 that are all written like the first one, but for the digits of a fraction and the offset."""
    first = cells[0]
    found = ISO.fullmatch(first)
    if found is None:
        raise Uncounted
    mark = next((mark for mark in ".," if any(mark in cell for cell in cells if cell)), None)
    form, pattern = "%Y-%m-%d", r"(19[7-9][0-9]|2[01][0-9]{2})-[01][0-9]-[0-3][0-9]"
    if found["H"] is not None:
        form, pattern = f"{form}{first[10]}%H:%M", rf"{pattern}{first[10]}([01][0-9]|2[0-3]):[0-5][0-9]"
    if found["S"] is not None:
        form, pattern = f"{form}:%S", rf"{pattern}:[0-5][0-9]"
    unit: TimeUnit = "us"
    if mark is not None:
        form, pattern, unit = f"{form}%.f", rf"{pattern}([{mark}][0-9]{{1,9}})?", "ns"
    offset = found["z"] or ""
    if len(offset) > 1:
        if len(offset) < 5:
            raise Uncounted
        pattern += "[+-][0-9]{2}" + ":" * (len(offset) - 5) + "[0-9]{2}"
    else:
        pattern += offset

    def moments(cell: pl.Expr) -> pl.Expr:
        local = cell.str.head(-len(offset)) if offset else cell
        if mark == ",":
            local = local.str.replace(",", ".", literal=True)
        moment = local.str.to_datetime(form, time_unit=unit, strict=False)
        if len(offset) > 1:
            moment -= _ahead(cell.str.tail(len(offset)))
        return pl.when(cell.str.contains(f"^{pattern}$")).then(moment)

    return _of_moments(moments, unit, bool(offset), clock, reading)


def _ahead(offset: pl.Expr) -> pl.Expr:
    """How far an offset such as +02:00 is ahead of UTC; one without a sign is none."""
    digits = offset.str.replace(":", "", literal=True)
    minutes = _integer(digits.str.slice(1, 2)) * 60 + _integer(digits.str.slice(3, 2))
    sign = pl.when(digits.str.starts_with("-")).then(-1).when(digits.str.starts_with("+")).then(1)
    return pl.duration(minutes=(sign * minutes).fill_null(0), time_unit="ns")


def _integer(text: pl.Expr) -> pl.Expr:
    return text.cast(pl.Int64, strict=False)


def _of_format(pattern: re.Pattern[str], clock: Clock, reading: Reading) -> Ticks:
    """Times in a stated format, by the groups of its regular expression."""
    there = pattern.groupindex
    if not {"Y", "y"} & there.keys() and reading.year is None:
        raise Uncounted

    def moments(cell: pl.Expr) -> pl.Expr:
        groups = cell.cast(pl.String).str.extract_groups(f"^(?:{pattern.pattern})$").struct

        def part(name: str) -> pl.Expr:
            return _integer(groups.field(name)) if name in there else pl.lit(0, pl.Int64)

        month, day, year, hour = part("m"), part("d"), part("Y"), part("H")
        if "b" in there:
            names = groups.field("b").str.slice(0, 3).str.to_lowercase()
            month = names.replace_strict(MONTHS, default=None, return_dtype=pl.Int64)
        if "y" in there and "Y" not in there:
            year = part("y") + pl.when(part("y") >= 69).then(1900).otherwise(2000)
        elif "Y" not in there:
            step = (31 * month + day).diff().fill_null(0)
            up, down = (step <= -BACK).cast(pl.Int64), (step >= AHEAD).cast(pl.Int64)
            year = reading.year + (up - down).cum_sum()
        if "I" in there:
            noon = groups.field("p").str.to_lowercase() == "pm"
            hour = pl.when(part("I").is_between(1, 12)).then(part("I") % 12 + 12 * noon.cast(pl.Int64))
        rest = _integer(groups.field("f").str.pad_end(9, "0")) if "f" in there else pl.lit(0, pl.Int64)
        fine = hour.is_between(0, 23) & part("M").is_between(0, 59) & part("S").is_between(0, 59)
        fine &= year.is_between(1970, 2199)
        digits = ((year * 100 + month) * 100 + day).cast(pl.String)
        moment = digits.str.to_datetime("%Y%m%d", time_unit="ns", strict=False) + pl.duration(
            hours=hour, minutes=part("M"), seconds=part("S"), nanoseconds=rest, time_unit="ns"
        )
        if "z" in there:
            moment -= _ahead(groups.field("z"))
        return pl.when(fine).then(moment)

    return _of_moments(moments, "ns", "z" in there, clock, reading)


def _of_moments(
    moments: Callable[[pl.Expr], pl.Expr], unit: TimeUnit, in_utc: bool, clock: Clock, reading: Reading
) -> Ticks:
    """Ticks of moments, which are in UTC or local."""
    tick = clock.tick * {"us": 10**6, "ns": 10**9}[unit]
    if tick.denominator != 1 or (not in_utc and not clock.counts_days and clock.zone is None):
        raise Uncounted

    def number(cell: pl.Expr) -> pl.Expr:
        moment = moments(cell)
        if clock.zone is not None and in_utc == clock.counts_days:
            moment = _local(moment, clock.zone) if in_utc else _utc(moment, clock.zone)
        return moment.dt.cast_time_unit(unit).to_physical()

    return Ticks(number, 1, int(tick), reading.round, clock)


def _local(moment: pl.Expr, zone: tzinfo) -> pl.Expr:
    if zone is UTC:
        return moment
    if (ahead := zone.utcoffset(None)) is not None:
        return moment + ahead
    return moment.dt.replace_time_zone("UTC").dt.convert_time_zone(str(zone)).dt.replace_time_zone(None)


def _utc(moment: pl.Expr, zone: tzinfo) -> pl.Expr:
    if zone is UTC:
        return moment
    if (ahead := zone.utcoffset(None)) is not None:
        return moment - ahead
    found = moment.dt.replace_time_zone(str(zone), ambiguous="null", non_existent="null")
    return found.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
