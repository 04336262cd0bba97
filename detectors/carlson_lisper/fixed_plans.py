"""A way to feed a trace that is given, in the place of the one that `detectors.carlson_lisper.feeding_plans` chooses.

Its parts are told by ticks and not by numbers of instants. So it stays what it is when the trace loses an occurrence,
and a failure that is due to it can be made small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from detectors.carlson_lisper.feeding_plans import MAX_DENSE, WAYS, Instant, Stretch
from semantics.carlson_lisper.occurrences import Time

SNAPSHOT = "snapshot"
"""In the place of a way: another detector goes on here."""


@dataclass(frozen=True)
class Part:
    """Some neighbouring ticks and what happens to them.

    Attributes:
        way: one of `WAYS`, or `SNAPSHOT`.
        first: the first tick.
        stop: the tick after the last one; that of a snapshot is its first.
    """

    way: str
    first: Time
    stop: Time

    def __str__(self) -> str:
        """In a few words."""
        if self.way == SNAPSHOT:
            return f"a snapshot restored before tick {self.first}"
        last = self.stop - 1
        ticks = f"tick {last}" if last == self.first else f"ticks {self.first} to {last}"
        match self.way:
            case "chunk":
                return f"the letters of {ticks} in one chunk"
            case "sparse":
                return f"the columns of {ticks} at once"
            case "events":
                return f"the events of {ticks} at once"
            case _:
                return f"{ticks} by steps"


@dataclass(frozen=True)
class Plan:
    """How a trace is fed.

    Attributes:
        parts: in order of their ticks, without common ones; what is in none of them is fed instant by instant.
    """

    parts: tuple[Part, ...] = ()

    def __post_init__(self) -> None:
        """Check the parts.

        Raises:
            ValueError: they are out of order, too long for their way, or of no known way.
        """
        for part in self.parts:
            if part.way not in (*WAYS, SNAPSHOT):
                raise ValueError(f"{part.way!r} is no way to feed a trace")
            if not 0 <= part.first <= part.stop or (part.way == SNAPSHOT and part.first != part.stop):
                raise ValueError(f"a part cannot begin at {part.first} and stop at {part.stop}")
            if part.way == "chunk" and part.stop - part.first > MAX_DENSE:
                raise ValueError(f"a chunk of more than {MAX_DENSE:,} ticks")
        for part, after in pairwise(self.parts):
            if after.first < part.stop:
                raise ValueError(f"a part begins at {after.first}, before the end {part.stop} of another one")

    def stretches(self, trace: Sequence[Instant]) -> Iterator[Stretch]:
        """A trace cut as the plan says."""
        begin = 0
        for part in self.parts:
            end = _before(trace, part.first, begin)
            yield from _by_steps(trace[begin:end])
            begin = _before(trace, part.stop, end)
            instants = tuple(trace[end:begin])
            if part.way == SNAPSHOT:
                yield Stretch(SNAPSHOT)
            elif instants or (part.way == "chunk" and part.first < part.stop):
                yield Stretch(part.way, instants, part.first, part.stop)
        yield from _by_steps(trace[begin:])

    def earlier(self, since: Time, ticks: Time) -> Plan:
        """The plan for a trace in which everything from a time on is so many ticks earlier."""

        def moved(tick: Time) -> Time:
            return tick if tick <= since - ticks else max(tick, since) - ticks

        return Plan(tuple(Part(part.way, moved(part.first), moved(part.stop)) for part in self.parts))

    def __str__(self) -> str:
        """In words."""
        rest = "the rest instant by instant" if self.parts else "instant by instant"
        return "; ".join([*map(str, self.parts), rest])

    def to_json(self) -> list[dict[str, Any]]:
        """As plain data."""
        return [{"way": part.way, "first": part.first, "stop": part.stop} for part in self.parts]


def plan_from_json(parts: Iterable[Mapping[str, Any]]) -> Plan:
    """A plan that was plain data.

    Raises:
        ValueError, KeyError, TypeError: it is something else.
    """
    return Plan(tuple(Part(str(part["way"]), int(part["first"]), int(part["stop"])) for part in parts))


def plan_of(stretches: Iterable[Stretch]) -> Plan:
    """The plan by which a trace is cut into these stretches, apart from where those that are fed by steps end."""
    parts: list[Part] = []
    free = 0
    for stretch in stretches:
        if stretch.way == SNAPSHOT:
            parts.append(Part(SNAPSHOT, free, free))
            continue
        dense = stretch.way == "chunk"
        first, free = (stretch.first, stretch.stop) if dense else _hull(stretch.instants)
        if stretch.way != "step":
            parts.append(Part(stretch.way, first, free))
    return Plan(tuple(parts))


def _hull(instants: Sequence[Instant]) -> tuple[Time, Time]:
    return instants[0][0], instants[-1][0] + 1


def _before(trace: Sequence[Instant], tick: Time, begin: int) -> int:
    """The number of the first instant from `begin` on that is not before a tick."""
    while begin < len(trace) and trace[begin][0] < tick:
        begin += 1
    return begin


def _by_steps(instants: Sequence[Instant]) -> Iterator[Stretch]:
    if instants:
        first, stop = _hull(instants)
        yield Stretch("step", tuple(instants), first, stop)
