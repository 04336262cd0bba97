"""Readings: how a log is read; the fields of `Reading` are the one declaration of options of commands and functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple, TypeAlias, get_args, get_type_hints

from semantics.errors import InputError

if TYPE_CHECKING:
    from semantics.clock import Clock

Text: TypeAlias = str | None
Format: TypeAlias = Literal["csv", "jsonl", "parquet"]
Epoch: TypeAlias = Literal["ticks", "s", "ms", "us", "ns"]  # what numbers count: ticks, or a unit since 1970
SameTime: TypeAlias = Literal["first", "last"]  # which row is kept of several of one event type at one time
Ties: TypeAlias = Literal["order"]  # rows of one tick come one after the other

NO_TIES: Final = "In rules events of one tick are simultaneous; of sequences in a profile what closes one comes first."
"""What the languages do that do not know `ties`."""


class Option(NamedTuple):
    """The part of an option of commands that its field does not say: what `--help` says of it, and of its value."""

    about: str
    metavar: str | None = None
    name: str = ""  # where it is not that of the field


@dataclass(frozen=True)
class Reading:
    """How a log is read. What each field means is said where it is declared.

    A field becomes an option by its declaration; `files`, `tables` or `rows` read it, and `scan` where `BY_COLUMNS`
    names it. `InputError` where an option is none, or needs another one.
    """

    time: Annotated[str, Option("Column of times. In JSON, dots lead to nested keys: event.created.", "NAME")] = "time"
    event: Annotated[str, Option("Column of event types.", "NAME")] = "event"
    value: Annotated[str, Option("Column of values.", "NAME")] = "value"
    start: Annotated[str, Option("Column of the times at which events begin.", "NAME")] = "start"
    delimiter: Annotated[Text, Option("What is between cells of CSV: ';' or tab; a space may follow.", "SIGN")] = None
    header: Annotated[Text, Option("Names of the columns of CSV without a header: time,event,user.", "NAMES")] = None
    tick: Annotated[Text, Option("Length of a tick: 1s, 100ms. For times of day and units in bounds.", "LENGTH")] = None
    epoch: Annotated[Epoch | None, Option("With --tick: what numbers count, a unit since 1970, or ticks.")] = None
    zone: Annotated[Text, Option("With --tick: zone where times have none: UTC, Europe/Berlin, +02:00.", "ZONE")] = None
    round: Annotated[bool, Option("With --tick: accept times between two ticks, and take the tick before.")] = False
    time_format: Annotated[Text, Option("With --tick: form of times: '%d/%b/%Y:%H:%M:%S %z'.", "FORMAT")] = None
    year: Annotated[int | None, Option("With --time-format: year of the first row, if none is stated.", "YEAR")] = None
    sort: Annotated[bool, Option("Accept rows that are out of time order, and sort them.")] = False
    same_time: Annotated[SameTime | None, Option("Of an event type that occurs twice at one time, keep this.")] = None
    ties: Annotated[Ties | None, Option("Rows of one tick happened one after the other, in their order.")] = None
    tiebreak: Annotated[Text, Option("With --ties: in the order of this column of whole numbers.", "COLUMN")] = None
    skip_bad: Annotated[bool, Option("Go on past rows that cannot be read, and say how many they are.")] = False
    partition_by: Annotated[Text, Option("Treat the rows of each value of this column as a log.", "COLUMN")] = None
    format: Annotated[Format | None, Option("Format, where the name does not tell.", name="input-format")] = None
    sql: Annotated[bool, Option("The log is a query of DuckDB: SELECT at AS time, … FROM 'x.json' ORDER BY 1.")] = False
    several: bool = False  # files make one log that grows: then a number does not say of itself what it counts

    def __post_init__(self) -> None:
        """Check the options."""
        for name in OPTIONS:
            given, known = getattr(self, name), choices_of(name)
            if known and given is not None and given not in known:
                words = name.replace("_", "-")
                raise InputError(f"there is no {name} {given!r}", remedy=f"It is --{words} {' or '.join(known)}.")
        if self.time == self.event:
            remedy = "Name two columns: --time COLUMN --event COLUMN."
            raise InputError(f"the column {self.time!r} is named for times and for event types", remedy=remedy)
        if self.delimiter in ("tab", "\\t"):
            object.__setattr__(self, "delimiter", "\t")
        sign = self.delimiter if self.delimiter in (None, " ") else self.delimiter.removesuffix(" ")
        if sign is not None and (len(sign) != 1 or sign in '"\r\n\0'):
            remedy = "Name one character with --delimiter, such as ';', or ', ' with a space; a tab is 'tab'."
            raise InputError(f"{self.delimiter!r} cannot be between cells", remedy=remedy)
        if self.year is not None and not (self.time_format and 1970 <= self.year < 2200):
            remedy = "Give one from 1970 on, and the form of times with --time-format."
            raise InputError(f"{self.year} is no year of times without one", remedy=remedy)
        if self.ties and self.same_time:
            raise InputError("--ties keeps every row, and --same-time one of several", remedy="Leave one of them out.")
        if self.tiebreak is not None and (self.ties is None or self.tiebreak in (self.time, self.event)):
            remedy = "Add --ties order, and name a column that is neither that of times nor that of event types."
            raise InputError(f"there is no use for --tiebreak {self.tiebreak}", remedy=remedy)

    @cached_property
    def scale(self) -> int:
        """With `ties` the times of a finer clock in a tick, twice as many as rows: 200,000, less below a second."""
        seconds = 1 if self.clock is None else min(1, float(self.clock.tick))
        return 1 if self.ties is None else 2 * int(100_000 * max(0.001, seconds))

    @property
    def keys(self) -> dict[str, str]:
        """The columns that part a log and order a tick, by what they are for, where they are named."""
        named = {"partition": self.partition_by, "tiebreak": self.tiebreak}
        return {role: name for role, name in named.items() if name is not None}

    @property
    def of_cells(self) -> dict[str, Any]:
        """The arguments of `csv.reader` for what is between cells."""
        sign = self.delimiter or ","
        return {"delimiter": sign[0], "skipinitialspace": len(sign) > 1}

    @cached_property
    def clock(self) -> Clock | None:
        """How times are counted where the tick is stated."""
        if self.tick is None:
            for name in ("epoch", "zone", "round", "time_format"):
                if getattr(self, name):
                    reason = f"without the length of a tick there is no use for --{name.replace('_', '-')}"
                    raise InputError(reason, remedy="State it: --tick 1s.")
            return None
        from semantics.clock import Clock, tick_length, zone_of

        return Clock(tick_length(self.tick), None if self.zone is None else zone_of(self.zone))

    @property
    def names(self) -> list[str]:
        """The names of the columns, where they are given; otherwise the first line of CSV has them."""
        return [] if self.header is None else [name.strip() for name in self.header.split(",")]

    @cached_property
    def nested(self) -> list[str]:
        """The names of columns that may lead to nested keys of JSON."""
        names = (self.time, self.event, self.value, self.start, *self.keys.values())
        return [name for name in names if "." in name]

    def with_tick(self, stated: str, what: str) -> Reading:
        """The reading of a log for a program or a file (`what`) that may state its tick, in which times are counted."""
        if self.ties is not None:
            raise InputError(f"--ties is for patterns, and this is a {what}", remedy=f"Leave it out. {NO_TIES}")
        if not stated:
            return self
        from semantics.clock import tick_length

        if self.tick is not None and tick_length(self.tick) != tick_length(stated):
            remedy = f"Leave it out: durations of the {what} are in its own tick."
            raise InputError(f"the tick is {self.tick}, and the {what} states {stated}", place="--tick", remedy=remedy)
        return replace(self, tick=stated)

    def stated(self) -> dict[str, Any]:
        """The fields that are not as usual."""
        found = ((each, getattr(self, each.name)) for each in fields(self))
        return {each.name: given for each, given in found if given != each.default}


@cache
def choices_of(name: str) -> tuple[str, ...]:
    """The values that a field may have, where they are a few words."""
    return tuple(value for kind in get_args(get_type_hints(Reading)[name]) for value in get_args(kind))


OPTIONS: Final[Mapping[str, Option]] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(Reading, include_extras=True).items()
    if hasattr(hint, "__metadata__")
}
"""The options of commands that say how a log is read, by the fields of `Reading`."""


def option_name(name: str) -> str:
    """The option of commands for a field, as it is written after `--`."""
    return OPTIONS[name].name or name.replace("_", "-")


USUAL = Reading()  # The reading of CSV with the columns time, event and value, and of its like
