"""Finite universes: a few intervals, two bounds, and in each of 64 cases a stream for every variable.

Truth values are words of 64 bits, one for each case, and a stream is an array of words: for each possible instance, in
which cases it belongs. What an operator yields is computed for many streams at once, from its definition alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discovery.carlson_lisper.circuits import Circuit, Circuits, Truth
from semantics.carlson_lisper.decisions import Level
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream
from semantics.carlson_lisper.operators import OPERATORS, Operator, Operators
from semantics.carlson_lisper.pool import Mask, Pool

CASES = 64  # The cases of a universe
OCCURRENCES: dict[Level, int] = {"meaning": 5, "intervals": 6, "detection": 6}
"""The intervals of a universe, by what is to be told of its streams: 31 sets of them, or 21 between six instants."""

GAPS = (0, 1, 1, 2, 2, 4)  # Ticks between an occurrence and the next one
LENGTHS = (0, 0, 0, 1, 1, 3)  # Ticks that an interval takes
BOUNDS = ("t", "u")  # Names of the bounds; in every universe t <= u

Planes: TypeAlias = NDArray[np.uint64]  # Streams as words, of shape (instances, streams)
Words: TypeAlias = NDArray[np.uint64]

ALL_CASES = ~np.uint64(0)

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class _Intervals(Pool[Truth[Planes], int]):
    """The logic over a pool of intervals, each of which stands for occurrences of its own at its start and end."""

    def __init__(self, algebra: Circuits[Planes], intervals: Sequence[tuple[int, int]]) -> None:
        super().__init__(algebra, [start for start, _ in intervals])
        self.intervals = intervals

    def start(self, element: Mask) -> int:
        return min(start for bit, (start, _) in enumerate(self.intervals) if element >> bit & 1)

    def end(self, element: Mask) -> int:
        return max(end for bit, (_, end) in enumerate(self.intervals) if element >> bit & 1)


class Universe:
    """Intervals, bounds t <= u in ticks, and streams for variables in 64 cases; an instance is a set of the intervals.

    Streams are arbitrary, or those of event types: then an occurrence is of one type, and none occurs twice at a time.
    """

    def __init__(
        self,
        intervals: Sequence[tuple[int, int]],
        bounds: Sequence[int],
        streams: Mapping[str, Planes],
        level: Level,
        operators: Operators = OPERATORS,
    ) -> None:
        self.intervals, self.bounds, self.streams = tuple(intervals), tuple(bounds), dict(streams)
        self.level, self.operators = level, operators
        self.instances = instances_of(len(self.intervals), level)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """What it is made of, so that workers of Spark know the usual operators as their own."""
        own = () if self.operators is OPERATORS else (self.operators,)
        return Universe, (self.intervals, self.bounds, self.streams, self.level, *own)

    def apply(self, operator: str, operands: Sequence[Planes], bound: int | None = None) -> Planes:
        """What an operator yields from streams, with the bound of a number."""
        planes = np.zeros_like(operands[0])
        ticks = None if bound is None else self.bounds[bound]
        for place, circuit in _circuits(self.intervals, self.level, self.operators[operator], ticks):
            planes[place] |= circuit(operands[0], operands[-1])
        return planes

    @cached_property
    def _intervals(self) -> dict[tuple[int, int], list[int]]:
        """The instances by interval."""
        found: dict[tuple[int, int], list[int]] = {}
        pool = _Intervals(Circuits(ALL_CASES), self.intervals)
        for place, mask in enumerate(self.instances):
            found.setdefault((pool.start(mask), pool.end(mask)), []).append(place)
        return found

    @cached_property
    def _shown(self) -> list[list[int]]:
        """For each interval the instances that end with it and start no earlier."""
        every = self._intervals.items()
        return [
            [place for (start, end), places in every if first <= start and end == last for place in places]
            for first, last in self._intervals
        ]

    def told(self, planes: Planes) -> Planes:
        """What is to be told of streams: their instances, their intervals, or for each end the greatest start."""
        if self.level == "meaning":
            return planes
        groups = list(self._intervals.values()) if self.level == "intervals" else self._shown
        return np.stack([np.bitwise_or.reduce(planes[group], axis=0) for group in groups])

    def stream(self, planes: Planes, case: int) -> Stream:
        """The instances of one stream in a case, over occurrences of types of their own."""
        every = [
            {Occurrence(f"x{number}", start), Occurrence(f"x{number}", end)}
            for number, (start, end) in enumerate(self.intervals, start=1)
        ]
        return frozenset(
            Instance(set[Occurrence]().union(*(some for bit, some in enumerate(every) if mask >> bit & 1)))
            for place, mask in enumerate(self.instances)
            if int(planes[place]) >> case & 1
        )


def _column(place: int, right: bool) -> Circuit[Planes]:
    return (lambda _, other: other[place]) if right else (lambda one, _: one[place])


@lru_cache(maxsize=1 << 13)
def _circuits(
    intervals: tuple[tuple[int, int], ...], level: Level, definition: Operator, ticks: int | None
) -> list[tuple[int, Circuit[Planes]]]:
    """What an operator yields from streams, as circuits for the places of instances."""
    algebra = Circuits[Planes](ALL_CASES)
    pool = _Intervals(algebra, intervals)
    place_of = {mask: place for place, mask in enumerate(instances_of(len(intervals), level))}

    def kept(mask: Mask) -> Mask:
        """The instance that stands for another one: itself, or its first and last occurrence."""
        return mask if level == "meaning" else mask & -mask | 1 << (mask.bit_length() - 1)

    inputs = [pool.stream({mask: _column(place, right) for mask, place in place_of.items()}) for right in (False, True)]
    found = pool.apply(definition, inputs[: definition.arity], ticks).belongs
    return [(place_of[kept(mask)], algebra.function(truth)) for mask, truth in found.items()]


def instances_of(occurrences: int, level: Level) -> list[int]:
    """The instances over so many occurrences, as masks; one for each interval where these are all that matters."""
    masks = range(1, 2**occurrences)
    return [mask for mask in masks if level == "meaning" or mask.bit_count() <= 2]


def mixed(prints: Words, told: Planes) -> Words:
    """Fingerprints of 64 bits, one for each stream, with what a universe tells of it taken in."""
    for plane in told:
        prints = (prints ^ (prints >> np.uint64(29)) ^ plane) * _MULTIPLIER
        prints ^= prints >> np.uint64(32)
    return prints


def universe(number: int, seed: int, level: Level, variables: Sequence[str], primitive: Iterable[str] = ()) -> Universe:
    """A universe by its number: times, bounds and streams are drawn; those named are of event types."""
    random, times = Random(f"{seed}/{number}"), [0]
    for _ in range(OCCURRENCES[level] - 1):
        times.append(times[-1] + random.choice(GAPS))
    lasting = level == "meaning" and not primitive  # elsewhere two occurrences do as well
    intervals = [(time, time + (random.choice(LENGTHS) if lasting else 0)) for time in times]
    among = {end for _, end in intervals} | set(times)
    spans = sorted({later - earlier for earlier in among for later in among if earlier <= later} | {0, 1, 2})
    lower = random.randrange(len(spans) // 2)
    bounds = (spans[lower], random.choice(spans[lower + 1 :]))
    masks = instances_of(len(times), level)
    words: dict[str, list[int]] = {name: [0] * len(masks) for name in sorted(primitive)}
    for case in range(CASES if words else 0):
        taken: set[tuple[str, int]] = set()
        for place, time in enumerate(times):
            name = random.choice([*words, ""])
            if name and (name, time) not in taken:
                taken.add((name, time))
                words[name][masks.index(1 << place)] |= 1 << case
    for name in variables:
        if name not in words:
            rare = random.randint(1, 4)
            words[name] = [_word(random, rare) for _ in masks]
    return Universe(
        intervals, bounds, {name: np.array(each, dtype=np.uint64)[:, None] for name, each in words.items()}, level
    )


def _word(random: Random, rare: int) -> int:
    """A word whose bits are set one in 2, 4, 8 or 16 times."""
    word = random.getrandbits(CASES)
    for _ in range(rare - 1):
        word &= random.getrandbits(CASES)
    return word


def drawn(planes: Planes, random: np.random.Generator) -> Planes:
    """A stream that is in each case one of given streams."""
    bits = np.uint64(1) << np.arange(CASES, dtype=np.uint64)
    return np.bitwise_or.reduce(planes[:, random.integers(planes.shape[1], size=CASES)] & bits, axis=1, keepdims=True)


def gathered(chosen: Sequence[tuple[Mapping[str, Planes], int]]) -> dict[str, Planes]:
    """Streams that are in one case after the other what others are in given ones; what is left over is empty."""
    found = {name: np.zeros_like(planes) for name, planes in chosen[0][0].items()}
    for place, (streams, case) in enumerate(chosen):
        for name, planes in streams.items():
            found[name] |= (planes >> np.uint64(case) & np.uint64(1)) << np.uint64(place)
    return found
