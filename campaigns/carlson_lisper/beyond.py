"""Cases beyond the usual sizes: lengths at which code may be wrong, deep nestings, traces of thousands of instants.

Each case has one length (`campaigns.lengths`): of what its bounds span, of what a queue has to keep, of a chain of
operators, or of a trace.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from campaigns.carlson_lisper.cases import Case, grown_case
from campaigns.carlson_lisper.profiles import PROFILES, Profile
from campaigns.choices import Source, Weights
from campaigns.lengths import Lengths


@dataclass(frozen=True)
class Beyond:
    """A kind of cases with a length."""

    name: str
    weight: int
    lengths: Lengths
    made: Callable[[int], Profile]


def _counted(length: int) -> Profile:
    return replace(
        PROFILES["numbers"],
        operators=(
            Weights.of({"tim": 3, "seq": 4, "con": 1, "neg": 1}),
            Weights.of({"tim": 5, "seq": 1}),
            Weights.of({"seq": 4, "con": 1}),
        ),
        depth=(2, 3),
        types=(1, 3),
        gaps=Weights((length - 1, length - 1, length - 1, max(0, length - 2), 0)),
        noise=(0, 2),
    )


def _brimful(length: int) -> Profile:
    return replace(
        PROFILES["full"],
        depth=(2, 3),
        types=(2, 3),
        gaps=Weights((0, length - 1, length - 1, length)),
        stretch=Weights((0, length // 2)),
        density=Weights((4, 20, 50)),
        instants=2 * length + 100,
    )


def _turning(length: int) -> Profile:
    return replace(
        PROFILES["round"],
        gaps=Weights((0, 1, length - 1, length - 1)),
        stretch=Weights((length, length + length // 2)),
        density=Weights((4, 20, 50)),
        instants=3 * length + 100,
        expressions=Weights(
            (
                *(f"a ; (b ; c)[{length}]", f"a ; (b ; a)[{length}]", f"(a ; a) ; (b ; c)[{length}]"),
                *("a ; (b ; c)", "a ; (b ; c)[1]", "a ; (b ; c)[2]"),
            )
        ),
    )


def _nested(depth: int) -> Profile:
    return replace(
        PROFILES["deep"],
        operators=(Weights.of({"dis": 1, "con": 2, "neg": 2, "seq": 2, "tim": 2}),),
        depth=(depth, depth),
        types=(4, 7),
        distinct=80,
        leaves=0,
        gaps=Weights((0, 0, 0, 1, 2)),
        blocked=15,
    )


def _thousands(length: int) -> Profile:
    return replace(
        PROFILES["stretches"],
        depth=(1, 2),
        types=(2, 4),
        stretch=Weights((length + length // 3,)),
        density=Weights((30, 50, 70, 100)),
        values=0,
        instants=length,
    )


_CATALOGUE = (
    Beyond("counted", 4, Lengths(1, 300, 10**17, Weights((-1, 0, 0, 0, 1))), _counted),
    Beyond("brimful", 1, Lengths(16, 300, 1100, Weights((-1, 0, 1, 2, 40))), _brimful),
    Beyond("turning", 1, Lengths(4, 200, 400, Weights((-1, 0, 1, 2, 10))), _turning),
    Beyond("nested", 2, Lengths(9, 14, 20, Weights((0, 1, 2, 3))), _nested),
    Beyond("thousands", 1, Lengths(400, 1200, 2100, Weights((1, 40, 400))), _thousands),
)

BEYOND: Mapping[str, Beyond] = MappingProxyType({kind.name: kind for kind in _CATALOGUE})

LONGEST = max(kind.made(kind.lengths.greatest).instants for kind in _CATALOGUE) + 400
"""No trace has more distinct times."""


def beyond_case(seed: int, number: int, kinds: Weights[str], constants: Sequence[int]) -> Case:
    """The case with a number."""
    source = Source(f"{seed}:{number}:beyond")
    kind = BEYOND[source.weighted(kinds)]
    profile = kind.made(kind.lengths.one(source, constants))
    return grown_case(seed, number, kind.name, profile, source)
