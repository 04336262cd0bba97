"""The profiles of generated cases: what is frequent in each, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Generic, TypeVar

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
        second_depth: the greatest depth of the other operand of a binary operator.
        leaves: the share of operands that are event types although they could be deeper.
        distinct: the share of leaves that take a type which no leaf has yet, while there is one.
        types: the least and greatest number of event types.
        starts: when the witness starts.
        gaps: how much later than possible the next part of the witness starts.
        slack: how much greater a bound is than what the witness spans.
        blocked: the share of negations whose right operand happens near the left one.
        echoes: how often the witness is repeated.
        noise: the least and greatest number of further occurrences.
        ties: the share of them that are put at an instant of the witness.
        values: the share of cases whose occurrences carry values.
        filled: the share of cases in which one event type occurs at every tick of the witness.
        enclosing: the share of negations whose left operand has one part before, and one after the right one.
        overlaps: the share of sequences whose right operand also happens while the left one does.
        repeated: the share of operands that are a subexpression which is there already, or nearly so.
        spared: the share of cases in which nothing is added that would only undo the witness.
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
    second_depth: int = 2
    leaves: int = 15
    distinct: int = 50
    types: tuple[int, int] = (2, 4)
    starts: Weights[int] = _STARTS
    gaps: Weights[int] = _GAPS
    slack: Weights[int] = _SLACK
    blocked: int = 25
    echoes: Weights[int] = _ECHOES
    noise: tuple[int, int] = (0, 10)
    ties: int = 35
    values: int = 15
    filled: int = 0
    enclosing: int = 30
    overlaps: int = 15
    repeated: int = 6
    spared: int = 50
    pauses: Weights[int] = Weights((0,))
    bursts: Weights[int] = Weights((0,))
    instants: int = INSTANTS
    names: tuple[str, ...] = ()
    expressions: Weights[str] = Weights(())


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
        gaps=Weights((0, 0, 1, 10, 999, 5000, 2**16, 10**6, 10**9, 2**31, 2**32)),
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
        3,
        operators=(
            Weights.of({"neg": 5, "con": 1, "seq": 1}),
            Weights.of({"dis": 1, "con": 2, "neg": 1, "seq": 5, "tim": 2}),
        ),
        depth=(4, 5),
        second_depth=3,
        leaves=5,
        distinct=80,
        types=(3, 5),
        gaps=Weights((0, 0, 1, 2, 3, 5, 8)),
        blocked=40,
        enclosing=90,
        echoes=Weights((0, 0, 1)),
        noise=(0, 5),
    ),
    Profile(
        "interleaved",
        "sequences of compound expressions with labels, whose sides happen at the same time",
        3,
        operators=(
            Weights(("seq",)),
            Weights.of({"tim": 5, "seq": 1, "con": 1}),
            Weights.of({"seq": 3, "con": 2}),
        ),
        depth=(3, 4),
        second_depth=3,
        leaves=5,
        distinct=70,
        types=(3, 4),
        gaps=Weights((0, 0, 1, 2, 3)),
        slack=Weights((0, 0, 1, 2, 5)),
        overlaps=80,
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
        2,
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
        instants=160,
    ),
    Profile(
        "wide",
        "many event types whose names are much alike",
        1,
        depth=(3, 5),
        distinct=85,
        types=(5, 11),
        noise=(2, 14),
        names=("a", "A", "aa", "a1", "a_", "_a", "b", "B", "ab", "a10", "now", "start"),
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
        10,
        operators=(
            Weights.of({"con": 3, "neg": 5, "seq": 3}),
            Weights(("dis",)),
            Weights(("seq", "seq", "con")),
        ),
        depth=(3, 3),
        second_depth=2,
        leaves=0,
        distinct=90,
        types=(3, 4),
        gaps=Weights((1, 2, 3, 4)),
        blocked=80,
        noise=(5, 12),
        ties=5,
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
        gaps=Weights((0, 1, 2, 4)),
        slack=Weights((0, 0, 0, 1)),
        echoes=Weights((0, 1)),
        noise=(0, 5),
        filled=85,
    ),
    Profile(
        "deep",
        "deeply nested expressions",
        2,
        depth=(5, 7),
        second_depth=1,
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


def profile_weights(weights: Mapping[str, int]) -> Weights[str]:
    """The choice of a profile by the given weights, in whatever order they are given.

    Raises:
        InputError: a name is not in the catalogue, a weight is negative, or all are zero.
    """
    unknown = sorted(weights.keys() - PROFILES.keys())
    if unknown:
        raise InputError(
            f"no profile is called {unknown[0]!r}", remedy=f"The profiles: {', '.join(PROFILES)}."
        )
    if min(weights.values(), default=0) < 0 or not any(weights.values()):
        raise InputError("the weights of profiles are integers >= 0, and one of them is greater")
    return Weights.of({name: weights.get(name, 0) for name in PROFILES})


DEFAULT_PROFILES = profile_weights(DEFAULT_WEIGHTS)
"""The choice of a profile by `DEFAULT_WEIGHTS`."""
