"""The profiles of generated cases, as data (`profiles.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from campaigns.carlson_lisper.profile import Profile
from campaigns.choices import Weights
from semantics.errors import InputError

_POWERS = (7, 8, 15, 16, 24, 31, 32, 52, 53, 61)
"""The bits after which numbers that a program may keep times in are full."""

_NUMBERS = (
    *(10, 12, 15, 16, 20, 24, 30, 31, 32, 45, 48, 50, 60, 62, 63, 64, 65, 72, 90, 100, 120, 127, 128, 144),
    *(180, 200, 240, 250, 255, 256, 257, 300, 360, 365, 400, 500, 511, 512, 513, 600, 720, 900, 1000, 1023),
    *(1024, 1025, 1440, 2000, 2048, 2049, 3600, 4095, 4096, 4097, 5000, 7200, 8192, 10000, 32767, 32768),
    *(65535, 65536, 65537, 86400, 100_000, 604_800, 10**6, 3_600_000),
)
"""Lengths in ticks that people and machines are fond of; some powers of two and a tick more, which is a gap of one."""

NAMES = (
    "a",
    "A",
    "aa",
    "a1",
    "a_",
    "_a",
    "b",
    "B",
    "ab",
    "a10",
    "now",
    "start",
    *("t1", "q1", "l1", "r1", "n1", "a3", "h1", "c1", "e0_1"),
    *(f"e{n}" for n in range(64)),
)
"""Names of event types that are much alike, or that a program may use for itself; more than a word has bits."""


def _shapes() -> Iterator[str]:
    """Expressions in which neighbours, operands or brackets are what matters; most have a part that goes back."""
    back = "(b | (a ; a))"
    for operator in "|+-;":
        yield f"a {operator} c {operator} a {operator} {back}"
        yield f"a {operator} (c {operator} (a {operator} {back}))"
        yield f" {operator} ".join("abc" * 4 + "ab")
    for chain in ("a + a + a", "a + b + a + b", "c + a + b", "a + c + b + a + c"):
        yield f"{chain} + {back}"
    for first in "|+-;":
        yield f"{back} {first} {back}"
        for second in "|+-;":
            yield f"{back} {first} (b {second} {back})"
            yield f"(a {first} (b {second} c)) ; ((a {first} b) {second} c)"
    for operator in "-;":
        yield f"(a - (b {operator} b)) ; ((a - b) {operator} b)"
    for bound in (1, 2):
        yield f"(a ; a)[{bound}] - (a ; a)[{bound}]"
        yield f"(a + b)[{bound}] - (a ; b)[{bound}]"


_COMPUTED: Mapping[str, Mapping[str, Any]] = {
    "wide": {"names": NAMES},
    "crowded": {"names": NAMES},
    "numbers": {"gaps": Weights(tuple(number - 1 for number in _NUMBERS))},
    "powers": {
        "starts": Weights((0, *(2**bits - 3 for bits in _POWERS))),
        "gaps": Weights(
            (
                *(0, 1, 1, 2) * 3,
                999,
                10**6 - 1,
                *(2**bits + d for bits in (15, 16, 24, 31, 32, 41, 57) for d in (-2, -1, 0)),
            )
        ),
        "slack": Weights((*(-1, 0, 0, 1) * 3, 1000, 10**6, 2**31, 2**32, 2**53, 9 * 10**17)),
    },
    "shapes": {"expressions": Weights(tuple(_shapes()))},
}
"""What the file does not list, by profile."""


def _value(field: str, written: Any) -> Any:
    """The value of a field of a profile from what is written in the file."""
    if field == "operators":
        return tuple(map(Weights.of, written))
    if isinstance(getattr(Profile, field, None), Weights):
        return Weights(tuple(written))
    return tuple(written) if isinstance(written, list) else written


_CATALOGUE = tuple(
    Profile(
        **{field: _value(field, written) for field, written in row.items()}, **_COMPUTED.get(row["name"], {})
    )
    for row in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["profile"]
)

PROFILES: Mapping[str, Profile] = MappingProxyType({profile.name: profile for profile in _CATALOGUE})
"""The profiles by name."""

DEFAULT_WEIGHTS: Mapping[str, int] = MappingProxyType({p.name: p.weight for p in _CATALOGUE})
"""How often each profile is used unless a campaign says otherwise."""


def profile_weights(weights: Mapping[str, int], known: Collection[str] = PROFILES) -> Weights[str]:
    """The choice of a profile by the given weights, in whatever order they are given.

    Args:
        weights: how often each is used.
        known: the names that there are.

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
