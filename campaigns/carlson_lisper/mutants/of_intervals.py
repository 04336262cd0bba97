"""Faster detectors that are wrong on purpose, as data: the canaries of their campaigns.

Each is a detector of a catalogue, most of them of starts and ends alone, with one symbol altered in what it has beyond
the algorithm of Figure 2, whose own mutants are in `campaigns.carlson_lisper.mutants.telling`: the matches
that it carries, the gaps of the register machine, its snapshots.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import cast

from campaigns.carlson_lisper.mutants.derived import resumed_often
from detectors.carlson_lisper.adapters import AnyDetector, AnyFactory
from detectors.carlson_lisper.catalogue import DETECTORS, INTERVAL_DETECTORS, STEPS
from detectors.carlson_lisper.generated.programs import GENERATED_STEPS, STATIC_PLACES
from detectors.carlson_lisper.generated.start_detector import Generated
from detectors.carlson_lisper.generated.start_programs import start_program
from detectors.carlson_lisper.intervals import IntervalDetector
from detectors.carlson_lisper.register.machine import RegisterMachine
from detectors.carlson_lisper.source.figure4 import figure4
from detectors.carlson_lisper.source.steps import Step
from detectors.carlson_lisper.source.stores import RecentSequenceStep, StaticQueue
from detectors.carlson_lisper.steppers import Spans
from detectors.protocol import Snapshot
from semantics.carlson_lisper.expressions import Expression, Operation
from semantics.carlson_lisper.occurrences import Time


@dataclass(frozen=True)
class IntervalMutant:
    """A faster detector that is wrong on purpose; calling it makes the detector, as with any factory.

    Attributes:
        name: its name.
        altered: the name of the detector that it was made from.
        description: what is wrong, in one sentence.
        make: makes a fresh one for a ground expression.
    """

    name: str
    altered: str
    description: str
    make: Callable[[Expression], AnyDetector]

    def __call__(self, expression: Expression) -> AnyDetector:
        """A fresh wrong detector for a ground expression."""
        return self.make(expression)

    @property
    def unaltered(self) -> AnyFactory:
        """The detector without the fault."""
        return DETECTORS.get(self.altered) or INTERVAL_DETECTORS[self.altered]


# --------------------------------------------------------------------------------------------- starts and matches


def _with_program(
    pattern: str, replacement: str | Callable[[re.Match[str]], str]
) -> Callable[[Expression], Spans]:
    """Generated code with something else in its text."""

    def altered(expression: Expression) -> str:
        return re.sub(pattern, replacement, start_program(expression), flags=re.MULTILINE)

    class Altered(Generated):
        program = staticmethod(altered)

    return lambda expression: Spans(Altered(expression))


class _OnePlaceLess(RecentSequenceStep):
    def __init__(self, ticks: int) -> None:
        super().__init__(ticks)
        self.queue = StaticQueue(ticks)


def _one_place_less(expression: Expression) -> AnyDetector:
    def sequence(operation: Operation) -> Step:
        label = operation.label
        small = label is not None and 0 < label < STATIC_PLACES
        return _OnePlaceLess(cast(int, label)) if small else GENERATED_STEPS["seq"](operation)

    return figure4(expression, {**GENERATED_STEPS, "seq": sequence})


class _ForgetsMatches(Generated):
    def restore(self, snapshot: Snapshot) -> None:
        super().restore(snapshot)
        self._times = {name: -1 if "_" in name else time for name, time in self._times.items()}
        self._give()


# ------------------------------------------------------------------------------------------------------- machine


class _Machine(RegisterMachine):
    def __init__(self, expression: Expression) -> None:
        super().__init__(expression, steps=STEPS)


class _WithoutGaps(_Machine):
    def wait(self, gap: int) -> None:
        self._now += gap


class _ShortGaps(_Machine):
    def wait(self, gap: int) -> None:
        super().wait(gap - 1)
        self._now += 1


class _LongGaps(_Machine):
    def wait(self, gap: int) -> None:
        super().wait(gap + 1)
        self._now -= 1


class _EarliestStart(_Machine):
    """Restores the starts of all runs as the earliest one."""

    def place(self, states: tuple[int, ...], starts: tuple[Time, ...], now: Time) -> None:
        super().place(states, starts[:1] * len(starts), now)


def _resumed(make: Callable[[Expression], IntervalDetector]) -> Callable[[Expression], AnyDetector]:
    """A detector that is stored and taken up again all the time."""
    return partial(resumed_often, lambda expression: Spans(make(expression)))


_CATALOGUE = (
    IntervalMutant(
        "match-now",
        "generated",
        "the match of what occurs now starts now",
        _with_program(r"^( +\w+_\d+ = )t\d+$", r"\1time"),
    ),
    IntervalMutant(
        "match-stale",
        "generated",
        "what is remembered keeps the match of what was remembered before",
        _with_program(r"^ +[lrt]\d+_\d+ = .*\n", ""),
    ),
    IntervalMutant(
        "match-of-match",
        "generated",
        "the match that a match carries is not renewed with it",
        _with_program(r"^ +[lrt]\d+_\d+_\d+ = .*\n", ""),
    ),
    IntervalMutant(
        "match-other-side",
        "generated",
        "what starts with the left side of a conjunction has the match of the right one",
        _with_program(r"^( +a\d+_\w+ = )l(\d+_)", r"\1r\2"),
    ),
    IntervalMutant(
        "match-of-refused",
        "generated",
        "a restriction lets the match of what is too long pass",
        _with_program(r"^( +\w+_\d+ = )(\w+) if time - \w+ <= \d+ else -1$", r"\1\2"),
    ),
    IntervalMutant(
        "match-first",
        "generated",
        "the first match stays for ever",
        _with_program(r"^( +)([lrt]\d+_\d+) = (t\d+)$", r"\1\2 = \3 if \2 < 0 else \2"),
    ),
    IntervalMutant(
        "snapshot-matches",
        "generated",
        "a snapshot is restored without the matches",
        _resumed(_ForgetsMatches),
    ),
    IntervalMutant(
        "recent-place",
        "recent",
        "the static array of a sequence has one place less",
        _one_place_less,
    ),
    IntervalMutant(
        "register-machine-no-gaps",
        "register-machine",
        "instants without events are passed over",
        lambda expression: Spans(_WithoutGaps(expression)),
    ),
    IntervalMutant(
        "register-machine-short-gaps",
        "register-machine",
        "a gap is one tick too short",
        lambda expression: Spans(_ShortGaps(expression)),
    ),
    IntervalMutant(
        "register-machine-long-gaps",
        "register-machine",
        "a gap is one tick too long",
        lambda expression: Spans(_LongGaps(expression)),
    ),
    IntervalMutant(
        "register-machine-earliest",
        "register-machine",
        "a snapshot is restored with the earliest start in every register",
        _resumed(_EarliestStart),
    ),
)

INTERVAL_MUTANTS: Mapping[str, IntervalMutant] = MappingProxyType(
    {mutant.name: mutant for mutant in _CATALOGUE}
)
"""The mutants by name."""
