"""The profiles of generated cases, as data."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

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


def _mostly(operator: str, about: str) -> Profile:
    share = {"dis": 1, "con": 1, "neg": 1, "seq": 1, "tim": 1, operator: 8}
    return Profile(f"mostly-{operator}", f"mostly {about}", operators=(Weights.of(share),))


_CATALOGUE = (
    Profile("mixed", "everything in moderation", 5),
    Profile(
        "small",
        "a few operators and occurrences, so that all instances can be listed",
        4,
        depth=(1, 2),
        types=(2, 3),
        echoes=Weights((0, 0, 1)),
        noise=(0, 2),
    ),
    Profile(
        "dense",
        "something at nearly every tick",
        2,
        types=(2, 3),
        gaps=Weights((0,)),
        echoes=Weights((1, 2, 4)),
        noise=(4, 16),
    ),
    Profile(
        "sparse",
        "long gaps and late times",
        2,
        operators=(
            Weights.of({"dis": 1, "con": 2, "neg": 2, "seq": 5, "tim": 2}),
            Weights.of({"dis": 1, "con": 1, "neg": 1, "seq": 3, "tim": 4}),
        ),
        depth=(2, 4),
        starts=Weights((0, 1000, 10**9, 10**12, 2**53)),
        gaps=Weights((0, 0, 1, 10, 999, 5000, 2**16, 10**6, 10**9, 2**31, 2**32, 2**41, 2**51)),
        slack=Weights((-1, 0, 0, 1, 1000, 5000, 10**9)),
        pauses=Weights((0, 3000, 7000, 10**6)),
        echoes=Weights((0, 1, 2, 4)),
    ),
    Profile(
        "far",
        "sequences with labels of thousands, whose candidates get out of date",
        2,
        operators=(Weights(("seq",)), Weights.of({"tim": 6, "seq": 1, "con": 1}), Weights(("seq", "con"))),
        depth=(3, 3),
        leaves=10,
        distinct=80,
        types=(2, 3),
        gaps=Weights((0, 0, 1, 2, 40, 2000)),
        slack=Weights((4000, 4096, 5000, 9000)),
        pauses=Weights((0, 1, 3000, 6000, 10000)),
        echoes=Weights((1, 2, 4)),
        noise=(0, 8),
        filled=30,
    ),
    Profile(
        "gaps",
        "the witness again after long gaps, when all that is older than its bounds has to be forgotten",
        3,
        operators=(
            Weights.of({"tim": 3, "seq": 3, "con": 2, "neg": 1}),
            Weights.of({"dis": 1, "con": 2, "neg": 2, "seq": 4, "tim": 3}),
        ),
        depth=(2, 4),
        gaps=Weights((0, 0, 1, 2, 4)),
        slack=Weights((-1, 0, 0, 1, 2)),
        pauses=Weights((2, 5, 13, 40, 200, 1000)),
        echoes=Weights((1, 2, 2)),
        noise=(0, 6),
    ),
    Profile(
        "forbidden",
        "negations of compound expressions that happen within the left operand",
        5,
        operators=(
            Weights.of({"neg": 5, "con": 1, "seq": 1}),
            Weights.of({"dis": 1, "con": 2, "neg": 1, "seq": 5, "tim": 2}),
        ),
        depth=(4, 5),
        second_depth=(1, 3),
        leaves=5,
        distinct=80,
        types=(3, 5),
        gaps=Weights((0, 1, 2, 3, 5, 8)),
        blocked=15,
        spared=85,
        enclosing=90,
        relapses=Weights((1, 1, 2)),
        echoes=Weights((0,)),
        noise=(0, 3),
    ),
    Profile(
        "interleaved",
        "sequences of compound expressions with labels, whose sides happen at the same time",
        4,
        operators=(
            Weights(("seq",)),
            Weights.of({"tim": 5, "seq": 1, "con": 1}),
            Weights.of({"seq": 3, "con": 2}),
        ),
        depth=(3, 4),
        second_depth=(0, 3),
        leaves=5,
        distinct=70,
        types=(3, 4),
        gaps=Weights((0, 0, 1, 2, 3)),
        slack=Weights((0, 0, 1, 2, 5)),
        overlaps=80,
        repeated=12,
        echoes=Weights((0, 1, 1)),
        noise=(0, 6),
    ),
    Profile(
        "bursty",
        "bursts of many occurrences with pauses in between",
        3,
        pauses=Weights((1, 3, 9, 40, 300)),
        bursts=Weights((1, 2, 3)),
        gaps=Weights((0, 0, 1, 2)),
        echoes=Weights((0, 1)),
        noise=(0, 4),
    ),
    Profile(
        "long",
        "so many occurrences that what is stored has to grow, go round or be given back",
        3,
        operators=(
            Weights.of({"seq": 6, "con": 1, "neg": 1, "tim": 1}),
            Weights.of({"tim": 2, "seq": 4, "con": 1, "dis": 1, "neg": 1}),
        ),
        depth=(1, 3),
        types=(2, 3),
        slack=Weights((0, 1, 5, 40, 100, 5000)),
        gaps=Weights((0, 0, 1, 2, 20, 40, 70)),
        pauses=Weights((0, 0, 1, 3, 30)),
        bursts=Weights((1, 4, 8, 16)),
        echoes=Weights((0, 2, 8)),
        noise=(0, 30),
        filled=75,
        values=5,
        instants=140,
    ),
    Profile(
        "wide",
        "many event types whose names are much alike",
        2,
        operators=(Weights.of({"dis": 1, "con": 3, "neg": 1, "seq": 4, "tim": 2}),),
        depth=(3, 4),
        alternatives=Weights((1, 2, 3, 5)),
        leaves=5,
        distinct=100,
        types=(9, 18),
        blocked=10,
        gaps=Weights((0, 0, 0, 0, 1, 2)),
        echoes=Weights((0, 0, 1)),
        noise=(2, 20),
        ties=60,
        bursts=Weights((0, 0, 1)),
        names=NAMES,
    ),
    Profile(
        "crowded",
        "more event types than there are bits in half a word, or in a word",
        1,
        operators=(Weights.of({"con": 2, "neg": 1, "seq": 4, "tim": 1}),),
        depth=(1, 2),
        alternatives=Weights((8, 20, 30)),
        leaves=0,
        distinct=100,
        types=(33, 75),
        blocked=10,
        echoes=Weights((1, 2)),
        noise=(2, 12),
        bursts=Weights((0, 1)),
        names=NAMES,
    ),
    Profile(
        "few",
        "one or two event types, and subexpressions that occur again and again",
        3,
        operators=(
            Weights.of({"dis": 1, "con": 3, "neg": 3, "seq": 4}),
            Weights.of({"dis": 1, "con": 1, "neg": 1, "seq": 3, "tim": 4}),
        ),
        depth=(1, 4),
        distinct=0,
        types=(1, 2),
        slack=Weights((-1, 0, 0, 1)),
        blocked=40,
        repeated=35,
    ),
    Profile(
        "limits",
        "lengths and bounds about as long as words have bits, and as bytes can count",
        4,
        operators=(
            Weights.of({"tim": 7, "seq": 3, "con": 1, "neg": 1}),
            Weights.of({"dis": 1, "con": 2, "neg": 1, "seq": 8}),
        ),
        depth=(2, 3),
        leaves=20,
        gaps=Weights(
            (*(0,) * 5, 30, 31, 61, 62, 63, 64, 99, 125, 126, 127, 128, 252, 253, 254, 255, 256, 999)
        ),
        slack=Weights((-1, 0, 0, 0, 1)),
        pauses=Weights((0, 1, 3)),
        echoes=Weights((0, 1)),
        noise=(0, 4),
        filled=7,
        instants=300,
    ),
    Profile(
        "numbers",
        "lengths that people and machines are fond of, as bounds and as labels, met exactly or missed by one tick",
        8,
        operators=(
            Weights.of({"seq": 7, "con": 1}),
            Weights(("tim",)),
            Weights.of({"seq": 4, "con": 1}),
        ),
        depth=(3, 3),
        leaves=0,
        distinct=20,
        types=(1, 2),
        starts=Weights((0, 1)),
        gaps=Weights(tuple(number - 1 for number in _NUMBERS)),
        slack=Weights((0, 0, 0, 0, 0, -1)),
        repeated=0,
        echoes=Weights((0, 0, 1)),
        noise=(0, 3),
    ),
    Profile(
        "powers",
        "times, lengths and bounds around the greatest numbers of 7 to 61 bits",
        2,
        operators=(
            Weights.of({"tim": 4, "seq": 3, "con": 3, "neg": 3}),
            Weights.of({"dis": 1, "con": 2, "neg": 1, "seq": 5, "tim": 2}),
        ),
        depth=(2, 3),
        starts=Weights((0, *(2**bits - 3 for bits in _POWERS))),
        gaps=Weights(
            (
                *(0, 1, 1, 2) * 3,
                999,
                10**6 - 1,
                *(2**bits + d for bits in (15, 16, 24, 31, 32, 41, 57) for d in (-2, -1, 0)),
            )
        ),
        slack=Weights((*(-1, 0, 0, 1) * 3, 1000, 10**6, 2**31, 2**32, 2**53, 9 * 10**17)),
        blocked=40,
        echoes=Weights((0, 1)),
        noise=(0, 6),
    ),
    Profile(
        "idle",
        "runs of irrelevant occurrences between those that matter",
        3,
        operators=(Weights.of({"tim": 1, "seq": 3, "con": 2, "neg": 4}),),
        depth=(2, 3),
        gaps=Weights((0, 0, 1, 3, 4, 5, 6, 10, 11, 17, 18, 33, 34)),
        slack=Weights((0, 0, 1)),
        blocked=25,
        spared=80,
        enclosing=80,
        idle=80,
        echoes=Weights((0, 1)),
        noise=(0, 3),
        instants=120,
    ),
    Profile(
        "stretches",
        "short patterns in long stretches of random occurrences",
        4,
        operators=(
            Weights.of({"tim": 5, "neg": 2, "con": 1, "seq": 1}),
            Weights.of({"dis": 2, "con": 2, "neg": 2, "seq": 4, "tim": 2}),
        ),
        depth=(1, 3),
        types=(2, 3),
        gaps=Weights((0, 0, 1, 2, 5, 9)),
        slack=Weights((0, 0, 1, 2)),
        blocked=50,
        stretch=Weights((65, 66, 70, 80, 130, 300)),
        density=Weights((5, 10, 30, 40, 50, 60, 70)),
        echoes=Weights((0,)),
        noise=(0, 0),
        values=5,
        instants=300,
    ),
    Profile("ties", "many occurrences at one instant", 3, gaps=Weights((0, 0, 0, 1)), noise=(3, 14), ties=75),
    Profile(
        "boundary",
        "bounds met exactly or missed by one tick",
        3,
        operators=(Weights.of({"dis": 1, "con": 2, "neg": 2, "seq": 3, "tim": 5}),),
        slack=Weights((-1, 0, 0, 1)),
        echoes=Weights((1, 2)),
        noise=(0, 3),
    ),
    Profile(
        "inversions",
        "instances that end later and start earlier than others of the same subexpression",
        8,
        operators=(
            Weights.of({"con": 3, "neg": 5, "seq": 3}),
            Weights(("dis",)),
            Weights(("seq", "seq", "con")),
        ),
        depth=(3, 3),
        leaves=0,
        distinct=90,
        types=(3, 4),
        starts=Weights((2, 3, 5)),
        gaps=Weights((1, 2, 3, 4, 8)),
        blocked=65,
        enclosing=70,
        noise=(5, 12),
        ties=5,
    ),
    Profile(
        "overtaken",
        "negations of which both operands have instances that end later and start earlier than others",
        3,
        operators=(Weights(("neg",)), Weights(("dis",)), Weights(("seq", "seq", "con"))),
        depth=(3, 3),
        second_depth=(2, 2),
        leaves=0,
        distinct=90,
        types=(5, 6),
        starts=Weights((2, 3, 5)),
        gaps=Weights((1, 2, 3, 4, 8)),
        blocked=65,
        enclosing=0,
        echoes=Weights((0, 0, 1)),
        stretch=Weights((30,)),
        density=Weights((5, 10, 15)),
        noise=(0, 2),
        ties=5,
        instants=50,
    ),
    Profile(
        "full",
        "so many left instances in a row that a sequence needs all that it may keep",
        4,
        operators=(Weights(("seq",)), Weights.of({"tim": 6, "seq": 1, "con": 1}), Weights(("seq", "con"))),
        depth=(3, 3),
        leaves=10,
        distinct=90,
        types=(2, 3),
        starts=Weights((1, 2)),
        gaps=Weights((0, 1, 3, 8, 18, 21, 24)),
        slack=Weights((0, 0, 0, 1)),
        repeated=12,
        echoes=Weights((0,)),
        noise=(0, 5),
        filled=85,
        instants=60,
    ),
    Profile(
        "round",
        "left instances at every tick, so that the queue of a sequence goes round while it is asked for its oldest",
        2,
        types=(3, 3),
        starts=Weights((1, 2)),
        gaps=Weights((0, 1, 10, 20)),
        echoes=Weights((0,)),
        noise=(0, 0),
        filled=100,
        stretch=Weights((25, 45)),
        density=Weights((4, 50, 50)),
        instants=90,
        expressions=Weights(
            (
                "a ; (b ; a)[13]",
                "a ; (b ; a)[29]",
                "(a ; a) ; (b ; a)[13]",
                "a ; (b ; c)[29]",
                *("a ; (b ; c)[1]", "a ; (b ; c)[2]") * 2,
            )
        ),
    ),
    Profile(
        "shapes",
        "chains of one operator, equal operands and the same in other brackets, among random occurrences",
        4,
        types=(3, 3),
        starts=Weights((0, 1)),
        gaps=Weights((0, 0, 1, 2)),
        echoes=Weights((0,)),
        noise=(0, 0),
        stretch=Weights((16, 24)),
        density=Weights((10, 30, 50)),
        instants=40,
        expressions=Weights(tuple(_shapes())),
    ),
    Profile(
        "deep",
        "deeply nested expressions",
        2,
        depth=(5, 8),
        second_depth=(0, 1),
        leaves=5,
        slack=Weights((-1, 0, 0, 0, 0, 0, 0, 1, 1, 2, 5, 9)),
        blocked=5,
        enclosing=10,
        spared=80,
        noise=(0, 4),
    ),
    _mostly("dis", "disjunctions"),
    _mostly("con", "conjunctions"),
    replace(_mostly("neg", "negations"), blocked=10, spared=70),
    _mostly("seq", "sequences"),
    replace(
        _mostly("tim", "temporal restrictions"),
        weight=2,
        operators=(Weights.of({"dis": 1, "con": 2, "neg": 1, "seq": 3, "tim": 7}),),
        depth=(2, 4),
        leaves=5,
        slack=Weights((-2, -1, -1, 0, 0, 0, 1, 2, 5)),
    ),
    Profile(
        "pool",
        "a few expressions again and again, for detectors that take seconds to prepare for each",
        0,
        types=(3, 3),
        gaps=Weights((0, 0, 1, 2, 5)),
        echoes=Weights((1, 2, 4)),
        noise=(4, 16),
        expressions=Weights(
            (
                "a ; b",
                "(a ; (b ; c)[2])[9]",
                "a ; (b + c)[40]",
                "(a ; (b ; c)) - a",
                "((a ; b)[2] | c) ; (a + b)[5]",
                "(a + b)[10] - c",
                "(b | a) ; (b ; (c ; a)[4])[20]",
                "a ; (b ; (c ; b)[4000])",
            )
        ),
    ),
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
