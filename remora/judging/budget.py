"""A budget of time: how it is written, and how much of it is left."""

from __future__ import annotations

import re
from time import monotonic

from semantics.errors import InputError

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def parse_budget(text: str) -> float:
    """The seconds in a text such as `30s`, `2m`, `1.5h` or `1m30s`.

    Raises:
        InputError: it is something else, or no time at all.
    """
    parts = re.findall(r"(\d+(?:\.\d+)?)([smh])", text)
    seconds = sum(float(number) * _UNITS[unit] for number, unit in parts)
    if "".join(number + unit for number, unit in parts) != text or not 0 < seconds < float("inf"):
        raise InputError(
            f"the budget {text!r} is not a time", remedy="Write it with its unit, such as 30s, 2m or 1h."
        )
    return seconds


def duration(seconds: float) -> str:
    """A time for people: `45 s`, `2 min 5 s`, `1 h 10 min`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    hours, minutes = whole // 3600, whole % 3600 // 60
    if hours:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    if minutes:
        return f"{minutes} min {whole % 60} s" if whole % 60 else f"{minutes} min"
    return f"{whole} s"


class Clock:
    """What is left of a budget; without one, there is always time."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._begin = monotonic()

    def now(self) -> float:
        """The clock of `time.monotonic`."""
        return monotonic()

    @property
    def used(self) -> float:
        """The seconds since the start."""
        return monotonic() - self._begin

    @property
    def left(self) -> float:
        """The seconds that are left; infinite without a budget."""
        return float("inf") if self.seconds is None else max(0.0, self.seconds - self.used)

    @property
    def end(self) -> float:
        """When nothing is left, on the clock of `time.monotonic`; never without a budget."""
        return float("inf") if self.seconds is None else self._begin + self.seconds

    def until(self, share: float = 1.0) -> float:
        """When so much of what is left now will be over, on the clock of `time.monotonic`."""
        return monotonic() + self.left * share
