"""The proof script of each theorem: what writes its obligations, and what runs the code that it is about.

A wrong program usually shows on a small input, and then there is more to say than that solvers gave up. What is proved
is run as well: a wrong outcome of a proved program would be a disagreement between two engines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

from detectors.carlson_lisper.source.steps import CandidateQueue
from laws.carlson_lisper.invariants import STEP_LEMMAS, StepLemma
from laws.theorems import Theorem
from proofs.carlson_lisper.lemmas import memory, queue, restrictions, steps, transformation
from proofs.carlson_lisper.runs.histories import LONGER, WrongRun, first
from proofs.carlson_lisper.runs.queues import find_queue_counterexample
from proofs.carlson_lisper.runs.steps import find_step_counterexample, find_storage_counterexample
from proofs.carlson_lisper.runs.transformation import (
    DRAWN,
    LIMITS,
    SMALL,
    Conclusion,
    find_detector_counterexample,
    find_difference_from_print,
    find_transformation_counterexample,
)
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.expressions import UNBOUNDED, Label
from smt.attempts import Search
from smt.obligations import Obligation
from smt.smtlib import TimeSort

Script: TypeAlias = Callable[[TimeSort, Subject], list[Obligation]]
"""Writes obligations over integer or dense time."""

Run: TypeAlias = Callable[[Subject, bool], WrongRun[Any] | None]
"""Runs the code; it is told whether more than the smallest inputs are to be tried, where that takes longer."""


def _storage(*lemmas: str) -> Run:
    return lambda subject, _: first(lemmas, lambda lemma: find_storage_counterexample(lemma, subject))


def _step(lemma: StepLemma) -> Run:
    return lambda subject, thorough: find_step_counterexample(lemma, subject, LONGER if thorough else 0)


def _transformation(limits: tuple[Label, ...], *conclusions: Conclusion) -> Run:
    return lambda subject, thorough: find_transformation_counterexample(
        subject.rules,
        subject.operators,
        limits=limits,
        conclusions=conclusions,
        largest=None if thorough else SMALL,
        drawn=DRAWN if thorough else 0,
    )


SCRIPTS: Mapping[str, Script] = MappingProxyType(
    {
        "theorem:4.1": restrictions.congruence,
        transformation.INFINITE: transformation.infinite_laws,
        "corollary:4.4": restrictions.corollary,
        "lemma:5.1": restrictions.valid_outputs,
        **{lemma: partial(steps.obligations, lemma) for lemma in STEP_LEMMAS},
        queue.CLAIM: queue.obligations,
        "theorem:5.1": restrictions.correctness,
        memory.INSTANCE: memory.instance_size,
        memory.STEPS_BOUNDED: memory.limited,
        memory.UNBOUNDED_QUEUE: memory.unbounded_queue,
        memory.BOUNDED: memory.bounded_queue,
        memory.CHOSEN: memory.chosen_steps,
        transformation.FIGURE: transformation.as_printed,
        transformation.LEMMA: transformation.lemma,
        transformation.THEOREM: transformation.theorem,
    }
)

_ABOUT: Mapping[str, Run] = MappingProxyType(
    {
        **{name: _step(lemma) for name, lemma in STEP_LEMMAS.items()},
        queue.CLAIM: lambda subject, _: find_queue_counterexample(subject.queue),
        memory.STEPS_BOUNDED: _storage(*memory.LIMITED),
        memory.UNBOUNDED_QUEUE: _storage("lemma:5.5"),
        memory.BOUNDED: _storage("lemma:5.7"),
    }
)
"""What is run, by claim, where the obligations are about all of the code that runs.

An output may be wrong because of a state that an earlier step left: one part presupposes what another one says."""

_BEYOND: Mapping[str, Run] = MappingProxyType(
    {
        transformation.LEMMA: _transformation(LIMITS, "meaning", "bound"),
        transformation.THEOREM: _transformation((UNBOUNDED,), "meaning", "label"),
        transformation.FIGURE: lambda subject, _: find_difference_from_print(subject.rules),
        memory.CHOSEN: lambda subject, _: find_detector_counterexample(subject.steps),
    }
)
"""What is run, by claim, where code is part of the run that no obligation is about, such as the loop around rules."""


def obligations_of(theorem: Theorem, time: TimeSort = "int", subject: Subject | None = None) -> list[Obligation]:
    """The obligations of a theorem."""
    return SCRIPTS[theorem.id](time, subject or Subject())


def search(theorem: Theorem, subject: Subject, parts: Iterable[str], *, thorough: bool) -> Search:
    """What a run of the code that a theorem is about contradicts.

    Args:
        thorough: whether more than the smallest inputs are tried, where that takes longer.
    """
    run = {**_ABOUT, **_BEYOND}.get(theorem.id)
    found = None if run is None else run(subject, thorough)
    if found is None:
        return Search()
    # Obligations that know a queue by a contract that it does not keep are not contradicted by what it makes wrong.
    broken = queue.CLAIM in theorem.rests_on and find_queue_counterexample(CandidateQueue) is not None
    if theorem.id in _BEYOND or broken:
        return Search(found)
    return Search(found, frozenset(parts), one_of=True)
