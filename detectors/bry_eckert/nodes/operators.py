"""Nodes of operators that store no tuples for joins: relations that are read, selections, heads, unions, timers.

`evaluate` of a node yields its tuples that occur at the current time. The lower bounds of a node say how early the time
stamps of tuples can be that it yields in later steps; they are computed where a join asks for them, by functions that
are made with the join.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias

from detectors.bry_eckert.protocol import Counts
from detectors.bry_eckert.stores import Least, LeastStamps
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.relations import Tuple, atomic, computed, derived, grouped, joiner, predicate
from semantics.bry_eckert.algebra.translation import RESULT
from semantics.bry_eckert.temporal import TIMERS, Stamp, end, start
from semantics.events import Event, Time

Bound: TypeAlias = Callable[[Time, Time], bool]
"""Whether the lower bound of a time stamp is after one time, when the step at a second one has been evaluated."""


def _after(late: Time, now: Time) -> bool:
    """The bound of what ends later than now."""
    return now > late


def _greater(one: Bound, other: Bound) -> Bound:
    return lambda late, now: one(late, now) or other(late, now)


def _lesser(one: Bound, other: Bound) -> Bound:
    return lambda late, now: one(late, now) and other(late, now)


def _all(bounds: Iterable[Bound | None]) -> Bound | None:
    """The least of some bounds, where all are known."""
    known = list(bounds)
    return None if None in known else reduce(_lesser, [bound for bound in known if bound is not None])


def with_stored(least: Least, coming: Bound) -> Bound:
    """Whether the least of what is stored and the bound of what comes are after a time."""
    return lambda late, now: least.number > late and coming(late, now)


@dataclass(slots=True)
class Step:
    """What the nodes of a plan share in a step.

    Attributes:
        now: the current time.
        given: the base events that end now, by type.
        found: the new tuples of materialization points.
        counts: what is counted.
    """

    now: Time
    given: Mapping[str, Sequence[Event]]
    found: Mapping[str, Sequence[Tuple]]
    counts: Counts


class Node(ABC):
    """An operator with what it stores.

    Attributes:
        schema: the columns of its tuples.
        children: its operands.
        relations: the names of the relations that it reads itself.
    """

    def __init__(self, schema: plans.Schema, children: Sequence[Node] = (), relations: Sequence[str] = ()) -> None:
        """Nothing is stored."""
        self.schema, self.children, self.relations = schema, tuple(children), tuple(relations)

    @abstractmethod
    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """The tuples that occur at the current time, each once."""

    @abstractmethod
    def bound(self, stamp: Stamp) -> Bound | None:
        """The lower bound of a time stamp; None where nothing is known."""

    def kept(self) -> Sequence[Tuple]:
        """What is stored in the node itself."""
        return ()

    def keep(self, rows: Iterable[Tuple]) -> None:
        """Store what `kept` yielded."""
        assert not list(rows), "this node stores nothing"

    def forget(self) -> None:
        """Store nothing any more."""
        return

    def nodes(self) -> Iterator[Node]:
        """This node and those below, those below first."""
        for child in self.children:
            yield from child.nodes()
        yield self


class AtomicNode(Node):
    """An atomic event query on base events, which may be points in time; later ones end later than now."""

    def __init__(self, base: plans.Base, points: frozenset[str]) -> None:
        """The query, and the event types whose events are points."""
        super().__init__(base.schema, relations=[base.relation])
        self._type, self._query, self._end = base.relation, atomic(base), end(base.identifier)
        self._point = base.relation in points

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """Those of the events that match."""
        given = step.given.get(self._type)
        if given is None:
            return ()
        rows = [row for event in given if (row := self._query(event.start, event.time, event.attributes)) is not None]
        return rows if len(rows) < 2 else list(dict.fromkeys(rows))

    def bound(self, stamp: Stamp) -> Bound | None:
        """The current time, for the end; where events are points, for the start too."""
        return _after if stamp == self._end or self._point else None


class DerivedNode(Node):
    """A materialization point that is read: by an atomic event query, or with all its columns."""

    def __init__(self, given: plans.Base | plans.Point, root: Node) -> None:
        """The query or the point, and the node of the materialization point."""
        self._name = given.relation if isinstance(given, plans.Base) else given.name
        super().__init__(given.schema, relations=[self._name])
        self._root, self._query = root, derived(given, root.schema) if isinstance(given, plans.Base) else None
        names = plans.stamps([given.identifier]) if isinstance(given, plans.Base) else ()
        self._names = dict(zip(names, plans.stamps([RESULT]), strict=False))

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """Those of its new tuples that match."""
        found = step.found[self._name]
        if self._query is None or not found:
            return found
        return list(dict.fromkeys(filter(None, map(self._query, found))))

    def bound(self, stamp: Stamp) -> Bound | None:
        """That of the same time stamp of the materialization point."""
        return self._root.bound(self._names.get(stamp, stamp))


class UnionNode(Node):
    """A union of materialization points."""

    def __init__(self, names: Sequence[str], roots: Sequence[Node]) -> None:
        """The points, and their nodes, which have equal columns."""
        super().__init__(roots[0].schema, relations=names)
        self._roots = roots

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """The new tuples of all of them."""
        return list(dict.fromkeys(row for name in self.relations for row in step.found[name]))

    def bound(self, stamp: Stamp) -> Bound | None:
        """The least, where all have one."""
        return _all(root.bound(stamp) for root in self._roots)


class SelectionNode(Node):
    """A selection; later tuples are some of those of its operand."""

    def __init__(self, select: plans.Select, child: Node) -> None:
        """The selection."""
        super().__init__(select.schema, (child,))
        self._holds = predicate(select.condition, child.schema)

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """The tuples that fulfil the condition."""
        (child,) = self.children
        return list(filter(self._holds, child.evaluate(step)))

    def bound(self, stamp: Stamp) -> Bound | None:
        """That of the operand."""
        return self.children[0].bound(stamp)


class HeadNode(Node):
    """A projection, a merging or a grouping: no tuple of another time has a part in its result."""

    def __init__(self, expression: plans.Project | plans.Merge | plans.Group, child: Node) -> None:
        """The operator."""
        super().__init__(expression.schema, (child,))
        self._made: Callable[[Iterable[Tuple]], Iterable[Tuple]] = (
            partial(grouped, expression) if isinstance(expression, plans.Group) else partial(map, computed(expression))
        )
        self._merged: tuple[str, ...] = ()
        if isinstance(expression, plans.Merge | plans.Group):
            self._merged = expression.merged
            self._into = plans.stamps([expression.into])

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """What the operator makes of the tuples that occur now."""
        rows = self.children[0].evaluate(step)
        return list(dict.fromkeys(self._made(rows))) if rows else ()

    def bound(self, stamp: Stamp) -> Bound | None:
        """Of what is merged, the least of the starts where all have one, and the greatest of the ends."""
        child = self.children[0]
        if not self._merged or stamp not in self._into:
            return child.bound(stamp)
        if stamp == self._into[0]:
            return _all(child.bound(start(name)) for name in self._merged)
        known = [bound for name in self._merged if (bound := child.bound(end(name))) is not None]
        return reduce(_greater, known) if known else None


class TimerNode(Node):
    """A relative timer: tuples whose timer ends in the future are delayed until then."""

    def __init__(self, timer: plans.Timer, child: Node) -> None:
        """The timer."""
        super().__init__(timer.schema, (child,))
        self._timing = timer.timing
        self._places = [child.schema.index(stamp) for stamp in plans.stamps([timer.timing.of])]
        self._build = joiner(child.schema, plans.stamps([timer.timing.into]), timer.schema)
        self._ends = [timer.schema.index(end(name)) for name in plans.identifiers_of(timer.schema)]
        self._edges = dict(zip(plans.stamps([timer.timing.into]), TIMERS[timer.timing.kind], strict=True))
        self.delayed: list[tuple[Time, int, Tuple]] = []
        self._least = LeastStamps(timer.schema)
        self._order = count()

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """The tuples whose latest time stamp is now."""
        rows = self.children[0].evaluate(step)
        for row in rows:
            interval = self._timing.interval(*(row[place] for place in self._places))
            if interval is not None:
                self.keep([self._build(row, interval)])
        return list(self._due(step.now))

    def pass_by(self, now: Time) -> None:
        """Drop what is due and was not asked for, while this node was not evaluated: it joins nothing."""
        for _ in self._due(now):
            pass

    def _due(self, now: Time) -> Iterator[Tuple]:
        while self.delayed and self.delayed[0][0] <= now:
            row = heappop(self.delayed)[2]
            self._least.remove(row)
            yield row

    def bound(self, stamp: Stamp) -> Bound | None:
        """The least of what comes, of the operand's tuples with their timers, and of what is delayed."""
        coming = self._coming(stamp)
        return None if coming is None else with_stored(self._least.of(stamp), coming)

    def _coming(self, stamp: Stamp) -> Bound | None:
        """The lower bound of the operand's later tuples with their timers."""
        child, edge = self.children[0], self._edges.get(stamp)
        if edge is None:
            return child.bound(stamp)
        origin, ticks = child.bound(edge.stamp(self._timing.of)), edge.sign * self._timing.duration
        return None if origin is None else lambda late, now: origin(late - ticks, now)

    def kept(self) -> Sequence[Tuple]:
        """What is delayed."""
        return [row for _, _, row in self.delayed]

    def keep(self, rows: Iterable[Tuple]) -> None:
        """Delay tuples until their latest time stamp."""
        for row in rows:
            heappush(self.delayed, (max(row[place] for place in self._ends), next(self._order), row))
            self._least.add(row)

    def forget(self) -> None:
        """Delay nothing any more."""
        self.delayed.clear()
        self._least.clear()
