"""The detectors of the project by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from detectors.carlson_lisper.generated.figure3 import Figure3
from detectors.carlson_lisper.generated.programs import GENERATED_STEPS, STATIC_PLACES
from detectors.carlson_lisper.protocol import DetectorFactory
from detectors.carlson_lisper.source.figure2 import Figure2, StepFactory
from detectors.carlson_lisper.source.figure4 import figure4
from detectors.carlson_lisper.source.steps import Step
from detectors.carlson_lisper.source.stores import RecentSequenceStep
from semantics.carlson_lisper.expressions import Operation


def _with_label(
    step: Callable[[int], Step],
) -> Mapping[str, StepFactory]:
    """The steps of generated code with another one for sequences whose label is small enough for an array."""

    def sequence(operation: Operation) -> Step:
        label = operation.label
        if label is None or label >= STATIC_PLACES:
            return GENERATED_STEPS["seq"](operation)
        return step(int(label))

    return {**GENERATED_STEPS, "seq": sequence}


RECENT_STEPS = _with_label(RecentSequenceStep)
"""A sequence keeps the left instances that were remembered last, in the static array of Section 5.3."""

DETECTORS: Mapping[str, DetectorFactory] = MappingProxyType(
    {
        "figure2": Figure2,
        "figure3": Figure3,
        "figure4": figure4,
        "recent": lambda expression: figure4(expression, RECENT_STEPS),
    }
)
"""Name to factory."""

DEFAULT_DETECTOR = "figure3"
