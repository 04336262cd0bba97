"""Choices that a text determines, on every machine and version of Python."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from semantics.errors import InputError

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
    """Choices by `Random.random` alone: the other methods of `Random` may choose differently in another version."""

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


FROM_CONSTANTS = 75  # So many percent of long cases have a length from the constants, where one is of a possible size


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
            return self.made(max(self.least, source.one(possible) + source.weighted(self.near)))
        return self.made(source.between(self.least, self.usual))


def weights(*kinds: Mapping[str, Any]) -> Mapping[str, int]:
    """How often each kind of case is used, by its name."""
    return MappingProxyType({name: kind.weight for some in kinds for name, kind in some.items()})


def is_long(name: str, usual: int, long: int) -> bool:
    """Whether the case with a name is a long one, by the weights of the usual profiles and of the long kinds."""
    return long > 0 and Source(f"{name}:usual or not").below(usual + long) >= usual


def mixed(
    name: str, profiles: Mapping[str, int], kinds: tuple[Mapping[str, Any], Mapping[str, Long[Any]]]
) -> Callable[[int, Sequence[int]], tuple[Source, str, Any]]:
    """The function from numbers and constants to what cases are made of: their source, and their profile with its name.

    Raises:
        InputError: a profile is neither of the usual nor of the long kinds, a weight is negative, or all are zero.
    """
    if unknown := sorted(profiles.keys() - kinds[0].keys() - kinds[1].keys()):
        known = ", ".join((*kinds[0], *kinds[1]))
        raise InputError(f"no profile is called {unknown[0]!r}", remedy=f"The profiles: {known}.")
    if min(profiles.values(), default=0) < 0 or not any(profiles.values()):
        raise InputError("the weights of profiles are integers >= 0, and one of them is greater")
    usual, long = (Weights.of({each: profiles.get(each, 0) for each in some}) for some in kinds)

    def chosen(number: int, constants: Sequence[int]) -> tuple[Source, str, Any]:
        text = f"{name}:{number}"
        if is_long(text, len(usual.choices), len(long.choices)):
            source = Source(f"{text}:beyond")
            profile = source.weighted(long)
            return source, profile, kinds[1][profile].profile(source, constants)
        source = Source(text)
        profile = source.weighted(usual)
        return source, profile, kinds[0][profile]

    return chosen
