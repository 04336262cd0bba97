"""Choices that a text determines, on every machine and version of Python."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
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

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred times."""
        return self._random() * 100 < percent

    def weighted(self, weights: Weights[ChoiceT]) -> ChoiceT:
        """One of the choices, in proportion to the weights."""
        return weights.choices[int(self._random() * len(weights.choices))]
