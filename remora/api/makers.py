"""The detector that a name, a class or a function stands for, behind the form in which it is fed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from detectors.candidates import CANDIDATES
from detectors.catalogue import DETECTORS
from detectors.choice import Choice, Input, again, choose, obstacle
from detectors.protocol import DetectorFactory
from remora.detection import Instances, InstanceSpans, Maker, Spans
from semantics.errors import InputError
from semantics.expressions import Expression

AUTO = "auto"
"""The name that leaves it to `detectors.choice`."""

OF_INTERVALS = tuple(one.name for one in CANDIDATES if "intervals" in one.wanted and "instants" in one.feeds)
"""The detectors of starts and ends that have a name here: those that can be fed as rows come."""

DetectorLike: TypeAlias = str | Callable[[Expression], Any]
"""A detector: a name, `package.module:object`, or what makes one for a ground expression (a class, say)."""


@dataclass(frozen=True)
class Made:
    """A detector that is ready to be made.

    Attributes:
        name: of the detector.
        maker: makes a fresh one.
        reason: why it was taken.
    """

    name: str
    maker: Maker
    reason: str


def made(
    detector: DetectorLike, pattern: Expression, *, intervals: bool, input: Input, stored: str | None = None
) -> Made:
    """The detector for a pattern.

    Args:
        detector: as the user gave it.
        pattern: a ground expression.
        intervals: whether starts and ends are enough.
        input: what is known of the input, for the chooser.
        stored: the detector that a stored state belongs to.

    Raises:
        InputError: there is no such detector, or it does not do this.
    """
    kind = InstanceSpans if intervals else Instances
    if not isinstance(detector, str):
        factory = require_callable(detector)
        return Made(name_of(factory), lambda: kind(factory, pattern), "asked for")
    if detector == AUTO:
        choice = again(stored, pattern, input) if stored is not None else None
        if choice is None:
            choice = choose(pattern, input)
        name = choice.name.removesuffix("-compiled")
        return Made(name, _chosen(choice, pattern, intervals), choice.reason)
    if detector in OF_INTERVALS:
        if not intervals:
            raise InputError(
                f"{detector} detects starts and ends alone",
                remedy="Add --intervals.",
            )
        named = again(detector, pattern, input)
        if named is None:
            why = obstacle(detector, pattern, input)
            raise InputError(f"{detector} cannot be taken: {why}", remedy="Leave it to --detector auto.")
        return Made(detector, _chosen(named, pattern, intervals), "asked for")
    factory = _factory(detector)
    return Made(detector, lambda: kind(factory, pattern), "asked for")


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


def _chosen(choice: Choice, pattern: Expression, intervals: bool) -> Maker:
    if intervals:
        return lambda: Spans(choice.make())
    return lambda: Instances(lambda _: choice.make(), pattern)


def _factory(name: str) -> DetectorFactory:
    if name in DETECTORS:
        return DETECTORS[name]
    from campaigns.loading import detector_factory  # which brings the mutants and NumPy

    return detector_factory(name, [str(Path.cwd())])
