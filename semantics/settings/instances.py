"""Instances of composite events, as every setting makes them: sets of occurrences with a start and an end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from semantics.events import Time


class Instance(NamedTuple):
    """A finite set of occurrences of a trace.

    Attributes:
        start: the least time of its occurrences, in ticks.
        end: the greatest one: the time at which it occurs.
        members: the occurrences, as bits: the occurrence with the number n of the trace is the bit 1 << n.
    """

    start: Time
    end: Time
    members: int


Instances: TypeAlias = frozenset[Instance]
"""The meaning of an expression for a trace."""


def occurrence(number: int, time: Time) -> Instance:
    """The instance of an occurrence alone."""
    return Instance(time, time, 1 << number)


def joined(parts: Iterable[Instance]) -> Instance:
    """The instance of all occurrences of several ones; there is at least one."""
    start, end, members = zip(*parts, strict=True)
    together = 0
    for one in members:
        together |= one
    return Instance(min(start), max(end), together)


def pair(one: Instance, other: Instance) -> Instance:
    """The instance of the occurrences of both."""
    return Instance(min(one.start, other.start), max(one.end, other.end), one.members | other.members)


def by_time(instance: Instance) -> tuple[Time, Time, int]:
    """The key of the order of time: end, start, then the occurrences."""
    return (instance.end, instance.start, instance.members)
