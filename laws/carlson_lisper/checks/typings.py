"""Event types for the occurrences of a trace, and the streams that simple patterns over these types denote.

Two occurrences at different times may be of one type. Then fewer streams can be written as expressions, since an
expression that lets one of the occurrences through may let the other through as well. What can be written is decided
here for *simple patterns*: a conjunction of different event types, or a sequence of event types or of conjunctions of
event types. An identifier stands for a disjunction of simple patterns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, reduce
from itertools import combinations, groupby
from typing import TypeAlias, TypeVar

from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.pool import Mask, Pool, PoolStream

Typing: TypeAlias = tuple[int, ...]
"""The number of the type of each occurrence; types are numbered in the order in which they first occur."""

Ranks: TypeAlias = tuple[int, ...]
"""The place of each occurrence's time among the distinct times, from 0; what a pattern denotes depends on no more."""


@dataclass(frozen=True)
class Pattern:
    """A simple pattern and the instances that it denotes on a typed trace.

    Attributes:
        expression: the pattern; its identifiers are the numbers of types.
        masks: its instances, as sets of bits.
    """

    expression: Expression
    masks: frozenset[Mask]


def ranks_of(times: Sequence[int]) -> Ranks:
    """The places of times among the distinct ones."""
    place = {time: rank for rank, time in enumerate(sorted(set(times)))}
    return tuple(place[time] for time in times)


@cache
def typings(ranks: Ranks, types: int) -> tuple[Typing, ...]:
    """All ways to give occurrences exactly so many types, in order; one type occurs at different times (Def. 3.4)."""

    def extend(typing: Typing, used: int) -> Iterator[Typing]:
        if len(typing) == len(ranks):
            if used == types:
                yield typing
            return
        rank = ranks[len(typing)]
        taken = {known for known, at in zip(typing, ranks, strict=False) if at == rank}
        for number in range(min(used + 1, types)):
            if number not in taken:
                yield from extend((*typing, number), max(used, number + 1))

    return tuple(extend((), 0))


@cache
def patterns(ranks: Ranks, typing: Typing) -> tuple[Pattern, ...]:
    """The simple patterns over the types of a trace, short ones first, one per set of instances that is denoted."""
    occurrences = [Occurrence(str(number), rank) for number, rank in zip(typing, ranks, strict=True)]
    bit = {occurrence: 1 << place for place, occurrence in enumerate(occurrences)}
    trace = interpretation(occurrences)
    found: dict[frozenset[Mask], Expression] = {}
    everything = range(1, 2 ** len(ranks))
    for mask in sorted(everything, key=lambda mask: (mask.bit_count(), mask)):
        members = [o for place, o in enumerate(occurrences) if mask >> place & 1]
        for expression in _written(members):
            stream = denotation(expression, trace)
            masks = frozenset(sum(bit[o] for o in instance.occurrences) for instance in stream)
            found.setdefault(masks, expression)
    return tuple(Pattern(expression, masks) for masks, expression in found.items())


def _written(members: Sequence[Occurrence]) -> Iterator[Expression]:
    """The simple patterns that an instance suggests: its types in any order, and its types in order of time."""
    names = [occurrence.event for occurrence in members]
    if len(set(names)) == len(names):
        yield join("con", map(Identifier, names))
    steps = [
        join("con", (Identifier(occurrence.event) for occurrence in group))
        for _, group in groupby(members, key=lambda occurrence: occurrence.time)
    ]
    if len(steps) > 1:
        yield join("seq", steps)


def join(operator: str, parts: Iterable[Expression]) -> Expression:
    """Several expressions under one operator that associates to the left."""
    return reduce(lambda left, right: Operation(operator, (left, right)), parts)


def singles(typing: Typing, number: int) -> frozenset[Mask]:
    """The instances of an event type: its occurrences, one each."""
    return frozenset(1 << place for place, other in enumerate(typing) if other == number)


def cover(masks: AbstractSet[Mask], available: Sequence[Pattern]) -> tuple[Pattern, ...] | None:
    """Few patterns that together denote exactly the given instances; None if there are none."""
    usable = [pattern for pattern in available if pattern.masks <= masks]
    if not masks <= frozenset[Mask]().union(*(pattern.masks for pattern in usable)):
        return None
    for number in range(4):
        for chosen in combinations(usable, number):
            if frozenset[Mask]().union(*(pattern.masks for pattern in chosen)) == masks:
                return chosen
    left, greedy = set(masks), []
    while left:
        best = max(usable, key=lambda pattern: len(pattern.masks & left))
        greedy.append(best)
        left -= best.masks
    return tuple(greedy)


# ------------------------------------------------------------------------------------- over any Boolean algebra

TruthT = TypeVar("TruthT")
NumberT = TypeVar("NumberT")


def writable(
    pool: Pool[TruthT, NumberT],
    streams: Mapping[str, PoolStream[TruthT, NumberT]],
    primitive: AbstractSet[str],
    ranks: Ranks,
    typing: Typing,
) -> TruthT:
    """When all streams can be written over a trace with these types, occurrences having the given order in time.

    A primitive identifier's stream has to be all occurrences of one type, or empty, and different primitive
    identifiers are different types. Any other identifier's stream has to be a union of what simple patterns denote.
    """
    algebra = pool.algebra
    types = range(max(typing) + 1)
    if len(types) == len(typing) and not primitive:  # each occurrence has its own type: everything can be written
        return algebra.constant(True)
    parts: list[TruthT] = []
    is_type: dict[str, list[TruthT]] = {}
    for name, stream in streams.items():
        if name in primitive:
            is_type[name] = [_exactly(pool, stream, singles(typing, number)) for number in types]
            parts.append(algebra.either([_exactly(pool, stream, frozenset()), *is_type[name]]))
        else:
            parts += _union_of_patterns(pool, stream, patterns(ranks, typing))
    for first, second in combinations(sorted(is_type), 2):
        parts += [algebra.negate(algebra.every(both)) for both in zip(is_type[first], is_type[second], strict=True)]
    return algebra.every(parts)


def _exactly(pool: Pool[TruthT, NumberT], stream: PoolStream[TruthT, NumberT], masks: frozenset[Mask]) -> TruthT:
    return pool.algebra.every(
        stream.member(mask) if mask in masks else pool.algebra.negate(stream.member(mask)) for mask in pool.instances
    )


def _union_of_patterns(
    pool: Pool[TruthT, NumberT], stream: PoolStream[TruthT, NumberT], available: Sequence[Pattern]
) -> Iterator[TruthT]:
    algebra = pool.algebra
    for mask, belongs in stream.belongs.items():
        ways = [pattern.masks - {mask} for pattern in available if mask in pattern.masks]
        if frozenset() not in ways:
            whole = (algebra.every(stream.member(other) for other in sorted(way)) for way in ways)
            yield algebra.either((algebra.negate(belongs), *whole))
