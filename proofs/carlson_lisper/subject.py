"""The subject of proofs: the definitions and the code that they are about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from detectors.carlson_lisper.source.figure2 import StepFactory
from detectors.carlson_lisper.source.steps import CandidateQueue
from detectors.carlson_lisper.source.transformation import RULES, Rule
from semantics.carlson_lisper.operators import OPERATORS, Operators


@dataclass(frozen=True)
class Subject:
    """What is proved: the definitions and the code, by default those that run.

    Attributes:
        steps: the steps of a detector, or None for those of Figures 2 and 4.
    """

    operators: Operators = field(default_factory=lambda: OPERATORS)
    steps: Mapping[str, StepFactory] | None = None
    queue: type[CandidateQueue] = CandidateQueue
    rules: Mapping[str, Rule] = field(default_factory=lambda: RULES)
