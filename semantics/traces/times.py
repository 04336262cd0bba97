"""Times of a log: ticks; or with a stated tick ISO 8601, numbers since 1970, or times in a format that is stated.

All times of one log are of one kind. What could be read in two ways is refused with the option that settles it.
"""

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Literal

from semantics.clock import DAY, UNITS
from semantics.errors import InputError
from semantics.events import Time
from semantics.traces.reading import Epoch, Reading
from semantics.traces.rows import MAX_TIME, ReadReport, ReadTime, Undecided, shown

MAX_EXACT: Final = 2**53  # floating-point numbers below are what was written, if that was a whole number

NUMBER: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

_WHOLE: Final = "A time is an integer >= 0 in ticks (Def. 3.1)."
_CONVERT: Final = f"{_WHOLE} Times in ISO 8601 are read where the length of a tick is stated: --tick 1s."
_FINER: Final = f"{_WHOLE} Count in a finer unit, such as milliseconds; numbers since 1970: --tick 1ms --epoch s."
_WRITE: Final = "Write ISO 8601, such as 2017-03-09T07:30:23Z, or a number; other forms: --time-format FORMAT."


def times_of(reading: Reading, report: ReadReport) -> ReadTime:
    """The reader of the times of a log, which remembers of what kind those before were."""
    return ticks_of if reading.clock is None else Times(reading, report).of


def ticks_of(cell: object) -> Time:
    """The time in ticks of a cell of text, JSON or Parquet; `InputError` if it is no integer from 0 to `MAX_TIME`."""
    if isinstance(cell, str) and cell.isdigit() and cell.isascii():
        digits = int(cell.lstrip("0")[:20] or "0")  # 20 digits are too many
        if digits <= MAX_TIME:
            return digits
    elif type(cell) is int and 0 <= cell <= MAX_TIME:
        return cell
    value = _number_of(cell)
    if _is_missing(cell):
        raise InputError("the time is missing", remedy=_WHOLE)
    if value is None:
        kind = Undecided if isinstance(cell, str) and ISO.match(cell) else InputError
        raise _wrong(cell, "is not a number", _CONVERT, kind)
    if value < 0 or (isinstance(cell, str) and cell[0] in "+-"):
        raise _wrong(cell, "has a sign, or is negative", _WHOLE)
    if value > MAX_TIME:
        raise _wrong(cell, f"is greater than the limit of {MAX_TIME:,} ticks", "Count from later on, or coarser.")
    if (isinstance(cell, str | float) and value >= MAX_EXACT) or value != value.to_integral_value():
        raise _wrong(cell, "has a fraction, or more digits than can be told", _FINER)
    return int(value)


def _wrong(cell: object, reason: str, remedy: str, kind: type[InputError] = InputError) -> InputError:
    return kind(f"the time {shown(cell)} {reason}", remedy=remedy)


