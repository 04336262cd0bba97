"""Finite differencing over materialization points (2008, Section 2.4).

In a step, each materialization point computes its new tuples from the new and the stored tuples of its inputs, in the
order of the plan. The new tuples of one input are joined with what is stored of the others, and stored only then: so
each joined tuple is found once, when the last of its parts arrives. A tuple with a timer waits until the timer is due.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeAlias, cast

from detectors.bry_eckert.bodies import Body, Headed, body_of
from detectors.bry_eckert.joins import Joins
from detectors.bry_eckert.protocol import Counts
from detectors.bry_eckert.stores import NOTHING, Store
from detectors.generated_code import defined
from semantics.bry_eckert.algebra.distances import FOR_EVER, Relevance
from semantics.bry_eckert.algebra.plans import Base, Definition, Group, Plan, Point, Select, Union
from semantics.bry_eckert.algebra.relations import (
    Tuple,
    atomic,
    computed,
    derived,
    events_of_tuples,
    grouped,
    predicate,
)
from semantics.bry_eckert.programs import Program, by_time
from semantics.events import Event, Time

Row = Callable[[Tuple], Tuple | None]
"""A tuple of a materialization point as a tuple of an input that reads it; None where its constants differ."""


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
    """The engine."""

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
        self._points = [_Point(part, self.plan, counting, relevance) for part in plan.definitions]
        self._collected = [
            store for point in self._points for store in point.stores.values() if store.relevance.bounded
        ]
        self._timed = [point for point in self._points if point.timed]
        self._events = [program.signatures.get(part.derives) for part in plan.definitions]
        self._routes: dict[str, list[tuple[_Point, int, Callable[..., Tuple | None]]]] = defaultdict(list)
        self._readers: list[list[tuple[_Point, int, Row]]] = [[] for _ in self._points]
        numbers = {part.name: number for number, part in enumerate(plan.definitions)}
        for point in self._points:
            for place, given in enumerate(point.relations):
                if not isinstance(given, Base):
                    self._readers[numbers[given.name]].append((point, place, _same))
                elif given.relation in numbers:
                    source = numbers[given.relation]
                    read = derived(given, plan.schema_of(given.relation))
                    self._readers[source].append((point, place, read))
                else:
                    self._routes[given.relation].append((point, place, atomic(given)))

    def step(self, time: Time, given: Sequence[Event], /) -> list[Event]:
        """The answers that happen at a time, given the events that end at it."""
        points = self._points
        for event in given:
            for reader, place, query in self._routes.get(event.type, ()):
                row = query(event.start, time, event.attributes)
                if row is not None:
                    reader.new[place].append(row)
                    reader.given = True
        found: list[Event] = []
        for number, point in enumerate(points):
            if point.given or (point.waiting and point.waiting[0][0] <= time):
                rows = point.step(time)
                if rows:
                    for reader, place, read in self._readers[number]:
                        reader.new[place] += filter(None, map(read, rows))
                        reader.given = True
                    type = self._events[number]
                    if type is not None:
                        found += events_of_tuples(rows, point.schema, type)
        for store in self._collected:
            if store.first <= time:
                store.expire(time)
        if self._counting:
            self.counts.candidates = sum(point.candidates[0] for point in points)
            self.counts.after_step(self.stored)
        return sorted(found, key=by_time) if len(found) > 1 else found

    @property
    def stored(self) -> int:
        """How many tuples are stored, those included that wait for a timer."""
        return sum(point.stored for point in self._points)

    def tell(self, name: str, seen: Callable[[Sequence[Tuple]], object]) -> None:
        """Have the joined tuples of a materialization point told as they are found, before its head changes them."""
        (point,) = (point for part, point in zip(self.plan.definitions, self._points, strict=True) if part.name == name)
        point.tell(seen)

    def snapshot(self) -> dict[str, Any]:
        """What is stored and what waits, as plain data."""
        return {
            "points": [
                {
                    "stores": {str(number): list(store) for number, store in point.stores.items()},
                    "waiting": [[due, rows] for due, _, rows in sorted(point.waiting)],
                }
                for point in self._points
            ]
        }

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Take up a state that `snapshot` made, in the place of its own."""
        for point, state in zip(self._points, snapshot["points"], strict=True):
            point.waiting.clear()
            for number, store in point.stores.items():
                store.clear()
                for row in state["stores"][str(number)]:
                    store.add(tuple(row))
            for due, rows in state["waiting"]:
                point.wait(due, tuple(map(tuple, rows)))

    def due(self) -> Time | None:
        """When the next timer is due."""
        return min([point.waiting[0][0] for point in self._timed if point.waiting], default=None)


