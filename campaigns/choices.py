"""Choices that a text determines, on every machine and version of Python."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

ChoiceT = TypeVar("ChoiceT")


@dataclass(frozen=True)
class Weights(Generic[ChoiceT]):
    """A choice among alternatives; an alternative of weight n is listed n times, in order."""

    choices: tuple[ChoiceT, ...]

    @classmethod
    def of(cls, weights: Mapping[ChoiceT, int]) -> Weights[ChoiceT]:
        """The choice in which each key has the weight of its value."""
        return cls(tuple(choice for choice, weight in weights.items() for _ in range(weight)))


class Source:
    """Choices determined by a text, on every machine and version of Python.

    Only `Random.random` is used: the other methods of `Random` may choose differently in another version.
    """

    def __init__(self, text: str) -> None:
        self._random = Random(int.from_bytes(hashlib.sha512(text.encode()).digest(), "big")).random

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1."""
        return int(self._random() * limit)

    def between(self, least: int, greatest: int) -> int:
        """A number from least to greatest, both included."""
        return least + int(self._random() * (greatest - least + 1))

    def one(self, among: Sequence[ChoiceT]) -> ChoiceT:
        """One of several."""
        return among[int(self._random() * len(among))]

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred times."""
        return self._random() * 100 < percent

    def weighted(self, weights: Weights[ChoiceT]) -> ChoiceT:
        """One of the choices, in proportion to the weights."""
        return self.one(weights.choices)


FROM_CONSTANTS = 75
"""The share of long cases that take their length from the constants, where one is of a possible size, in percent."""


@dataclass(frozen=True)
class Long(Generic[ChoiceT]):
    """A kind of cases that have one length beyond the usual sizes, from the least to the usual or greatest one.

    Which numbers these cases have does not depend on the constants under test, and all other cases are the same with
    and without them; a length from there is at most the greatest, and something `near` is added to it.
    """

    weight: int
    made: Callable[[int], ChoiceT]
    least: int
    usual: int
    greatest: int
    near: Weights[int]

    def profile(self, source: Source, constants: Sequence[int]) -> ChoiceT:
        """The profile of a case."""
        possible = [number for number in constants if self.least <= number <= self.greatest]
        if possible and source.chance(FROM_CONSTANTS):
            length = possible[source.below(len(possible))] + source.weighted(self.near)
            return self.made(max(self.least, length))
        return self.made(source.between(self.least, self.usual))


def is_long(name: str, usual: int, long: int) -> bool:
    """Whether the case with a name is a long one, by the weights of the usual profiles and of the long kinds."""
    return long > 0 and Source(f"{name}:usual or not").below(usual + long) >= usual
