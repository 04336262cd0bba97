"""Detectors by name, class or function, behind the form in which they are fed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from detectors.carlson_lisper.catalogue import AUTO as AUTO
from detectors.carlson_lisper.catalogue import OF_INTERVALS as OF_INTERVALS
from detectors.carlson_lisper.catalogue import Made, Wanted, by_name
from detectors.carlson_lisper.steppers import Instances, InstanceSpans
from remora.terminal.aside import Aside
from semantics.carlson_lisper.expressions import Expression
from semantics.errors import InputError

DetectorLike: TypeAlias = str | Callable[[Expression], Any]
"""A detector: a name, `package.module:object`, or what makes one for a ground expression (a class, say)."""


def made(detector: DetectorLike, pattern: Expression, *, intervals: bool, stored: str | None = None) -> Made:
    """The detector for a pattern.

    Args:
        stored: the detector that a stored state belongs to.

    Raises:
        InputError: there is no such detector, or it does not do this.
    """
    kind = InstanceSpans if intervals else Instances
    if not isinstance(detector, str):
        factory = require_callable(detector)
        return Made(name_of(factory), lambda: kind(factory, pattern), "asked for")
    wanted: Wanted = "intervals" if intervals else "instances"
    found = by_name(detector, pattern, wanted, stored=stored)
    if found is not None:
        return found
    from campaigns.carlson_lisper.loading import detector_factory  # which brings the mutants and NumPy

    with redirect_stdout(sys.stderr):  # results may be printed while it runs, and an import runs any code
        loaded = detector_factory(detector, [str(Path.cwd())])
    return Made(detector, lambda: kind(partial(Aside, loaded), pattern), "asked for")


def require_callable(given: object) -> Callable[..., Any]:
    """What makes a detector, as it was given.

    Raises:
        InputError: it can make nothing.
    """
    if callable(given):
        return given
    raise InputError(
        f"{given!r} makes no detector",
        remedy="Give a class or function that takes the expression, or the name of a detector.",
    )


def name_of(factory: Callable[..., Any]) -> str:
    """What a class or function is called in messages."""
    return str(getattr(factory, "__qualname__", None) or type(factory).__qualname__).replace("<locals>.", "")
