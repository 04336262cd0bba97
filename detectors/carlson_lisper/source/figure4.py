"""Detection with bounded memory where the source allows it: the transformed expression, with Figure 4's sequences."""

from collections.abc import Mapping
from typing import cast

from detectors.carlson_lisper.source.figure2 import STEPS, Figure2, StepFactory
from detectors.carlson_lisper.source.steps import BoundedSequenceStep, SequenceStep, Step
from detectors.carlson_lisper.source.transformation import transform
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Operation


def _sequence(operation: Operation) -> Step:
    if operation.label is None:
        raise ValueError(f"the sequence {operation} has no label; only transformed expressions have")
    if operation.label == UNBOUNDED:
        return SequenceStep()
    return BoundedSequenceStep(cast(int, operation.label))


BOUNDED_STEPS: Mapping[str, StepFactory] = {**STEPS, "seq": _sequence}
"""The steps of Figure 2, with Figure 4 for the sequences whose label is finite."""


def figure4(expression: Expression, steps: Mapping[str, StepFactory] = BOUNDED_STEPS) -> Figure2:
    """A detector for any ground expression that stores as little as Section 6 allows.

    Labels that the expression has already are not trusted; the transformation sets its own.
    """
    return Figure2(transform(expression).expression, steps)
