"""Plans of feeding: how a trace is cut into stretches, and the way in which each is fed to a detector of intervals.

A plan follows from the expression and the trace (`plan`), or it is given (`Plan`). The parts of one that is given are
told by ticks and not by numbers of instants: so it stays what it is when the trace loses an occurrence, and a failure
that is due to it can be made small.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, pairwise
from typing import Any, TypeAlias

from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Time, Value

Instant: TypeAlias = tuple[Time, Mapping[str, Value]]
"""A time in ticks, with the values of the events that occur then, by event type."""

WAYS = ("step", "chunk", "events", "sparse")
"""The ways of `detectors.carlson_lisper.intervals.IntervalDetector`."""

SNAPSHOT = "snapshot"
"""In the place of a way: another detector goes on here."""

MAX_STRETCH = 7
"""Most stretches have at most so many instants, so that the state is often handed on."""

LONG_STRETCHES = (65, 200)
"""The others have so many, if there are: more than there are bits in a word, so that no state is handed on."""

LONG_ONE_IN = 10
"""Of so many stretches, one may be long."""

MAX_EMPTY = 100
"""A dense stretch begins and ends at most so many ticks before and after its instants."""

MAX_DENSE = 4000
"""A stretch that takes more ticks is not fed as a dense array."""


class Choices:
    """Numbers that are determined by an expression and a trace, the same on every machine."""

    def __init__(self, expression: Expression, trace: Sequence[Instant]) -> None:
        """Begin with the first number."""
        text = f"{expression} {[(time, sorted(occurrences)) for time, occurrences in trace]}"
        self._bytes = cycle(hashlib.shake_256(text.encode()).digest(256))

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1; limits up to some thousands."""
        return (next(self._bytes) << 8 | next(self._bytes)) % limit


@dataclass(frozen=True)
class Stretch:
    """Some neighbouring instants of a trace.

    Attributes:
        way: one of `WAYS`, or `SNAPSHOT` for a stretch without instants after which another detector goes on.
        instants: the instants.
        first: the first tick of a dense stretch, at most `MAX_EMPTY` before the first instant.
        stop: the tick after its last one.
    """

    way: str
    instants: tuple[Instant, ...] = ()
    first: Time = 0
    stop: Time = 0


def plan(expression: Expression, trace: Sequence[Instant]) -> Iterator[Stretch]:
    """The stretches of a trace, with at most one snapshot before, between or after them."""
    choices = Choices(expression, trace)
    snapshot = choices.below(2 * MAX_STRETCH)
    begin, free = 0, 0  # `free`: the first tick that no stretch has taken
    for number in range(len(trace) + 1):
        if number == snapshot:
            yield Stretch(SNAPSHOT)
        if begin == len(trace):
            return
        end = min(len(trace), begin + _instants(choices))
        part = tuple(trace[begin:end])
        earliest, latest = part[0][0], part[-1][0]
        later = trace[end][0] if end < len(trace) else latest + 1 + MAX_EMPTY
        first = earliest - _some(choices, earliest - free)
        stop = latest + 1 + _some(choices, later - latest - 1)
        way = WAYS[choices.below(len(WAYS))]
        if way == "chunk" and stop - first > MAX_DENSE:
            way = "events"
        yield Stretch(way, part, first, stop)
        begin, free = end, stop if way == "chunk" else latest + 1


def _instants(choices: Choices) -> int:
    """How many instants a stretch has, if there are as many."""
    if choices.below(LONG_ONE_IN):
        return 1 + choices.below(MAX_STRETCH)
    least, most = LONG_STRETCHES
    return least + choices.below(most - least + 1)


def _some(choices: Choices, available: int) -> int:
    """How many of the available ticks to take: often none, all, or all but one."""
    limit = min(available, MAX_EMPTY)
    return min(limit, (0, 0, 1, limit, max(0, limit - 1), choices.below(limit + 1))[choices.below(6)])


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
