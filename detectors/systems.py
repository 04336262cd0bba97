"""Protocol of a system in the detectors: its evaluators by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, cast

from detectors.protocol import Evaluator
from semantics.systems import system_of


class DetectorsOfSystem(Protocol):
    """The evaluators of a system; a module with these names is one."""

    @property
    def DETECTORS(self) -> Mapping[str, Callable[[Any], Evaluator[Any, Any]]]:  # noqa: N802
        """By name what makes a fresh evaluator of an expression."""

    DEFAULT_DETECTOR: str
    """The one that runs where none is named."""


def detectors_of(system: str) -> DetectorsOfSystem:
    """The evaluators of a system.

    Raises:
        InputError: there is no such system.
    """
    return cast(DetectorsOfSystem, system_of(system).module("detectors"))
