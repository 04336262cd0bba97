"""Rows of a trace: an event with the place it was read from, and the rules that every cell obeys.

A cell that breaks a rule is an `InputError` with the row's place. The rules are the same for every file
format; a format differs in what a cell can be at all: text in CSV, a JSON value in JSON Lines and Parquet.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal, NamedTuple, TypeAlias

from semantics.errors import InputError
from semantics.events import Attributes, Time, TraceForm, Value

MAX_TIME: Final = 10**18
"""The greatest time, in ticks; times and their differences then fit a machine word."""

MAX_EXACT: Final = 2**53
"""Floating-point numbers below this one are what was written, if that was a whole number."""

MAX_TIME_DIGITS: Final = 18
"""A text of so many ASCII digits is always a time."""

MAX_CELL: Final = 131_072
"""So many characters a cell of CSV may have, and so many bytes one of Parquet or of a table."""

Partition: TypeAlias = str | int | None
"""The key of an independent detection: a case id, a user, a host; None where there is no key."""


class Undecided(InputError):
    """The rows of a log can be read in several ways, or in none before an option says how.

    Attributes:
        log: the file.
        options: the options that may settle it, as words of a command.
    """

    log: str = ""
    options: Sequence[str] = ()


ReadTime: TypeAlias = Callable[[object, int], Time]
"""Reads the time of a cell in a line or row."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What rows are read from, and whether they are counted in lines (text) or in rows (Parquet)."""

    name: str
    unit: Literal["line", "row"] = "line"

    def place(self, number: int) -> str:
        """`file:17`, or `file: row 17`; counted from 1."""
        return f"{self.name}:{number}" if self.unit == "line" else f"{self.name}: row {number}"

    def error(
        self, number: int, reason: str, remedy: str = "", *, kind: type[InputError] = InputError
    ) -> InputError:
        """The error for a line or row, or for the whole of it where the number is 0."""
        error = kind(reason, place=self.place(number) if number else self.name, remedy=remedy)
        if isinstance(error, Undecided):
            error.log = self.name
        return error


NOWHERE = Origin("")
"""What has no place in a file."""


class Row(NamedTuple):
    """An event as it stands in a file.

    Attributes:
        time: when it ends, in ticks, at most `MAX_TIME`.
        event: the event type.
        start: when it begins.
        attributes: the attributes that were asked for.
        partition: the key of the column that partitions the trace; None without such a column.
        origin: the file.
        number: the line or row, counted from 1; the first line of a row that spans lines.
    """

    time: Time
    event: str
    start: Time
    attributes: Attributes
    partition: Partition
    origin: Origin
    number: int

    @property
    def place(self) -> str:
        """Where the row stands: `file:17`."""
        return self.origin.place(self.number)

    @property
    def value(self) -> Value:
        """The attribute `value`, None where it is missing."""
        return self.attributes.get("value")


# ------------------------------------------------------------------------------------------------------ times

_INTEGER = re.compile(r"[0-9]+", re.ASCII)
_SIGNED = re.compile(r"[+-][0-9]+", re.ASCII)
_REAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)

_WHOLE_TICKS = "A time is an integer >= 0 in ticks (Def. 3.1)."
_FINER_TICKS = (
    f"{_WHOLE_TICKS} Count in a finer unit, such as milliseconds; numbers since 1970: --tick 1ms --epoch s."
)
_CONVERT = f"{_WHOLE_TICKS} Times in ISO 8601 are read where the length of a tick is stated: --tick 1s."


def time_of_text(text: str, origin: Origin, number: int) -> Time:
    """The time that a cell of text stands for, in ticks.

    Raises:
        InputError: the text is missing, or not an integer from 0 to `MAX_TIME` in decimal digits.
    """
    if _INTEGER.fullmatch(text):
        digits = text.lstrip("0") or "0"
        if len(digits) > len(str(MAX_TIME)):
            raise _too_great(digits, origin, number)
        return _in_range(int(digits), origin, number)
    if not text.strip():
        raise origin.error(number, "the time is missing", _WHOLE_TICKS)
    if text != text.strip():
        why, remedy = "has spaces around it", "Write the number alone."
    elif _SIGNED.fullmatch(text):
        why, remedy = "is negative" if text[0] == "-" and text.strip("-0") else "has a sign", _WHOLE_TICKS
    elif _REAL.fullmatch(text):
        if (time := _whole(float(text))) is not None:
            return _in_range(time, origin, number)
        why, remedy = "has a fraction, or more digits than can be told", _FINER_TICKS
    else:
        why, remedy = "is not a number", _CONVERT
    raise _refused(text, why, remedy, origin, number)


def time_of(cell: object, origin: Origin, number: int) -> Time:
    """The time that a JSON value or a Parquet scalar stands for, in ticks.

    Raises:
        InputError: it is missing, or not an integer from 0 to `MAX_TIME`.
    """
    match cell:
        case None:
            raise origin.error(number, "the time is missing", _WHOLE_TICKS)
        case bool():
            why, remedy = "is a truth value, not a number", _WHOLE_TICKS
        case int():
            if cell >= 0:
                return _in_range(cell, origin, number)
            why, remedy = "is negative", _WHOLE_TICKS
        case float() if math.isfinite(cell):
            if (time := _whole(cell)) is not None:
                return _in_range(time, origin, number)
            why, remedy = "has a fraction, or more digits than can be told", _FINER_TICKS
        case Decimal() if cell.is_finite():
            if cell >= 0 and cell == cell.to_integral_value():
                return _in_range(int(cell), origin, number)
            why, remedy = ("is negative", _WHOLE_TICKS) if cell < 0 else ("has a fraction", _FINER_TICKS)
        case str() if _INTEGER.fullmatch(cell):
            return time_of_text(cell, origin, number)
        case _:
            why, remedy = "is not a number", _CONVERT
    raise _refused(cell, why, remedy, origin, number)


