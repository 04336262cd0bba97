"""The profiles of generated cases, as data (`profiles.toml`)."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from campaigns.choices import Long, Weights, weights


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
    valued: Weights[Any] = Weights(())
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
    values: dict[str, Any] = {}
    for field, written in row.items():
        if field == "operators":
            values[field] = tuple(map(Weights.of, written))
        elif isinstance(getattr(Profile, field, None), Weights):
            values[field] = Weights(tuple(written))
        elif field != "lengths":
            values[field] = tuple(written) if isinstance(written, list) else written
    return Profile(**values)


_FILE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

PROFILES: Mapping[str, Profile] = MappingProxyType({row["name"]: _profile(row) for row in _FILE["profile"]})

TAILS: Mapping[str, Profile] = MappingProxyType({row["name"]: _profile(row) for row in _FILE["tail"]})
"""Those of the tails of what occurs."""

SHAPES: Mapping[str, Profile] = MappingProxyType({row["name"]: _profile(row) for row in _FILE["shape"]})
"""Those of the tails of what is asked."""

DEFAULT_PROFILES = Weights.of(weights(PROFILES))  # The choice of a profile unless a campaign says otherwise


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


def _long(row: Mapping[str, Any]) -> Long[Profile]:
    usual, lengths = _profile(row), {**row["lengths"], "near": Weights(tuple(row["lengths"]["near"]))}
    return Long(row["weight"], lambda length: replace(usual, **_OF_LENGTH[row["name"]](length)), **lengths)


LONG: Mapping[str, Long[Profile]] = MappingProxyType({row["name"]: _long(row) for row in _FILE["long"]})
"""Kinds of cases of one length beyond the usual sizes."""

LONGEST = max(kind.made(kind.greatest).instants for kind in LONG.values()) + 400  # No trace has more distinct times
