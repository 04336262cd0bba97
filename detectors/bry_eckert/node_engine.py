"""The engine of node objects (2007, Sections 4 and 5): a plan as nodes, evaluated step by step."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from detectors.bry_eckert import nodes
from detectors.bry_eckert.nodes import JoinNode, Node, TimerNode
from detectors.bry_eckert.protocol import Counts
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.distances import Distances, Relevance, distances, maximal, of_absence, only_partner
from semantics.bry_eckert.algebra.plans import identifiers_of
from semantics.bry_eckert.algebra.relations import Tuple, events_of_tuples
from semantics.bry_eckert.programs import EventType, Program, by_time
from semantics.bry_eckert.temporal import end, is_stamp
from semantics.events import Event, Time


class _Part(NamedTuple):
    """A materialization point: its topmost node, what it derives, the relations that it reads, its timers."""

    name: plans.Name
    root: Node
    derives: EventType | None
    reads: frozenset[plans.Name]
    timers: tuple[TimerNode, ...]


class Nodes:
    """The engine of node objects; what reads nothing new and has no timer that is due is not evaluated.

    Irrelevant tuples are dropped if it is `collecting` and no condition of the plan is doubtful; joins that may be are
    `streaming` (2007, Section 5.1) and `suppressing` (5.2).
    """

    def __init__(
        self,
        program: Program,
        plan: plans.Plan,
        points: frozenset[str] = frozenset(),
        *,
        streaming: bool = True,
        suppressing: bool = True,
        collecting: bool = True,
    ) -> None:
        self.plan, self.counts = plan.with_points(points), Counts()
        self._streaming, self._suppressing = streaming, suppressing
        self._parts: list[_Part] = []
        self._roots: dict[plans.Name, Node] = {}
        self._bound = cache(lambda name, stamp, now: self._roots[name].bound(stamp, now))
        for part in self.plan.definitions:
            expression = part.expression
            if isinstance(expression, plans.Union):
                names = expression.relations
                root: Node = nodes.UnionNode(names, [self._roots[name] for name in names])
            else:
                known = distances(expression, self.plan) if collecting and not plan.doubtful else None
                root = self._node(expression, known)
            self._roots[part.name] = root
            below = () if part.empty else tuple(root.nodes())
            reads = frozenset(name for node in below for name in node.reads)
            timers = tuple(node for node in below if isinstance(node, TimerNode))
            derives = None if part.derives is None else program.signatures[part.derives]
            self._parts.append(_Part(part.name, root, derives, reads, timers))
        self.nodes = [node for part in self._parts for node in part.root.nodes()]
        self._timers = [timer for part in self._parts for timer in part.timers]
        self._stores = [store for node in self.nodes if isinstance(node, JoinNode) for store in node.stores]

    def _node(self, expression: plans.Expression, whole: Distances | None) -> Node:
        """The nodes of an expression; `whole` is what tuples obey that lead to answers, None if none is dropped."""
        conditions, inner = list[plans.Condition](), expression
        while isinstance(inner, plans.Select):
            conditions.append(inner.condition)
            inner = inner.operand
        if isinstance(inner, plans.Join):
            return self._join(JoinNode, inner, conditions, distances(expression, self.plan), whole)
        match expression:
            case plans.Base(_, relation) if relation not in self.plan.by_name:
                return nodes.AtomicNode(expression, self.plan.longest.get(relation) == 0)
            case plans.Base(_, name) | plans.Point(name):
                return nodes.DerivedNode(expression, name, self._roots[name].schema, self._bound)
            case plans.Select(_, operand):
                return nodes.HeadNode(expression, self._node(operand, whole))
            case plans.Timer(_, operand):
                return TimerNode(expression, self._node(operand, whole))
            case plans.AntiSemiJoin(left, right, inside):
                known = of_absence(left, right, inside, self.plan)
                return self._join(nodes.AbsenceNode, expression, [inside], known, whole)
            case plans.Project() | plans.Merge() | plans.Group():
                below = expression.operand
                if whole is not None:  # above and below, the same name may be of other data
                    whole = whole.only(filter(is_stamp, whole.nodes)).joined(distances(below, self.plan))
                return nodes.HeadNode(expression, self._node(below, whole))
            case _:
                raise AssertionError(expression)

    def _join(
        self,
        node: type[JoinNode],
        given: plans.Join | plans.AntiSemiJoin,
        conditions: Sequence[plans.Condition],
        known: Distances,
        whole: Distances | None,
    ) -> JoinNode:
        """A join; its tuples are kept until no tuple of the other side can join that comes later."""
        kind = nodes.kind_of(known, given.left.schema, given.right.schema)
        if isinstance(given, plans.AntiSemiJoin):
            kind = kind._replace(left_streams=True, right_streams=False)
        elif not self._streaming:
            kind = kind._replace(left_streams=False, right_streams=False)
        if not self._suppressing:
            kind = kind._replace(suppressing=())
        kept = []
        for side, other in ((given.left, given.right), (given.right, given.left)):
            relevance = Relevance({})
            if whole is not None:
                most = maximal(whole.joined(known), side.schema, map(end, identifiers_of(other.schema)))
                until = only_partner(side.schema, other, self.plan) if isinstance(given, plans.Join) else ""
                relevance = replace(most.minimal(distances(side, self.plan)), until=until)
            kept.append(relevance)
        sides = (self._node(given.left, whole), self._node(given.right, whole))
        return node(sides, conditions, known, kind, given.schema, kept)

    def step(self, time: Time, given: Sequence[Event], /) -> Sequence[Event]:
        by_type: dict[str, list[Event]] = {}
        for event in given:
            by_type.setdefault(event.type, []).append(event)
        new, found = set[plans.Name](by_type), {part.name: list[Tuple]() for part in self._parts}
        step = nodes.Step(time, by_type, found, self.counts)
        self._bound.cache_clear()
        answers: list[Event] = []
        for part in self._parts:
            if part.reads.isdisjoint(new) and not any(t.delayed and t.delayed[0][0] <= time for t in part.timers):
                continue
            rows = found[part.name] = list(part.root.evaluate(step))
            if rows:
                new.add(part.name)
                if part.derives is not None:
                    answers += events_of_tuples(rows, part.root.schema, part.derives)
        for store in self._stores:
            store.expire(time)
        for timer in self._timers:
            timer.due(time)
        self.counts.after_step(self.stored)
        return sorted(answers, key=by_time) if len(answers) > 1 else answers

    def joins(self) -> Iterator[tuple[plans.Name, JoinNode]]:
        """The joins with the names of their materialization points, those below first."""
        for part in self._parts:
            yield from ((part.name, node) for node in part.root.nodes() if isinstance(node, JoinNode))

    @property
    def stored(self) -> int:
        return sum(len(timer.delayed) for timer in self._timers) + sum(store.size for store in self._stores)

    def snapshot(self) -> dict[str, Any]:
        return {"nodes": [list(node.kept()) for node in self.nodes]}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        for node, rows in zip(self.nodes, snapshot["nodes"], strict=True):
            node.restore(map(tuple, rows))

    def due(self) -> Time | None:
        return min((timer.delayed[0][0] for timer in self._timers if timer.delayed), default=None)
