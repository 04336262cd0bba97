"""Detectors that are wrong on purpose, as data: the canaries of every campaign.

Each is Figure 2 with the step of one operator altered the way a programmer would get it wrong. Generated
cases that do not find every one of them wrong are not worth believing when they find nothing wrong with a
detector.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from campaigns.carlson_lisper.cases import generate
from campaigns.carlson_lisper.judge import judge
from campaigns.judging.verdicts import Kind
from detectors.carlson_lisper.adapters import AnyDetector, AnyFactory
from detectors.carlson_lisper.source.figure2 import STEPS, Figure2, StepFactory
from detectors.carlson_lisper.source.steps import (
    NON_OCCURRENCE,
    CandidateQueue,
    ConjunctionStep,
    DisjunctionStep,
    NegationStep,
    RestrictionStep,
    SequenceStep,
)
from semantics.carlson_lisper.expressions import Expression, Operation, evaluate_bound
from semantics.carlson_lisper.occurrences import Instance, Time

KILLED_WITHIN = 10_000
"""Every mutant has to be found wrong within so many cases from number 0, whatever the seed."""


@dataclass(frozen=True)
class Mutant:
    """A detector that is wrong on purpose; calling it makes the detector, as with any factory.

    Attributes:
        name: its name.
        operator: the operator whose step is altered, by its name in Def. 3.10.
        description: what is wrong, in one sentence.
        step: the altered step.
    """

    name: str
    operator: str
    description: str
    step: StepFactory

    def __call__(self, expression: Expression) -> Figure2:
        """A fresh detector for a ground expression."""
        return Figure2(expression, {**STEPS, self.operator: self.step})

    @property
    def unaltered(self) -> AnyFactory:
        """Figure 2."""
        return Figure2


class WrongDetector(Protocol):
    """A detector that is wrong on purpose, beside the one that it was made from."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def description(self) -> str:
        """What is wrong, in one sentence."""

    @property
    def unaltered(self) -> AnyFactory:
        """The detector without the fault."""

    def __call__(self, expression: Expression) -> AnyDetector:
        """A fresh wrong detector for a ground expression."""


def first_failure(mutant: WrongDetector, seed: int, limit: int = KILLED_WITHIN) -> tuple[int, Kind] | None:
    """The number of the first case that finds a mutant wrong, and how; None if the first `limit` do not.

    A case that the unaltered detector fails as well says nothing about the mutant and does not count.
    """
    for number in range(limit):
        case = generate(seed, number)
        kind = judge(case, mutant).kind
        if kind is not None and judge(case, mutant.unaltered).ok:
            return number, kind
    return None


# ------------------------------------------------------------------------------------------------ disjunction


class _EarlierOfBoth(DisjunctionStep):
    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        if left.start < 0 or right.start < 0:
            return super().step(left, right)
        return left if left.start <= right.start else right


# ------------------------------------------------------------------------------------------------ conjunction


class _JoinsTheEarlier(ConjunctionStep):
    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        result = super().step(left, right)
        if left.start < 0 or right.start < 0:
            return result
        return self.left.join(right) if right.start <= left.start else left.join(self.right)


class _KeepsTheMostRecent(ConjunctionStep):
    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        self.left = left if left.start >= 0 else self.left
        self.right = right if right.start >= 0 else self.right
        return super().step(left, right)


class _ForgetsBoth(ConjunctionStep):
    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        result = super().step(left, right)
        if result.start >= 0:
            self.left = self.right = NON_OCCURRENCE
        return result


# --------------------------------------------------------------------------------------------------- negation


class _LetsTouch(NegationStep):
    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        super().step(left, right)
        return left if self.latest <= left.start else NON_OCCURRENCE


class _ForgetsTheRight(NegationStep):
    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        result = super().step(left, right)
        if result.start >= 0:
            self.latest = -1
        return result


class _RemembersTheLast(NegationStep):
    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        self.latest = right.start if right.start >= 0 else self.latest
        return left if self.latest < left.start else NON_OCCURRENCE


