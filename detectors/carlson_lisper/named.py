"""The detectors by their names, ready to be fed one instant at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from detectors.carlson_lisper.catalogue import (
    ARRAYS,
    CATALOGUE,
    DEFAULT_DETECTOR,
    DEFAULT_OF_INTERVALS,
    DETECTORS,
    INTERVAL_DETECTORS,
    Wanted,
    without_bound,
)
from detectors.carlson_lisper.steppers import Instances, InstanceSpans, Maker
from semantics.carlson_lisper.expressions import Expression
from semantics.errors import InputError

AUTO = "auto"
"""The name of the default for what is wanted."""

OF_INTERVALS = tuple(name for name in INTERVAL_DETECTORS if name != ARRAYS)
"""The detectors of starts and ends that have a name here: those that can be fed as rows come."""


@dataclass(frozen=True)
class Made:
    """A detector that is ready to be made."""

    name: str
    maker: Maker
    reason: str
    bounded: bool = False


def by_name(name: str, pattern: Expression, wanted: Wanted, *, stored: str | None = None) -> Made | None:
    """The detector that a name stands for; None if no detector of the project has it.

    Args:
        name: `auto`, or one of `OF_INTERVALS` or of `detectors.carlson_lisper.catalogue.DETECTORS`.
        pattern: a ground expression.
        wanted: instances, or starts and ends alone.
        stored: the detector that a stored state belongs to, which `auto` then stands for if it does this.

    Raises:
        InputError: the detector does not do this.
    """
    if name in OF_INTERVALS and wanted != "intervals":
        raise InputError(f"{name} detects starts and ends alone", remedy="Add --intervals.")
    known = OF_INTERVALS if wanted == "intervals" else tuple(DETECTORS)
    why = "asked for"
    if name == AUTO:
        default = DEFAULT_OF_INTERVALS if wanted == "intervals" else DEFAULT_DETECTOR
        name = stored if stored in known else default
        why = reason(name, pattern)
    if name not in OF_INTERVALS and name not in DETECTORS:
        return None
    entry = CATALOGUE[name]
    kind: Callable[..., Any] = InstanceSpans if name in DETECTORS and wanted == "intervals" else Instances
    fresh = _fresh(entry)
    maker = partial(fresh, pattern) if name in OF_INTERVALS else partial(kind, fresh, pattern)
    return Made(name, maker, why, entry.is_bounded(pattern))


def reason(name: str, pattern: Expression) -> str:
    """What a detector of the catalogue is, and what bounds its memory for a ground expression."""
    about, memory = CATALOGUE[name].about, CATALOGUE[name].memory
    if memory == "every pattern":
        return f"{about}; its memory is bounded"
    if memory == "nothing":
        return about
    growing = without_bound(pattern)
    if growing is None:
        return f"{about}; all labels are finite, so memory is bounded"
    return f"{about}; {growing} has no finite label, so its queue grows with the input"


def _fresh(make: Callable[[Expression], Any]) -> Callable[[Expression], Any]:
    """A factory of detectors for one expression; code is generated once for all of those that can be made afresh."""
    first: list[Any] = []

    def fresh(expression: Expression) -> Any:
        if not first:
            first.append(make(expression))
        return first[0].fresh() if hasattr(first[0], "fresh") else make(expression)

    return fresh
