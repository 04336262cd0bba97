"""Lengths of cases beyond the usual sizes: from the constants of the code under test, or at random.

Which numbers these cases have does not depend on the constants, and the cases that have other numbers are the same with
and without them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from campaigns.choices import Source, Weights

ProfileT = TypeVar("ProfileT")

CHANCE = 75
"""The share of cases that take their length from the constants, where there is one of a possible size, in percent."""


@dataclass(frozen=True)
class Lengths:
    """The lengths that cases of a kind may have.

    Attributes:
        least: the least one.
        usual: the greatest one at random.
        greatest: the greatest one that is taken from the constants.
        near: what is added to a constant.
    """

    least: int
    usual: int
    greatest: int
    near: Weights[int]

    def one(self, source: Source, constants: Sequence[int]) -> int:
        """The length of a case."""
        possible = [number for number in constants if self.least <= number <= self.greatest]
        if possible and source.chance(CHANCE):
            return max(self.least, possible[source.below(len(possible))] + source.weighted(self.near))
        return source.between(self.least, self.usual)


@dataclass(frozen=True)
class Kind(Generic[ProfileT]):
    """A kind of cases with a length.

    Attributes:
        weight: how often it is used, against the usual cases and the others.
        made: what the cases of a length are like.
    """

    weight: int
    lengths: Lengths
    made: Callable[[int], ProfileT]

    def like(self, source: Source, constants: Sequence[int]) -> ProfileT:
        """What a case of the kind is like."""
        return self.made(self.lengths.one(source, constants))


def is_beyond(name: str, usual: int, beyond: int) -> bool:
    """Whether the case with a name is one of these, by the weights of the usual profiles and of these."""
    return beyond > 0 and Source(f"{name}:usual or not").below(usual + beyond) >= usual
