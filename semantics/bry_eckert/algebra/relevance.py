"""Temporal relevance: how long a stored tuple can still have a part in an answer (2008, Sections 3 to 5).

A tuple that is stored is looked up when others come, and joins them only if all temporal conditions hold. So each of
its time stamps has a relevance time: once more time has passed, no answer can need the tuple.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from semantics.bry_eckert.algebra.distances import Distance, Distances
from semantics.bry_eckert.algebra.plans import Schema
from semantics.bry_eckert.temporal import Stamp, is_stamp


@dataclass(frozen=True)
class Relevance:
    """A temporal relevance condition: `i >= now - rt(i)` for some time stamps of a tuple (2008, 3.2).

    Attributes:
        times: the relevance times rt(i) by time stamp; one without has no bound.
        until: an event identifier: a tuple is irrelevant as well as soon as a tuple with this event has come that has
            the same values, as no other one can come; "" where there is none.
    """

    times: Mapping[Stamp, Distance]
    until: str = ""

    @property
    def bounded(self) -> bool:
        """Whether there is a time after which a tuple is irrelevant."""
        return bool(self.times)

    def __str__(self) -> str:
        """As in Figure 3: `a.s >= now - 2 and a.e > now - 3`; `true` without a bound; what ends it besides."""
        said = _all(self.times) or "true"
        return f"{said}, until its {self.until} has come" if self.until else said

    def deadline(self, schema: Schema) -> Callable[[Sequence[int]], int]:
        """The last time at which a tuple is relevant, from its columns.

        Only where it is bounded.
        """
        places = [(schema.index(stamp), time.ticks) for stamp, time in self.times.items()]
        if len(places) == 1:
            ((place, ticks),) = places
            return lambda row: row[place] + ticks
        return lambda row: min(row[place] + ticks for place, ticks in places)


FOR_EVER = Relevance({})
"""The condition that always holds."""


def _all(times: Mapping[Stamp, Distance]) -> str:
    return " and ".join(_comparison(*one) for one in times.items())


def _comparison(stamp: Stamp, time: Distance) -> str:
    sign = ">=" if time.included else ">"
    if not time.bound:
        return f"{stamp} {sign} now"
    return f"{stamp} {sign} now {'-' if time.bound > 0 else '+'} {abs(time.bound)}"


def maximal(known: Distances, schema: Schema, ends: Iterable[Stamp]) -> Relevance:
    """The relevance times of all time stamps of a tuple.

    Args:
        known: what the conditions imply of a joined tuple.
        ends: the time stamps, one of which is the current time when the tuple is looked up.
    """
    ends, nodes = tuple(ends), known.nodes
    times: dict[Stamp, Distance] = {}
    for stamp in (column for column in schema if is_stamp(column) or column in nodes):
        reached = [known[stamp, end] for end in ends]
        if reached and None not in reached:
            times[stamp] = max(distance for distance in reached if distance is not None)
    return Relevance(times)


def conditions(
    known: Distances, schema: Schema, ends: Iterable[Stamp], guaranteed: Distances
) -> tuple[Relevance, Relevance]:
    """The maximal and the minimal condition; see `maximal` and `minimal`."""
    most = maximal(known, schema, ends)
    return most, minimal(most, guaranteed)


def minimal(given: Relevance, guaranteed: Distances) -> Relevance:
    """The condition without the comparisons that another one implies (2008, 4.4).

    `i >= now - rt(i)` implies `j >= now - rt(j)` where every tuple of the relation obeys `i - j <= rt(j) - rt(i)`.

    Args:
        guaranteed: what every tuple of the relation obeys, whatever it joins with.
    """
    kept = dict(given.times)
    for stamp, time in given.times.items():
        for other, better in kept.items():
            between = None if other == stamp else guaranteed[stamp, other]
            if between is not None and better + between <= time:
                del kept[stamp]
                break
    return Relevance(kept)