def _refused(cell: object, why: str, remedy: str, origin: Origin, number: int) -> InputError:
    is_date = isinstance(cell, str) and _DAY.match(cell) is not None
    kind = Undecided if is_date else InputError
    return origin.error(number, f"the time {shown(cell)} {why}", remedy, kind=kind)


_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def _whole(number: float) -> Time | None:
    """The whole number that a floating-point one is; None where it is none, or may have been rounded."""
    return int(number) if 0 <= number < MAX_EXACT and number.is_integer() else None


def _in_range(time: int, origin: Origin, number: int) -> Time:
    if time > MAX_TIME:
        raise _too_great(str(time), origin, number)
    return time


def _too_great(digits: str, origin: Origin, number: int) -> InputError:
    reason = f"the time {shortened(digits)} is greater than the limit of {MAX_TIME:,} ticks"
    return origin.error(number, reason, "Count from a later origin, or in a coarser unit.")


def start_of(cell: object, time: Time, form: TraceForm, origin: Origin, number: int, read: ReadTime) -> Time:
    """The start of an event that ends at a time, read by `read`; where the cell is empty, it is a point.

    Raises:
        InputError: it is no time, or later than the end, or the event takes time and the form has points alone.
    """
    if cell is None or cell == "":
        return time
    if form.intervals and (before := _before_zero(cell)) is not None:
        return before
    start = read(cell, number)
    told, end = (start, f" {time}") if str(cell).isdigit() else (cell, "")  # a date is told as it is written
    if start > time:
        raise origin.error(
            number,
            f"the event starts at {told}, after its end{end}",
            "An event is [start, time]; start <= time.",
        )
    if start < time and not form.intervals:
        raise origin.error(
            number,
            f"the event takes from {told} to {end.strip() or 'its end'}; the events of this algebra are points",
            "Leave the column of starts out, or name another one with --start, to take each event at its end.",
        )
    return start


def _before_zero(cell: object) -> Time | None:
    """A start before the time 0, which a derived event has whose timer goes back that far."""
    if isinstance(cell, str) and re.fullmatch(r"-[0-9]{1,18}", cell, re.ASCII):
        cell = int(cell)
    return cell if isinstance(cell, int) and not isinstance(cell, bool) and -MAX_TIME <= cell < 0 else None


# --------------------------------------------------------------------------------- events, values, partitions


def event_of(cell: object, origin: Origin, number: int) -> str:
    """The event type that a cell names: any text, or a number or truth value as text.

    Raises:
        InputError: it is missing, or no scalar.
    """
    if cell is None or cell == "" or cell != cell:
        raise origin.error(number, "the event is missing", "Every row names the type of its event.")
    if isinstance(cell, str):
        return cell
    if isinstance(cell, dict | list | tuple):
        raise origin.error(number, f"the event {shown(cell)} is not text", 'Write a name, such as "fail".')
    return str(partition_of(cell, origin, number))


def value_of(cell: object, origin: Origin, number: int) -> Value:
    """The value of an occurrence: a JSON scalar; other scalars, such as dates and infinity, as text.

    Raises:
        InputError: it is an object or an array, or text that no file can hold.
    """
    match cell:
        case str():
            return _writable(cell, origin, number)
        case None | bool() | int():
            return cell
        case float():
            return cell if math.isfinite(cell) else str(cell)
        case bytes():
            return _writable(_text_of_bytes(cell), origin, number)
        case dict() | list() | tuple():
            kind = "an object" if isinstance(cell, dict) else "an array"
            reason = f"the value {shown(cell)} is {kind}"
            raise origin.error(number, reason, "A value is one scalar, or missing.")
        case _:
            return _writable(str(cell), origin, number)


def partition_of(cell: object, origin: Origin, number: int) -> Partition:
    """The key of a partition: text or an integer; other scalars as text, so that 1, 1.0 and true stay apart.

    Raises:
        InputError: as `value_of`.
    """
    value = value_of(cell, origin, number)
    if isinstance(value, bool | float):
        return json.dumps(value)
    return value


def _writable(text: str, origin: Origin, number: int) -> str:
    if "\0" in text:
        raise origin.error(number, f"the text {shown(text)} has a NUL character", "Remove the character.")
    if not text.isascii() and not is_unicode(text):
        reason = f"the text {shown(text)} has half a surrogate pair"
        raise origin.error(number, reason, "Write whole characters.")
    return text


def is_unicode(text: str) -> bool:
    """Whether a text consists of whole characters, so that UTF-8 can hold it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _text_of_bytes(cell: bytes) -> str:
    try:
        return cell.decode()
    except UnicodeDecodeError:
        return cell.hex()


# --------------------------------------------------------------------------------------------------- messages


def shown(cell: object) -> str:
    """A cell as a message shows it: printable, on one line, not too long."""
    if cell is None or isinstance(cell, bool | dict | list):
        return shortened(json.dumps(cell, default=str))
    return shortened(repr(cell) if isinstance(cell, str | int | float) else repr(str(cell)))


def shortened(text: str, limit: int = 60) -> str:
    """A text without its middle where it is longer than the limit."""
    return text if len(text) <= limit else f"{text[: limit // 2]} … {text[-limit // 4 :]}"