class _LooksTooLate(NegationStep):
    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        result = left if self.latest < left.start else NON_OCCURRENCE
        super().step(left, right)
        return result


# --------------------------------------------------------------------------------------------------- sequence


class _OverlappingQueue(CandidateQueue):
    __slots__ = ()

    def latest_before(self, time: Time) -> Instance:
        return super().latest_before(time + 1)


class _EarliestQueue(CandidateQueue):
    __slots__ = ()

    def latest_before(self, time: Time) -> Instance:
        found = super().latest_before(time)
        return found if found.start < 0 else self._instances[0]


class _NewestQueue(CandidateQueue):
    __slots__ = ()

    def push(self, instance: Instance) -> None:
        self._instances.clear()
        self._ends.clear()
        super().push(instance)


class _ConsumingQueue(CandidateQueue):
    __slots__ = ()

    def latest_before(self, time: Time) -> Instance:
        found = super().latest_before(time)
        if found.start >= 0:
            position = self._instances.index(found)
            del self._instances[position], self._ends[position]
        return found


def _sequence_with(queue: type[CandidateQueue]) -> StepFactory:
    def step(_: Operation) -> SequenceStep:
        result = SequenceStep()
        result.queue = queue()
        return result

    return step


class _KeepsEveryLeft(SequenceStep):
    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        result = super().step(left, right)
        self.latest = -1
        return result


# --------------------------------------------------------------------------------------- temporal restriction


def _restriction_off_by(ticks: int) -> StepFactory:
    return lambda operation: RestrictionStep(evaluate_bound(operation.bound or 0) + ticks)


_CATALOGUE = (
    Mutant(
        "dis-earlier",
        "dis",
        "of two instances, the one that starts earlier is reported",
        lambda _: _EarlierOfBoth(),
    ),
    Mutant(
        "con-earlier",
        "con",
        "when both sides occur, the one that starts earlier is joined with what was remembered",
        lambda _: _JoinsTheEarlier(),
    ),
    Mutant(
        "con-recent",
        "con",
        "of each side the most recent instance is remembered, not the latest started",
        lambda _: _KeepsTheMostRecent(),
    ),
    Mutant("con-forgets", "con", "both sides are forgotten after a detection", lambda _: _ForgetsBoth()),
    Mutant(
        "neg-touching",
        "neg",
        "a right instance that starts when the left one starts does not count",
        lambda _: _LetsTouch(),
    ),
    Mutant(
        "neg-forgets", "neg", "right instances are forgotten after a detection", lambda _: _ForgetsTheRight()
    ),
    Mutant(
        "neg-recent",
        "neg",
        "the start of the most recent right instance is remembered, not the latest start",
        lambda _: _RemembersTheLast(),
    ),
    Mutant(
        "neg-late",
        "neg",
        "a right instance at the same instant is noticed too late",
        lambda _: _LooksTooLate(),
    ),
    Mutant(
        "seq-overlap",
        "seq",
        "the left instance may end at the instant at which the right one starts",
        _sequence_with(_OverlappingQueue),
    ),
    Mutant(
        "seq-earliest",
        "seq",
        "the oldest left instance is used, not the latest",
        _sequence_with(_EarliestQueue),
    ),
    Mutant("seq-newest", "seq", "only the newest left instance is kept", _sequence_with(_NewestQueue)),
    Mutant("seq-consumes", "seq", "a left instance is used once", _sequence_with(_ConsumingQueue)),
    Mutant(
        "seq-unsorted",
        "seq",
        "the latest start is never updated, so that the queue is no longer sorted by start",
        lambda _: _KeepsEveryLeft(),
    ),
    Mutant("tim-short", "tim", "the bound is one tick too small", _restriction_off_by(-1)),
    Mutant("tim-long", "tim", "the bound is one tick too great", _restriction_off_by(1)),
)

MUTANTS: Mapping[str, Mutant] = MappingProxyType({mutant.name: mutant for mutant in _CATALOGUE})
"""The mutants by name."""
