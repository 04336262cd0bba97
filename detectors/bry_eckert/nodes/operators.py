"""Nodes of operators that store no tuples for joins: relations that are read, selections, heads, unions, timers.

`evaluate` of a node yields its tuples that occur at the current time. Its `bound` of a time stamp says how early that
can be in tuples that it yields in later steps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from itertools import count
from math import inf

from detectors.bry_eckert.protocol import Counts
from detectors.bry_eckert.stores import LeastStamps
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.relations import Tuple, atomic, computed, derived, grouped, joiner, predicate
from semantics.bry_eckert.algebra.translation import RESULT
from semantics.bry_eckert.temporal import Stamp, end, start
from semantics.events import Event, Time


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
    """An operator with what it stores, its columns, its operands, and the names of the relations that it reads."""

    def __init__(self, schema: plans.Schema, children: Sequence[Node] = (), relations: Sequence[str] = ()) -> None:
        self.schema, self.children, self.relations = schema, tuple(children), tuple(relations)

    @abstractmethod
    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """The tuples that occur at the current time, each once."""

    def bound(self, stamp: Stamp, now: Time) -> float:
        """The lower bound of a time stamp when the step at a time has been evaluated; -inf where nothing is known."""
        return self.children[0].bound(stamp, now)

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

    def __init__(self, base: plans.Base, are_points: bool) -> None:
        super().__init__(base.schema, relations=[base.relation])
        self._type, self._query, self._end = base.relation, atomic(base), end(base.identifier)
        self._point = are_points

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        given = step.given.get(self._type, ())
        rows = [row for event in given if (row := self._query(event.start, event.time, event.attributes)) is not None]
        return rows if len(rows) < 2 else list(dict.fromkeys(rows))

    def bound(self, stamp: Stamp, now: Time) -> float:
        return now if stamp == self._end or self._point else -inf


class DerivedNode(Node):
    """A materialization point that is read: by an atomic event query, or with all its columns."""

    def __init__(self, given: plans.Base | plans.Point, root: Node) -> None:
        self._name = given.relation if isinstance(given, plans.Base) else given.name
        super().__init__(given.schema, relations=[self._name])
        self._root, self._query = root, derived(given, root.schema) if isinstance(given, plans.Base) else None
        names = plans.stamps([given.identifier]) if isinstance(given, plans.Base) else ()
        self._names = dict(zip(names, plans.stamps([RESULT]), strict=False))

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        found = step.found[self._name]
        return found if self._query is None else list(dict.fromkeys(filter(None, map(self._query, found))))

    def bound(self, stamp: Stamp, now: Time) -> float:
        return self._root.bound(self._names.get(stamp, stamp), now)


class UnionNode(Node):
    """A union of materialization points, which have equal columns."""

    def __init__(self, names: Sequence[str], roots: Sequence[Node]) -> None:
        super().__init__(roots[0].schema, relations=names)
        self._roots = roots

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        return list(dict.fromkeys(row for name in self.relations for row in step.found[name]))

    def bound(self, stamp: Stamp, now: Time) -> float:
        return min(root.bound(stamp, now) for root in self._roots)


class SelectionNode(Node):
    """A selection; later tuples are some of those of its operand."""

    def __init__(self, select: plans.Select, child: Node) -> None:
        super().__init__(select.schema, (child,))
        self._holds = predicate(select.condition, child.schema)

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        return list(filter(self._holds, self.children[0].evaluate(step)))


class HeadNode(Node):
    """A projection, a merging or a grouping: no tuple of another time has a part in its result."""

    def __init__(self, expression: plans.Project | plans.Merge | plans.Group, child: Node) -> None:
        super().__init__(expression.schema, (child,))
        self._made: Callable[[Iterable[Tuple]], Iterable[Tuple]] = (
            partial(grouped, expression) if isinstance(expression, plans.Group) else partial(map, computed(expression))
        )
        self._merged, self._into = (
            ((), ()) if isinstance(expression, plans.Project) else (expression.merged, plans.stamps([expression.into]))
        )

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        rows = self.children[0].evaluate(step)
        return list(dict.fromkeys(self._made(rows))) if rows else ()

    def bound(self, stamp: Stamp, now: Time) -> float:
        """Of what is merged, the least of the starts, and the greatest of the ends."""
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
        self._timing, into = timer.timing, plans.stamps([timer.timing.into])
        self._places = [child.schema.index(stamp) for stamp in plans.stamps([timer.timing.of])]
        self._build = joiner(child.schema, into, timer.schema)
        self._ends = [timer.schema.index(end(name)) for name in plans.identifiers_of(timer.schema)]
        self._edges = {stamp: (origin, ticks) for stamp, origin, ticks in timer.timing.edges}
        self.delayed: list[tuple[Time, int, Tuple]] = []
        self._least = LeastStamps(timer.schema)
        self._order = count()

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        for row in self.children[0].evaluate(step):
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

    def bound(self, stamp: Stamp, now: Time) -> float:
        """The least of what comes, of the operand's tuples with their timers, and of what is delayed."""
        return min(self._least.of(stamp), self._coming(stamp, now))

    def _coming(self, stamp: Stamp, now: Time) -> float:
        """The lower bound of the operand's later tuples with their timers."""
        edge = self._edges.get(stamp)
        if edge is None:
            return self.children[0].bound(stamp, now)
        origin, ticks = edge
        return self.children[0].bound(origin, now) + ticks

    def kept(self) -> Sequence[Tuple]:
        return [row for _, _, row in self.delayed]

    def keep(self, rows: Iterable[Tuple]) -> None:
        """Delay tuples until their latest time stamp."""
        for row in rows:
            heappush(self.delayed, (max(row[place] for place in self._ends), next(self._order), row))
            self._least.add(row)

    def forget(self) -> None:
        self.delayed.clear()
        self._least.clear()
