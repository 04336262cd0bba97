"""Instances that are drawn from a node of the graph, each with the same chance.

What is drawn from a union comes from either side as often as this has more instances, and from a conjunction or a
sequence from both sides, by how many instances they have that start when they have to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import accumulate
from random import Random
from typing import TypeAlias, TypeVar

from detectors.carlson_lisper.enumeration.graph import (
    First,
    Member,
    Node,
    Sequel,
    Several,
    Starts,
    Together,
    listed,
    parts,
)
from detectors.carlson_lisper.enumeration.steps import NEVER
from semantics.carlson_lisper.occurrences import Time

Numbers: TypeAlias = Mapping[Time, int]
"""How many instances start at each time."""

ChoiceT = TypeVar("ChoiceT")


class Draws:
    """Draws from a node that no set is behind."""

    def __init__(self, node: Node, random: Random) -> None:
        self._node, self._random = node, random
        self._known: dict[tuple[int, Starts], Numbers] = {}  # by the identity of a node, and what is asked of starts

    def draw(self) -> tuple[Member, ...]:
        """The occurrences of an instance."""
        start = self._chosen(self._numbers(self._node, (NEVER,)))
        return self._drawn(self._node, (NEVER,), start)

    def _chosen(self, weights: Mapping[ChoiceT, int]) -> ChoiceT:
        place = self._random.randrange(sum(weights.values()))
        sums = accumulate(weights.values())
        return next(choice for choice, so_far in zip(weights, sums, strict=True) if place < so_far)

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
                for part, asked in parts(node, least):
                    found.update(self._numbers(part, asked))
        return found

    def _drawn(self, node: Node, least: Starts, start: Time) -> tuple[Member, ...]:
        """The occurrences of one of the instances that start at a time."""
        match node:
            case First() | Several():
                return next((first.member,) for first in firsts(node, least) if first.starts[-1] == start)
            case Together(_, left, right):
                one, other = self._numbers(left, least), self._numbers(right, least)
                pairs = {(start, time): one.get(start, 0) * number for time, number in other.items() if time >= start}
                pairs |= {(time, start): number * other.get(start, 0) for time, number in one.items() if time > start}
                first, second = self._chosen(pairs)
                return self._drawn(left, least, first) + self._drawn(right, least, second)
            case Sequel(_, right):
                inner, befores = (*least, least[-1]), _befores(right, least)
                starts = self._numbers(right, inner)
                weights = {
                    time: starts[time] * self._numbers(before, least).get(start, 0) for time, before in befores.items()
                }
                time = self._chosen(weights)
                return self._drawn(befores[time], least, start) + self._drawn(right, inner, time)
            case _:
                unions = list(parts(node, least))
                sizes = {place: self._numbers(*part).get(start, 0) for place, part in enumerate(unions)}
                return self._drawn(*unions[self._chosen(sizes)], start)


def firsts(node: Node, least: Starts) -> Iterator[First]:
    """The first occurrences of instances, some of them several times."""
    match node:
        case First():
            yield node
        case Several():
            for some in listed(node, least):
                yield from (first for (first,) in some)
        case Together(_, left, right):
            yield from firsts(left, least)
            yield from firsts(right, least)
        case Sequel(_, right):
            for before in _befores(right, least).values():
                yield from firsts(before, least)
        case _:
            for part, asked in parts(node, least):
                yield from firsts(part, asked)


def _befores(right: Node, least: Starts) -> dict[Time, Node]:
    """By the time at which instances of the right side of a sequence start, the set that they are behind."""
    found = firsts(right, (*least, least[-1]))
    return {first.starts[-1]: first.before for first in found if first.before is not None}
