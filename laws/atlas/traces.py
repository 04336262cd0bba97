"""Enumeration of all small traces, the smallest first: by the number of events, then by length; and longer ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from random import Random
from typing import TypeAlias

from semantics.hinze_voisard.pairing import Instance, Instances, occurrence

Trace: TypeAlias = tuple[tuple[str, int], ...]
"""Event types with their times, in the order of time; times begin at 0."""

TYPES = "abc"

MOST = {1: (8, 8), 2: (7, 6), 3: (6, 5)}
"""By the number of event types: the most events of a trace, and the most ticks."""

MOST_IN_TURN = 12
"""The most events of a trace with one event at each instant, where only the order of two event types matters."""

LONGER = 4000
"""So many random traces of up to 16 events are tried beyond the bound where automata do not reach."""


@cache
def traces(types: int) -> Sequence[Trace]:
    """The traces of so many event types within the bound `MOST`, the smallest first."""
    events, ticks = MOST[types]
    return tuple(_traces(types, events, ticks))


def _traces(types: int, events: int, ticks: int) -> Iterator[Trace]:
    places = [(time, name) for time in range(ticks) for name in TYPES[:types]]
    for number in range(events + 1):
        found = [chosen for chosen in combinations(places, number) if not chosen or chosen[0][0] == 0]
        for chosen in sorted(found, key=lambda each: each[-1][0] if each else -1):
            yield tuple((name, time) for time, name in chosen)


def longer_trace(random: Random, types: Sequence[str]) -> Trace:
    """A random trace beyond the bound."""
    ticks = random.randint(3, 10)
    events = {(random.randrange(ticks), random.choice(types)) for _ in range(random.randint(4, 16))}
    return tuple((name, time) for time, name in sorted(events))


def one_by_one(types: int) -> Iterator[Trace]:
    """The traces of at most `MOST_IN_TURN` events with one event at each instant, the shortest first."""
    for events in range(MOST_IN_TURN + 1):
        for names in product(TYPES[:types], repeat=events):
            yield tuple((name, time) for time, name in enumerate(names))


def instances(trace: Trace) -> Mapping[str, Instances]:
    """The instances of each event type, none of those that do not occur; the n-th event is the occurrence n."""
    found = defaultdict[str, set[Instance]](set)
    for number, (name, time) in enumerate(trace):
        found[name].add(occurrence(number, time))
    return defaultdict(frozenset, {name: frozenset(each) for name, each in found.items()})
