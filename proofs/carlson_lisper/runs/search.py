"""Concrete runs of the code that theorems are about: the first thing that is tried where a proof is not found at once.

A wrong program usually shows on a small input, and then there is more to say than that solvers gave up. What is proved
is run as well: a wrong outcome of a proved program would be a disagreement between two engines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from detectors.carlson_lisper.source.steps import CandidateQueue
from laws.carlson_lisper.invariants import STEP_LEMMAS, StepLemma
from laws.theorems import Theorem
from proofs.carlson_lisper.lemmas import (
    figure4,
    figure5,
    memory,
    queue_contract,
    transformation,
)
from proofs.carlson_lisper.runs.detectors import find_detector_counterexample
from proofs.carlson_lisper.runs.histories import LONGER
from proofs.carlson_lisper.runs.printed import find_difference_from_print
from proofs.carlson_lisper.runs.queues import find_queue_counterexample
from proofs.carlson_lisper.runs.steps import find_step_counterexample
from proofs.carlson_lisper.runs.storage import find_storage_counterexample
from proofs.carlson_lisper.runs.transformation import (
    DRAWN,
    LIMITS,
    SMALL,
    Conclusion,
    find_transformation_counterexample,
)
from proofs.carlson_lisper.runs.wrong_runs import WrongRun, first
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.expressions import UNBOUNDED, Label
from smt.attempts import Search

_Find: TypeAlias = Callable[[Subject, bool], WrongRun[Any] | None]
"""Runs the code; it is told whether more than the smallest inputs are to be tried, where that takes longer."""


def _storage(*lemmas: str) -> _Find:
    return lambda subject, _: first(lemmas, lambda lemma: find_storage_counterexample(lemma, subject))


def _step(lemma: StepLemma) -> _Find:
    return lambda subject, thorough: find_step_counterexample(lemma, subject, LONGER if thorough else 0)


def _transformation(limits: tuple[Label, ...], *conclusions: Conclusion) -> _Find:
    return lambda subject, thorough: find_transformation_counterexample(
        subject.rules,
        subject.operators,
        limits=limits,
        conclusions=conclusions,
        largest=None if thorough else SMALL,
        drawn=DRAWN if thorough else 0,
    )


_ABOUT: Mapping[str, _Find] = MappingProxyType(
    {
        **{name: _step(lemma) for name, lemma in STEP_LEMMAS.items()},
        queue_contract.CLAIM: lambda subject, _: find_queue_counterexample(subject.queue),
        memory.STEPS_BOUNDED: _storage(*memory.LIMITED),
        memory.UNBOUNDED_QUEUE: _storage("lemma:5.5"),
        memory.BOUNDED: _storage("lemma:5.7"),
    }
)
"""What is run, by claim, where the obligations are about all of the code that runs.

An output may be wrong because of a state that an earlier step left: one part presupposes what another one says."""

_BEYOND: Mapping[str, _Find] = MappingProxyType(
    {
        transformation.LEMMA: _transformation(LIMITS, "meaning", "bound"),
        transformation.THEOREM: _transformation((UNBOUNDED,), "meaning", "label"),
        figure5.CLAIM: lambda subject, _: find_difference_from_print(subject.rules),
        figure4.CLAIM: lambda subject, _: find_detector_counterexample(subject.steps),
    }
)
"""What is run, by claim, where code is part of the run that no obligation is about, such as the loop around rules."""


def search(theorem: Theorem, subject: Subject, parts: Iterable[str], *, thorough: bool) -> Search:
    """What a run of the code that a theorem is about contradicts.

    Args:
        thorough: whether more than the smallest inputs are tried, where that takes longer.
    """
    if theorem.id in _ABOUT:
        run = _ABOUT[theorem.id](subject, thorough)
        found = Search(run, frozenset(parts), one_of=True)
    elif theorem.id in _BEYOND:
        found = Search(_BEYOND[theorem.id](subject, thorough))
    else:
        return Search()
    if found.counterexample is None:
        return Search()
    # Obligations that know a queue by a contract that it does not keep are not contradicted by what it makes wrong.
    rests_on_queue = queue_contract.CLAIM in theorem.rests_on
    broken = rests_on_queue and find_queue_counterexample(CandidateQueue) is not None
    return Search(found.counterexample) if broken else found
