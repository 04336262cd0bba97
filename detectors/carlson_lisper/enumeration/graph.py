"""Sets of instances as graphs, whose members are listed one after the other without a search.

A node stands for instances that share their end. It is never changed, so a set of today shares what it is made of with
that of yesterday. Each knows the greatest start among its instances, so that those which start at a time or later are
listed without a look at others (`listed`).

The right side of a sequence ends now, and what may stand on its left differs with its start: all that ended before. So
each first occurrence carries the left instances that are before it (`First.before`), and a sequence takes them from
there. Instances that carry such a set are *behind* it, and one behind another where sequences are nested. By `Starts`
a node says how late the instances start: the last one is the start itself, and before it the greatest starts of the
sets which the instances are behind, outermost first. An instance that starts later is behind a set that is no smaller:
one instance attains all of them, and whatever is asked of several starts at a time, a node that passes has an instance
that passes. That is why the delay is constant.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from semantics.carlson_lisper.occurrences import Occurrence, Time

Starts: TypeAlias = tuple[Time, ...]
"""Starts in ticks, of the sets that instances are behind and of the instances themselves."""


class First(NamedTuple):
    """An occurrence, and the set of instances that it is behind, if it is behind any."""

    starts: Starts
    occurrence: Occurrence
    before: Node | None


class Several(NamedTuple):
    """Occurrences that came one after the other, from one place of a list up to another; later ones are added to it."""

    starts: Starts
    all: Sequence[First]
    begin: int
    stop: int


class Either(NamedTuple):
    """The instances of two nodes."""

    starts: Starts
    left: Node
    right: Node


class Together(NamedTuple):
    """The unions of an instance of the one and one of the other, as of a conjunction."""

    starts: Starts
    left: Node
    right: Node


class Sequel(NamedTuple):
    """The unions of each instance of the right side of a sequence with each one that it is behind."""

    starts: Starts
    right: Node


class Since(NamedTuple):
    """The instances of a node that start at a time or later."""

    starts: Starts
    node: Node
    start: Time


class Heap(NamedTuple):
    """The instances of a node and of two heaps, which start no later than some of the node do: a leftist heap."""

    starts: Starts
    node: Node
    left: Heap | None
    right: Heap | None
    rank: int  # the length of the way to the right


Node: TypeAlias = First | Several | Either | Together | Sequel | Since | Heap

Member: TypeAlias = tuple[First, tuple[Occurrence, ...]]
"""An instance: the first of its occurrences, and all of them, in any order, one that two operands share twice."""

TOGETHER: Final = 1024  # So many instances are listed at once


def either(left: Node | None, right: Node | None) -> Node | None:
    """The instances of both."""
    if left is None or right is None:
        return left or right
    return Either(max(left.starts, right.starts), left, right)


def together(left: Node | None, right: Node | None) -> Node | None:
    """The unions of an instance of each."""
    if left is None or right is None:
        return None
    return Together(min(left.starts, right.starts), left, right)


def since(node: Node | None, start: Time) -> Node | None:
    """The instances that start at a time or later."""
    return None if node is None or node.starts[-1] < start else Since(node.starts, node, start)


def heap(node: Node, left: Heap | None = None, right: Heap | None = None) -> Heap:
    """A heap of a node that has the greatest start, and two heaps."""
    one, other = left.rank if left else 0, right.rank if right else 0
    if one < other:
        left, right, other = right, left, one
    return Heap(node.starts, node, left, right, other + 1)


def merged(one: Heap | None, other: Heap | None) -> Heap | None:
    """A heap of all nodes of two."""
    if one is None or other is None:
        return one or other
    if one.starts < other.starts:
        one, other = other, one
    return heap(one.node, one.left, merged(one.right, other))


def nodes_since(whole: Heap | None, least: Starts) -> Iterator[Node]:
    """The nodes of a heap with an instance whose starts are no less than these."""
    waiting = [whole] if whole is not None and reaches(whole, least) else []
    while waiting:
        found = waiting.pop()
        yield found.node
        waiting += [each for each in (found.left, found.right) if each is not None and reaches(each, least)]


def reaches(node: Node, least: Starts) -> bool:
    """Whether an instance of a node starts no earlier than is asked, and so do the sets that it is behind."""
    return all(map(int.__ge__, node.starts, least))


def listed(node: Node, least: Starts) -> Iterator[list[Member]]:
    """The instances of a node whose starts are no less than those that are asked for, some at a time, never none.

    The node has to reach them. What is done for an instance depends on the size of the pattern alone.
    """
    match node:
        case First(_, occurrence):
            yield [(node, (occurrence,))]
        case Several(_, firsts, begin, stop):
            for place, start in enumerate(least):
                begin = bisect_left(firsts, start, begin, stop, key=lambda first: first.starts[place])
            for place in range(begin, stop, TOGETHER):
                yield [(first, (first.occurrence,)) for first in firsts[place : min(place + TOGETHER, stop)]]
        case Heap():
            for each in nodes_since(node, least):
                yield from listed(each, least)
        case Either(_, left, right):
            for each in (left, right):
                if reaches(each, least):
                    yield from listed(each, least)
        case Since(_, each, start):
            yield from listed(each, (*least[:-1], max(least[-1], start)))
        case Together(_, left, right):
            for some in listed(left, least):
                for first, members in some:
                    time = first.occurrence.time
                    for others in listed(right, least):
                        yield [
                            (first if time <= second.occurrence.time else second, members + more)
                            for second, more in others
                        ]
        case Sequel(_, right):
            for some in listed(right, (*least, least[-1])):
                for first, members in some:
                    assert first.before is not None
                    for others in listed(first.before, least):
                        yield [(second, more + members) for second, more in others]
