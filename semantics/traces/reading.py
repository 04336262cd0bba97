"""Readings: how a log is read, that is, where its cells are, what its times count, and which rows are accepted."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from semantics.errors import InputError
from semantics.traces.instants import SameTime

if TYPE_CHECKING:
    from semantics.clock import Clock

Format: TypeAlias = Literal["csv", "jsonl", "parquet"]
"""A file format of traces."""

Epoch: TypeAlias = Literal["ticks", "s", "ms", "us", "ns"]
"""What a number in the column of times counts: ticks, or so long a unit since 1970."""


@dataclass(frozen=True)
class Reading:
    """How a log is read.

    Attributes:
        format: the file format; by default that of the file's suffix, otherwise that of its first bytes.
        time: the column of times.
        event: the column of event types.
        value: the column of values.
        start: the column of the times at which events begin.
        delimiter: what is between the cells of CSV, `tab` for a tab; None for a comma. A space may follow it.
        header: the names of the columns of CSV that has none, with commas between them.
        tick: how long a tick is, such as `1s`; needed where times are dates, or numbers since 1970.
        epoch: what numbers in the column of times count, where the tick is stated.
        zone: the time zone of times that state none, and of those that are printed.
        round: accept times between two ticks, and take the tick before.
        partition_by: the column whose values make traces of their own.
        sort: accept rows that are out of time order, and sort them.
        same_time: accept an event type that occurs twice at one time, and keep this occurrence.
        skip_bad: go on past rows that cannot be read.
        several: whether several files make one log: then a number does not say of itself what it counts.

    Raises:
        InputError: an option is none, or needs another one.
    """

    format: Format | None = None
    time: str = "time"
    event: str = "event"
    value: str = "value"
    start: str = "start"
    delimiter: str | None = None
    header: str | None = None
    tick: str | None = None
    epoch: Epoch | None = None
    zone: str | None = None
    round: bool = False
    partition_by: str | None = None
    sort: bool = False
    same_time: SameTime | None = None
    skip_bad: bool = False
    several: bool = False

    def __post_init__(self) -> None:
        """Check the options."""
        _require_one_of("format", self.format, get_args(Format))
        _require_one_of("epoch", self.epoch, get_args(Epoch))
        if self.same_time not in (None, "first", "last"):
            raise InputError(
                f"{self.same_time!r} does not say which of two occurrences is kept",
                remedy="It is --same-time first or --same-time last.",
            )
        if self.time == self.event:
            raise InputError(
                f"the column {self.time!r} is named for times and for event types",
                remedy="Name two columns: --time COLUMN --event COLUMN.",
            )
        if self.delimiter in ("tab", "\\t"):
            object.__setattr__(self, "delimiter", "\t")
        sign = self.delimiter if self.delimiter in (None, " ") else self.delimiter.removesuffix(" ")
        if sign is not None and (len(sign) != 1 or sign in '"\r\n\0'):
            raise InputError(
                f"{self.delimiter!r} cannot be between cells",
                remedy="Name one character with --delimiter, such as ';', or ', ' with a space; a tab is 'tab'.",
            )

    @property
    def of_cells(self) -> dict[str, Any]:
        """What tells a reader of CSV what is between cells."""
        sign = self.delimiter or ","
        return {"delimiter": sign[0], "skipinitialspace": len(sign) > 1}

    @cached_property
    def clock(self) -> Clock | None:
        """How times are counted where the tick is stated.

        Raises:
            InputError: the tick or the zone is none, or something is said about times of day without a tick.
        """
        if self.tick is None:
            for option, given in (("epoch", self.epoch), ("zone", self.zone), ("round", self.round or None)):
                if given is not None:
                    raise InputError(
                        f"without the length of a tick there is no use for --{option}",
                        remedy="State it: --tick 1s.",
                    )
            return None
        from semantics.clock import Clock, tick_length, zone_of

        return Clock(tick_length(self.tick), None if self.zone is None else zone_of(self.zone))

    @property
    def names(self) -> list[str]:
        """The names of the columns, where they are given; otherwise the first line of CSV has them."""
        return [] if self.header is None else [name.strip() for name in self.header.split(",")]

    def with_tick(self, stated: str, what: str) -> Reading:
        """The reading of a log for a program or a file that may state its tick, in which times are counted then.

        Args:
            stated: the length of the tick as it is written there; "" where it is not stated.
            what: what states it, in a word.

        Raises:
            InputError: another tick is stated for the log.
        """
        if not stated:
            return self
        from semantics.clock import tick_length

        if self.tick is not None and tick_length(self.tick) != tick_length(stated):
            raise InputError(
                f"the tick is {self.tick}, and the {what} states {stated}",
                place="--tick",
                remedy=f"Leave it out: durations of the {what} are in its own tick.",
            )
        return replace(self, tick=stated)

    @property
    def counts_times(self) -> bool:
        """Whether all times of several files are times of day."""
        return self.several and self.epoch != "ticks"

    def stated(self) -> dict[str, object]:
        """What is not as usual, by the names of the attributes."""
        usual = Reading()
        return {
            one.name: given
            for one in fields(self)
            if (given := getattr(self, one.name)) != getattr(usual, one.name)
        }


def _require_one_of(name: str, given: object, known: tuple[str, ...]) -> None:
    if given is not None and given not in known:
        remedy = f"The {name}s are {', '.join(known)}." if name == "format" else f"It is {', '.join(known)}."
        raise InputError(f"there is no {name} {given!r}", remedy=remedy)


USUAL = Reading()
"""The reading of CSV with the columns time, event and value, and of its like."""
