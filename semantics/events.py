"""Events in general: a type, an interval of time and named attributes; and what a system requires of them."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

Time: TypeAlias = int  # A time in ticks: a natural number
Value: TypeAlias = str | int | float | bool | None  # The value of an attribute: a scalar, or missing
Attributes: TypeAlias = Mapping[str, Value]  # The values of an event by the names of its attributes

NO_ATTRIBUTES: Attributes = MappingProxyType({})


def in_ticks(time: Time) -> Time:
    """A time as a number of ticks: how times are shown where none were read as dates."""
    return time


class Moment(int):
    """A time in ticks of rows of one tick that come one after the other, at a place in it that is counted from 0.

    Two compare by tick, then place; with other times, and in differences, the tick alone counts.
    """

    place: int

    def __new__(cls, time: Time, scale: int = 1) -> Moment:  # noqa: D102  # of a time of the finer clock
        moment = super().__new__(cls, time // scale)
        moment.place = time % scale
        return moment


def _by_place(relation: Callable[[Any, Any], bool]) -> Any:
    def compared(one: Moment, other: Any) -> bool:
        both = isinstance(other, Moment)
        return relation((int(one), one.place), (int(other), other.place)) if both else relation(int(one), other)

    return compared


for _relation in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge):
    setattr(Moment, f"__{_relation.__name__}__", _by_place(_relation))


class Event(NamedTuple):
    """An event of a trace, known from its end, the `time`; most are points, which start when they end."""

    type: str
    start: Time
    time: Time
    attributes: Attributes = NO_ATTRIBUTES


class Interval(NamedTuple):
    """A start and an end, in ticks: when something happened, without what it consists of."""

    start: int
    end: int

    def join(self, other: Interval) -> Interval:
        """The smallest interval that contains both."""
        return Interval(min(self.start, other.start), max(self.end, other.end))


@dataclass(frozen=True, slots=True)
class TraceForm:
    """Trace form of a system; a trace of another form is refused when it is read.

    Attributes:
        intervals: whether events may take time.
        repeats: whether several events of one type may end at one time.
        attributes: those that are read; None where all are.
        types: the event types that matter; of rows of others only the time is looked at; None where all do.
        ordered: tells whether it may matter to an answer in which order events of one time are, or else that they are
            simultaneous (True); None if it never does.
        source: where the source of the system says so, for messages.
    """

    intervals: bool = True
    repeats: bool = True
    attributes: tuple[str, ...] | None = None
    types: frozenset[str] | None = None
    ordered: Callable[[bool], bool] | None = None
    source: str = ""


ANY_TRACE = TraceForm()  # The form of traces in general: rows in order of time

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_TEXT = json.JSONDecoder(strict=False)


def quoted(name: str) -> str:
    """A name as it is written in patterns and programs: as it is, or in double quotes where it is no identifier.

    These are escaped as in JSON, and so is what is not printable: the text is one line, and drives no terminal.
    """
    if _IDENTIFIER.fullmatch(name):
        return name
    text = json.dumps(name, ensure_ascii=False)
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)


def unquoted(text: str) -> str:
    """The name that a text in quotes of either kind states; ValueError where an escape is none of JSON."""
    inner = text[1:-1]
    if text[0] == "'":
        inner = re.sub(r'\\.|"', lambda found: {"\\'": "'", '"': '\\"'}.get(found[0], found[0]), inner)
    name, _ = _TEXT.raw_decode(f'"{inner}"')
    try:
        name.encode()
    except UnicodeEncodeError:
        raise ValueError("half a surrogate pair is no character") from None
    return str(name)