def _same(row: Tuple) -> Tuple:
    return row


class _Point:
    """A materialization point: its inputs, `given` if there are new ones, and how its new tuples follow from theirs."""

    def __init__(self, definition: Definition, plan: Plan, counting: bool, kept: KeptFor) -> None:
        self.schema = plan.schema_of(definition.name)
        self.candidates = [0]
        self.given = self.timed = False
        self.waiting: list[tuple[Time, int, tuple[Tuple, ...]]] = []
        self._order = count()
        self._joined: list[Tuple] = []
        self._calls = (self._due, self._joined.append, self.wait)
        self.stores: dict[int, Store] = {}
        self.relations: tuple[Base | Point, ...]
        if isinstance(definition.expression, Union):
            self.relations = tuple(Point(name, self.schema) for name in definition.expression.relations)
            self._delta, self._head = _union, _distinct
        else:
            body = body_of(definition.expression, plan)

            @cache
            def of(number: int) -> Relevance:
                return FOR_EVER if (definition.name, number) in plan.doubtful else kept(body, number, plan)

            joins = Joins(body, counting=counting, drops=lambda number: bool(of(number).until))
            self.relations = joins.relations
            self._head = partial(headed, body.head)
            self._delta = self._compiled(joins, definition.name, of)
            self.timed = bool(body.timers)
        self.new: list[list[Tuple]] = [[] for _ in self.relations]

    def _compiled(self, joins: Joins, name: str, relevance: Callable[[int], Relevance]) -> Delta:
        names: dict[str, Any] = {
            "NOTHING": NOTHING,
            "bisect_left": bisect_left,
            "bisect_right": bisect_right,
            "counts": self.candidates,
            **joins.values,
        }
        for number, keys in joins.keys.items():
            store = self.stores[number] = Store(joins.relations[number].schema, keys, relevance(number))
            names[f"store_{number}"], names[f"drop_{number}"] = store.add, store.drop
            for place, key in enumerate(keys):
                names[f"index_{number}_{place}"] = store.indexes[key]
        return cast(Delta, defined(joins.text, "delta", f"joins of {name}", names))

    @property
    def stored(self) -> int:
        """How many tuples are stored, those included that wait for a timer."""
        return sum(store.size for store in self.stores.values()) + len(self.waiting)

    def step(self, now: Time) -> Sequence[Tuple]:
        """The new tuples, given those of the inputs; they are taken."""
        new = self.new
        for place, rows in enumerate(new):
            if len(rows) > 1:
                new[place] = list(dict.fromkeys(rows))
        joined = self._joined
        self._delta(now, new, *self._calls)
        found = self._head(joined) if joined else ()
        joined.clear()
        for rows in new:
            rows.clear()
        self.given = False
        return found

    def tell(self, seen: Callable[[Sequence[Tuple]], object]) -> None:
        """Have joined tuples told as they are found."""
        head = self._head

        def told(rows: Iterable[Tuple]) -> list[Tuple]:
            joined = list(rows)
            seen(joined)
            return head(joined)

        self._head = told

    def wait(self, due: Time, rows: tuple[Tuple, ...]) -> None:
        """Keep core tuples until their timers are due."""
        heappush(self.waiting, (due, next(self._order), rows))

    def _due(self, now: Time) -> Iterator[tuple[Tuple, ...]]:
        while self.waiting and self.waiting[0][0] <= now:
            yield heappop(self.waiting)[2]


Delta: TypeAlias = Callable[..., None]
"""What a program of joins defines (`detectors.bry_eckert.joins.Joins.text`)."""


def _union(now: Time, new: Iterable[Iterable[Tuple]], due: Any, found: Callable[[Tuple], None], wait: Any) -> None:
    for rows in new:
        for row in rows:
            found(row)


def _distinct(rows: Iterable[Tuple]) -> list[Tuple]:
    return list(dict.fromkeys(rows))


def headed(head: Sequence[Headed], joined: Iterable[Tuple]) -> list[Tuple]:
    """The distinct tuples that a head makes of joined ones."""
    rows: Iterable[Tuple] = joined
    for operator in head:
        if isinstance(operator, Group):
            rows = grouped(operator, rows)
        elif isinstance(operator, Select):
            rows = filter(predicate(operator.condition, operator.operand.schema), rows)
        else:
            rows = map(computed(operator), rows)
    return _distinct(rows)
