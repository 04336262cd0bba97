"""Cases in groups: many traces of one expression as bit sets, made by arithmetic on arrays.

Case number n is lane n % LANES of the group n // LANES. A group takes its expression from an ordinary case, which also
lends its trace as a model for those of the lanes (`campaigns.vectorised.traces`). A trace has at most `MAX_TICKS`
ticks, so what occurs of one event type fits one word of 64 bits. A lane is the same alone and in its group.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from campaigns.carlson_lisper.cases import Case, Source, generate
from campaigns.carlson_lisper.profile import Profile, Weights
from campaigns.carlson_lisper.profiles import PROFILES, profile_weights
from campaigns.vectorised.traces import TRACES, Draws, Words
from detectors.carlson_lisper.intervals import Letters, letter_type
from detectors.protocol import event_types
from semantics.carlson_lisper.expressions import (
    Expression,
)
from semantics.carlson_lisper.occurrences import Occurrence

LANES = 1024
"""How many cases share an expression."""

MAX_TICKS = 63
"""A trace has at most so many ticks, from 0 on."""

PROFILE = "lanes"
"""The profile of these cases, in the place of a name of `campaigns.carlson_lisper.profiles.PROFILES`."""

_NEAR = 32
"""An ordinary case serves as a model if its starts, gaps, pauses and slacks are less than this, in ticks."""

_TICKS = Weights((16, 24, 24, 24, 32, 32, 48, MAX_TICKS))


def _is_near(profile: Profile) -> bool:
    return all(
        max(times.choices) < _NEAR for times in (profile.starts, profile.gaps, profile.pauses, profile.slack)
    )


_MODELS = profile_weights(
    {profile.name: profile.weight for profile in PROFILES.values() if _is_near(profile)}
)


@dataclass(frozen=True, eq=False)
class Group:
    """Cases that share an expression.

    Attributes:
        seed: the campaign's seed.
        number: the group's number, from 0.
        expression: a ground expression.
        names: the event types: those of the expression as in `event_types`, then those of the traces alone.
        ticks: how many ticks the traces have at most.
        lanes: the numbers of the lanes, shape (lanes,).
        planes: when each type occurs, shape (names, lanes).
    """

    seed: int
    number: int
    expression: Expression
    names: tuple[str, ...]
    ticks: int
    lanes: NDArray[np.int64]
    planes: Words

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The numbers of the cases, shape (lanes,)."""
        return self.number * LANES + self.lanes

    @cached_property
    def happens(self) -> Words:
        """The ticks at which anything occurs, shape (lanes,)."""
        return np.asarray(np.bitwise_or.reduce(self.planes, axis=0))

    @property
    def instants(self) -> NDArray[np.int64]:
        """How many instants each trace has, shape (lanes,)."""
        return np.bitwise_count(self.happens).astype(np.int64)

    @property
    def occurrences(self) -> NDArray[np.int64]:
        """How many occurrences each trace has, shape (lanes,)."""
        return np.asarray(np.bitwise_count(self.planes).sum(axis=0, dtype=np.int64))

    def letters(self, names: Sequence[str]) -> Letters:
        """What occurs of some event types, bit i for `names[i]`, as a detector takes it: shape (ticks, lanes)."""
        kind: Any = letter_type(len(names))
        ticks = np.arange(self.ticks, dtype=np.uint64)[:, None]
        letters = np.zeros((self.ticks, len(self.lanes)), kind)
        for bit, name in enumerate(names):
            occurs = self.planes[self.names.index(name)] >> ticks & np.uint64(1)
            letters |= occurs.astype(kind) << kind(bit)
        return letters

    def case(self, place: int) -> Case:
        """The case at a place among the lanes, as any other case."""
        found = sorted(
            (tick, name)
            for name, plane in zip(self.names, self.planes[:, place].tolist(), strict=True)
            for tick in range(self.ticks)
            if plane >> tick & 1
        )
        occurrences = tuple(Occurrence(name, tick) for tick, name in found)
        return Case(self.seed, int(self.numbers[place]), PROFILE, self.expression, occurrences)


def vectorised_case(seed: int, number: int) -> Case:
    """The case with a number, made alone; equal to its lane in its group.

    Args:
        seed: any integer.
        number: the number of the case, from 0.
    """
    lane = number % LANES
    return make_group(seed, number // LANES, slice(lane, lane + 1)).case(0)


def groups(numbers: range) -> Iterator[tuple[int, slice]]:
    """The groups, and the lanes of each, that consecutive case numbers stand for."""
    for group in range(numbers.start // LANES, -(-numbers.stop // LANES)):
        first = group * LANES
        yield group, slice(max(0, numbers.start - first), min(LANES, numbers.stop - first))


def make_group(seed: int, number: int, lanes: slice = slice(0, LANES)) -> Group:
    """Some lanes of a group.

    Args:
        seed: any integer.
        number: the group's number, from 0.
        lanes: which lanes are wanted.
    """
    model = generate(seed, number, _MODELS)
    source = Source(f"lanes:{seed}:{number}")
    expression = model.expression
    known = event_types(expression)
    names = (*known, *sorted({occurrence.event for occurrence in model.occurrences} - {*known}))
    begin = model.occurrences[0].time if model.occurrences else 0
    span = model.occurrences[-1].time - begin + 1 if model.occurrences else 1
    ticks = min(MAX_TICKS, max(source.weighted(_TICKS), span + 4))
    pattern = np.zeros((len(names), 1), np.uint64)
    for occurrence in model.occurrences:
        if occurrence.time - begin < ticks:
            pattern[names.index(occurrence.event)] |= np.uint64(1 << (occurrence.time - begin))
    chosen = np.arange(LANES)[lanes]
    key = int.from_bytes(hashlib.sha512(f"lanes:{seed}:{number}".encode()).digest()[:8], "little")
    planes = np.zeros((len(names), len(chosen)), np.uint64)
    for kind, trace in enumerate(TRACES):
        where = chosen % len(TRACES) == kind
        planes[:, where] = trace(Draws(key, kind, len(names), chosen[where]), pattern, min(span, ticks))
    planes &= np.uint64((1 << ticks) - 1)
    return Group(seed, number, expression, names, ticks, chosen, planes)
