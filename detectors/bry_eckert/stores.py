"""Stores of tuples: hashed by the columns that a join shares, ordered by occurrence time within each hash."""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count
from math import inf
from operator import itemgetter
from typing import Any, TypeAlias

from semantics.bry_eckert.algebra.distances import FOR_EVER, Distances, Relevance
from semantics.bry_eckert.algebra.plans import Schema, identifiers_of
from semantics.bry_eckert.algebra.relations import Tuple
from semantics.bry_eckert.temporal import Column, Stamp, end
from semantics.events import Time

Index: TypeAlias = dict[Any, tuple[list[int], list[Tuple]]]
"""By the values of some columns, the tuples with their occurrence times, both in the order of time."""

NOTHING: tuple[tuple[int, ...], tuple[Tuple, ...]] = ((), ())
"""No times and no tuples: what an index has for other values."""

_FEW = 32  # a queue may have so many tuples that were dropped, besides as many as are stored


class Store:
    """The tuples of one input that may still join, and the least of their time stamps that were asked for."""

    def __init__(self, schema: Schema, keys: Iterable[tuple[Column, ...]], relevance: Relevance = FOR_EVER) -> None:
        self.relevance = relevance
        self._deadline = relevance.deadline(schema) if relevance.bounded else None
        self._queue: list[tuple[Time, int, Tuple]] = []
        self._order = count()
        self._now: float = -inf
        self.indexes: dict[tuple[Column, ...], Index] = {key: {} for key in keys}
        self._hashed = [(hashing(key, schema), index) for key, index in self.indexes.items()]
        self._ends = [schema.index(end(name)) for name in identifiers_of(schema)]
        self.least = LeastStamps(schema)
        self.size = 0

    def _time(self, row: Tuple) -> Time:
        time: Time = max([row[place] for place in self._ends])
        return time

    def add(self, row: Tuple) -> None:
        """Store a tuple that occurs no earlier than all others, unless it is irrelevant when it comes."""
        if self._deadline is not None:
            deadline = self._deadline(row)
            if deadline <= self._now:
                return
            heappush(self._queue, (deadline, next(self._order), row))
        time = self._time(row)
        for hashed, index in self._hashed:
            times, rows = index.setdefault(hashed(row), ([], []))
            times.append(time)
            rows.append(row)
        self.least.add(row)
        self.size += 1

    def expire(self, now: Time) -> None:
        """Drop the tuples that are relevant until now and no longer; those that were dropped before are passed over."""
        queue, self._now = self._queue, now
        while queue and queue[0][0] <= now:
            row = heappop(queue)[2]
            if all(self._take_out(index, hashed(row), row) for hashed, index in self._hashed):
                self.least.remove(row)
                self.size -= 1

    def _take_out(self, index: Index, key: Any, row: Tuple) -> bool:
        times, rows = index.get(key, NOTHING)
        place = bisect_left(times, self._time(row))
        while place < len(rows) and rows[place] is not row:
            place += 1
        if place == len(rows):
            return False
        del index[key][0][place], index[key][1][place]
        if len(rows) == 0:
            del index[key]
        return True

    def drop(self, key: Any) -> None:
        """Drop all tuples with the same values in the columns of the only index, before their time."""
        ((_, index),) = self._hashed
        _, dropped = index.pop(key, NOTHING)
        self.size -= len(dropped)
        for row in dropped:
            self.least.remove(row)
        if self._deadline is not None and len(self._queue) > 2 * self.size + _FEW:
            self._queue = sorted((self._deadline(row), next(self._order), row) for row in self)

    def clear(self) -> None:
        for index in self.indexes.values():
            index.clear()
        self._queue.clear()
        self.least.clear()
        self.size, self._now = 0, -inf

    def __iter__(self) -> Iterator[Tuple]:
        for index in list(self.indexes.values())[:1]:
            yield from sorted((row for _, rows in index.values() for row in rows), key=self._time)


def hashing(columns: Sequence[Column], schema: Schema) -> Callable[[Tuple], Any]:
    """The values by which an index is hashed, as a function of tuples; of one column the value itself."""
    return itemgetter(*map(schema.index, columns)) if columns else lambda row: ()


class LeastStamps:
    """The least time stamps of stored tuples, of those columns that were asked for before any was stored."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._sorted: dict[int, list[Time]] = {}

    def of(self, stamp: Stamp) -> float:
        """That of a time stamp; infinite where nothing is stored."""
        return next(iter(self._sorted.setdefault(self._schema.index(stamp), [])), inf)

    def add(self, row: Tuple) -> None:
        for place, times in self._sorted.items():
            insort(times, row[place])

    def remove(self, row: Tuple) -> None:
        for place, times in self._sorted.items():
            del times[bisect_left(times, row[place])]

    def clear(self) -> None:
        for times in self._sorted.values():
            times.clear()


def time_range(
    distances: Distances, stored: Schema, known: Iterable[Stamp]
) -> tuple[dict[Stamp, int], dict[Stamp, int]]:
    """Offsets in ticks: added to known time stamps, a joined stored tuple occurs no earlier, and no later."""
    ends = [end(name) for name in identifiers_of(stored)]
    lows, highs = dict[Stamp, int](), dict[Stamp, int]()
    for stamp in known:
        after = [d for e in ends if (d := distances[e, stamp]) is not None]
        before = [d for e in ends if (d := distances[stamp, e]) is not None]
        if after:
            lows[stamp] = -min(after)
        if len(before) == len(ends):
            highs[stamp] = max(before)
    return lows, highs
