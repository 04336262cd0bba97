"""Clock time: units of time, ticks of a stated length, and times of day counted in them.

Ticks are counted from the beginning of 1970 in UTC. A tick of whole days counts calendar days, those of the zone.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from fractions import Fraction
from typing import Final

from semantics.errors import InputError, require_few_digits
from semantics.events import Time

DAY: Final = 86_400

_LENGTHS = {"ns": "1e-9", "us": "1e-6", "ms": "1e-3", "s": "1", "min": "60", "h": "3600", "d": "86400"}
UNITS: Final[Mapping[str, Fraction]] = {unit: Fraction(seconds) for unit, seconds in _LENGTHS.items()}
"""The units of durations, in seconds."""

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)", re.ASCII)
_OFFSET = re.compile(r"([+-])([0-9]{2}):?([0-9]{2})", re.ASCII)


def duration(text: str) -> tuple[Fraction, Fraction | None]:
    """The number of a duration such as `30s`, and its unit in seconds, if it has one; ValueError if it is none."""
    found = _DURATION.fullmatch(text)
    if found is None or (found[2] and found[2] not in UNITS):
        raise ValueError(text)
    require_few_digits(found[1])
    return Fraction(found[1]), UNITS[found[2]] if found[2] else None


def in_ticks(text: str, tick: Fraction | None) -> int:
    """A duration in ticks of a length in seconds; one without a unit is in ticks.

    `InputError` where it has a unit and the tick no stated length, or is no whole number of ticks.
    """
    number, unit = duration(text)
    if unit is not None and tick is None:
        remedy = "State it: --tick 1s. Or write the number of ticks."
        raise InputError(f"{text} has a unit, and nothing says how long a tick is", remedy=remedy)
    ticks = number if unit is None or tick is None else number * unit / tick
    if ticks.denominator != 1:
        raise InputError(f"{text} is no whole number of ticks", remedy="State a finer tick, such as 1ms.")
    return int(ticks)


def tick_length(text: str) -> Fraction:
    """The length of a tick such as `1s` or `100ms`, in seconds; InputError where it is none, or zero."""
    try:
        number, unit = duration(text.strip())
    except (ValueError, AttributeError):
        number, unit = Fraction(0), None
    if unit is None or not number:
        remedy = f"Write a number and a unit, such as 1s or 100ms; the units are {', '.join(UNITS)}."
        raise InputError(f"a tick of {text!r} has no length", remedy=remedy)
    return number * unit


def zone_of(text: str) -> tzinfo:
    """The time zone with a name, or with an offset from UTC such as `+02:00`; InputError if there is none."""
    if text.upper() in ("UTC", "Z"):
        return UTC
    if found := _OFFSET.fullmatch(text):
        minutes = int(found[2]) * 60 + int(found[3])
        if minutes < 24 * 60:
            return timezone(timedelta(minutes=-minutes if found[1] == "-" else minutes))
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        remedy = "Write UTC, a name such as Europe/Berlin, or +02:00."
        raise InputError(f"there is no time zone {text!r}", remedy=remedy) from None


@dataclass(frozen=True)
class Clock:
    """How times of day are counted in ticks of so many seconds, and printed; the zone is that of times without one."""

    tick: Fraction
    zone: tzinfo | None = None

    @property
    def counts_days(self) -> bool:
        """Whether a tick is a number of calendar days."""
        return self.tick % DAY == 0

    def text(self, time: Time) -> str:
        """A time in ticks as ISO 8601, with as many digits as a tick has."""
        seconds, rest = divmod(time * self.tick, 1)
        try:
            if self.counts_days:
                return str((_BEGINNING + timedelta(seconds=int(seconds))).date())
            moment = (_BEGINNING + timedelta(seconds=int(seconds))).astimezone(self.zone or UTC)
        except OverflowError:
            return f"{time} ticks"
        digits = next((places for places in (0, 3, 6) if (self.tick * 10**places).denominator == 1), 9)
        fraction = f".{int(rest * 10**digits):0{digits}}" if digits else ""
        offset = moment.strftime("%z")
        offset = "Z" if offset == "+0000" else f"{offset[:3]}:{offset[3:5]}"
        return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}{offset}"
