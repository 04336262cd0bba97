"""The proof script of each theorem: what writes its obligations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from laws.carlson_lisper.invariants import STEP_LEMMAS
from laws.theorems import Theorem
from proofs.carlson_lisper.lemmas import (
    extended,
    figure4,
    figure5,
    memory,
    queue_contract,
    restrictions,
    steps,
    transformation,
)
from proofs.carlson_lisper.subject import Subject
from smt.obligations import Obligation
from smt.smtlib import TimeSort

Script: TypeAlias = Callable[[TimeSort, Subject], list[Obligation]]
"""Writes obligations over integer or dense time."""

SCRIPTS: Mapping[str, Script] = MappingProxyType(
    {
        "theorem:4.1": restrictions.congruence,
        extended.CLAIM: extended.obligations,
        "corollary:4.4": restrictions.corollary,
        "lemma:5.1": restrictions.valid_outputs,
        **{lemma: partial(steps.obligations, lemma) for lemma in STEP_LEMMAS},
        queue_contract.CLAIM: queue_contract.obligations,
        "theorem:5.1": restrictions.correctness,
        memory.INSTANCE: memory.instance_size,
        memory.STEPS_BOUNDED: memory.limited,
        memory.UNBOUNDED_QUEUE: memory.unbounded_queue,
        memory.BOUNDED: memory.bounded_queue,
        figure4.CLAIM: figure4.obligations,
        figure5.CLAIM: figure5.obligations,
        transformation.LEMMA: transformation.lemma,
        transformation.THEOREM: transformation.theorem,
    }
)


def obligations_of(
    theorem: Theorem, time: TimeSort = "int", subject: Subject | None = None
) -> list[Obligation]:
    """The obligations of a theorem."""
    return SCRIPTS[theorem.id](time, subject or Subject())
