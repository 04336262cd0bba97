"""Stores of tuples: hashed by the columns that a join shares, ordered by occurrence time within each hash."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import count
from math import inf
from operator import itemgetter
from typing import Any, TypeAlias

from semantics.bry_eckert.algebra.distances import FOR_EVER, Distance, Distances, Relevance
from semantics.bry_eckert.algebra.plans import Schema, identifiers_of
from semantics.bry_eckert.algebra.relations import Tuple
from semantics.bry_eckert.temporal import Column, Stamp, end
from semantics.events import Time

Index: TypeAlias = dict[Any, tuple[list[int], list[Tuple]]]
"""By the values of some columns, the tuples with their occurrence times, both in the order of time."""

NOTHING: tuple[tuple[int, ...], tuple[Tuple, ...]] = ((), ())
"""No times and no tuples: what an index has for other values."""

_FEW = 32
"""Heaps may have so many entries that are no longer needed, besides as many as are needed."""


class Store:
    """The tuples of one input that may still join; before the time `first`, none has to be dropped.

    Args:
        schema: the columns of the tuples.
        keys: for each index, the columns by which it is hashed.
        relevance: how long a tuple is kept (`expire`).
    """

    def __init__(self, schema: Schema, keys: Iterable[tuple[Column, ...]], relevance: Relevance = FOR_EVER) -> None:
        """An empty store."""
        self.relevance = relevance
        self._deadline = relevance.deadline(schema) if relevance.bounded else None
        self._queue: list[tuple[Time, int, Tuple]] = []
        self._order = count()
        self._now: Time | None = None
        self.first: float = inf
        self._gone = 0
        """So many tuples in the queue were dropped already."""
        self.indexes: dict[tuple[Column, ...], Index] = {key: {} for key in keys}
        self._hashed = [(hashing(key, schema), index) for key, index in self.indexes.items()]
        self._time = _occurrence([schema.index(end(name)) for name in identifiers_of(schema)])
        self.size = 0

    def add(self, row: Tuple) -> bool:
        """Store a tuple that occurs no earlier than all others, unless it is irrelevant when it comes."""
        if self._deadline is not None:
            deadline = self._deadline(row)
            if self._now is not None and deadline <= self._now:
                return False
            heappush(self._queue, (deadline, next(self._order), row))
            if deadline < self.first:
                self.first = deadline
        time = self._time(row)
        for hashed, index in self._hashed:
            key = hashed(row)
            entry = index.get(key)
            if entry is None:
                index[key] = ([time], [row])
            else:
                entry[0].append(time)
                entry[1].append(row)
        self.size += 1
        return True

    def expire(self, now: Time) -> Sequence[Tuple]:
        """Drop the tuples that are relevant until now and no longer."""
        queue, self._now = self._queue, now
        dropped = []
        while queue and queue[0][0] <= now:
            row = heappop(queue)[2]
            if self._gone and not self._has(row):
                self._gone -= 1
            else:
                dropped.append(row)
        for hashed, index in self._hashed if dropped else ():
            if len(dropped) == 1:
                self._take_out(index, hashed(dropped[0]), dropped)
                continue
            by_key: dict[Any, list[Tuple]] = {}
            for row in dropped:
                by_key.setdefault(hashed(row), []).append(row)
            for key, gone in by_key.items():
                self._take_out(index, key, gone)
        self.size -= len(dropped)
        self.first = queue[0][0] if queue else inf
        return dropped

    def _take_out(self, index: Index, key: Any, gone: Sequence[Tuple]) -> None:
        """Take tuples out of the lists of an index, which costs their length once at most."""
        times, rows = index[key]
        if len(gone) == len(rows):
            del index[key]
        elif len(gone) == 1 or 8 * len(gone) < len(rows):
            for row in gone:
                place = bisect_left(times, self._time(row))
                while rows[place] is not row:
                    place += 1
                del times[place], rows[place]
        else:
            ids = set(map(id, gone))
            living = [place for place, row in enumerate(rows) if id(row) not in ids]
            times[:], rows[:] = [times[place] for place in living], [rows[place] for place in living]

    def drop(self, key: Any) -> Sequence[Tuple]:
        """Drop all tuples with the same values in the columns of the only index."""
        ((_, index),) = self._hashed
        _, dropped = index.pop(key, NOTHING)
        self.size -= len(dropped)
        if self._deadline is not None:
            self._gone += len(dropped)
            if self._gone > _FEW + len(self._queue) // 2:
                self._queue = [one for one in self._queue if self._has(one[2])]
                heapify(self._queue)
                self._gone = 0
        return dropped

    def _has(self, row: Tuple) -> bool:
        """Whether a tuple is in the only index."""
        ((hashed, index),) = self._hashed
        times, rows = index.get(hashed(row), NOTHING)
        time = self._time(row)
        return any(one is row for one in rows[bisect_left(times, time) : bisect_right(times, time)])

    def clear(self) -> None:
        """Forget all tuples."""
        for index in self.indexes.values():
            index.clear()
        self._queue.clear()
        self._gone = 0
        self.size, self._now, self.first = 0, None, inf

    def __iter__(self) -> Iterator[Tuple]:
        """The tuples in the order of time."""
        for index in list(self.indexes.values())[:1]:
            yield from sorted((row for _, rows in index.values() for row in rows), key=self._time)


def _occurrence(ends: Sequence[int]) -> Callable[[Tuple], Time]:
    """When a tuple with its ends at some places occurs."""
    if len(ends) == 1:
        return itemgetter(*ends)
    return lambda row: max(row[place] for place in ends)


def hashing(columns: Sequence[Column], schema: Schema) -> Callable[[Tuple], Any]:
    """The values by which an index is hashed, as a function of tuples; of one column the value itself."""
    return itemgetter(*map(schema.index, columns)) if columns else lambda row: ()


class Least:
    """The least of some numbers that come and go; `number` is infinite where there are none."""

    def __init__(self) -> None:
        """No numbers."""
        self._times: dict[int, int] = {}
        self._heap: list[int] = []
        self.number: float = inf

    def add(self, number: int) -> None:
        """A number comes."""
        times = self._times.get(number, 0)
        self._times[number] = times + 1
        if not times:
            heappush(self._heap, number)
            if number < self.number:
                self.number = number

    def remove(self, number: int) -> None:
        """A number goes that came."""
        times, heap = self._times, self._heap
        times[number] -= 1
        if times[number]:
            return
        del times[number]
        if len(heap) > _FEW + 2 * len(times):
            heap[:] = sorted(times)
        while heap and heap[0] not in times:
            heappop(heap)
        self.number = heap[0] if heap else inf

    def clear(self) -> None:
        """All numbers go."""
        self._times.clear()
        self._heap.clear()
        self.number = inf


class LeastStamps:
    """The least time stamps of stored tuples, of those columns that were asked for before any was stored.

    Args:
        schema: the columns of the tuples.
    """

    def __init__(self, schema: Schema) -> None:
        """No tuples."""
        self._schema = schema
        self._leasts: dict[int, Least] = {}

    def of(self, stamp: Stamp) -> Least:
        """That of a time stamp."""
        return self._leasts.setdefault(self._schema.index(stamp), Least())

    def add(self, row: Tuple) -> None:
        """A tuple comes."""
        for place, least in self._leasts.items():
            least.add(row[place])

    def remove(self, row: Tuple) -> None:
        """A tuple goes that came."""
        for place, least in self._leasts.items():
            least.remove(row[place])

    def clear(self) -> None:
        """All tuples go."""
        for least in self._leasts.values():
            least.clear()


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
