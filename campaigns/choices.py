"""Choices that a text determines, on every machine and version of Python."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
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


def kinds_in(path: Path, kind: Callable[..., ChoiceT]) -> Iterator[Mapping[str, ChoiceT]]:
    """The kinds of cases in a file, by name: the usual ones, those of the tails, and those of larger texts."""
    for part in tomllib.loads(path.read_text("utf-8")).values():
        yield MappingProxyType({name: kind(**fields) for name, fields in part.items()})


def weights(*kinds: Mapping[str, Any]) -> Mapping[str, int]:
    """How often each kind of case is used, by its name."""
    return MappingProxyType({name: kind.weight for some in kinds for name, kind in some.items()})


def _is_beyond(text: str, others: int, weight: int) -> bool:
    """Whether a case is of kinds with a weight, beside the weight of the others; the text stands for both."""
    return weight > 0 and Source(text).below(others + weight) >= others


def mixed(
    name: str, profiles: Mapping[str, int], kinds: Sequence[Mapping[str, Any]]
) -> Callable[[int, Sequence[int]], tuple[Source, str, Any]]:
    """The function from numbers and constants to what cases are made of: their source, and their profile with its name.

    The kinds are the usual ones, the long ones (`Long`), those of the tails of what occurs, and of what is asked: other
    cases are the same with and without a later kind. `InputError` where a profile is of none of them, a weight is
    negative, or all are zero.
    """
    known = [each for some in kinds for each in some]
    if unknown := sorted(profiles.keys() - {*known}):
        raise InputError(f"no profile is called {unknown[0]!r}", remedy=f"The profiles: {', '.join(known)}.")
    if min(profiles.values(), default=0) < 0 or not any(profiles.values()):
        raise InputError("the weights of profiles are integers >= 0, and one of them is greater")
    usual, long, *tails = (Weights.of({each: profiles.get(each, 0) for each in some}) for some in kinds)
    weight, of_long = len(usual.choices), len(long.choices)
    others = [weight + of_long + sum(len(one.choices) for one in tails[:place]) for place in range(len(tails))]
    of_tails = [*zip(("tails", "shapes"), tails, others, kinds[2:], strict=False)][::-1]

    def chosen(number: int, constants: Sequence[int]) -> tuple[Source, str, Any]:
        text = f"{name}:{number}"
        for kind, among, before, known in of_tails:
            if _is_beyond(f"{text}:{kind} or not", before, len(among.choices)):
                source = Source(f"{text}:{kind}")
                profile = source.weighted(among)
                return source, profile, known[profile]
        if _is_beyond(f"{text}:usual or not", weight, of_long):
            source = Source(f"{text}:beyond")
            profile = source.weighted(long)
            return source, profile, kinds[1][profile].profile(source, constants)
        source = Source(text)
        profile = source.weighted(usual)
        return source, profile, kinds[0][profile]

    return chosen
