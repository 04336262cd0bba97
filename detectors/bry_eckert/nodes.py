"""Node objects: what operators yield in a step, what joins and timers store (2007, Sections 4 and 5).

`evaluate` of a node yields its tuples that occur at the current time, and its `bound` of a time stamp says how early
that can be in later steps. A streaming join does not store one side; a suppressing join does not evaluate its right
side while nothing of it can join.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Any, NamedTuple, TypeAlias

from detectors.bry_eckert.bodies import time_range
from detectors.bry_eckert.differencing import NOTHING, LeastStamps, Store, hashing
from detectors.bry_eckert.protocol import Counts
from semantics.bry_eckert.algebra import plans, relations
from semantics.bry_eckert.algebra.distances import Distances, Relevance
from semantics.bry_eckert.algebra.plans import RESULT, Condition, Schema, identifiers_of
from semantics.bry_eckert.algebra.relations import Tuple, joiner, predicate, transformed
from semantics.bry_eckert.temporal import Difference, Stamp, end, is_stamp, start
from semantics.events import Event, Time


@dataclass(slots=True)
class Step:
    """A step: the time, the base events that end then by type, the new tuples of points, and what is counted."""

    now: Time
    given: Mapping[str, Sequence[Event]]
    found: Mapping[plans.Name, Sequence[Tuple]]
    counts: Counts


class Node(ABC):
    """An operator with what it stores, its columns, its operands, and the names of the relations that it reads."""

    def __init__(self, schema: Schema, children: Sequence[Node] = (), reads: Sequence[plans.Name] = ()) -> None:
        self.schema, self.children, self.reads = schema, tuple(children), tuple(reads)

    @abstractmethod
    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """The tuples that occur at the current time, each once."""

    def bound(self, stamp: Stamp, now: Time) -> float:
        """The lower bound of a time stamp when the step at a time has been evaluated; -inf where nothing is known."""
        return self.children[0].bound(stamp, now)

    def kept(self) -> Sequence[Tuple]:
        """What is stored in the node itself."""
        return ()

    def restore(self, rows: Iterable[Tuple]) -> None:
        """Store what `kept` yielded, and nothing else."""
        assert not list(rows), "this node stores nothing"

    def nodes(self) -> Iterator[Node]:
        for child in self.children:
            yield from child.nodes()
        yield self


class AtomicNode(Node):
    """An atomic event query on base events, which may be points in time; later ones end later than now."""

    def __init__(self, base: plans.Base, are_points: bool) -> None:
        super().__init__(base.schema, reads=[base.relation])
        self._type, self._query, self._end = base.relation, relations.atomic(base), end(base.identifier)
        self._point = are_points

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        given = step.given.get(self._type, ())
        rows = [row for event in given if (row := self._query(event.start, event.time, event.attributes)) is not None]
        return rows if len(rows) < 2 else list(dict.fromkeys(rows))

    def bound(self, stamp: Stamp, now: Time) -> float:
        return now if stamp == self._end or self._point else -inf


Bound: TypeAlias = Callable[[plans.Name, Stamp, Time], float]  # of a point that has been evaluated in this step


class DerivedNode(Node):
    """A materialization point that is read: by an atomic event query, or with all its columns."""

    def __init__(self, given: plans.Base | plans.Point, name: plans.Name, schema: Schema, bound: Bound) -> None:
        super().__init__(given.schema, reads=[name])
        self._bound, self._query, self._names = bound, None, dict[Stamp, Stamp]()
        if isinstance(given, plans.Base):
            self._query = relations.derived(given, schema)
            self._names = dict(zip(plans.stamps([given.identifier]), plans.stamps([RESULT]), strict=True))

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        found = step.found[self.reads[0]]
        return found if self._query is None else list(dict.fromkeys(filter(None, map(self._query, found))))

    def bound(self, stamp: Stamp, now: Time) -> float:
        return self._bound(self.reads[0], self._names.get(stamp, stamp), now)


class UnionNode(Node):
    """A union of materialization points, which have equal columns."""

    def __init__(self, names: Sequence[plans.Name], roots: Sequence[Node]) -> None:
        super().__init__(roots[0].schema, reads=names)
        self._roots = roots

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        return list(dict.fromkeys(row for name in self.reads for row in step.found[name]))

    def bound(self, stamp: Stamp, now: Time) -> float:
        return min(root.bound(stamp, now) for root in self._roots)


class HeadNode(Node):
    """A selection, projection, merging or grouping: no tuple of another time has a part in its result."""

    def __init__(self, expression: plans.Select | plans.Project | plans.Merge | plans.Group, child: Node) -> None:
        super().__init__(expression.schema, (child,))
        self._made = transformed(expression)
        self._merged, self._into = tuple[str, ...](), tuple[Stamp, ...]()
        if isinstance(expression, plans.Merge | plans.Group):
            self._merged, self._into = expression.merged, plans.stamps([expression.into])

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        rows = self.children[0].evaluate(step)
        return list(dict.fromkeys(self._made(rows))) if rows else ()

    def bound(self, stamp: Stamp, now: Time) -> float:
        child = self.children[0]
        if stamp not in self._into:
            return child.bound(stamp, now)
        if stamp == self._into[0]:
            return min(child.bound(start(name), now) for name in self._merged)
        return max(child.bound(end(name), now) for name in self._merged)


class TimerNode(Node):
    """A relative timer: tuples whose timer ends in the future are delayed until then."""

    def __init__(self, timer: plans.Timer, child: Node) -> None:
        super().__init__(timer.schema, (child,))
        self._timing = timer.timing
        self._places = [child.schema.index(stamp) for stamp in plans.stamps([timer.timing.of])]
        self._build = joiner(child.schema, plans.stamps([timer.timing.into]), timer.schema)
        self._ends = [timer.schema.index(end(name)) for name in identifiers_of(timer.schema)]
        self._edges = {stamp: (origin, ticks) for stamp, origin, ticks in timer.timing.edges}
        self.delayed: list[tuple[Time, int, Tuple]] = []
        self._least = LeastStamps(timer.schema)
        self._order = count()

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        for row in self.children[0].evaluate(step):
            interval = self._timing.interval(*(row[place] for place in self._places))
            if interval is not None:
                self._delay(self._build(row, interval))
        return self.due(step.now)

    def due(self, now: Time) -> Sequence[Tuple]:
        found = []
        while self.delayed and self.delayed[0][0] <= now:
            found.append(heappop(self.delayed)[2])
            self._least.remove(found[-1])
        return found

    def bound(self, stamp: Stamp, now: Time) -> float:
        return min(self._least.of(stamp), self._coming(stamp, now))

    def _coming(self, stamp: Stamp, now: Time) -> float:
        origin, ticks = self._edges.get(stamp, (stamp, 0))
        return self.children[0].bound(origin, now) + ticks

    def kept(self) -> Sequence[Tuple]:
        return [row for _, _, row in self.delayed]

    def restore(self, rows: Iterable[Tuple]) -> None:
        self.delayed.clear()
        self._least.clear()
        for row in rows:
            self._delay(row)

    def _delay(self, row: Tuple) -> None:
        heappush(self.delayed, (max(row[place] for place in self._ends), next(self._order), row))
        self._least.add(row)


class Kind(NamedTuple):
    """What a join may leave out, because of what its conditions imply (2007, Section 5).

    A side that streams joins with no later tuple of the other, and is not stored. A tuple of the right in whose parts
    something starts at t joins only with tuples of the left in which a suppressing time stamp plus ticks is at most t.
    """

    left_streams: bool = False
    right_streams: bool = False
    suppressing: tuple[tuple[Stamp, int], ...] = ()


def kind_of(known: Distances, left: Schema, right: Schema) -> Kind:
    """What a join may leave out, where its joined tuples have these temporal distances."""
    ends = [[end(name) for name in identifiers_of(side)] for side in (left, right)]
    starts = [start(name) for name in identifiers_of(right)]

    def no_later(one: Sequence[Stamp], other: Sequence[Stamp]) -> bool:
        return all(any(known.implies(Difference(x, y)) for y in other) for x in one)

    suppressing: list[tuple[Stamp, int]] = []
    for stamp in filter(is_stamp, left):
        bounds = [bound for begin in starts if (bound := known[begin, stamp]) is not None]
        if len(bounds) == len(starts):
            suppressing.append((stamp, -max(bounds)))
    for name in identifiers_of(left):  # a start is no later than its end, so its lower bound says less
        least: dict[Stamp, int] = dict(suppressing)
        if least.get(start(name), inf) <= least.get(end(name), -inf):
            suppressing.remove((start(name), least[start(name)]))
    return Kind(no_later(ends[1], ends[0]), no_later(ends[0], ends[1]), tuple(suppressing))


class JoinNode(Node):
    """A join with the conditions of the selections above it; the sides are 0, the left, and 1."""

    def __init__(
        self,
        sides: tuple[Node, Node],
        conditions: Sequence[Condition],
        known: Distances,
        kind: Kind,
        schema: Schema,
        relevance: Sequence[Relevance],
    ) -> None:
        super().__init__(schema, sides)
        left, right = sides
        shared = tuple(column for column in left.schema if column in right.schema)
        self.stores = tuple(Store(side.schema, [shared], kept) for side, kept in zip(sides, relevance, strict=True))
        self.storing = [side for side, streams in enumerate(kind[:2]) if not streams]
        self._keys = [hashing(shared, side.schema) for side in sides]
        both = left.schema + tuple(column for column in right.schema if column not in left.schema)
        self._build = joiner(left.schema, right.schema, both)
        self._result = joiner(both, (), schema)
        self._tests = [predicate(condition, both) for condition in conditions]
        self._ranges = [
            tuple(
                [(probe.schema.index(stamp), ticks) for stamp, ticks in offsets.items()]
                for offsets in time_range(known, stored.schema, filter(is_stamp, probe.schema))
            )
            for stored, probe in ((left, right), (right, left))
        ]
        self.suppressing = [
            (stamp, left.schema.index(stamp), ticks)
            for stamp, ticks in kind.suppressing
            if self.bound(stamp, 0) > -inf  # and the least of it is known from now on
        ]

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        left, right = self.children
        new_left = left.evaluate(step)
        new_right: Sequence[Tuple] = ()
        if self.suppressing and self._suppressed(step.now, new_left):
            step.counts.avoided += 1
        else:
            step.counts.evaluated += 1
            new_right = right.evaluate(step)
        found = self._found(new_left, new_right, step.counts) if new_left or new_right else []
        for store, key in list(self._matched(new_left, new_right)):
            store.drop(key)
        return found

    def _matched(self, *new: Sequence[Tuple]) -> Iterator[tuple[Store, Any]]:
        """The values of stored tuples whose only partner has come, be it now or before, with their store."""
        for side, store in enumerate(self.stores):
            if store.relevance.until:
                (index,) = self.stores[1 - side].indexes.values()
                yield from ((store, key) for key in map(self._keys[side], new[side]) if key in index)
                yield from ((store, key) for key in map(self._keys[1 - side], new[1 - side]))

    def _found(self, new_left: Sequence[Tuple], new_right: Sequence[Tuple], counts: Counts) -> list[Tuple]:
        left, right = self.stores
        found = self._joined(new_left, 0, right, counts) if new_left else []
        if 0 not in self.storing:
            left = Store(self.children[0].schema, list(left.indexes))
        for row in new_left:
            left.add(row)
        found += self._joined(new_right, 1, left, counts)
        for row in new_right if 1 in self.storing else ():
            right.add(row)
        return found

    def _joined(self, rows: Iterable[Tuple], side: int, store: Store, counts: Counts) -> list[Tuple]:
        found = []
        for row in rows:
            for other in self._candidates(row, side, store, counts):
                both = self._build(row, other) if side == 0 else self._build(other, row)
                if all(test(both) for test in self._tests):
                    found.append(self._result(both, ()))
        return found

    def _candidates(self, row: Tuple, side: int, store: Store, counts: Counts) -> Sequence[Tuple]:
        """The stored tuples of the other side with the same values, in the range of times that is implied."""
        (index,) = store.indexes.values()
        times, rows = index.get(self._keys[side](row), NOTHING)
        lows, highs = self._ranges[1 - side]
        first = bisect_left(times, max(row[place] + ticks for place, ticks in lows)) if lows else 0
        last = bisect_right(times, min(row[place] + ticks for place, ticks in highs)) if highs else len(rows)
        found = rows[first:last]
        counts.candidates += len(found)
        return found

    def _suppressed(self, now: Time, new_left: Sequence[Tuple]) -> bool:
        """Whether nothing on the right that starts now or before can join: its left partners all come too late."""
        return any(
            self.bound(stamp, now) > now - ticks and all(row[place] > now - ticks for row in new_left)
            for stamp, place, ticks in self.suppressing
        )

    def bound(self, stamp: Stamp, now: Time) -> float:
        side = stamp not in self.children[0].schema
        return min(self.stores[side].least.of(stamp), self.children[side].bound(stamp, now))

    def kept(self) -> Sequence[Tuple]:
        return [(side, *row) for side in (0, 1) for row in self.stores[side]]

    def restore(self, rows: Iterable[Tuple]) -> None:
        for store in self.stores:
            store.clear()
        for side, *row in rows:
            self.stores[side].add(tuple(row))


class AbsenceNode(JoinNode):
    """An anti-semi-join within a window: a tuple of the left is never stored, its window is over when it occurs."""

    def _found(self, new_left: Sequence[Tuple], new_right: Sequence[Tuple], counts: Counts) -> list[Tuple]:
        found = [row for row in new_left if not self._refuted(row, counts)]
        for row in new_right:
            self.stores[1].add(row)
        return found

    def _refuted(self, row: Tuple, counts: Counts) -> bool:
        candidates = self._candidates(row, 0, self.stores[1], counts)
        return any(all(test(self._build(row, other)) for test in self._tests) for other in candidates)
