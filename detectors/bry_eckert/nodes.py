"""Node objects: an object for each operator of an expression, with what it stores (2007, Sections 4 and 5).

`evaluate` of a node yields its tuples that occur at the current time. A join stores what may join later; a streaming
join does not store one side; a suppressing join does not evaluate its right side while nothing of it can join. Whether
a join may be one of these is decided by what its conditions imply. The lower bounds of a node say how early the time
stamps of tuples can be that it yields in later steps; they are computed where a join asks for them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Any, TypeAlias

from detectors.bry_eckert.protocol import Counts
from detectors.bry_eckert.stores import NOTHING, LeastStamps, Store, time_range
from semantics.bry_eckert.algebra.distances import Distances, distances, of_condition, of_join, of_points
from semantics.bry_eckert.algebra.plans import (
    AntiSemiJoin,
    Base,
    Condition,
    Expression,
    Group,
    Join,
    Merge,
    Plan,
    Point,
    Project,
    Schema,
    Select,
    Timer,
    Union,
    identifiers_of,
    stamps,
)
from semantics.bry_eckert.algebra.relations import (
    Tuple,
    atomic,
    by_time,
    computed,
    derived,
    events_of_tuples,
    grouped,
    joiner,
    picker,
    predicate,
)
from semantics.bry_eckert.algebra.relevance import FOR_EVER, Relevance, conditions
from semantics.bry_eckert.algebra.translation import RESULT
from semantics.bry_eckert.axioms import only_partner
from semantics.bry_eckert.programs import EventType, Program
from semantics.bry_eckert.temporal import Difference, Stamp, end, is_stamp, start
from semantics.bry_eckert.timers import TIMERS
from semantics.events import Event, Time

Bound: TypeAlias = float | None
"""The earliest that a time stamp can be; None where nothing is known."""


@dataclass
class Step:
    """What the nodes of a plan share in a step.

    Attributes:
        now: the current time.
        given: the base events that end now, by type.
        found: the new tuples of materialization points.
        roots: the nodes of materialization points.
        points: the event types whose events are points in time.
        counts: what is counted.
    """

    now: Time
    given: Mapping[str, Sequence[Event]]
    found: Mapping[str, Sequence[Tuple]]
    roots: Mapping[str, Node]
    points: frozenset[str]
    counts: Counts


class Node(ABC):
    """An operator with what it stores.

    Attributes:
        schema: the columns of its tuples.
        children: its operands.
        relations: the names of the relations that it reads itself.
    """

    def __init__(self, schema: Schema, children: Sequence[Node] = (), relations: Sequence[str] = ()) -> None:
        """Nothing is stored."""
        self.schema, self.children, self.relations = schema, tuple(children), tuple(relations)

    @abstractmethod
    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """The tuples that occur at the current time, each once."""

    @abstractmethod
    def bound(self, stamp: Stamp, step: Step) -> Bound:
        """The lower bound of a time stamp of the tuples of later steps, when this step has been evaluated."""

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
    """An atomic event query on base events; later ones end later than now."""

    def __init__(self, base: Base) -> None:
        """The query."""
        super().__init__(base.schema, relations=[base.relation])
        self._type, self._query, self._end = base.relation, atomic(base), end(base.identifier)

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """Those of the events that match."""
        given = step.given.get(self._type)
        if given is None:
            return ()
        rows = (self._query(event.start, event.time, event.attributes) for event in given)
        return list(dict.fromkeys(row for row in rows if row is not None))

    def bound(self, stamp: Stamp, step: Step) -> Bound:
        """The current time, for the end; where events are points, for the start too."""
        return step.now if stamp == self._end or self._type in step.points else None


class DerivedNode(Node):
    """An atomic event query on what a rule derives."""

    def __init__(self, base: Base, plan: Plan) -> None:
        """The query in a plan."""
        super().__init__(base.schema, relations=[base.relation])
        self._type, self._query = base.relation, derived(base, plan.schema_of(base.relation))
        self._names = dict(zip(stamps([base.identifier]), stamps([RESULT]), strict=True))

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """Those of the derived events that match."""
        rows = map(self._query, step.found[self._type])
        return list(dict.fromkeys(row for row in rows if row is not None))

    def bound(self, stamp: Stamp, step: Step) -> Bound:
        """That of the same time stamp of what the rule derives."""
        return step.roots[self._type].bound(self._names[stamp], step)


class PointNode(Node):
    """A materialization point as an input with all its columns."""

    def __init__(self, point: Point) -> None:
        """The point."""
        super().__init__(point.schema, relations=[point.name])
        self._name = point.name

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """Its new tuples."""
        return step.found[self._name]

    def bound(self, stamp: Stamp, step: Step) -> Bound:
        """That of the materialization point."""
        return step.roots[self._name].bound(stamp, step)


class UnionNode(Node):
    """A union of materialization points."""

    def __init__(self, names: Sequence[str], schema: Schema) -> None:
        """The points, with the columns of all of them."""
        super().__init__(schema, relations=names)

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """The new tuples of all of them."""
        return list(dict.fromkeys(row for name in self.relations for row in step.found[name]))

    def bound(self, stamp: Stamp, step: Step) -> Bound:
        """The least, where all have one."""
        bounds = [step.roots[name].bound(stamp, step) for name in self.relations]
        known = [bound for bound in bounds if bound is not None]
        return min(known) if len(known) == len(bounds) else None


class SelectionNode(Node):
    """A selection; later tuples are some of those of its operand."""

    def __init__(self, select: Select, child: Node) -> None:
        """The selection."""
        super().__init__(select.schema, (child,))
        self._holds = predicate(select.condition, child.schema)

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """The tuples that fulfil the condition."""
        (child,) = self.children
        return list(filter(self._holds, child.evaluate(step)))

    def bound(self, stamp: Stamp, step: Step) -> Bound:
        """That of the operand."""
        return self.children[0].bound(stamp, step)


class HeadNode(Node):
    """A projection, a merging or a grouping: no tuple of another time has a part in its result."""

    def __init__(self, expression: Project | Merge | Group, child: Node) -> None:
        """The operator."""
        super().__init__(expression.schema, (child,))
        self._made: Callable[[Iterable[Tuple]], Iterable[Tuple]] = (
            partial(grouped, expression)
            if isinstance(expression, Group)
            else partial(map, computed(expression))
        )
        self._starts: dict[Stamp, list[Stamp]] = {}
        self._ends: dict[Stamp, list[Stamp]] = {}
        if isinstance(expression, Merge | Group):
            self._starts[start(expression.into)] = list(map(start, expression.merged))
            self._ends[end(expression.into)] = list(map(end, expression.merged))

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """What the operator makes of the tuples that occur now."""
        rows = self.children[0].evaluate(step)
        return list(dict.fromkeys(self._made(rows))) if rows else ()

    def bound(self, stamp: Stamp, step: Step) -> Bound:
        """Of what is merged, the least of the starts where all have one, and the greatest of the ends."""
        child = self.children[0]
        merged = self._starts.get(stamp) or self._ends.get(stamp)
        if merged is None:
            return child.bound(stamp, step)
        known = [bound for part in merged if (bound := child.bound(part, step)) is not None]
        if stamp in self._ends:
            return max(known, default=None)
        return min(known) if len(known) == len(merged) else None


class TimerNode(Node):
    """A relative timer: tuples whose timer ends in the future are delayed until then."""

    def __init__(self, timer: Timer, child: Node) -> None:
        """The timer."""
        super().__init__(timer.schema, (child,))
        self._timing = timer.timing
        self._places = [child.schema.index(stamp) for stamp in stamps([timer.timing.of])]
        self._build = joiner(child.schema, stamps([timer.timing.into]), timer.schema)
        self._ends = [timer.schema.index(end(name)) for name in identifiers_of(timer.schema)]
        self._edges = dict(zip(stamps([timer.timing.into]), TIMERS[timer.timing.kind], strict=True))
        self.delayed: list[tuple[Time, int, Tuple]] = []
        self._least = LeastStamps(timer.schema)
        self._order = count()

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """The tuples whose latest time stamp is now."""
        rows = self.children[0].evaluate(step)
        if rows:
            self.keep(self._with_timer(rows))
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

    def _with_timer(self, rows: Iterable[Tuple]) -> Iterator[Tuple]:
        for row in rows:
            interval = self._timing.interval(*(row[place] for place in self._places))
            if interval is not None:
                yield self._build(row, interval)

    def bound(self, stamp: Stamp, step: Step) -> Bound:
        """The least of what comes, of the operand's tuples with their timers, and of what is delayed."""
        bound = self._coming(stamp, step)
        return None if bound is None else self._least.of(stamp, bound)

    def _coming(self, stamp: Stamp, step: Step) -> Bound:
        """The lower bound of the operand's later tuples with their timers."""
        child, edge = self.children[0], self._edges.get(stamp)
        if edge is None:
            return child.bound(stamp, step)
        origin = child.bound(edge.stamp(self._timing.of), step)
        return None if origin is None else origin + edge.sign * self._timing.duration

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


