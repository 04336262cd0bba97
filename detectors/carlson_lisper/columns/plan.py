"""Query plans of patterns, as values.

By Theorem 4.6 every operand may be restricted (Def. 3.12). So a step of a plan yields a table of instances: their
`start` and `end`, one instance for each end, the one with the greatest start, by increasing end. Each operator is a
short query on such tables:

    A | B   merge by end, and keep the greatest start of equal ends
    A + B   join each A with the latest started B that has ended, each B likewise, and merge
    A - B   drop each A that does not start after the latest started B that has ended
    A ; B   join each B with the latest started A that ended before B starts
    A[t]    keep what is at most t ticks long

Where whole instances are wanted, a row carries the number of a log row for each leaf, that is for each event type of
the pattern that is not negated. They are the instances that Figure 4 detects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import TypeAlias

from detectors.carlson_lisper.protocol import of_operator
from detectors.carlson_lisper.source.transformation import transform
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, bottom_up, evaluate_bound
from semantics.events import Time


@dataclass(frozen=True)
class Leaf:
    """The occurrences of an event type."""

    event: str


@dataclass(frozen=True)
class Merge:
    """A disjunction; of instances with equal ends and starts the right one."""

    left: int
    right: int


@dataclass(frozen=True)
class Both:
    """A conjunction, and what is at most `bound` ticks long of it.

    It has two halves: instances of the left joined with the right as it was then, and the other way round. Of two with
    equal ends, the one stays whose operand ends there with the later start; the left one if both start together.
    """

    left: int
    right: int
    bound: Time | None = None


@dataclass(frozen=True)
class AntiSemi:
    """A negation: the left without instances in which one of the right lies."""

    left: int
    right: int


@dataclass(frozen=True)
class AsOf:
    """A sequence, and what is at most `bound` ticks long of it."""

    left: int
    right: int
    bound: Time | None = None


@dataclass(frozen=True)
class Filter:
    """A temporal restriction."""

    operand: int
    bound: Time


Step: TypeAlias = Leaf | Merge | Both | AntiSemi | AsOf | Filter
"""A step of a plan; operands are numbers of earlier steps."""


class Starts(IntEnum):
    """What is known of the starts of instances when they are sorted by end."""

    ANY = 0
    NONDECREASING = 1
    POINTS = 2


@dataclass(frozen=True)
class Plan:
    """The plan of some patterns; parts that they have in common are one step.

    Attributes:
        steps: operands before what uses them.
        results: for each pattern the number of its step.
        starts: for each step, what is known of its starts.
        leaves: for each step, the event types of its instances' occurrences, in the order of their columns.
    """

    steps: tuple[Step, ...]
    results: tuple[int, ...]
    starts: tuple[Starts, ...] = field(repr=False)
    leaves: tuple[tuple[str, ...], ...] = field(repr=False)

    @property
    def events(self) -> tuple[str, ...]:
        """The event types of all patterns, sorted."""
        return tuple(sorted(step.event for step in self.steps if isinstance(step, Leaf)))

    @property
    def depth(self) -> int:
        """How many steps lie upon each other at most."""
        depths: list[int] = []
        for step in self.steps:
            depths.append(1 + max((depths[operand] for operand in operands(step)), default=0))
        return max(depths)

    @property
    def remembered(self) -> frozenset[int]:
        """The steps of which an instance is looked up after it has ended."""
        found: set[int] = set()
        for step in self.steps:
            match step:
                case Both(left, right):
                    found |= {left, right}
                case AntiSemi(_, right):
                    found.add(right)
                case AsOf(left, _):
                    found.add(left)
        return frozenset(found)


def plan_of(patterns: Sequence[Expression]) -> Plan:
    """The plan of some ground patterns.

    Raises:
        LimitExceeded: a pattern has an operator that detectors do not know.
    """
    building = _Building()
    results = [building.add(pattern) for pattern in patterns]
    used = set(results)
    for number, step in reversed([*enumerate(building.steps)]):
        if number in used:
            used.update(operands(step))
    kept = sorted(used)
    new = {old: number for number, old in enumerate(kept)}
    return Plan(
        tuple(_renumbered(building.numbered[old], new) for old in kept),
        tuple(new[result] for result in results),
        tuple(building.starts[old] for old in kept),
        tuple(building.leaves[old] for old in kept),
    )


def operands(step: Step) -> tuple[int, ...]:
    """The numbers of a step's operands."""
    match step:
        case Leaf():
            return ()
        case Filter(operand):
            return (operand,)
        case _:
            return step.left, step.right