def _is_missing(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _number_of(cell: object) -> Decimal | None:
    """The number that a cell states; None where it states none."""
    if isinstance(cell, str):
        return Decimal(cell) if NUMBER.fullmatch(cell) else None
    if isinstance(cell, float):
        return Decimal(repr(cell)) if math.isfinite(cell) else None
    if isinstance(cell, int) and not isinstance(cell, bool):
        return Decimal(cell)
    return cell if isinstance(cell, Decimal) and cell.is_finite() else None


ISO: Final = re.compile(
    r"(?P<Y>[0-9]{4})-(?P<m>[0-9]{2})-(?P<d>[0-9]{2})(?:[Tt ](?P<H>[0-9]{2}):(?P<M>[0-9]{2})"
    r"(?::(?P<S>[0-9]{2})(?:[.,](?P<f>[0-9]{1,18}))?)? ?(?P<z>Z|z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)
"""ISO 8601; the groups are the directives of a format."""

_ENGLISH, _GERMAN = "jan feb mar apr may jun jul aug sep oct nov dec", "jan feb mär apr mai jun jul aug sep okt nov dez"

MONTHS: Final[Mapping[str, int]] = {"mrz": 3} | {
    name: number for language in (_ENGLISH, _GERMAN) for number, name in enumerate(language.split(), 1)
}
"""Months by the first three letters of their names, in English and German."""

_DIGITS: Final = {"Y": "4", "y": "2", "m": "1,2", "d": "1,2", "H": "1,2", "I": "1,2", "M": "2", "S": "2", "f": "1,9"}

_DIRECTIVES: Final[Mapping[str, str]] = {name: f"(?P<{name}>[0-9]{{{most}}})" for name, most in _DIGITS.items()} | {
    "b": r"(?P<b>[A-Za-zä]{3,9})\.?",
    "p": "(?P<p>[AaPp][Mm])",
    "z": "(?P<z>Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2})",
    "a": r"[A-Za-zä]{2,10}\.?",
    "%": "%",
}
"""The regular expressions of the directives of a format, which are those of `strftime`."""

_LONG: Final = ("%d", "%b", "%b", "%a", "%H:%M", "%H:%M:%S", "%Y-%m-%d", "%m/%d/%y")
_SAME: Final = dict(zip("ehBARTFD", _LONG, strict=True))


def pattern_of(format: str) -> re.Pattern[str]:
    """The regular expression of a format of times, with a group for each directive.

    `InputError` where there is no such directive, one is there twice, or the day cannot be told.
    """
    spelled = re.sub(r"%([A-Za-z])", lambda found: _SAME.get(found[1], found[0]), format.strip())
    pattern = ""
    for sign, spaces, other in re.findall(r"%(.?)|(\s+)|(.)", spelled, re.DOTALL):
        pattern += re.escape(other) or (" +" if spaces else _DIRECTIVES.get(sign, "("))
    with suppress(re.error):
        compiled = re.compile(pattern, re.ASCII)
        names = compiled.groupindex.keys()
        if "d" in names and {"m", "b"} & names and ("I" in names) == ("p" in names):
            return compiled
    remedy = "State day and month, and no part twice; %I needs %p. There are "
    remedy += " ".join(f"%{each}" for each in (*_DIRECTIVES, *_SAME))
    raise InputError(f"{format!r} does not tell the time of an event", place="--time-format", remedy=remedy)


# Where times state no year, one two months before the last one is of the next year, and one ten months after it, which
# came late at New Year, of the year before; in days of years whose months have 31.
BACK, AHEAD = 2 * 31, 10 * 31
_BEGINNING: Final = date(1970, 1, 1).toordinal()


def epoch_of(value: float) -> Epoch | None:
    """The unit that a number counts since 1970, if the time that it then is may well be one of a log."""
    units: tuple[Epoch, ...] = ("s", "ms", "us", "ns")
    return next((unit for unit in units if 1990 <= _year(value, unit) < 2100), None)


def _year(value: float, unit: Epoch) -> float:
    return 1970 + value * float(UNITS[unit]) / (365.25 * DAY)


class Times:
    """Reads the times of a log with a stated tick; tells a report the clock of times of day, and what was rounded."""

    def __init__(self, reading: Reading, report: ReadReport) -> None:
        assert reading.clock is not None
        self.clock, self._reading, self._report = reading.clock, reading, report
        self.kind: Literal["date", "number"] | None = None  # how times are written; None before the first one
        self.factor = UNITS.get(reading.epoch or "ticks", self.clock.tick)  # what a number counts, in seconds
        self._format = None if reading.time_format is None else pattern_of(reading.time_format)
        self._year, self._day = reading.year, -1

    def of(self, cell: object) -> Time:
        """The time of a cell, in ticks."""
        seconds = self._seconds(cell)
        ticks, rest = divmod(seconds, self.clock.tick)
        if rest:
            if not self._reading.round:
                finer = next((unit for unit in ("min", "s", "ms", "us", "ns") if not seconds % UNITS[unit]), "ns")
                remedy = f"State a finer tick: --tick 1{finer}. Or take the tick before it: --round."
                raise _wrong(cell, "lies between two ticks", remedy, Undecided)
            self._report.rounded += 1
        if not 0 <= ticks <= MAX_TIME:
            reason = f"is before 1970, negative, or more than {MAX_TIME:,} ticks"
            raise _wrong(cell, reason, "A time is at least 0 ticks; state a coarser tick, with --round.")
        return int(ticks)

    def _seconds(self, cell: object) -> Fraction | int:
        """The time of a cell in seconds since ticks are counted, exactly."""
        if isinstance(cell, date):
            cell = cell.isoformat()
        elif type(cell) is int and self._format is not None:  # such as 20170309
            cell = str(cell)
        if cell != cell or _is_missing(cell):
            raise InputError("the time is missing", remedy=_WRITE)
        text = cell.strip() if isinstance(cell, str) else ""
        if found := (self._format or ISO).fullmatch(text):
            return self._moment(found.groupdict(), cell)
        if self._format is not None:
            reason = f"is not of the form {self._reading.time_format}"
            raise _wrong(cell, reason, "State the form of all times: --time-format FORMAT.")
        value = _number_of(text or cell)
        if value is None:
            raise _wrong(cell, "is neither ISO 8601 nor a number", _WRITE)
        if self.kind != "number":
            self._begin("number", cell)
            epoch, unit = self._reading.epoch, epoch_of(float(value))
            if epoch is None and unit is not None:
                reason = f"may count ticks, or be {unit} since 1970, in the year {int(_year(float(value), unit))}"
                raise _wrong(cell, reason, f"Say --epoch {unit} for the latter, --epoch ticks for ticks.", Undecided)
            if epoch is None and self._reading.several:
                remedy = "Say --epoch ticks, or --epoch s for seconds since 1970, ms, us or ns likewise."
                raise _wrong(cell, "is a number, and nothing says what it counts", remedy, Undecided)
        if not -30 <= value.adjusted() <= 18:
            raise _wrong(cell, "is out of range", _WRITE)
        return Fraction(value) * self.factor

    def _begin(self, kind: Literal["date", "number"], cell: object) -> None:
        if self.kind is not None:
            reason = f"is a {kind}, and those before are {self.kind}s"
            raise _wrong(cell, reason, "All times of a log are written in the same way.")
        if kind == "date" and self._reading.epoch is not None:
            raise _wrong(cell, "is a date, and numbers are expected by --epoch", "Leave it out.")
        self.kind = kind
        if kind == "date" or self._reading.epoch not in (None, "ticks"):
            self._report.clock = self.clock

    def _moment(self, parts: Mapping[str, Any], cell: object) -> Fraction | int:
        if self.kind != "date":
            self._begin("date", cell)
        month = int(parts["m"]) if parts.get("m") else MONTHS.get(parts["b"][:3].lower(), 0)
        day, year, short = int(parts["d"]), parts.get("Y"), parts.get("y")
        if not year and short:
            year = int(short) + (1900 if short >= "69" else 2000)
        elif not year:  # by the place in the year, and that of the last time
            if self._year is None:
                raise _wrong(cell, "has no year", "State that of the first row: --year 2017.", Undecided)
            before, self._day = self._day, 31 * month + day
            if before >= 0:
                self._year += (self._day <= before - BACK) - (self._day >= before + AHEAD)
            year = self._year
        clock, offset, fraction = self.clock, parts.get("z"), parts.get("f")
        hour, minute, second = (int(parts.get(name) or 0) for name in ("H", "M", "S"))
        if parts.get("I"):
            half = int(parts["I"])
            hour = half % 12 + 12 * (parts["p"].lower() == "pm") if 1 <= half <= 12 else 24
        try:
            local = datetime(int(year), month, day, hour, minute, second)
        except ValueError:
            raise InputError(f"there is no time {shown(cell)}", remedy=_WRITE) from None
        seconds = (local.toordinal() - _BEGINNING) * DAY + hour * 3600 + minute * 60 + second
        if offset is not None:
            if offset[0] in "+-":
                digits = offset[1:].replace(":", "")
                ahead = int(digits[:2]) * 3600 + int(digits[2:] or 0) * 60
                seconds -= -ahead if offset[0] == "-" else ahead
            if clock.counts_days and clock.zone is not None:
                seconds += _ahead(datetime.fromtimestamp(seconds, clock.zone))
        elif not clock.counts_days and clock.zone is not UTC:
            seconds -= self._zoned(local, cell)
        return seconds + Fraction(int(fraction), 10 ** len(fraction)) if fraction else seconds

    def _zoned(self, local: datetime, cell: object) -> int:
        """How many seconds the zone is ahead of UTC at a local time."""
        zone = self.clock.zone
        if zone is None:
            raise _wrong(cell, "has no zone", "Say which one it is: --zone UTC, --zone +02:00.", Undecided)
        first, second = (_ahead(local.replace(tzinfo=zone, fold=fold)) for fold in (0, 1))
        if first != second:
            there = "twice" if first > second else "never"
            reason = f"occurs {there} in {zone}, where clocks are changed then"
            remedy = "Write times with their offset, such as +02:00, or say the one of all of them: --zone +02:00."
            raise _wrong(cell, reason, remedy)
        return first


def _ahead(moment: datetime) -> int:
    return int((moment.utcoffset() or timedelta()).total_seconds())
