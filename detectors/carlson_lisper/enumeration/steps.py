"""What of each operator ends at an instant, as a node of the graph, from what its operands have that ends now or before.

    A | B   what ends now of either
    A + B   what ends now of A with all of B, and all of A that ended before with what ends now of B
    A - B   what ends now of A and starts later than every B so far
    A[t]    what ends now of A and starts at most t ago
    A ; B   what ends now of B, behind all of A that ended before it started

Each takes constant time, but for the heaps in which an operand of a conjunction or the left one of a sequence is kept:
the logarithm of their size. The equations are claims of the catalogue (`theorem:ends-now`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, Protocol, TypeAlias, cast

from detectors.carlson_lisper.catalogue import Spans
from detectors.carlson_lisper.enumeration.graph import (
    First,
    Heap,
    Node,
    Sequel,
    Several,
    Starts,
    either,
    heap,
    listed,
    merged,
    nodes_since,
    since,
    together,
)
from detectors.carlson_lisper.generated import Generated
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, evaluate_bound
from semantics.carlson_lisper.occurrences import Occurrence, Time, Value

NEVER: Final = -1  # No instance starts so early


class Behind(NamedTuple):
    """The set that instances of an operand are behind, and its starts."""

    starts: Starts
    node: Node | None


Now: TypeAlias = tuple[Time, Mapping[str, Value]]
"""An instant: its time, and the values of the events that occur."""


class Part(Protocol):
    """A subexpression, of which the instances that end are asked for at each instant."""

    def ending(self, now: Now, behind: Behind | None, useless: Time) -> Node | None:
        """Those that end now, behind a set, or none where there is no such set.

        Instances that start no later than `useless` are not asked for, now or at any later instant.
        """


class Event:
    """An event type."""

    def __init__(self, name: str) -> None:
        self._name = name

    def ending(self, now: Now, behind: Behind | None, useless: Time) -> Node | None:
        """Its occurrence."""
        time, values = now
        if behind is None or self._name not in values:
            return None
        return First((*behind.starts, time), Occurrence(self._name, time, values[self._name]), behind.node)


class Disjunction:
    """What is an instance of the one or of the other."""

    def __init__(self, left: Part, right: Part) -> None:
        self._left, self._right = left, right

    def ending(self, now: Now, behind: Behind | None, useless: Time) -> Node | None:
        """What ends now of either."""
        return either(self._left.ending(now, behind, useless), self._right.ending(now, behind, useless))


class Conjunction:
    """The union of an instance of the one and one of the other."""

    def __init__(self, left: Part, right: Part) -> None:
        self._left, self._right = left, right
        self._lefts, self._rights = Kept(), Kept()

    def ending(self, now: Now, behind: Behind | None, useless: Time) -> Node | None:
        """What ends now of the left with all of the right, and all that ended before with what ends now of the right."""
        left, right = self._left.ending(now, behind, useless), self._right.ending(now, behind, useless)
        before = self._lefts.node(useless)
        self._lefts.add(left)
        self._rights.add(right)
        return either(together(left, self._rights.node(useless)), together(before, right))


class Negation:
    """What of the left has none of the right within."""

    def __init__(self, left: Part, right: Expression) -> None:
        self._left, self._right, self._latest = left, Spans(Generated(right)), NEVER

    def ending(self, now: Now, behind: Behind | None, useless: Time) -> Node | None:
        """What ends now and starts later than every instance of the right so far."""
        found = self._right.step(*now)
        if found is not None:
            self._latest = max(self._latest, found.start)
        ended = self._left.ending(now, behind, max(useless, self._latest))
        return since(ended, self._latest + 1) if self._latest > NEVER else ended


class Restriction:
    """What takes at most so many ticks."""

    def __init__(self, operand: Part, bound: int) -> None:
        self._operand, self._bound = operand, bound

    def ending(self, now: Now, behind: Behind | None, useless: Time) -> Node | None:
        """What ends now and starts at most so long ago."""
        earliest = now[0] - self._bound
        return since(self._operand.ending(now, behind, max(useless, earliest - 1)), earliest)


class Sequence:
    """The union of an instance of the left and one of the right that starts after it has ended."""

    def __init__(self, left: Part, right: Part) -> None:
        self._left, self._right, self._lefts = left, right, Kept()

    def ending(self, now: Now, behind: Behind | None, useless: Time) -> Node | None:
        """What ends now of the right, behind all of the left that ended before it started."""
        before = self._lefts.node(useless)
        right = self._right.ending(now, None if before is None else Behind(before.starts, before), useless)
        self._lefts.add(self._left.ending(now, behind, useless))
        return None if right is None else Sequel(right.starts[:-1], right)


class Kept:
    """All instances of an operand so far, but for those that start too early to be of use.

    Occurrences are kept in a list, in which they lie by their starts, and anything else in a heap.
    """

    def __init__(self) -> None:
        self._firsts: list[First] = []
        self._begin = 0  # how many of the list are of no use
        self._heap: Heap | None = None
        self._size, self._alive = 0, 0  # nodes of the heap, and how many of them were of use when it was looked through

    def add(self, node: Node | None) -> None:
        """Take what ends now as well."""
        if isinstance(node, First):
            self._firsts.append(node)
        elif node is not None:
            self._heap = merged(self._heap, heap(node))
            self._size += 1

    def node(self, useless: Time) -> Node | None:
        """All of them that start later than is useless."""
        firsts, stop = self._firsts, len(self._firsts)
        while self._begin < stop and firsts[self._begin].starts[-1] <= useless:
            self._begin += 1
        if self._begin > 32 and 2 * self._begin > stop:  # the list may belong to nodes
            self._firsts, self._begin = firsts[self._begin :], 0
            firsts, stop = self._firsts, len(self._firsts)
        if self._heap is not None and self._heap.starts[-1] <= useless:
            self._heap, self._size, self._alive = None, 0, 0
        if self._heap is not None and self._size > 2 * self._alive + 32:
            alive = list(self._of_use(self._heap, useless))
            self._heap = None
            for node in alive:
                self._heap = merged(self._heap, heap(node))
            self._size = self._alive = len(alive)
        some = Several(firsts[-1].starts, firsts, self._begin, stop) if self._begin < stop else None
        return either(some, self._heap)

    @staticmethod
    def _of_use(whole: Heap, useless: Time) -> Iterator[Node]:
        return nodes_since(whole, (*(NEVER for _ in whole.starts[1:]), useless + 1))


def part(expression: Expression) -> Part:
    """The part of a ground expression."""
    if isinstance(expression, Identifier):
        return Event(expression.name)
    operation = cast(Operation, expression)
    operands = operation.operands
    match operation.operator:
        case "dis":
            return Disjunction(part(operands[0]), part(operands[1]))
        case "con":
            return Conjunction(part(operands[0]), part(operands[1]))
        case "neg":
            return Negation(part(operands[0]), operands[1])
        case "seq":
            return Sequence(part(operands[0]), part(operands[1]))
        case _:
            assert operation.bound is not None
            return Restriction(part(operands[0]), evaluate_bound(operation.bound))


class Instants:
    """All instances of a ground expression, instant by instant."""

    def __init__(self, expression: Expression) -> None:
        self._part = part(expression)

    def step(self, time: Time, values: Mapping[str, Value]) -> Node | None:
        """The instances that end at an instant, later than the one before."""
        return self._part.ending((time, values), Behind((), None), NEVER)


def instances(node: Node) -> Iterator[list[tuple[Occurrence, ...]]]:
    """The occurrences of the instances of a node that no set is behind, some at a time."""
    for some in listed(node, (NEVER,)):
        yield [members for _, members in some]
