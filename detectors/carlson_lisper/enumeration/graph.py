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
that passes. That is why the delay is constant, but for a binary search where a list of occurrences is entered.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from detectors.carlson_lisper.enumeration.steps import NEVER, Behind
from semantics.carlson_lisper.occurrences import Occurrence, Time

Starts: TypeAlias = tuple[Time, ...]
"""Starts in ticks, of the sets that instances are behind and of the instances themselves."""


Shown: TypeAlias = Callable[[Occurrence], Any] | None
"""What is told of an occurrence; None where it is the occurrence itself."""


class Member(NamedTuple):
    """An occurrence, in the order of times, then of types, and what is told of it: of each the same once."""

    time: Time
    event: str
    told: Any


class First(NamedTuple):
    """An occurrence, and the set of instances that it is behind, if it is behind any."""

    starts: Starts
    member: Member
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

TOGETHER: Final = 1024  # So many instances are listed at once


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


def reaches(node: Node, least: Starts) -> bool:
    """Whether an instance of a node starts no earlier than is asked, and so do the sets that it is behind."""
    return all(map(int.__ge__, node.starts, least))


def listed(node: Node, least: Starts) -> Iterator[list[tuple[First, ...]]]:
    """The instances of a node whose starts are no less than those that are asked for, some at a time, never none.

    The node has to reach them. Each instance is its occurrences, the first one in front, and one that two operands
    share is there twice. What is done for an instance depends on the size of the pattern alone.
    """
    match node:
        case First():
            yield [(node,)]
        case Several():
            for run in _in_turn(node, least):
                yield [(first,) for first in run]
        case Together(_, left, right):
            for some in listed(left, least):
                for one in some:
                    start = one[0].starts[-1]
                    for others in listed(right, least):
                        yield [one + other if start <= other[0].starts[-1] else other + one for other in others]
        case Sequel(_, right):
            for some in listed(right, (*least, least[-1])):
                for one in some:
                    assert one[0].before is not None
                    for others in listed(one[0].before, least):
                        yield [other + one for other in others]
        case _:
            for part, asked in parts(node, least):
                yield from listed(part, asked)


def told(node: Node, start: Time) -> Iterator[list[tuple[Member, ...]]]:
    """The instances of a node that is behind no set which start at a time or later, as what occurred.

    The occurrences of a sequence are in order.
    """
    match node:
        case First(_, member):
            yield [(member,)]
        case Several():
            for run in _in_turn(node, (start,)):
                yield [(first.member,) for first in run]
        case Together(_, left, right):
            few, many = (right, left) if isinstance(right, First) else (left, right)
            for each in told(few, start):
                for one in each:
                    for others in told(many, start):
                        yield [one + other for other in others]
        case Sequel(_, right):
            for some in listed(right, (start, start)):
                for members in some:
                    assert members[0].before is not None
                    ended = tuple(first.member for first in members)
                    for others in told(members[0].before, start):
                        yield [other + ended for other in others]
        case _:
            for part, (asked,) in parts(node, (start,)):
                yield from told(part, asked)


def late(several: Several, least: Starts) -> range:
    """The places of the occurrences whose starts are no less than is asked for."""
    _, firsts, begin, stop = several
    for place, start in enumerate(least):
        begin = bisect_left(firsts, start, begin, stop, key=lambda first: first.starts[place])
    return range(begin, stop)


def _in_turn(several: Several, least: Starts) -> Iterator[Sequence[First]]:
    """These occurrences, some at a time."""
    places = late(several, least)
    return (several.all[place : min(place + TOGETHER, several.stop)] for place in places[::TOGETHER])


def below(heap: Heap, least: Starts) -> list[Heap]:
    """The heaps right below one with instances whose starts are no less than is asked for."""
    return [each for each in (heap.left, heap.right) if each is not None and reaches(each, least)]


def parts(node: Node, least: Starts) -> Iterator[tuple[Node, Starts]]:
    """The nodes whose instances those of a union are, with the starts that are asked of them."""
    match node:
        case Heap():
            waiting = [node]
            while waiting:
                found = waiting.pop()
                yield found.node, least
                waiting += below(found, least)
        case Either(_, left, right):
            yield from ((each, least) for each in (left, right) if reaches(each, least))
        case Since(_, each, start):
            yield each, (*least[:-1], max(least[-1], start))


class Graph:
    """Sets of instances as nodes."""

    def __init__(self, shown: Shown) -> None:
        self._shown = shown

    def first(self, time: Time, occurrence: Occurrence, behind: Behind) -> Node:
        """An occurrence at a time, behind a set."""
        before: Starts = behind.set.starts if behind.set else ()
        told = self._shown(occurrence) if self._shown else occurrence
        return First((*before, time), Member(time, occurrence.event, told), behind.set)

    def either(self, left: Node | None, right: Node | None) -> Node | None:
        """The instances of both."""
        if left is None or right is None:
            return left or right
        return Either(max(left.starts, right.starts), left, right)

    def together(self, left: Node | None, right: Node | None) -> Node | None:
        """The unions of an instance of each."""
        if left is None or right is None:
            return None
        return Together(min(left.starts, right.starts), left, right)

    def since(self, ended: Node | None, start: Time) -> Node | None:
        """Those that start at a time or later."""
        return None if ended is None or ended.starts[-1] < start else Since(ended.starts, ended, start)

    def sequel(self, right: Node | None, lefts: object) -> Node | None:
        """The unions of each instance with each of those that it is behind, which it carries."""
        return None if right is None else Sequel(right.starts[:-1], right)

    def kept(self, *, starts: bool, ends: bool) -> KeptNodes:
        """A store of nothing so far."""
        return KeptNodes()


class KeptNodes:
    """All instances of an operand so far, but for those that start too early to be of use.

    Occurrences are kept in a list, in which they lie by their starts, and anything else in a heap.
    """

    def __init__(self) -> None:
        self._firsts: list[First] = []
        self._begin = 0  # how many of the list are of no use
        self._heap: Heap | None = None
        self._size, self._alive = 0, 0  # nodes of the heap, and how many of them were of use when it was looked through

    def add(self, time: Time, ended: Node | None) -> None:
        """Add what ends at a time."""
        if isinstance(ended, First):
            self._firsts.append(ended)
        elif ended is not None:
            self._heap = merged(self._heap, heap(ended))
            self._size += 1

    def all(self, useless: Time) -> Node | None:
        """All of them that start later than `useless`."""
        while self._begin < len(self._firsts) and self._firsts[self._begin].starts[-1] <= useless:
            self._begin += 1
        if self._begin > 32 and 2 * self._begin > len(self._firsts):  # the old list may belong to nodes
            self._firsts, self._begin = self._firsts[self._begin :], 0
        if self._heap is not None and self._heap.starts[-1] <= useless:
            self._heap, self._size, self._alive = None, 0, 0
        if self._heap is not None and useless > NEVER and self._size > 2 * self._alive + 32:
            least = (*(NEVER for _ in self._heap.starts[1:]), useless + 1)
            alive = [node for node, _ in parts(self._heap, least)] if reaches(self._heap, least) else []
            self._heap = None
            for node in alive:
                self._heap = merged(self._heap, heap(node))
            self._size = self._alive = len(alive)
        if self._begin == len(self._firsts):
            return self._heap
        some = Several(self._firsts[-1].starts, self._firsts, self._begin, len(self._firsts))
        return some if self._heap is None else Either(max(some.starts, self._heap.starts), some, self._heap)
