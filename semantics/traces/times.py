"""Times of a log: ticks; or with a stated tick ISO 8601, numbers since 1970, or times in a format that is stated.

All times of one log are of one kind. What could be read in two ways is refused with the option that settles it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Literal

from semantics.clock import DAY, UNITS
from semantics.errors import InputError
from semantics.events import Time
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Epoch, Reading
from semantics.traces.rows import MAX_TIME, Origin, ReadTime, Undecided, shortened, shown

MAX_EXACT: Final = 2**53
"""Floating-point numbers below this one are what was written, if that was a whole number."""

MAX_TIME_DIGITS: Final = 18
"""A text of so many ASCII digits is always a time."""

NUMBER: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

_WHOLE: Final = "A time is an integer >= 0 in ticks (Def. 3.1)."
_FINER: Final = f"{_WHOLE} Count in a finer unit, such as milliseconds; numbers since 1970: --tick 1ms --epoch s."
_CONVERT: Final = f"{_WHOLE} Times in ISO 8601 are read where the length of a tick is stated: --tick 1s."
_WRITE: Final = "Write ISO 8601, such as 2017-03-09T07:30:23Z, or a number; other forms: --time-format FORMAT."


def times_of(reading: Reading, report: ReadReport) -> ReadTime:
    """The reader of the times of a log, which remembers of what kind those before were."""
    return ticks_of if reading.clock is None else Times(reading, report).of


# ----------------------------------------------------------------------------------------------------------- ticks


def ticks_of(cell: object, origin: Origin, number: int) -> Time:
    """The time that a cell of text, a JSON value or a scalar of Parquet stands for, in ticks.

    Raises:
        InputError: it is missing, or not an integer from 0 to `MAX_TIME`.
    """
    if isinstance(cell, str) and cell.isdigit() and cell.isascii():
        digits = cell.lstrip("0") or "0"
        if len(digits) <= MAX_TIME_DIGITS or digits == str(MAX_TIME):
            return int(digits)
        raise _too_great(digits, origin, number)
    if isinstance(cell, int) and not isinstance(cell, bool) and 0 <= cell <= MAX_TIME:
        return cell
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        raise origin.error(number, "the time is missing", _WHOLE)
    why, remedy = "is not a number", _CONVERT
    if isinstance(cell, bool):
        why, remedy = "is a truth value, not a number", _WHOLE
    elif isinstance(cell, str) and cell != cell.strip():
        why, remedy = "has spaces around it", "Write the number alone."
    elif isinstance(cell, str) and re.fullmatch(r"[+-][0-9]+", cell):
        why, remedy = "is negative" if cell[0] == "-" and cell.strip("-0") else "has a sign", _WHOLE
    elif (value := _number_of(cell)) is not None:
        exact = not isinstance(cell, str | float) or abs(value) < MAX_EXACT
        if value >= 0 and exact and value == value.to_integral_value():
            if value <= MAX_TIME:
                return int(value)
            raise _too_great(str(int(value)), origin, number)
        negative = value < 0 and value == value.to_integral_value()
        why, remedy = (
            ("is negative", _WHOLE) if negative else ("has a fraction, or more digits than can be told", _FINER)
        )
    kind = Undecided if isinstance(cell, str) and ISO.match(cell) else InputError
    raise origin.error(number, f"the time {shown(cell)} {why}", remedy, kind=kind)


def _number_of(cell: object) -> Decimal | None:
    """The number that a cell states; None where it states none."""
    if isinstance(cell, str):
        return Decimal(cell) if NUMBER.fullmatch(cell) else None
    if isinstance(cell, float):
        return Decimal(repr(cell)) if math.isfinite(cell) else None
    if isinstance(cell, int) and not isinstance(cell, bool):
        return Decimal(cell)
    return cell if isinstance(cell, Decimal) and cell.is_finite() else None


def _too_great(digits: str, origin: Origin, number: int) -> InputError:
    reason = f"the time {shortened(digits)} is greater than the limit of {MAX_TIME:,} ticks"
    return origin.error(number, reason, "Count from a later origin, or in a coarser unit.")


# --------------------------------------------------------------------------------------------------------- formats

ISO: Final = re.compile(
    r"(?P<Y>[0-9]{4})-(?P<m>[0-9]{2})-(?P<d>[0-9]{2})(?:[Tt ](?P<H>[0-9]{2}):(?P<M>[0-9]{2})"
    r"(?::(?P<S>[0-9]{2})(?:[.,](?P<f>[0-9]{1,18}))?)? ?(?P<z>Z|z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)
"""ISO 8601; the groups are the directives of a format."""

MONTHS: Final[Mapping[str, int]] = {
    name: number
    for number, names in enumerate(
        ["jan", "feb", "mar|mär|mrz", "apr", "may|mai", "jun", "jul", "aug", "sep", "oct|okt", "nov", "dec|dez"], 1
    )
    for name in names.split("|")
}
"""Months by the first three letters of their names, in English and German."""

_DIRECTIVES: Final[Mapping[str, str]] = {
    "Y": "(?P<Y>[0-9]{4})",
    "y": "(?P<y>[0-9]{2})",
    "m": "(?P<m>[0-9]{1,2})",
    "b": r"(?P<b>[A-Za-zä]{3,9})\.?",
    "d": "(?P<d>[0-9]{1,2})",
    "H": "(?P<H>[0-9]{1,2})",
    "I": "(?P<I>[0-9]{1,2})",
    "p": "(?P<p>[AaPp][Mm])",
    "M": "(?P<M>[0-9]{2})",
    "S": "(?P<S>[0-9]{2})",
    "f": "(?P<f>[0-9]{1,9})",
    "z": "(?P<z>Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2})",
    "a": r"[A-Za-zä]{2,10}\.?",
    "%": "%",
}
"""The regular expressions of the directives of a format, which are those of `strftime`."""

_SAME: Final = {
    "e": "%d",
    "h": "%b",
    "B": "%b",
    "A": "%a",
    "T": "%H:%M:%S",
    "F": "%Y-%m-%d",
    "D": "%m/%d/%y",
    "R": "%H:%M",
}


def pattern_of(format: str) -> re.Pattern[str]:
    """The regular expression of a format of times, with a group for each directive; Rust's understands it as well.

    Raises:
        InputError: there is no such directive, or the day cannot be told.
    """
    pattern = ""
    spelled = re.sub(r"%([A-Za-z])", lambda found: _SAME.get(found[1], found[0]), format.strip())
    for directive, spaces, other in re.findall(r"%(.?)|(\s+)|(.)", spelled, re.DOTALL):
        if other:
            pattern += re.escape(other)
        elif spaces:
            pattern += " +"
        elif directive not in _DIRECTIVES:
            known = " ".join(f"%{each}" for each in (*_DIRECTIVES, *_SAME))
            raise InputError(
                f"there is no directive %{directive} in a format of times",
                place="--time-format",
                remedy=f"They are {known}.",
            )
        else:
            pattern += _DIRECTIVES[directive]
    try:
        compiled = re.compile(pattern, re.ASCII)
    except re.error:
        raise InputError(
            f"{format!r} states a part of a time twice", place="--time-format", remedy="State each once."
        ) from None
    names = compiled.groupindex
    if "d" not in names or not {"m", "b"} & names.keys() or ("I" in names) != ("p" in names):
        raise InputError(
            f"{format!r} does not tell the time of an event",
            place="--time-format",
            remedy="State day and month, such as %d/%b/%Y:%H:%M:%S %z; %I needs %p.",
        )
    return compiled


BACK, AHEAD = 2 * 31, 10 * 31
"""Where times state no year, one two months before the last one is of the next year, and one ten months after it, which
came late at New Year, of the year before; in days of years whose months have 31."""


@dataclass
class Years:
    """The years of times that do not state them, in the order in which they come.

    Attributes:
        year: of the last time.
        last: its place in the year, in days; None before the first one.
    """

    year: int
    last: int | None = None

    def of(self, month: int, day: int) -> int:
        """The year of the next time."""
        place = 31 * month + day
        if self.last is not None:
            self.year += (place <= self.last - BACK) - (place >= self.last + AHEAD)
        self.last = place
        return self.year


# ----------------------------------------------------------------------------------------------------- times of day

_FIRST_YEAR, _LAST_YEAR = 1990, 2100
"""A number that lies between these years if it counts a unit since 1970 may well do so."""

_BEGINNING: Final = date(1970, 1, 1).toordinal()


def epoch_of(value: float) -> Epoch | None:
    """The unit that a number counts since 1970, if the time that it then is may well be one of a log."""
    units: tuple[Epoch, ...] = ("s", "ms", "us", "ns")
    return next((unit for unit in units if _FIRST_YEAR <= _year(value, unit) < _LAST_YEAR), None)


def _year(value: float, unit: Epoch) -> float:
    return 1970 + value * float(UNITS[unit]) / (365.25 * DAY)


class Times:
    """Reads the times of a log with a stated tick, of one file after the other.

    Attributes:
        kind: how times are written; None before the first one.
        factor: what a number counts, in seconds.
    """

    def __init__(self, reading: Reading, report: ReadReport) -> None:
        """No time has been read.

        Args:
            reading: how they are counted, what numbers count, and whether times are rounded.
            report: is told the clock where times of day were read, and how many were rounded.
        """
        assert reading.clock is not None
        self._clock, self._reading, self._report = reading.clock, reading, report
        self.kind: Literal["date", "number"] | None = None
        self.factor = UNITS.get(reading.epoch or "ticks", self._clock.tick)
        self._format = None if reading.time_format is None else pattern_of(reading.time_format)
        self._years = None if reading.year is None else Years(reading.year)
        self._origin: Origin | None = None

    def of(self, cell: object, origin: Origin, number: int) -> Time:
        """The time of a cell, in ticks.

        Raises:
            InputError: it is none, of another kind than those before, or could be read in two ways.
        """
        if isinstance(cell, date):
            cell = cell.isoformat()
        elif type(cell) is int and self._format is not None:  # such as 20170309
            cell = str(cell)
        if isinstance(cell, str):
            text = cell.strip()
            if self._format is not None:
                if found := self._format.fullmatch(text):
                    return self._moment(found, cell, origin, number)
                format = self._reading.time_format
                reason = f"the time {shown(cell)} is not of the form {format}" if text else "the time is missing"
                raise origin.error(number, reason, "State the form of all times: --time-format FORMAT.")
            if found := ISO.fullmatch(text):
                return self._moment(found, cell, origin, number)
            cell = text
        value = _number_of(cell)
        if value is not None and self._format is None:
            return self._number(value, cell, origin, number)
        if cell is None or cell == "" or cell != cell:
            raise origin.error(number, "the time is missing", _WRITE)
        reason = f"the time {shown(cell)} is neither ISO 8601 nor a number"
        alone = isinstance(cell, str) and re.match("[0-9]{1,2}:[0-9]{2}", cell)
        joined = "It has no day: join its column with that of days. " if alone else ""
        raise origin.error(number, reason, f"{joined}{_WRITE}")

    def _number(self, value: Decimal, cell: object, origin: Origin, number: int) -> Time:
        epoch = self._reading.epoch
        if self.kind != "number":
            self._begin("number", cell, origin, number)
            if epoch is None and self._reading.several:
                raise origin.error(
                    number,
                    f"the time {shown(cell)} is a number, and nothing says what it counts",
                    "Say --epoch ticks, or --epoch s for seconds since 1970, ms, us or ns likewise.",
                    kind=Undecided,
                )
            unit = epoch_of(float(value)) if epoch is None else None
            if unit is not None:  # ticks and the unit since 1970 would both be sensible
                raise origin.error(
                    number,
                    f"the time {shown(cell)} may count ticks, or be {unit} since 1970, in the year"
                    f" {int(_year(float(value), unit))}",
                    f"Say --epoch {unit} for the latter, --epoch ticks for ticks.",
                    kind=Undecided,
                )
            if epoch not in (None, "ticks"):
                self._report.clock = self._clock
        if value.adjusted() > MAX_TIME_DIGITS or value.adjusted() < -30:
            raise origin.error(number, f"the time {shown(cell)} is out of range", _WRITE)
        return self._ticks(Fraction(value) * self.factor, cell, origin, number)

    def _moment(self, found: re.Match[str], cell: str, origin: Origin, number: int) -> Time:
        parts: dict[str, Any] = found.groupdict()
        if self.kind != "date":
            self._begin("date", cell, origin, number)
            if self._reading.epoch is not None:
                reason = f"the time {shown(cell)} is a date, and numbers are expected by --epoch"
                raise origin.error(number, reason, "Leave it out.")
            self._report.clock = self._clock
        month = int(parts["m"]) if parts.get("m") else MONTHS.get(parts["b"][:3].lower(), 0)
        day = int(parts["d"])
        stated = parts.get("Y")
        year = int(stated) if stated else self._year_of(parts.get("y"), month, day, cell, origin, number)
        try:
            days = date(year, month, day).toordinal() - _BEGINNING
        except ValueError:
            written = found[0][:10] if found.re is ISO else shown(cell)
            raise origin.error(number, f"there is no day {written}", _WRITE) from None
        hour, minute, second = (
            int(parts.get("H") or parts.get("I") or 0),
            int(parts.get("M") or 0),
            int(parts.get("S") or 0),
        )
        if hour > 23 or minute > 59 or second > 59 or (parts.get("I") and not 1 <= hour <= 12):
            raise origin.error(number, f"there is no time {shown(cell)}", _WRITE)
        if parts.get("I"):
            hour = hour % 12 + 12 * (parts["p"] in ("PM", "pm", "Pm", "pM"))
        seconds, clock, offset = days * DAY + hour * 3600 + minute * 60 + second, self._clock, parts.get("z")
        if offset is not None:
            seconds -= _seconds(offset)
            if clock.counts_days and clock.zone is not None:
                seconds += _shift(datetime.fromtimestamp(seconds, clock.zone))
        elif not clock.counts_days:
            seconds -= self._ahead(datetime(year, month, day, hour, minute), cell, origin, number)
        fraction = parts.get("f")
        rest = Fraction(int(fraction), 10 ** len(fraction)) if fraction else 0
        return self._ticks(seconds + rest, cell, origin, number)

    def _year_of(self, short: str | None, month: int, day: int, cell: str, origin: Origin, number: int) -> int:
        """The year of a time that states two digits of it, or none."""
        if short:
            return int(short) + (1900 if short >= "69" else 2000)
        if self._years is None:
            reason = f"the time {shown(cell)} has no year"
            raise origin.error(number, reason, "State that of the first row: --year 2017.", kind=Undecided)
        return self._years.of(month, day)

    def _ahead(self, local: datetime, cell: str, origin: Origin, number: int) -> int:
        """How many seconds the zone is ahead of UTC in a minute."""
        zone = self._clock.zone
        if zone is None:
            raise origin.error(
                number,
                f"the time {shown(cell)} has no zone",
                "Say which one it is: --zone UTC, --zone Europe/Berlin, --zone +02:00.",
                kind=Undecided,
            )
        if zone is UTC:
            return 0
        first, second = (_shift(local.replace(tzinfo=zone, fold=fold)) for fold in (0, 1))
        if first != second:
            there = "twice" if first > second else "never"
            raise origin.error(
                number,
                f"the time {shown(cell)} occurs {there} in {zone}, where clocks are changed then",
                "Write times with their offset, such as +02:00, or say the one of all of them: --zone +02:00.",
            )
        return first

    def _begin(self, kind: Literal["date", "number"], cell: object, origin: Origin, number: int) -> None:
        if self.kind is not None and origin == self._origin:
            kinds = {"date": "a date", "number": "a number"}
            reason = f"the time {shown(cell)} is {kinds[kind]}, and those before are {kinds[self.kind][2:]}s"
            raise origin.error(number, reason, "All times of a log are written in the same way.")
        self.kind, self._origin = kind, origin

    def _ticks(self, seconds: Fraction | int, cell: object, origin: Origin, number: int) -> Time:
        ticks, rest = divmod(seconds, self._clock.tick)
        if rest:
            if not self._reading.round:
                finer = next((u for u in ("min", "s", "ms", "us", "ns") if not seconds % UNITS[u]), "ns")
                raise origin.error(
                    number,
                    f"the time {shown(cell)} lies between two ticks",
                    f"State a finer tick: --tick 1{finer}. Or take the tick before it: --round.",
                    kind=Undecided,
                )
            self._report.rounded += 1
        if ticks < 0:
            before = "negative" if self.kind == "number" else "before 1970, where ticks are counted from"
            raise origin.error(number, f"the time {shown(cell)} is {before}", "A time is at least 0 ticks.")
        if ticks > MAX_TIME:
            reason = f"the time {shown(cell)} is more than {MAX_TIME:,} ticks after 1970"
            raise origin.error(number, reason, "State a coarser tick, with --round.")
        return int(ticks)


def _seconds(offset: str) -> int:
    """An offset from UTC in seconds."""
    if offset[0] not in "+-":
        return 0
    digits = offset[1:].replace(":", "")
    seconds = int(digits[:2]) * 3600 + int(digits[2:] or 0) * 60
    return -seconds if offset[0] == "-" else seconds


def _shift(moment: datetime) -> int:
    return int((moment.utcoffset() or timedelta()).total_seconds())
