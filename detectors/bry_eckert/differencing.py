"""Finite differencing over materialization points, and the stores of their tuples (2008, Section 2.4).

The new tuples of one input are joined with what is stored of the others, and stored only then: so each joined tuple is
found once, when the last of its parts arrives. A tuple with a timer waits until the timer is due.
"""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import count
from math import inf
from operator import itemgetter
from typing import Any, TypeAlias, cast

from detectors.bry_eckert.bodies import Body, Joins, body_of
from detectors.bry_eckert.protocol import Counts
from detectors.generated_code import defined
from semantics.bry_eckert.algebra.distances import FOR_EVER, Relevance
from semantics.bry_eckert.algebra.plans import Base, Definition, Name, Plan, Point, Schema, Union, identifiers_of
from semantics.bry_eckert.algebra.relations import Tuple, atomic, derived, events_of_tuples, transformed
from semantics.bry_eckert.programs import Program, by_time
from semantics.bry_eckert.temporal import Column, Stamp, end
from semantics.events import Event, Time

Index: TypeAlias = dict[Any, tuple[list[int], list[Tuple]]]
"""By the values of some columns, the tuples with their occurrence times, both in the order of time."""

NOTHING: tuple[tuple[int, ...], tuple[Tuple, ...]] = ((), ())
"""No times and no tuples: what an index has for other values."""

_FEW = 32  # a queue may have so many tuples that were dropped, besides as many as are stored


class Store:
    """The tuples of one input that may still join, and the least of their time stamps that were asked for.

    They are hashed by the columns that a join shares, and ordered by occurrence time within each hash.
    """

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


KeptFor: TypeAlias = Callable[[Body, int, Plan], Relevance]
"""By body, number of the relation and plan, how long the tuples of a relation are kept."""


def minimal(body: Body, number: int, plan: Plan) -> Relevance:
    """As long as they are relevant."""
    return body.relevance(number, plan)[1]


def maximal(body: Body, number: int, plan: Plan) -> Relevance:
    """As long as they are relevant, by all comparisons: also by those that others imply (2008, 4.4)."""
    return body.relevance(number, plan)[0]


def for_ever(body: Body, number: int, plan: Plan) -> Relevance:
    """For ever: no tuple is dropped."""
    return FOR_EVER


class Differencing:
    """The engine; `points` are its materialization points by name."""

    def __init__(
        self,
        program: Program,
        plan: Plan,
        points: frozenset[str] = frozenset(),
        *,
        counting: bool = False,
        relevance: KeptFor = minimal,
    ) -> None:
        self.plan, self.counts, self._counting = plan.with_points(points), Counts(), counting
        self.points = {part.name: _Point(part, self.plan, counting, relevance) for part in plan.definitions}
        self._stores = [store for point in self.points.values() for store in point.stores.values()]
        self._events = {
            part.name: None if part.derives is None else program.signatures[part.derives] for part in plan.definitions
        }
        self._readers: dict[Name, list[tuple[_Point, int, Callable[..., Tuple | None]]]] = defaultdict(list)
        for point in self.points.values():
            for place, given in enumerate(point.relations):
                if not isinstance(given, Base):
                    self._readers[given.name].append((point, place, lambda row: row))
                elif given.relation in self.points:
                    read = derived(given, plan.schema_of(given.relation))
                    self._readers[given.relation].append((point, place, read))
                else:
                    self._readers[given.relation].append((point, place, atomic(given)))

    def step(self, time: Time, given: Sequence[Event], /) -> list[Event]:
        for event in given:
            for reader, place, query in () if event.type in self.points else self._readers.get(event.type, ()):
                row = query(event.start, time, event.attributes)
                if row is not None:
                    reader.new[place].append(row)
                    reader.given = True
        found: list[Event] = []
        for name, point in self.points.items():
            if point.given or (point.waiting and point.waiting[0][0] <= time):
                rows = point.step(time)
                if rows:
                    for reader, place, read in self._readers.get(name, ()):
                        reader.new[place] += filter(None, map(read, rows))
                        reader.given = True
                    type = self._events[name]
                    if type is not None:
                        found += events_of_tuples(rows, point.schema, type)
        for store in self._stores:
            store.expire(time)
        if self._counting:
            self.counts.candidates = sum(point.candidates[0] for point in self.points.values())
            self.counts.after_step(self.stored)
        return sorted(found, key=by_time) if len(found) > 1 else found

    @property
    def stored(self) -> int:
        return sum(store.size for store in self._stores) + sum(len(point.waiting) for point in self.points.values())

    def snapshot(self) -> dict[str, Any]:
        return {
            "points": [
                {
                    "stores": {str(number): list(store) for number, store in point.stores.items()},
                    "waiting": [[due, rows] for due, _, rows in sorted(point.waiting)],
                }
                for point in self.points.values()
            ]
        }

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        for point, state in zip(self.points.values(), snapshot["points"], strict=True):
            point.waiting.clear()
            for number, store in point.stores.items():
                store.clear()
                for row in state["stores"][str(number)]:
                    store.add(tuple(row))
            for due, rows in state["waiting"]:
                point.wait(due, tuple(map(tuple, rows)))

    def due(self) -> Time | None:
        return min([point.waiting[0][0] for point in self.points.values() if point.waiting], default=None)


