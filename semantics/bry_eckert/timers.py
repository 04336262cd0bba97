"""Relative timers: events whose interval is computed from that of another event (2007, Section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from semantics.bry_eckert.places import NOWHERE, Place
from semantics.bry_eckert.temporal import Duration, Stamp, end, start

Side: TypeAlias = Literal["start", "end"]


class Edge(NamedTuple):
    """A start or an end of a timer: a time stamp of its event, moved by so many times the duration."""

    side: Side
    sign: int

    def stamp(self, identifier: str) -> Stamp:
        """The time stamp from which it is computed."""
        return start(identifier) if self.side == "start" else end(identifier)


class TimerKind(NamedTuple):
    """How a timer's interval follows from that of its event."""

    start: Edge
    end: Edge


_START, _END = Edge("start", 0), Edge("end", 0)

TIMERS: Mapping[str, TimerKind] = MappingProxyType(
    {
        "extend": TimerKind(_START, Edge("end", 1)),
        "extend_backward": TimerKind(Edge("start", -1), _END),
        "shorten": TimerKind(_START, Edge("end", -1)),
        "shorten_backward": TimerKind(Edge("start", 1), _END),
        "shift": TimerKind(Edge("start", 1), Edge("end", 1)),
        "shift_backward": TimerKind(Edge("start", -1), Edge("end", -1)),
        "from_start": TimerKind(_START, Edge("start", 1)),
        "from_start_backward": TimerKind(Edge("start", -1), _START),
        "from_end": TimerKind(_END, Edge("end", 1)),
        "from_end_backward": TimerKind(Edge("end", -1), _END),
    }
)
"""The kinds of timers by name; a timer that would end before it starts does not happen."""


@dataclass(frozen=True)
class Timing:
    """A relative timer: the interval `into` that a kind and a duration make of the interval `of`."""

    into: str
    kind: str
    of: str
    duration: Duration
    place: Place = field(default=NOWHERE, compare=False, repr=False)

    def interval(self, begin: int, finish: int) -> tuple[int, int] | None:
        """The interval for an event over [begin, finish]; None where it would end before it starts."""
        edges = TIMERS[self.kind]
        base = {"start": begin, "end": finish}
        first, last = (base[edge.side] + edge.sign * self.duration for edge in edges)
        return (first, last) if first <= last else None

    def __str__(self) -> str:
        """As in a rule."""
        return f"{self.into}: {self.kind}({self.of}, {self.duration})"
