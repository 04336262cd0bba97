"""The profiles of generated cases, as data (`profiles.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from campaigns.choices import Lengths, Long, Weights
from semantics.errors import InputError


@dataclass(frozen=True)
class Profile:
    """How cases of one kind are generated; what each field says is at the head of `profiles.toml`."""

    name: str
    about: str = ""
    weight: int = 1
    operators: tuple[Weights[str], ...] = (Weights.of({"dis": 2, "con": 3, "neg": 3, "seq": 4, "tim": 3}),)
    depth: tuple[int, int] = (1, 4)
    second_depth: tuple[int, int] = (0, 2)
    alternatives: Weights[int] = Weights((1,))
    leaves: int = 15
    distinct: int = 50
    types: tuple[int, int] = (2, 4)
    starts: Weights[int] = Weights((0, 0, 1, 5))
    gaps: Weights[int] = Weights((0, 0, 0, 1, 1, 2, 3, 9))
    slack: Weights[int] = Weights((-1, 0, 0, 0, 1, 1, 2, 5))
    blocked: int = 25
    echoes: Weights[int] = Weights((0, 1, 1, 2))
    relapses: Weights[int] = Weights((0,))
    noise: tuple[int, int] = (0, 10)
    ties: int = 35
    values: int = 15
    filled: int = 0
    enclosing: int = 30
    overlaps: int = 15
    repeated: int = 6
    spared: int = 50
    stretch: Weights[int] = Weights((0,))
    density: Weights[int] = Weights((50,))
    pauses: Weights[int] = Weights((0,))
    bursts: Weights[int] = Weights((0,))
    instants: int = 24
    names: tuple[str, ...] = ()
    expressions: Weights[str] = Weights(())


def _profile(row: Mapping[str, Any]) -> Profile:
    return Profile(**{field: _value(field, written) for field, written in row.items() if field != "lengths"})


def _value(field: str, written: Any) -> Any:
    """The value of a field of a profile from what is written in the file."""
    if field == "operators":
        return tuple(map(Weights.of, written))
    if isinstance(getattr(Profile, field, None), Weights):
        return Weights(tuple(written))
    return tuple(written) if isinstance(written, list) else written


_FILE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

PROFILES: Mapping[str, Profile] = MappingProxyType({row["name"]: _profile(row) for row in _FILE["profile"]})

DEFAULT_WEIGHTS: Mapping[str, int] = MappingProxyType({name: profile.weight for name, profile in PROFILES.items()})
"""How often each profile is used unless a campaign says otherwise."""


def profile_weights(weights: Mapping[str, int], known: Collection[str] = PROFILES) -> Weights[str]:
    """The choice of a profile by the given weights, in whatever order they are given.

    Raises:
        InputError: a name is not known, a weight is negative, or all are zero.
    """
    unknown = sorted(weights.keys() - set(known))
    if unknown:
        raise InputError(f"no profile is called {unknown[0]!r}", remedy=f"The profiles: {', '.join(known)}.")
    if min(weights.values(), default=0) < 0 or not any(weights.values()):
        raise InputError("the weights of profiles are integers >= 0, and one of them is greater")
    return Weights.of({name: weights.get(name, 0) for name in known})


DEFAULT_PROFILES = profile_weights(DEFAULT_WEIGHTS)
"""The choice of a profile by `DEFAULT_WEIGHTS`."""


# --------------------------------------------------------------------------------- beyond the usual sizes


def _turning(length: int) -> dict[str, Any]:
    texts = (f"a ; (b ; c)[{length}]", f"a ; (b ; a)[{length}]", f"(a ; a) ; (b ; c)[{length}]")
    return {
        "gaps": Weights((0, 1, length - 1, length - 1)),
        "stretch": Weights((length, length + length // 2)),
        "instants": 3 * length + 100,
        "expressions": Weights((*texts, "a ; (b ; c)", "a ; (b ; c)[1]", "a ; (b ; c)[2]")),
    }


_OF_LENGTH: Mapping[str, Callable[[int], dict[str, Any]]] = {
    "counted": lambda length: {"gaps": Weights((length - 1, length - 1, length - 1, max(0, length - 2), 0))},
    "turning": _turning,
    "nested": lambda depth: {"depth": (depth, depth)},
    "thousands": lambda length: {"stretch": Weights((length + length // 3,)), "instants": length},
}
"""The fields of long profiles that follow from the length of a case."""


def _of_length(name: str, profile: Profile, length: int) -> Profile:
    return replace(profile, **_OF_LENGTH[name](length))


LONG: Mapping[str, Long[Profile]] = MappingProxyType(
    {
        row["name"]: Long(
            row["weight"],
            Lengths(**{**row["lengths"], "near": Weights(tuple(row["lengths"]["near"]))}),
            partial(_of_length, row["name"], _profile(row)),
        )
        for row in _FILE["long"]
    }
)
"""Kinds of cases of one length beyond the usual sizes."""

LONGEST = max(kind.made(kind.lengths.greatest).instants for kind in LONG.values()) + 400
"""No trace has more distinct times."""