def _renumbered(step: Step, new: Mapping[int, int]) -> Step:
    match step:
        case Leaf():
            return step
        case Filter(operand):
            return replace(step, operand=new[operand])
        case _:
            return replace(step, left=new[step.left], right=new[step.right])


class _Building:
    """Steps, each with its number; equal steps have the same number."""

    def __init__(self) -> None:
        self.steps: dict[Step, int] = {}
        self.starts: list[Starts] = []
        self.leaves: list[tuple[str, ...]] = []
        self._known: dict[Expression, int] = {}
        self.numbered: list[Step] = []

    def add(self, pattern: Expression) -> int:
        expression = transform(pattern).expression
        for node in bottom_up(expression):
            if node not in self._known:
                self._known[node] = self._added(node)
        return self._known[expression]

    def _added(self, node: Expression) -> int:
        if not isinstance(node, Operation):
            assert isinstance(node, Identifier)
            return self.step(Leaf(node.name))
        of_operator(_MADE, node)
        operands = [self._known[operand] for operand in node.operands]
        left, right = operands[0], operands[-1]
        match node.operator:
            case "dis":
                return self.step(Merge(left, right))
            case "con":
                return self.step(Both(left, right))
            case "seq":
                return self.step(AsOf(left, right))
            case "neg":
                return self._without(left, right)
            case _:
                return self._within(left, evaluate_bound(0 if node.bound is None else node.bound))

    def _without(self, left: int, right: int) -> int:
        """A - (B | C) is (A - B) - C, so that nothing has to be merged."""
        pending = [right]
        while pending:
            step = self.numbered[pending.pop()]
            if isinstance(step, Merge):
                pending += [step.right, step.left]
            else:
                left = self.step(AntiSemi(left, self.steps[step]))
        return left

    def _within(self, operand: int, bound: Time) -> int:
        step = self.numbered[operand]
        if self.starts[operand] == Starts.POINTS:
            return operand
        if isinstance(step, Both | AsOf) and step.bound is None:
            return self.step(type(step)(step.left, step.right, bound))
        return self.step(Filter(operand, bound))

    def step(self, step: Step) -> int:
        """The number of a step."""
        if step not in self.steps:
            self.steps[step] = len(self.steps)
            self.numbered.append(step)
            self.starts.append(self._starts_of(step))
            self.leaves.append(self._leaves_of(step))
        return self.steps[step]

    def _starts_of(self, step: Step) -> Starts:
        match step:
            case Leaf():
                return Starts.POINTS
            case Merge(left, right):
                points = self.starts[left] == self.starts[right] == Starts.POINTS
                return Starts.POINTS if points else Starts.ANY
            case Both(left, right):  # the lesser of two latest starts, neither of which decreases
                return Starts(min(self.starts[left], self.starts[right], Starts.NONDECREASING))
            case AntiSemi(left) | Filter(left):
                return self.starts[left]
            case AsOf(_, right):  # the latest start before one that does not decrease
                return Starts(min(self.starts[right], Starts.NONDECREASING))

    def _leaves_of(self, step: Step) -> tuple[str, ...]:
        match step:
            case Leaf(event):
                return (event,)
            case AntiSemi(left) | Filter(left):
                return self.leaves[left]
            case Merge(left, right) | Both(left, right) | AsOf(left, right):
                return self.leaves[left] + self.leaves[right]


_MADE = dict.fromkeys(("dis", "con", "neg", "seq", "tim"))