# ------------------------------------------------------------------------------------------------------- joins


@dataclass(frozen=True)
class Kind:
    """What a join may leave out, because of what its conditions imply (2007, Section 5).

    Attributes:
        left_streams: no tuple of the left joins with a later one of the right, so the left is not stored.
        right_streams: no tuple of the right joins with a later one of the left, so the right is not stored.
        suppressing: time stamps of the left with offsets in ticks; a tuple of the right in whose parts something
            starts at t joins only with tuples of the left in which such a time stamp plus its offset is at most t.
    """

    left_streams: bool
    right_streams: bool
    suppressing: tuple[tuple[Stamp, int], ...]


def kind_of(known: Distances, left: Schema, right: Schema) -> Kind:
    """What a join may leave out, where its joined tuples have these temporal distances."""
    ends = [[end(name) for name in identifiers_of(side)] for side in (left, right)]
    starts = [start(name) for name in identifiers_of(right)]

    def no_later(one: Sequence[Stamp], other: Sequence[Stamp]) -> bool:
        return all(any(known.implies(Difference(x, y)) for y in other) for x in one)

    suppressing = []
    for stamp in filter(is_stamp, left):
        bounds = [known[begin, stamp] for begin in starts]
        if None not in bounds:
            suppressing.append((stamp, -max(bound.ticks for bound in bounds if bound is not None)))
    for name in identifiers_of(left):  # a start is no later than its end, so its lower bound says less
        least = dict(suppressing)
        if least.get(start(name), inf) <= least.get(end(name), -inf):
            suppressing.remove((start(name), least[start(name)]))
    return Kind(no_later(ends[1], ends[0]), no_later(ends[0], ends[1]), tuple(suppressing))


