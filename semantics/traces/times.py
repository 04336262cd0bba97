"""Times of a log with a stated tick: ISO 8601, numbers since 1970, or ticks; all of one log are of one kind.

What could be read in two ways is refused with the option that settles it.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Final, Literal

from semantics.clock import DAY, UNITS, Clock
from semantics.events import Time
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Epoch, Reading
from semantics.traces.rows import MAX_TIME, MAX_TIME_DIGITS, Origin, Undecided, shown

ISO = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,18}))?)? ?(Z|z|UTC|[+-]\d\d(?::?\d\d)?)?)?",
    re.ASCII,
)

_OF_DAY = re.compile(r"\d\d?:\d\d", re.ASCII)

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)

_FIRST_YEAR, _LAST_YEAR = 1990, 2100
"""A number that lies between these years if it counts a unit since 1970 may well do so."""

_BEGINNING = date(1970, 1, 1).toordinal()

_SECONDS: Final = {f":{second:02}": second for second in range(60)}

REMEMBERED: Final = 10_000
"""So many minutes are remembered, most of which are those of several rows."""

_KINDS: Final = {"date": "a date", "number": "a number"}

_WRITE = "Write ISO 8601, such as 2017-03-09T07:30:23Z, or a number."


def epoch_of(value: float) -> Epoch | None:
    """The unit that a number counts since 1970, if the time that it then is may well be one of a log."""
    units: tuple[Epoch, ...] = ("s", "ms", "us", "ns")
    return next((unit for unit in units if _FIRST_YEAR <= _year(value, unit) < _LAST_YEAR), None)


def _year(value: float, unit: Epoch) -> float:
    return 1970 + value * float(UNITS[unit]) / (365.25 * DAY)


class Times:
    """Reads the times of one log.

    Args:
        clock: how they are counted.
        reading: what numbers count, and whether times are rounded.
        origin: the log.
        report: is told the clock where times of day were read, and how many were rounded.

    Attributes:
        kind: how times are written; None before the first one.
        factor: what a number counts, in seconds.
    """

    def __init__(self, clock: Clock, reading: Reading, origin: Origin, report: ReadReport) -> None:
        """No time has been read."""
        self._clock, self._origin, self._report = clock, origin, report
        self._epoch, self._rounds, self._several = reading.epoch, reading.round, reading.several
        self.kind: Literal["date", "number"] | None = None
        self.factor = UNITS.get(self._epoch or "ticks", clock.tick)
        self._direct = False
        self._minutes: dict[tuple[str, str], int] = {}
        self._ticks_in, self._seconds_in = clock.tick.denominator, clock.tick.numerator

    def of(self, cell: object, number: int) -> Time:
        """The time of a cell, in ticks.

        Raises:
            InputError: it is none, of another kind than those before, or could be read in two ways.
        """
        if type(cell) is str:
            if self._direct and cell.isdigit() and len(cell) <= MAX_TIME_DIGITS and cell.isascii():
                return int(cell)
            minute = self._minutes.get((cell[:16], cell[19:]))  # that the cells before had too
            second = _SECONDS.get(cell[16:19])
            if minute is not None and second is not None:
                ticks, rest = divmod((minute + second) * self._ticks_in, self._seconds_in)
                if not rest and ticks <= MAX_TIME:
                    return ticks
        if isinstance(cell, date):
            cell = cell.isoformat()
        if isinstance(cell, str):
            text = cell.strip()
            if text.isdigit() and text.isascii() and len(text) <= MAX_TIME_DIGITS:
                return self._number(int(text), cell, number)
            if iso := ISO.fullmatch(text):
                return self._date(iso, cell, number)
            if NUMBER.fullmatch(text):
                return self._number(Decimal(text), cell, number)
            reason = (
                f"the time {shown(cell)} is neither ISO 8601 nor a number" if text else "the time is missing"
            )
            alone = _OF_DAY.match(text) and "It has no day: join its column with that of days. "
            raise self._origin.error(number, reason, f"{alone or ''}{_WRITE}")
        if isinstance(cell, int) and not isinstance(cell, bool):
            return self._number(cell, cell, number)
        if isinstance(cell, Decimal) and cell.is_finite():
            return self._number(cell, cell, number)
        if isinstance(cell, float) and cell == cell and abs(cell) != float("inf"):
            return self._number(Decimal(repr(cell)), cell, number)
        reason = "the time is missing" if cell is None or cell != cell else f"{shown(cell)} is no time"
        raise self._origin.error(number, reason, _WRITE)

    # ------------------------------------------------------------------------------------------------- numbers

    def _number(self, value: int | Decimal, cell: object, number: int) -> Time:
        epoch = self._epoch
        if self.kind != "number":
            self._begin("number", cell, number)
            if epoch is None and self._several:
                raise self._origin.error(
                    number,
                    f"the time {shown(cell)} is a number, and nothing says what it counts",
                    "Say --epoch ticks, or --epoch s for seconds since 1970, ms, us or ns likewise.",
                    kind=Undecided,
                )
            if epoch is None:
                self._require_ticks(value, cell, number)
            elif epoch != "ticks":
                self._report.clock = self._clock
            self._direct = self.factor == self._clock.tick
        if isinstance(value, Decimal):
            if value.adjusted() > MAX_TIME_DIGITS or value.adjusted() < -30:
                raise self._origin.error(number, f"the time {shown(cell)} is out of range", _WRITE)
            return self._ticks(Fraction(value) * self.factor, cell, number)
        if self.factor == self._clock.tick:
            return self._in_range(value, cell, number)
        return self._ticks(value * self.factor, cell, number)

    def _require_ticks(self, value: int | Decimal, cell: object, number: int) -> None:
        """Refuse a number that counts ticks, or a unit since 1970, each of which would be a sensible time."""
        unit = epoch_of(float(value))
        if unit is not None:
            raise self._origin.error(
                number,
                f"the time {shown(cell)} may count ticks, or be {unit} since 1970, in the year"
                f" {int(_year(float(value), unit))}",
                f"Say --epoch {unit} for the latter, --epoch ticks for ticks.",
                kind=Undecided,
            )

    # --------------------------------------------------------------------------------------------------- dates

    def _date(self, iso: re.Match[str], cell: str, number: int) -> Time:
        day, hour, minute, second, fraction, offset = iso.groups()
        clock = self._clock
        if self.kind != "date":
            self._begin("date", cell, number)
            if self._epoch is not None:
                raise self._origin.error(
                    number,
                    f"the time {shown(cell)} is a date, and numbers are expected by --epoch",
                    "Leave it out.",
                )
            self._report.clock = clock
        try:
            seconds = (date.fromisoformat(day).toordinal() - _BEGINNING) * DAY
        except ValueError:
            raise self._origin.error(number, f"there is no day {day}", _WRITE) from None
        if hour is not None:
            if hour > "23" or minute > "59" or (second or "") > "59":
                raise self._origin.error(number, f"there is no time {shown(cell)}", _WRITE)
            seconds += int(hour) * 3600 + int(minute) * 60 + int(second or 0)
        if offset is not None:
            seconds -= _seconds(offset)
            if clock.counts_days and clock.zone is not None:
                moment = datetime.fromtimestamp(seconds, clock.zone)
                seconds += _shift(moment)
        elif not clock.counts_days:
            seconds -= self._offset(f"{day}T{hour or '00'}:{minute or '00'}", cell, number)
        if second is not None and fraction is None and seconds >= 60 and cell == iso.string:
            if len(self._minutes) >= REMEMBERED:
                self._minutes.clear()
            self._minutes[cell[:16], cell[19:]] = seconds - int(second)
        time = Fraction(seconds)
        if fraction is not None:
            time += Fraction(int(fraction), 10 ** len(fraction))
        return self._ticks(time, cell, number)

    def _offset(self, minute: str, cell: str, number: int) -> int:
        """How many seconds the zone is ahead of UTC in a minute."""
        zone = self._clock.zone
        if zone is None:
            raise self._origin.error(
                number,
                f"the time {shown(cell)} has no zone",
                "Say which one it is: --zone UTC, --zone Europe/Berlin, --zone +02:00.",
                kind=Undecided,
            )
        if zone is UTC:
            return 0
        local = datetime.fromisoformat(minute)
        first, second = (_shift(local.replace(tzinfo=zone, fold=fold)) for fold in (0, 1))
        if first != second:
            there = "twice" if first > second else "never"
            raise self._origin.error(
                number,
                f"the time {shown(cell)} occurs {there} in {zone}, where clocks are changed then",
                "Write times with their offset, such as +02:00, or say the one of all of them: --zone +02:00.",
            )
        return first

    # --------------------------------------------------------------------------------------------------- ticks

    def _begin(self, kind: Literal["date", "number"], cell: object, number: int) -> None:
        if self.kind is not None:
            reason = (
                f"the time {shown(cell)} is {_KINDS[kind]}, and those before are {_KINDS[self.kind][2:]}s"
            )
            raise self._origin.error(number, reason, "All times of a log are written in the same way.")
        self.kind = kind

    def _ticks(self, seconds: Fraction, cell: object, number: int) -> Time:
        ticks, rest = divmod(seconds, self._clock.tick)
        if rest:
            if not self._rounds:
                finer = next((u for u in ("min", "s", "ms", "us", "ns") if not seconds % UNITS[u]), "ns")
                raise self._origin.error(
                    number,
                    f"the time {shown(cell)} lies between two ticks",
                    f"State a finer tick: --tick 1{finer}. Or take the tick before it: --round.",
                    kind=Undecided,
                )
            self._report.rounded += 1
        return self._in_range(ticks, cell, number)

    def _in_range(self, ticks: Time, cell: object, number: int) -> Time:
        if ticks < 0:
            before = "negative" if self.kind == "number" else "before 1970, where ticks are counted from"
            raise self._origin.error(
                number, f"the time {shown(cell)} is {before}", "A time is at least 0 ticks."
            )
        if ticks > MAX_TIME:
            reason = f"the time {shown(cell)} is more than {MAX_TIME:,} ticks after 1970"
            raise self._origin.error(number, reason, "State a coarser tick, with --round.")
        return ticks


def _seconds(offset: str) -> int:
    """An offset from UTC in seconds."""
    if offset in ("Z", "z", "UTC"):
        return 0
    digits = offset[1:].replace(":", "")
    seconds = int(digits[:2]) * 3600 + int(digits[2:] or 0) * 60
    return -seconds if offset[0] == "-" else seconds


def _shift(moment: datetime) -> int:
    found = moment.utcoffset()
    return 0 if found is None else int(found.total_seconds())
