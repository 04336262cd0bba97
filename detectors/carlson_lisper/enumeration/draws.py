"""Instances that are drawn from nodes of the graph, each of a node with the same chance.

What is drawn from a union comes from either side as often as this has more instances, and from a conjunction or a
sequence from both sides. What may stand on the left of a sequence depends on the start of the right side: so starts are
counted there, and totals elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import accumulate
from random import Random
from typing import TypeAlias, TypeVar

from detectors.carlson_lisper.enumeration import graph
from detectors.carlson_lisper.enumeration.graph import First, Heap, Member, Node, Sequel, Several, Starts, Together
from detectors.carlson_lisper.enumeration.steps import NEVER
from semantics.carlson_lisper.occurrences import Time

Numbers: TypeAlias = Mapping[Time, int]
"""How many instances start at each time."""

ChoiceT = TypeVar("ChoiceT")


class Draws:
    """Draws from nodes that no set is behind."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self._roots: list[Node] = []  # so that no other node gets the identity of one that is known
        self._known: dict[tuple[int, Starts], Numbers] = {}  # by the identity of a node, and what is asked of starts
        self._totals: dict[tuple[int, Starts], int] = {}  # by the same

    def draw(self, node: Node) -> Iterator[tuple[Member, ...]]:
        """The occurrences of one instance after the other, without an end; some of them come again."""
        self._roots.append(node)
        while True:
            yield self._drawn(node, (NEVER,))

    def _total(self, node: Node, least: Starts) -> int:
        """How many instances a node has."""
        key, total = (id(node), least), 0
        if key in self._totals:
            return self._totals[key]
        match node:
            case First():
                return 1
            case Several():
                return len(graph.late(node, least))
            case Together(_, left, right):
                return self._total(left, least) * self._total(right, least)
            case Sequel(_, First(_, _, before)) if before is not None:
                return self._total(before, least)
            case Sequel(_, right):
                starts = self._numbers(right, (*least, least[-1]))
                for time, before in _befores(right, least).items():
                    total += starts[time] * self._total(before, least)
            case Heap():
                heaps = [node]
                for heap in heaps:
                    heaps += [each for each in graph.below(heap, least) if (id(each), least) not in self._totals]
                for heap in reversed(heaps):  # it may be deep: what is below comes first
                    total = self._total(heap.node, least)
                    for each in graph.below(heap, least):
                        total += self._totals[id(each), least]
                    self._totals[id(heap), least] = total
            case _:
                for part, asked in graph.parts(node, least):
                    total += self._total(part, asked)
        self._totals[key] = total
        return total

    def _numbers(self, node: Node, least: Starts) -> Numbers:
        key = (id(node), least)
        if key not in self._known:
            self._known[key] = self._counted(node, least)
        return self._known[key]

    def _counted(self, node: Node, least: Starts) -> Numbers:
        found: Counter[Time] = Counter()
        match node:
            case First() | Several():
                found.update(first.starts[-1] for first in firsts(node, least))
            case Together(_, left, right):
                one, other = self._numbers(left, least), self._numbers(right, least)
                ones = others = 0
                for start in sorted({*one, *other}, reverse=True):
                    others += other.get(start, 0)
                    found[start] = one.get(start, 0) * others + other.get(start, 0) * ones
                    ones += one.get(start, 0)
            case Sequel(_, right):
                starts = self._numbers(right, (*least, least[-1]))
                for time, before in _befores(right, least).items():
                    for start, number in self._numbers(before, least).items():
                        found[start] += starts[time] * number
            case _:
                for part, asked in graph.parts(node, least):
                    found.update(self._numbers(part, asked))
        return found

    def _drawn(self, node: Node, least: Starts, start: Time | None = None) -> tuple[Member, ...]:
        """The occurrences of one of the instances, or of one of those that start at a time."""

        def number(part: Node, asked: Starts) -> int:
            return self._total(part, asked) if start is None else self._numbers(part, asked).get(start, 0)

        match node:
            case First() | Several():
                found = [first.member for first in firsts(node, least) if start in (None, first.starts[-1])]
                return (self.random.choice(found),)
            case Together(_, left, right):
                if start is None:
                    return self._drawn(left, least) + self._drawn(right, least)
                one, other = self._numbers(left, least), self._numbers(right, least)
                pairs = {(start, time): one.get(start, 0) * count for time, count in other.items() if time >= start}
                pairs |= {(time, start): count * other.get(start, 0) for time, count in one.items() if time > start}
                first, second = chosen(pairs, self.random)
                return self._drawn(left, least, first) + self._drawn(right, least, second)
            case Sequel(_, right):
                inner, befores = (*least, least[-1]), _befores(right, least)
                starts = self._numbers(right, inner)
                time = chosen({time: starts[time] * number(each, least) for time, each in befores.items()}, self.random)
                return self._drawn(befores[time], least, start) + self._drawn(right, inner, time)
            case Heap() if start is None:
                found_in: Node = node
                while isinstance(found_in, Heap):
                    ways: list[Node] = [found_in.node, *graph.below(found_in, least)]
                    totals = {place: self._total(way, least) for place, way in enumerate(ways)}
                    found_in = ways[chosen(totals, self.random)]
                return self._drawn(found_in, least)
            case _:
                unions = list(graph.parts(node, least))
                sizes = {place: number(*part) for place, part in enumerate(unions)}
                return self._drawn(*unions[chosen(sizes, self.random)], start)


def chosen(weights: Mapping[ChoiceT, int], random: Random) -> ChoiceT:
    """One of several, in proportion to its weight."""
    place, sums = random.randrange(sum(weights.values())), accumulate(weights.values())
    return next(choice for choice, so_far in zip(weights, sums, strict=True) if place < so_far)


def firsts(node: Node, least: Starts) -> Iterator[First]:
    """The first occurrences of instances, some of them several times."""
    match node:
        case First():
            yield node
        case Several():
            for some in graph.listed(node, least):
                yield from (first for (first,) in some)
        case Together(_, left, right):
            yield from firsts(left, least)
            yield from firsts(right, least)
        case Sequel(_, right):
            for before in _befores(right, least).values():
                yield from firsts(before, least)
        case _:
            for part, asked in graph.parts(node, least):
                yield from firsts(part, asked)


def _befores(right: Node, least: Starts) -> dict[Time, Node]:
    """By the time at which instances of the right side of a sequence start, the set that they are behind."""
    found = firsts(right, (*least, least[-1]))
    return {first.starts[-1]: first.before for first in found if first.before is not None}