PLAIN = Kind(False, False, ())
"""A join that leaves nothing out."""


class JoinNode(Node):
    """A join with its conditions.

    Args:
        left: the left operand.
        right: the right operand, which may be suppressed.
        conditions: the selections above the join.
        known: what holds for joined tuples.
        kind: what may be left out.
        relevance: how long tuples of each side are kept.
    """

    def __init__(
        self,
        left: Node,
        right: Node,
        conditions: Sequence[Condition],
        known: Distances,
        kind: Kind,
        schema: Schema,
        relevance: Sequence[Relevance] = (FOR_EVER, FOR_EVER),
    ) -> None:
        """Nothing is stored."""
        super().__init__(schema, (left, right))
        self.kind, self.known = kind, known
        shared = tuple(column for column in left.schema if column in right.schema)
        self.stores = tuple(
            Store(side.schema, [shared], kept) for side, kept in zip((left, right), relevance, strict=True)
        )
        self._keys = [picker(shared, side.schema) for side in self.children]
        self._single = len(shared) == 1
        both = left.schema + tuple(column for column in right.schema if column not in left.schema)
        self._build = joiner(left.schema, right.schema, both)
        self._result = joiner(left.schema, right.schema, schema) if schema != left.schema else None
        self._tests = [predicate(condition, both) for condition in conditions]
        self._ranges = [
            tuple(
                [(probe.schema.index(stamp), ticks) for stamp, ticks in offsets.items()]
                for offsets in time_range(known, stored.schema, filter(is_stamp, probe.schema))
            )
            for stored, probe in ((left, right), (right, left))
        ]
        self._least = tuple(LeastStamps(side.schema) for side in self.children)
        self._dropping = any(kept.until for kept in relevance)
        self._suppressing = [(stamp, left.schema.index(stamp), ticks) for stamp, ticks in kind.suppressing]

    def evaluate(self, step: Step) -> Sequence[Tuple]:
        """The joined tuples that occur now; what was not stored could not join any more."""
        left, right = self.children
        new_left = left.evaluate(step)
        new_right: Sequence[Tuple] = ()
        if self._suppressed(step, new_left):
            step.counts.avoided += 1
        else:
            step.counts.evaluated += 1
            new_right = right.evaluate(step)
        if not new_left and not new_right:
            return ()
        found = self._found(new_left, new_right, step.counts)
        if self._dropping:
            self._drop(new_left, new_right)
        return found

    def _drop(self, *new: Sequence[Tuple]) -> None:
        """Drop the tuples whose only partner has come, be it now or before."""
        gone: list[tuple[int, Any]] = []
        for side, store in enumerate(self.stores):
            if store.relevance.until:
                (index,) = self.stores[1 - side].indexes.values()
                gone += [(side, key) for row in new[side] if (key := self._key(row, side)) in index]
                gone += [(side, self._key(row, 1 - side)) for row in new[1 - side]]
        for side, key in gone:
            for row in self.stores[side].drop(key):
                self._least[side].remove(row)

    def _key(self, row: Tuple, side: int) -> Any:
        """The values by which a tuple of a side is hashed."""
        key = self._keys[side](row)
        return key[0] if self._single else key

    def _found(self, new_left: Sequence[Tuple], new_right: Sequence[Tuple], counts: Counts) -> list[Tuple]:
        """The new joined tuples; stores the new tuples."""
        found = [joined for row in new_left for joined in self._joined(row, 0, counts)]
        if not self.kind.left_streams:
            self._add(0, new_left)
            found += [joined for row in new_right for joined in self._joined(row, 1, counts)]
            if not self.kind.right_streams:
                self._add(1, new_right)
            return found
        fresh = Store(self.children[0].schema, list(self.stores[0].indexes))
        for row in new_left:
            fresh.add(row)
        found += [joined for row in new_right for joined in self._joined(row, 1, counts, fresh)]
        if not self.kind.right_streams:
            self._add(1, new_right)
        return found

    def _joined(self, row: Tuple, side: int, counts: Counts, store: Store | None = None) -> Iterator[Tuple]:
        """What a tuple of one side joins to with what is stored of the other one."""
        for other in self._candidates(row, side, counts, store):
            one, two = (row, other) if side == 0 else (other, row)
            both = self._build(one, two)
            if all(test(both) for test in self._tests):
                assert self._result is not None
                yield self._result(one, two)

    def _candidates(
        self, row: Tuple, side: int, counts: Counts, store: Store | None = None
    ) -> Sequence[Tuple]:
        """The stored tuples of the other side with the same values, in the range of times that is implied."""
        (index,) = (store or self.stores[1 - side]).indexes.values()
        key = self._keys[side](row)
        times, rows = index.get(key[0] if self._single else key, NOTHING)
        lows, highs = self._ranges[1 - side]
        first = bisect_left(times, max(row[place] + ticks for place, ticks in lows)) if lows else 0
        last = bisect_right(times, min(row[place] + ticks for place, ticks in highs)) if highs else len(rows)
        found = rows[first:last]
        counts.candidates += len(found)
        return found

    def _suppressed(self, step: Step, new_left: Sequence[Tuple]) -> bool:
        """Whether nothing on the right that starts now or before can join: its left partners all come too late."""
        for stamp, place, ticks in self._suppressing:
            late = step.now - ticks
            if self._least[0].of(stamp, inf) > late and all(row[place] > late for row in new_left):
                coming = self.children[0].bound(stamp, step)
                if coming is not None and coming > late:
                    return True
        return False

    def bound(self, stamp: Stamp, step: Step) -> Bound:
        """The least of the tuples that come and of those that are stored, of a side that has the time stamp."""
        side = stamp in self.children[1].schema
        bound = self.children[side].bound(stamp, step)
        return None if bound is None else self._least[side].of(stamp, bound)

    def _add(self, side: int, rows: Iterable[Tuple]) -> None:
        for row in rows:
            self.stores[side].add(row)
            self._least[side].add(row)

    def expire(self, side: int, now: Time) -> None:
        """Drop the tuples of a side that are relevant until now and no longer."""
        for row in self.stores[side].expire(now):
            self._least[side].remove(row)

    def kept(self) -> Sequence[Tuple]:
        """What is stored of both sides, with the side."""
        return [(side, *row) for side in (0, 1) for row in self.stores[side]]

    def keep(self, rows: Iterable[Tuple]) -> None:
        """Store tuples with their sides."""
        for side, *row in rows:
            self._add(side, [tuple(row)])

    def forget(self) -> None:
        """Store nothing any more."""
        for store, least in zip(self.stores, self._least, strict=True):
            store.clear()
            least.clear()


