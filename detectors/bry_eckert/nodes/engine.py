"""The engine of node objects, made from a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from detectors.bry_eckert.nodes.joins import AbsenceNode, JoinNode, Kind, kind_of
from detectors.bry_eckert.nodes.operators import (
    AtomicNode,
    DerivedNode,
    HeadNode,
    Node,
    SelectionNode,
    Step,
    TimerNode,
    UnionNode,
)
from detectors.bry_eckert.protocol import Counts
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.distances import (
    FOR_EVER,
    Distances,
    Relevance,
    distances,
    maximal,
    minimal,
    of_condition,
    of_join,
)
from semantics.bry_eckert.algebra.relations import Tuple, events_of_tuples
from semantics.bry_eckert.axioms import only_partner
from semantics.bry_eckert.programs import EventType, Program, by_time
from semantics.bry_eckert.temporal import end, is_stamp
from semantics.events import Event, Time

Variant: TypeAlias = Callable[[Kind], Kind]
"""What joins leave out of what they may."""

PLAIN = Kind(False, False, ())


def optimized(kind: Kind) -> Kind:
    """All of it."""
    return kind


def storing(kind: Kind) -> Kind:
    """Nothing (2007, Section 4)."""
    return PLAIN


def streaming(kind: Kind) -> Kind:
    """They do not store what joins nothing later, and evaluate all (2007, Section 5.1)."""
    return replace(kind, suppressing=())


def suppressing(kind: Kind) -> Kind:
    """They store all, and do not evaluate what can join nothing (2007, Section 5.2)."""
    return replace(PLAIN, suppressing=kind.suppressing)


def node_of(
    expression: plans.Expression | plans.Union,
    plan: plans.Plan,
    variant: Variant,
    whole: Distances | None,
    roots: Mapping[str, Node],
) -> Node:
    """The nodes of an expression; selections directly above a join are its conditions.

    `whole` is what every tuple obeys that leads to an answer; None where no tuple is dropped.
    """

    def made(part: plans.Expression) -> Node:
        return node_of(part, plan, variant, whole, roots)

    if isinstance(expression, plans.Union):
        return UnionNode(expression.relations, [roots[name] for name in expression.relations])
    conditions: list[plans.Condition] = []
    inner = expression
    while isinstance(inner, plans.Select):
        conditions.append(inner.condition)
        inner = inner.operand
    if isinstance(inner, plans.Join):
        known = distances(expression, plan)
        kind = variant(kind_of(known, inner.left.schema, inner.right.schema))
        kept = _relevance(inner.left, inner.right, plan, known, whole)
        if whole is not None:
            partners = (
                only_partner(inner.left.schema, inner.right, plan),
                only_partner(inner.right.schema, inner.left, plan),
            )
            kept = tuple(replace(one, until=until) for one, until in zip(kept, partners, strict=True))
        return JoinNode(made(inner.left), made(inner.right), conditions, known, kind, inner.schema, kept)
    match expression:
        case plans.Base(_, relation) if relation not in plan.by_name:
            return AtomicNode(expression, plan.longest.get(relation) == 0)
        case plans.Base() | plans.Point():
            name = expression.relation if isinstance(expression, plans.Base) else expression.name
            return DerivedNode(expression, roots[name])
        case plans.Select(_, operand):
            return SelectionNode(expression, made(operand))
        case plans.Timer(_, operand):
            return TimerNode(expression, made(operand))
        case plans.AntiSemiJoin(left, right, inside):
            known = of_condition(of_join(left, right, plan), inside)
            kind = variant(kind_of(known, left.schema, right.schema))
            kept = _relevance(left, right, plan, known, whole)
            return AbsenceNode(made(left), made(right), [inside], known, kind, expression.schema, kept)
        case plans.Project() | plans.Merge() | plans.Group():
            below = expression.operand
            if whole is not None:  # above and below, the same name may be of other data
                whole = whole.only(filter(is_stamp, whole.nodes)).joined(distances(below, plan))
            return HeadNode(expression, node_of(below, plan, variant, whole, roots))
        case _:
            raise AssertionError(expression)


def _relevance(
    left: plans.Expression, right: plans.Expression, plan: plans.Plan, known: Distances, whole: Distances | None
) -> tuple[Relevance, ...]:
    """How long tuples of each side of a join are kept: until no tuple of the other side can join that comes later."""
    if whole is None:
        return FOR_EVER, FOR_EVER
    all_known = whole.joined(known)

    def of(side: plans.Expression, other: plans.Expression) -> Relevance:
        ends = map(end, plans.identifiers_of(other.schema))
        return minimal(maximal(all_known, side.schema, ends), distances(side, plan))

    return of(left, right), of(right, left)


class _Part(NamedTuple):
    """A materialization point: its topmost node, what it derives, the relations that its nodes read, its timers."""

    name: str
    root: Node
    derives: EventType | None
    reads: frozenset[str]
    timers: tuple[TimerNode, ...]

    def due(self, time: Time) -> bool:
        """Whether a timer is due."""
        return any(timer.delayed and timer.delayed[0][0] <= time for timer in self.timers)


class Nodes:
    """The engine of node objects. In a step, what reads nothing new and has no timer that is due is not evaluated.

    Irrelevant tuples are dropped if it is `collecting`; where a condition of the plan is doubtful, none is, for the
    stores of this engine are others.
    """

    def __init__(
        self,
        program: Program,
        plan: plans.Plan,
        points: frozenset[str] = frozenset(),
        *,
        variant: Variant = optimized,
        collecting: bool = True,
    ) -> None:
        plan = plan.with_points(points)
        collecting = collecting and not plan.doubtful
        self.plan, self.counts = plan, Counts()
        self._parts: list[_Part] = []
        roots: dict[str, Node] = {}
        for part in plan.definitions:
            expression = part.expression
            whole: Distances | None = None
            if collecting and not isinstance(expression, plans.Union):
                whole = distances(expression, plan)
            root = roots[part.name] = node_of(expression, plan, variant, whole, roots)
            reads = frozenset(name for node in root.nodes() for name in node.relations)
            timers = tuple(node for node in root.nodes() if isinstance(node, TimerNode))
            derives = program.signatures.get(part.derives)
            self._parts.append(_Part(part.name, root, derives, reads, timers))
        self.nodes = [node for part in self._parts for node in part.root.nodes()]
        self._timers = [timer for part in self._parts for timer in part.timers]
        joins = [node for _, node in self.joins()]
        sides = [(join, side, join.stores[side]) for join in joins for side in join.storing]
        self._stores = [store for _, _, store in sides]
        self._collected = [one for one in sides if one[2].relevance.bounded]

    def step(self, time: Time, given: Sequence[Event], /) -> Sequence[Event]:
        """The answers that happen at a time, given the events that end at it."""
        by_type: dict[str, list[Event]] = {}
        for event in given:
            by_type.setdefault(event.type, []).append(event)
        new, found = set(by_type), {part.name: list[Tuple]() for part in self._parts}
        step = Step(time, by_type, found, self.counts)
        answers: list[Event] = []
        for part in self._parts:
            if part.reads.isdisjoint(new) and not (part.timers and part.due(time)):
                continue
            rows = found[part.name] = list(part.root.evaluate(step))
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
        return sorted(answers, key=by_time) if len(answers) > 1 else answers

    def joins(self) -> Iterator[tuple[str, JoinNode]]:
        """The joins with the names of their materialization points, those below first."""
        for part in self._parts:
            for node in part.root.nodes():
                if isinstance(node, JoinNode):
                    yield part.name, node

    @property
    def stored(self) -> int:
        """How many tuples are stored, those included that wait for a timer."""
        return sum(len(node.delayed) for node in self._timers) + sum(store.size for store in self._stores)

    def snapshot(self) -> dict[str, Any]:
        """What each node stores, as plain data."""
        return {"nodes": [list(node.kept()) for node in self.nodes]}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Take up a state that `snapshot` made, in the place of its own."""
        for node, rows in zip(self.nodes, snapshot["nodes"], strict=True):
            node.forget()
            node.keep(map(tuple, rows))

    def due(self) -> Time | None:
        """When the next timer is due."""
        return min((node.delayed[0][0] for node in self._timers if node.delayed), default=None)
