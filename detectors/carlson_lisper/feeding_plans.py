"""Feeding plans for detectors of intervals: stretches of a trace, and the way of each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import TypeAlias

from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Time, Value

Instant: TypeAlias = tuple[Time, Mapping[str, Value]]
"""A time in ticks, with the values of the events that occur then, by event type."""

WAYS = ("step", "chunk", "events", "sparse")
"""The ways of `detectors.carlson_lisper.intervals.IntervalDetector`."""

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
        way: one of `WAYS`, or "snapshot" for a stretch without instants after which another detector goes on.
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
            yield Stretch("snapshot")
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