class AbsenceNode(JoinNode):
    """An anti-semi-join within a window: a tuple of the left is never stored, its window is over when it occurs."""

    def _found(self, new_left: Sequence[Tuple], new_right: Sequence[Tuple], counts: Counts) -> list[Tuple]:
        found = [row for row in new_left if not self._refuted(row, counts)]
        self._add(1, new_right)
        return found

    def _refuted(self, row: Tuple, counts: Counts) -> bool:
        candidates = self._candidates(row, 0, counts)
        return any(all(test(self._build(row, other)) for test in self._tests) for other in candidates)


# ------------------------------------------------------------------------------------------------------ building


@dataclass(frozen=True)
class Variant:
    """Which nodes an engine has.

    Attributes:
        kind: of what a join may be, by the distances of its joined tuples and the schemas of both sides.
        join: the join.
        timer: the relative timer.
        absence: the anti-semi-join.
    """

    kind: Callable[[Distances, Schema, Schema], Kind] = kind_of
    join: type[JoinNode] = JoinNode
    timer: type[TimerNode] = TimerNode
    absence: type[AbsenceNode] = AbsenceNode


OPTIMIZED = Variant()
STORING = Variant(kind=lambda known, left, right: PLAIN)
"""No join leaves anything out (2007, Section 4)."""
STREAMING = Variant(kind=lambda known, left, right: replace(kind_of(known, left, right), suppressing=()))
"""Joins do not store what joins nothing later, and evaluate all (2007, Section 5.1)."""
SUPPRESSING = Variant(
    kind=lambda known, left, right: replace(PLAIN, suppressing=kind_of(known, left, right).suppressing)
)
"""Joins store all, and do not evaluate what can join nothing (2007, Section 5.2)."""


