"""Rows of a trace: an event with the place it was read from, and the rules that cells of every format obey."""

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from semantics.errors import InputError
from semantics.events import Attributes, Time, TraceForm, Value

MAX_TIME: Final = 10**18  # ticks; times and their differences then fit a machine word
MAX_CELL: Final = 131_072  # characters of CSV, bytes of Parquet or of a table

Partition: TypeAlias = str | int | None
"""The key of an independent detection: a case id, a user, a host; None where there is no key."""

ReadTime: TypeAlias = Callable[[object], Time]


class Undecided(InputError):
    """The rows of a log can be read in several ways; with the file, and options of a command that may settle it."""

    log: str = ""
    options: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """The source of rows, which are counted in lines (text) or in rows (Parquet)."""

    name: str
    unit: Literal["line", "row"] = "line"

    def place(self, number: int) -> str:
        """`file:17`, or `file: row 17`; counted from 1."""
        return f"{self.name}:{number}" if self.unit == "line" else f"{self.name}: row {number}"

    def at(self, number: int, error: InputError) -> InputError:
        """The error of a line or row with its place, or with the whole of it where the number is 0."""
        error.place = self.place(number) if number else self.name
        if isinstance(error, Undecided):
            error.log = self.name
        return error

    def error(self, number: int, reason: str, remedy: str = "", *, kind: type[InputError] = InputError) -> InputError:
        """The error for a line or row, or for the whole of it where the number is 0."""
        return self.at(number, kind(reason, remedy=remedy))


class Row(NamedTuple):
    """An event as it stands in a file: times in ticks, the attributes that were asked for, line or row from 1."""

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


# What these functions refuse has no place: whoever knows the row adds it.


def start_of(cell: object, time: Time, form: TraceForm, read: ReadTime) -> Time:
    """The start of an event that ends at a time, read by `read`; where the cell is empty, it is a point."""
    if cell is None or cell == "":
        return time
    if form.intervals and re.fullmatch(r"-[1-9][0-9]{0,17}", str(cell), re.ASCII):  # of a timer that goes back that far
        return int(str(cell))
    start = read(cell)
    if start > time:
        raise InputError(f"the event starts at {cell}, after its end", remedy="An event is [start, time].")
    if start < time and not form.intervals:
        reason = f"the event takes time, from {cell} to its end; the events of this algebra are points"
        raise InputError(
            reason, remedy="To take it at its end, leave the column out, or name another one with --start."
        )
    return start


def event_of(cell: object) -> str:
    """The event type that a cell names: any text, or a number or truth value as text."""
    if cell is None or cell == "" or cell != cell:
        raise InputError("the event is missing", remedy="Every row names the type of its event.")
    if isinstance(cell, str):
        return cell
    if isinstance(cell, dict | list | tuple):
        raise InputError(f"the event {shown(cell)} is not text", remedy='Write a name, such as "fail".')
    return str(partition_of(cell))


def value_of(cell: object) -> Value:
    """The value of an occurrence: a JSON scalar; other scalars, such as dates and infinity, as text."""
    if cell is None or isinstance(cell, bool | int) or (isinstance(cell, float) and math.isfinite(cell)):
        return cell
    if isinstance(cell, dict | list | tuple):
        kind = "an object" if isinstance(cell, dict) else "an array"
        raise InputError(f"the value {shown(cell)} is {kind}", remedy="A value is one scalar, or missing.")
    text = str(cell)
    if isinstance(cell, bytes):
        try:
            text = cell.decode()
        except UnicodeDecodeError:
            text = cell.hex()
    if "\0" in text or not (text.isascii() or text.encode(errors="ignore").decode() == text):
        reason = f"the text {shown(text)} has a NUL character, or half a surrogate pair"
        raise InputError(reason, remedy="Remove the character.")
    return text


def partition_of(cell: object) -> Partition:
    """The key of a partition: text or an integer; other scalars as text, so that 1, 1.0 and true stay apart."""
    value = value_of(cell)
    return json.dumps(value) if isinstance(value, bool | float) else value


def shown(cell: object) -> str:
    """A cell as a message shows it: printable, on one line, not too long."""
    if cell is None or isinstance(cell, bool | dict | list):
        return shortened(json.dumps(cell, default=str))
    return shortened(repr(cell) if isinstance(cell, str | int | float) else repr(str(cell)))


def shortened(text: str, limit: int = 60) -> str:
    """A text without its middle where it is longer than the limit."""
    return text if len(text) <= limit else f"{text[: limit // 2]} … {text[-limit // 4 :]}"
