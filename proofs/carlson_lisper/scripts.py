"""The proof script of each theorem: what writes its obligations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from detectors.carlson_lisper.source.figure2 import StepFactory
from detectors.carlson_lisper.source.steps import CandidateQueue
from detectors.carlson_lisper.source.stores import RecentSequenceStep
from detectors.carlson_lisper.source.transformation import RULES, Rule
from laws.carlson_lisper.altered.definitions import SOURCE, Definitions
from laws.theorems import Theorem
from proofs.carlson_lisper.lemmas import (
    extended,
    figure4,
    figure5,
    memory,
    queue_contract,
    recent,
    restrictions,
    static_queue,
    steps,
    transformation,
)
from semantics.carlson_lisper.operators import Operator
from smt.obligations import Obligation
from smt.smtlib import TimeSort


@dataclass(frozen=True)
class Subject:
    """What is proved: the definitions and the code, by default those that run.

    Attributes:
        definitions: the operators, rem, ≅ and valid.
        steps: the steps of a detector, or None for those of Figures 2 and 4.
        queue: the queue of candidates.
        rules: the rules of the transformation.
        recent: the sequence that keeps the candidates that were pushed last, and with it its queue.
    """

    definitions: Definitions = SOURCE
    steps: Mapping[str, StepFactory] | None = None
    queue: type[CandidateQueue] = CandidateQueue
    rules: Mapping[str, Rule] = field(default_factory=lambda: RULES)
    recent: type[RecentSequenceStep] = RecentSequenceStep

    @property
    def operators(self) -> Mapping[str, Operator]:
        """The definitions of the operators."""
        return self.definitions.operators


Script: TypeAlias = Callable[[TimeSort, Subject], list[Obligation]]


def _step(claim: str) -> Script:
    return lambda time, subject: steps.obligations(
        claim,
        time=time,
        operators=subject.operators,
        steps=subject.steps,
        valid=(subject.definitions.valid_instance, subject.definitions.valid_absence),
    )


SCRIPTS: Mapping[str, Script] = MappingProxyType(
    {
        "theorem:4.1": lambda time, subject: restrictions.congruence(time=time, operators=subject.operators),
        "theorem:4.4.infinite": lambda time, subject: extended.obligations(
            "theorem:4.4.infinite", time=time, operators=subject.operators
        ),
        "corollary:4.4": lambda time, subject: restrictions.corollary(
            time=time, definitions=subject.definitions
        ),
        "lemma:5.1": lambda time, subject: restrictions.valid_outputs(
            time=time, definitions=subject.definitions
        ),
        **{f"lemma:5.{number}": _step(f"lemma:5.{number}") for number in range(2, 8)},
        "lemma:5.5.queue": lambda time, subject: queue_contract.obligations(time=time, queue=subject.queue),
        "theorem:5.1": lambda time, subject: restrictions.correctness(
            time=time, definitions=subject.definitions
        ),
        memory.INSTANCE: lambda time, subject: memory.instance_size(time=time, operators=subject.operators),
        memory.STEPS_BOUNDED: lambda time, subject: memory.limited(
            time=time, operators=subject.operators, steps=subject.steps
        ),
        memory.UNBOUNDED_QUEUE: lambda time, subject: memory.unbounded_queue(
            time=time, operators=subject.operators, steps=subject.steps
        ),
        memory.BOUNDED: lambda time, subject: memory.bounded_queue(
            time=time, operators=subject.operators, steps=subject.steps
        ),
        figure4.CLAIM: lambda time, subject: figure4.obligations(time=time, steps=subject.steps),
        figure5.CLAIM: lambda time, subject: figure5.obligations(
            time=time, operators=subject.operators, rules=subject.rules
        ),
        "lemma:6.1": lambda time, subject: transformation.lemma(
            time=time, operators=subject.operators, rules=subject.rules
        ),
        "theorem:6.1": lambda time, subject: transformation.theorem(
            time=time, operators=subject.operators, rules=subject.rules
        ),
        static_queue.CLAIM: lambda time, subject: static_queue.obligations(time=time, step=subject.recent),
        recent.CLAIM: lambda time, subject: recent.obligations(time=time, step=subject.recent),
    }
)
"""The script of each theorem, by id."""


def obligations_of(
    theorem: Theorem, time: TimeSort = "int", subject: Subject | None = None
) -> list[Obligation]:
    """The obligations of a theorem."""
    return SCRIPTS[theorem.id](time, subject or Subject())
