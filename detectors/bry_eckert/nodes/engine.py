"""The engine of node objects, made from a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from detectors.bry_eckert.nodes import operators
from detectors.bry_eckert.nodes.operators import HeadNode, JoinNode, Node, TimerNode
from detectors.bry_eckert.protocol import Counts
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.distances import FOR_EVER, Distances, distances, maximal, of_condition, of_join
from semantics.bry_eckert.algebra.relations import Tuple, events_of_tuples
from semantics.bry_eckert.axioms import only_partner
from semantics.bry_eckert.programs import EventType, Program, by_time
from semantics.bry_eckert.temporal import end, is_stamp
from semantics.events import Event, Time


class _Part(NamedTuple):
    """A materialization point: its topmost node, what it derives, the relations that its nodes read, its timers."""

    name: str
    root: Node
    derives: EventType | None
    reads: frozenset[str]
    timers: tuple[TimerNode, ...]


class Nodes:
    """The engine of node objects. In a step, what reads nothing new and has no timer that is due is not evaluated.

    Irrelevant tuples are dropped if it is `collecting`; where a condition of the plan is doubtful, none is, for the
    stores of this engine are others. Joins that may be are `streaming`, and not store one side (2007, Section 5.1),
    and `suppressing`, and not evaluate what can join nothing (5.2).
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
        self._roots: dict[str, Node] = {}
        for part in self.plan.definitions:
            expression = part.expression
            if isinstance(expression, plans.Union):
                relations = expression.relations
                root: Node = operators.UnionNode(relations, [self._roots[name] for name in relations])
            else:
                known = distances(expression, self.plan) if collecting and not plan.doubtful else None
                root = self._node(expression, known)
            self._roots[part.name] = root
            reads = frozenset(name for node in root.nodes() for name in node.relations)
            timers = tuple(node for node in root.nodes() if isinstance(node, TimerNode))
            self._parts.append(_Part(part.name, root, program.signatures.get(part.derives), reads, timers))
        self.nodes = [node for part in self._parts for node in part.root.nodes()]
        self._timers = [timer for part in self._parts for timer in part.timers]
        self._stores = [store for node in self.nodes if isinstance(node, JoinNode) for store in node.stores]

    def _node(self, expression: plans.Expression, whole: Distances | None) -> Node:
        """The nodes of an expression; selections directly above a join are its conditions.

        `whole` is what every tuple obeys that leads to an answer; None where no tuple is dropped.
        """
        conditions: list[plans.Condition] = []
        inner = expression
        while isinstance(inner, plans.Select):
            conditions.append(inner.condition)
            inner = inner.operand
        if isinstance(inner, plans.Join):
            return self._join(JoinNode, inner, conditions, distances(expression, self.plan), whole)
        match expression:
            case plans.Base(_, relation) if relation not in self.plan.by_name:
                return operators.AtomicNode(expression, self.plan.longest.get(relation) == 0)
            case plans.Base(_, name) | plans.Point(name):
                return operators.DerivedNode(expression, name, self._roots[name])
            case plans.Select(_, operand):
                return HeadNode(expression, self._node(operand, whole))
            case plans.Timer(_, operand):
                return TimerNode(expression, self._node(operand, whole))
            case plans.AntiSemiJoin(left, right, inside):
                known = of_condition(of_join(left, right, self.plan), inside)
                return self._join(operators.AbsenceNode, expression, [inside], known, whole)
            case plans.Project() | plans.Merge() | plans.Group():
                below = expression.operand
                if whole is not None:  # above and below, the same name may be of other data
                    whole = whole.only(filter(is_stamp, whole.nodes)).joined(distances(below, self.plan))
                return HeadNode(expression, self._node(below, whole))
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
        kind = operators.kind_of(known, given.left.schema, given.right.schema)
        if not self._streaming:
            kind = operators.Kind(suppressing=kind.suppressing)
        if not self._suppressing:
            kind = kind._replace(suppressing=())
        kept = []
        for side, other in ((given.left, given.right), (given.right, given.left)):
            relevance = FOR_EVER
            if whole is not None:
                ends = map(end, plans.identifiers_of(other.schema))
                relevance = maximal(whole.joined(known), side.schema, ends).minimal(distances(side, self.plan))
                if isinstance(given, plans.Join):
                    relevance = replace(relevance, until=only_partner(side.schema, other, self.plan))
            kept.append(relevance)
        sides = (self._node(given.left, whole), self._node(given.right, whole))
        return node(sides, conditions, known, kind, given.schema, kept)

    def step(self, time: Time, given: Sequence[Event], /) -> Sequence[Event]:
        """The answers that happen at a time, given the events that end at it."""
        by_type: dict[str, list[Event]] = {}
        for event in given:
            by_type.setdefault(event.type, []).append(event)
        new, found = set(by_type), {part.name: list[Tuple]() for part in self._parts}
        step = operators.Step(time, by_type, found, self.counts)
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

    def joins(self) -> Iterator[tuple[str, JoinNode]]:
        """The joins with the names of their materialization points, those below first."""
        for part in self._parts:
            yield from ((part.name, node) for node in part.root.nodes() if isinstance(node, JoinNode))

    @property
    def stored(self) -> int:
        """How many tuples are stored, those included that wait for a timer."""
        return sum(len(timer.delayed) for timer in self._timers) + sum(store.size for store in self._stores)

    def snapshot(self) -> dict[str, Any]:
        """What each node stores, as plain data."""
        return {"nodes": [list(node.kept()) for node in self.nodes]}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Take up a state that `snapshot` made, in the place of its own."""
        for node, rows in zip(self.nodes, snapshot["nodes"], strict=True):
            node.restore(map(tuple, rows))

    def due(self) -> Time | None:
        """When the next timer is due."""
        return min((timer.delayed[0][0] for timer in self._timers if timer.delayed), default=None)
