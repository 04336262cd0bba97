"""Stores of tuples: hashed by the columns that a join shares, ordered by occurrence time within each hash."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from semantics.bry_eckert.distances import Distance, Distances
from semantics.bry_eckert.plans import Schema, identifiers_of
from semantics.bry_eckert.relations import Tuple
from semantics.bry_eckert.temporal import Stamp, end

Index: TypeAlias = dict[Any, tuple[list[int], list[Tuple]]]
"""By the values of some columns, the tuples with their occurrence times, both in the order of time."""

NOTHING: tuple[tuple[int, ...], tuple[Tuple, ...]] = ((), ())
"""No times and no tuples: what an index has for other values."""


class Store:
    """The tuples of one input that may still join.

    Args:
        schema: the columns of the tuples.
        keys: for each index, the columns by which it is hashed.
    """

    def __init__(self, schema: Schema, keys: Iterable[tuple[str, ...]]) -> None:
        """An empty store."""
        self.indexes: dict[tuple[str, ...], Index] = {key: {} for key in keys}
        self._places = [(tuple(map(schema.index, key)), index) for key, index in self.indexes.items()]
        self._ends = [schema.index(end(name)) for name in identifiers_of(schema)]
        self.size = 0

    def add(self, row: Tuple) -> None:
        """Store a tuple that occurs no earlier than all others."""
        time = row[self._ends[0]] if len(self._ends) == 1 else max(row[place] for place in self._ends)
        for places, index in self._places:
            key = row[places[0]] if len(places) == 1 else tuple(row[place] for place in places)
            entry = index.get(key)
            if entry is None:
                index[key] = ([time], [row])
            else:
                entry[0].append(time)
                entry[1].append(row)
        self.size += 1

    def clear(self) -> None:
        """Forget all tuples."""
        for index in self.indexes.values():
            index.clear()
        self.size = 0

    def __iter__(self) -> Iterator[Tuple]:
        """The tuples in the order of time."""
        for index in list(self.indexes.values())[:1]:
            found = [pair for times, rows in index.values() for pair in zip(times, rows, strict=True)]
            yield from (row for _, row in sorted(found, key=lambda pair: pair[0]))


# ------------------------------------------------------------------------------------------ ranges of times


def time_range(
    distances: Distances, stored: Schema, known: Iterable[Stamp], now: Stamp = ""
) -> tuple[dict[Stamp, int], dict[Stamp, int]]:
    """When a stored tuple can occur that joins with known time stamps, as the conditions imply.

    Args:
        distances: what the conditions imply of the joined tuple.
        stored: the columns of the stored tuple.
        known: the time stamps that have values.
        now: one of them that is the current time, which no stored tuple is later than; "" where none is.

    Returns:
        offsets in ticks by time stamp: the stored tuple occurs no earlier than any of the first, no later than any of
        the second, each added to the value of its time stamp. What follows from another one is left out.
    """
    ends = [end(name) for name in identifiers_of(stored)]
    lows, highs = dict[Stamp, int](), dict[Stamp, int]()
    for stamp in known:
        after = [d for e in ends if (d := distances[e, stamp]) is not None]
        before = [d for e in ends if (d := distances[stamp, e]) is not None]
        if after:
            lows[stamp] = -min(d.ticks for d in after)
        if len(before) == len(ends):
            highs[stamp] = max(d.ticks for d in before)
    if now:
        for stamp, ticks in list(highs.items()):
            until = distances[stamp, now]
            if until is not None and until.ticks <= ticks:
                del highs[stamp]
    return (
        _needed(lows, lambda one, other: distances[one, other], 1),
        _needed(highs, lambda one, other: distances[other, one], -1),
    )


def _needed(
    offsets: Mapping[Stamp, int], distance: Callable[[Stamp, Stamp], Distance | None], sign: int
) -> dict[Stamp, int]:
    """The offsets that no other one makes superfluous, whatever the values of the time stamps are."""
    kept = dict(offsets)
    for stamp, ticks in offsets.items():
        for other, better in kept.items():
            between = None if other == stamp else distance(other, stamp)
            if between is not None and sign * (better - ticks) >= between.ticks:
                del kept[stamp]
                break
    return kept
