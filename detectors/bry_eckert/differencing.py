"""Finite differencing over materialization points (2008, Section 2.4).

The new tuples of one input are joined with what is stored of the others, and stored only then: so each joined tuple is
found once, when the last of its parts arrives. A tuple with a timer waits until the timer is due.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeAlias, cast

from detectors.bry_eckert.bodies import Body, Joins, body_of
from detectors.bry_eckert.protocol import Counts
from detectors.bry_eckert.stores import NOTHING, Store
from detectors.generated_code import defined
from semantics.bry_eckert.algebra.distances import FOR_EVER, Relevance
from semantics.bry_eckert.algebra.plans import Base, Definition, Name, Plan, Point, Union
from semantics.bry_eckert.algebra.relations import Tuple, atomic, derived, events_of_tuples, transformed
from semantics.bry_eckert.programs import Program, by_time
from semantics.events import Event, Time

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
                    self._readers[given.name].append((point, place, _same))
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


def _same(row: Tuple) -> Tuple:
    return row


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
        if isinstance(definition.expression, Union):
            self.relations = tuple(Point(name, self.schema) for name in definition.expression.relations)
            self._delta: Callable[..., None] = _union
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