def node_of(expression: Expression | Union, plan: Plan, variant: Variant, whole: Distances | None) -> Node:
    """The nodes of an expression; selections directly above a join are its conditions.

    Args:
        expression: the expression.
        plan: the plan.
        variant: which nodes there are.
        whole: what every tuple obeys that leads to an answer; None where no tuple is dropped.
    """
    if isinstance(expression, Union):
        return UnionNode(expression.relations, plan.schema_of(expression.relations[0]))
    conditions: list[Condition] = []
    inner = expression
    while isinstance(inner, Select):
        conditions.append(inner.condition)
        inner = inner.operand
    if isinstance(inner, Join):
        known = distances(expression, plan)
        kind = variant.kind(known, inner.left.schema, inner.right.schema)
        sides = node_of(inner.left, plan, variant, whole), node_of(inner.right, plan, variant, whole)
        kept = _relevance(inner.left, inner.right, plan, known, whole)
        if whole is not None:
            partners = ((inner.left, inner.right), (inner.right, inner.left))
            kept = tuple(
                replace(one, until=only_partner(side.schema, other, plan))
                for one, (side, other) in zip(kept, partners, strict=True)
            )
        return variant.join(*sides, conditions, known, kind, inner.schema, kept)
    match expression:
        case Base():
            return (
                DerivedNode(expression, plan)
                if expression.relation in plan.by_name
                else AtomicNode(expression)
            )
        case Point():
            return PointNode(expression)
        case Select(_, operand):
            return SelectionNode(expression, node_of(operand, plan, variant, whole))
        case Timer(_, operand):
            return variant.timer(expression, node_of(operand, plan, variant, whole))
        case AntiSemiJoin(left, right, inside):
            known = of_condition(of_join(left, right, plan), inside)
            kind = variant.kind(known, left.schema, right.schema)
            sides = node_of(left, plan, variant, whole), node_of(right, plan, variant, whole)
            kept = _relevance(left, right, plan, known, whole)
            return variant.absence(*sides, [inside], known, kind, expression.schema, kept)
        case Project() | Merge() | Group():
            return HeadNode(expression, node_of(expression.operand, plan, variant, whole))
        case _:
            raise AssertionError(expression)


def _relevance(
    left: Expression, right: Expression, plan: Plan, known: Distances, whole: Distances | None
) -> tuple[Relevance, ...]:
    """How long tuples of each side of a join are kept: until no tuple of the other side can join that comes later."""
    if whole is None:
        return FOR_EVER, FOR_EVER
    all_known = whole.joined(known)

    def of(side: Expression, other: Expression) -> Relevance:
        ends = map(end, identifiers_of(other.schema))
        return conditions(all_known, side.schema, ends, distances(side, plan))[1]

    return of(left, right), of(right, left)


