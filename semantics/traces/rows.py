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
from typing import Final, Literal, NamedTuple, TypeAlias

from semantics.errors import InputError
from semantics.events import Attributes, Time, TraceForm, Value

MAX_TIME: Final = 10**18
"""The greatest time, in ticks; times and their differences then fit a machine word."""

MAX_CELL: Final = 131_072
"""The longest cell: characters of CSV, bytes of Parquet or of a table."""

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


ReadTime: TypeAlias = Callable[[object, "Origin", int], Time]
"""Reads the time of a cell in a line or row of a log."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The source of rows, which are counted in lines (text) or in rows (Parquet)."""

    name: str
    unit: Literal["line", "row"] = "line"

    def place(self, number: int) -> str:
        """`file:17`, or `file: row 17`; counted from 1."""
        return f"{self.name}:{number}" if self.unit == "line" else f"{self.name}: row {number}"

    def error(self, number: int, reason: str, remedy: str = "", *, kind: type[InputError] = InputError) -> InputError:
        """The error for a line or row, or for the whole of it where the number is 0."""
        error = kind(reason, place=self.place(number) if number else self.name, remedy=remedy)
        if isinstance(error, Undecided):
            error.log = self.name
        return error


NOWHERE = Origin("")
"""The origin of cells whose place nobody asks for."""


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


# ------------------------------------------------------------------------------------------------------ cells


def start_of(cell: object, time: Time, form: TraceForm, origin: Origin, number: int, read: ReadTime) -> Time:
    """The start of an event that ends at a time, read by `read`; where the cell is empty, it is a point.

    Raises:
        InputError: it is no time, or later than the end, or the event takes time and the form has points alone.
    """
    if cell is None or cell == "":
        return time
    if form.intervals and (before := _before_zero(cell)) is not None:
        return before
    start = read(cell, origin, number)
    told, end = (start, f" {time}") if str(cell).isdigit() else (cell, "")  # a date is told as it is written
    if start > time:
        raise origin.error(
            number, f"the event starts at {told}, after its end{end}", "An event is [start, time]; start <= time."
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