class _Point:
    """A materialization point and its inputs, `given` if there are new ones; `joined` is what the head will change."""

    def __init__(self, definition: Definition, plan: Plan, counting: bool, kept: KeptFor) -> None:
        self.schema = plan.schema_of(definition.name)
        self.candidates = [0]
        self.given = False
        self.waiting: list[tuple[Time, int, tuple[Tuple, ...]]] = []
        self._order = count()
        self.joined: list[Tuple] = []
        self.stores: dict[int, Store] = {}
        self.relations: tuple[Base | Point, ...]
        self._head: list[Callable[[Iterable[Tuple]], Iterable[Tuple]]] = []
        self._delta: Callable[..., None]
        if definition.empty:
            self.relations, self._delta = (), _union
        elif isinstance(definition.expression, Union):
            self.relations = tuple(Point(name, self.schema) for name in definition.expression.relations)
            self._delta = _union
        else:
            body = body_of(definition.expression, plan)

            @cache
            def of(number: int) -> Relevance:
                return FOR_EVER if (definition.name, number) in plan.doubtful else kept(body, number, plan)

            joins = Joins(body, counting=counting, drops=lambda number: bool(of(number).until))
            self.relations, self._head = body.relations, list(map(transformed, body.head))
            names = {"NOTHING": NOTHING, "bisect_left": bisect_left, "bisect_right": bisect_right, **joins.values}
            names["counts"] = self.candidates
            for number, keys in joins.keys.items():
                store = self.stores[number] = Store(self.relations[number].schema, keys, of(number))
                names[f"store_{number}"], names[f"drop_{number}"] = store.add, store.drop
                for place, key in enumerate(keys):
                    names[f"index_{number}_{place}"] = store.indexes[key]
            self._delta = cast(Callable[..., None], defined(joins.text, "delta", f"joins of {definition.name}", names))
        self.new: list[list[Tuple]] = [[] for _ in self.relations]

    def step(self, now: Time) -> Sequence[Tuple]:
        """The new tuples, given those of the inputs; they are taken."""
        new = self.new
        for place, rows in enumerate(new):
            if len(rows) > 1:
                new[place] = list(dict.fromkeys(rows))
        self.joined.clear()
        self._delta(now, new, self._due, self.joined.append, self.wait)
        for rows in new:
            rows.clear()
        self.given = False
        if not self.joined:
            return ()
        found: Iterable[Tuple] = self.joined
        for transform in self._head:
            found = transform(found)
        return list(dict.fromkeys(found))

    def wait(self, due: Time, rows: tuple[Tuple, ...]) -> None:
        heappush(self.waiting, (due, next(self._order), rows))

    def _due(self, now: Time) -> Iterator[tuple[Tuple, ...]]:
        while self.waiting and self.waiting[0][0] <= now:
            yield heappop(self.waiting)[2]


def _union(now: Time, new: Iterable[Iterable[Tuple]], due: Any, found: Callable[[Tuple], None], wait: Any) -> None:
    for rows in new:
        for row in rows:
            found(row)
