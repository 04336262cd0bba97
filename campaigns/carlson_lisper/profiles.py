"""The profiles of generated cases, as data (`profiles.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from campaigns.choices import Lengths, Long, Weights
from semantics.errors import InputError

# -------------------------------------------------------------------------------------------------- a profile


INSTANTS = 24
"""In most profiles a trace is cut after so many distinct times."""

_OPERATORS = Weights.of({"dis": 2, "con": 3, "neg": 3, "seq": 4, "tim": 3})
_STARTS = Weights((0, 0, 1, 5))
_GAPS = Weights((0, 0, 0, 1, 1, 2, 3, 9))
_SLACK = Weights((-1, 0, 0, 0, 1, 1, 2, 5))
_ECHOES = Weights((0, 1, 1, 2))


@dataclass(frozen=True)
class Profile:
    """How cases of one kind are generated. Times and gaps are in ticks, shares in percent.

    Attributes:
        name: the profile's name.
        about: what it is for, in a few words.
        weight: how often it is used, against the others.
        operators: the operators of Def. 3.10 by name, at the root and on the levels below it; the last entry
            is for all further levels.
        depth: the least and greatest depth of expressions.
        second_depth: the least and greatest depth of the other operand of a binary operator, if the first is deeper.
        alternatives: how many event types a leaf has: of more than one it is the disjunction.
        leaves: the share of operands that are event types although they could be deeper.
        distinct: the share of leaves that take a type which no leaf has yet, while there is one.
        types: the least and greatest number of event types.
        starts: when the witness starts.
        gaps: how much later than possible the next part of the witness starts.
        slack: how much greater a bound is than what the witness spans.
        blocked: the share of negations whose right operand happens near the left one.
        echoes: how often the witness is repeated.
        relapses: how often the witness is repeated exactly, but with what its negations forbid.
        noise: the least and greatest number of further occurrences.
        ties: the share of them that are put at an instant of the witness.
        values: the share of cases whose occurrences carry values.
        filled: the share of cases in which one event type occurs at every tick of the witness and of the stretch.
        enclosing: the share of negations whose left operand has one part before, and one after the right one.
        overlaps: the share of sequences whose right operand also happens while the left one does.
        repeated: the share of operands that are a subexpression which is there already, but for a bound.
        spared: the share of cases in which nothing is added that would only undo the witness.
        stretch: for how many ticks events occur at random after the witness and its repetitions.
        density: the share of ticks of such a stretch at which an event type occurs; drawn for each of them.
        pauses: how much later than right after it a repetition of the witness, or a burst, begins.
        bursts: how many bursts there are after the witness and its repetitions.
        instants: a trace is cut after so many distinct times.
        names: the event types by name, if they are not letters.
        expressions: the expressions of the cases, where they are a few fixed ones; otherwise each has its own.
    """

    name: str
    about: str
    weight: int = 1
    operators: tuple[Weights[str], ...] = (_OPERATORS,)
    depth: tuple[int, int] = (1, 4)
    second_depth: tuple[int, int] = (0, 2)
    alternatives: Weights[int] = Weights((1,))
    leaves: int = 15
    distinct: int = 50
    types: tuple[int, int] = (2, 4)
    starts: Weights[int] = _STARTS
    gaps: Weights[int] = _GAPS
    slack: Weights[int] = _SLACK
    blocked: int = 25
    echoes: Weights[int] = _ECHOES
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
    instants: int = INSTANTS
    names: tuple[str, ...] = ()
    expressions: Weights[str] = Weights(())


# ----------------------------------------------------------------------------------------------- all profiles


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


_COMPUTED: Mapping[str, Mapping[str, Any]] = {
    "wide": {"names": NAMES},
    "numbers": {"gaps": Weights(tuple(number - 1 for number in _NUMBERS))},
}
"""Fields that the file does not list, by profile."""


def _value(field: str, written: Any) -> Any:
    """The value of a field of a profile from what is written in the file."""
    if field == "operators":
        return tuple(map(Weights.of, written))
    if isinstance(getattr(Profile, field, None), Weights):
        return Weights(tuple(written))
    return tuple(written) if isinstance(written, list) else written


_CATALOGUE = tuple(
    Profile(**{field: _value(field, written) for field, written in row.items()}, **_COMPUTED.get(row["name"], {}))
    for row in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["profile"]
)

PROFILES: Mapping[str, Profile] = MappingProxyType({profile.name: profile for profile in _CATALOGUE})

DEFAULT_WEIGHTS: Mapping[str, int] = MappingProxyType({p.name: p.weight for p in _CATALOGUE})
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


def _turning(length: int) -> Profile:
    """Left instances at every tick: the queue of a sequence goes round while it is asked for its oldest."""
    return Profile(
        "turning",
        "",
        types=(3, 3),
        starts=Weights((1, 2)),
        gaps=Weights((0, 1, length - 1, length - 1)),
        echoes=Weights((0,)),
        noise=(0, 0),
        filled=100,
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
    return Profile(
        "nested",
        "",
        operators=(Weights.of({"dis": 1, "con": 2, "neg": 2, "seq": 2, "tim": 2}),),
        depth=(depth, depth),
        second_depth=(0, 1),
        leaves=0,
        distinct=80,
        types=(4, 7),
        gaps=Weights((0, 0, 0, 1, 2)),
        slack=Weights((-1, 0, 0, 0, 0, 0, 0, 1, 1, 2, 5, 9)),
        blocked=15,
        noise=(0, 4),
        enclosing=10,
        spared=80,
    )


def _thousands(length: int) -> Profile:
    return Profile(
        "thousands",
        "",
        operators=(
            Weights.of({"tim": 5, "neg": 2, "con": 1, "seq": 1}),
            Weights.of({"dis": 2, "con": 2, "neg": 2, "seq": 4, "tim": 2}),
        ),
        depth=(1, 2),
        types=(2, 4),
        gaps=Weights((0, 0, 1, 2, 5, 9)),
        slack=Weights((0, 0, 1, 2)),
        blocked=50,
        echoes=Weights((0,)),
        noise=(0, 0),
        values=0,
        stretch=Weights((length + length // 3,)),
        density=Weights((30, 50, 70, 100)),
        instants=length,
    )


LONG: Mapping[str, Long[Profile]] = MappingProxyType(
    {
        "counted": Long(4, Lengths(1, 300, 10**17, Weights((-1, 0, 0, 0, 1))), _counted),
        "turning": Long(1, Lengths(4, 200, 400, Weights((-1, 0, 1, 2, 10))), _turning),
        "nested": Long(2, Lengths(9, 14, 20, Weights((0, 1, 2, 3))), _nested),
        "thousands": Long(1, Lengths(400, 1200, 2100, Weights((1, 40, 400))), _thousands),
    }
)
"""Kinds of cases of one length: of what bounds span, of what a queue has to keep, of a nesting, of a trace."""

LONGEST = max(kind.made(kind.lengths.greatest).instants for kind in LONG.values()) + 400
"""No trace has more distinct times."""