@dataclass(frozen=True)
class _Part:
    """A materialization point.

    Attributes:
        name: its name.
        root: its topmost node.
        derives: the event type that it derives; None where it is none.
        reads: the relations that its nodes read.
        timers: its relative timers.
    """

    name: str
    root: Node
    derives: EventType | None
    reads: frozenset[str]
    timers: tuple[TimerNode, ...]

    def concerned(self, new: Iterable[str], time: Time) -> bool:
        """Whether one of the relations that have new tuples is read, or a timer is due."""
        return not self.reads.isdisjoint(new) or any(
            timer.delayed and timer.delayed[0][0] <= time for timer in self.timers
        )


class Nodes:
    """The engine of node objects. In a step, what reads nothing new and has no timer that is due is not evaluated.

    Args:
        program: the rules.
        plan: the query plan.
        points: the event types whose events are points in time, as the source of the events promises.
        variant: which nodes there are; by default those that leave out most.
        collecting: whether tuples are dropped that are irrelevant (`semantics.bry_eckert.algebra.relevance`).
    """

    def __init__(
        self,
        program: Program,
        plan: Plan,
        *,
        points: frozenset[str] = frozenset(),
        variant: Variant = OPTIMIZED,
        collecting: bool = True,
    ) -> None:
        """Nothing is stored, and nothing is pending."""
        points |= plan.points
        self.plan, self.counts = plan, Counts()
        self._parts: list[_Part] = []
        for part in plan.definitions:
            expression = part.expression
            whole: Distances | None = None
            if collecting and not isinstance(expression, Union):
                whole = distances(expression, plan).with_(of_points(expression, points))
            root = node_of(expression, plan, variant, whole)
            reads = frozenset(name for node in root.nodes() for name in node.relations)
            timers = tuple(node for node in root.nodes() if isinstance(node, TimerNode))
            derives = program.signatures.get(part.derives)
            self._parts.append(_Part(part.name, root, derives, reads, timers))
        self._nodes = [node for part in self._parts for node in part.root.nodes()]
        self._timers = [timer for part in self._parts for timer in part.timers]
        joins = [node for _, node in self.joins()]
        self._stores = [store for join in joins for store in join.stores]
        self._collected = [
            (join, side, store) for join in joins for side, store in enumerate(join.stores) if store.forgets
        ]
        roots = {part.name: part.root for part in self._parts}
        self.last = Step(-1, {}, {}, roots, points, self.counts)

    def step(self, time: Time, given: Sequence[Event], /) -> Sequence[Event]:
        """The answers that happen at a time, given the events that end at it."""
        by_type: dict[str, list[Event]] = {}
        for event in given:
            by_type.setdefault(event.type, []).append(event)
        new = set(by_type)
        found: dict[str, Sequence[Tuple]] = {}
        step = self.last
        step.now, step.given, step.found = time, by_type, found
        answers: list[Event] = []
        for part in self._parts:
            rows = found[part.name] = part.root.evaluate(step) if part.concerned(new, time) else ()
            if rows:
                new.add(part.name)
                if part.derives is not None:
                    answers += events_of_tuples(rows, part.root.schema, part.derives)
        for join, side, store in self._collected:
            if store.first <= time:
                join.expire(side, time)
        for timer in self._timers:
            timer.pass_by(time)
        self.counts.after_step(self.stored)
        return sorted(answers, key=by_time)

    def joins(self) -> Iterator[tuple[str, JoinNode]]:
        """The joins with the names of their materialization points, those below first."""
        for part in self._parts:
            for node in part.root.nodes():
                if isinstance(node, JoinNode):
                    yield part.name, node

    @property
    def stored(self) -> int:
        """How many tuples are stored, those included that wait for a timer."""
        waiting = sum([len(node.delayed) for node in self._timers])
        return waiting + sum([store.size for store in self._stores])

    def snapshot(self) -> dict[str, Any]:
        """What each node stores, as plain data."""
        return {"nodes": [list(node.kept()) for node in self._nodes]}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Take up a state that `snapshot` made, in the place of its own."""
        for node, rows in zip(self._nodes, snapshot["nodes"], strict=True):
            node.forget()
            node.keep(map(tuple, rows))

    def due(self) -> Time | None:
        """When the next timer is due."""
        return min((node.delayed[0][0] for node in self._timers if node.delayed), default=None)
