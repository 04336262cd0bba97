"""Detections over the instants of a trace, and the detectors that may run in them."""

import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from detectors.carlson_lisper.catalogue import AUTO, DEFAULT_DETECTOR, DEFAULT_OF_INTERVALS, DETECTORS, Made, by_name
from detectors.carlson_lisper.generated import Generated
from detectors.carlson_lisper.protocol import Report
from detectors.carlson_lisper.steppers import Checked, Maker, Stepper
from remora.terminal.console import Aside
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Time, Value
from semantics.errors import InputError
from semantics.traces.instants import Instant
from semantics.traces.rows import Partition


def key_of(partition: Partition) -> str:
    """A key as text, in which numbers and texts are apart; what ends at one time is ordered by it."""
    return "" if partition is None else f"{'t' if isinstance(partition, str) else 'n'}{partition}"


class Detection:
    """A detection that goes on from instant to instant; of the last one it knows what occurred of relevant types."""

    def __init__(self, expression: Expression, maker: Maker) -> None:
        self.relevant = identifiers(expression)
        self.detectors: dict[Partition, Stepper] = {}
        self.time: Time = -1
        self.last: frozenset[tuple[Partition, str]] = frozenset()
        self._make = maker

    def instant(self, instant: Instant) -> Iterator[tuple[Partition, Report]]:
        """Detections at each instant, as soon as they are found, ordered by partition."""
        time, rows = instant
        occurring: dict[Partition, dict[str, Value]] = {}
        for row in rows:
            if row.event in self.relevant:
                occurring.setdefault(row.partition, {})[row.event] = row.value
        for partition in sorted(occurring, key=key_of):
            found = self.detector(partition).step(time, occurring[partition])
            if found is not None:
                yield partition, found
        self.time = time
        self.last = frozenset((partition, event) for partition in occurring for event in occurring[partition])

    def detector(self, partition: Partition) -> Stepper:
        """The detector of a partition."""
        found = self.detectors.get(partition)
        if found is None:
            found = self.detectors[partition] = self._make()
        return found


DetectorLike: TypeAlias = str | Callable[[Expression], Any]
"""A detector: a name, `package.module:object`, or what makes one for a ground expression (a class, say)."""


def made(detector: DetectorLike, pattern: Expression, *, intervals: bool, stored: str | None = None) -> Made:
    """The detector for a pattern, where need be that to which a stored state belongs."""
    if not isinstance(detector, str):
        name, factory = named_factory(detector)
        return Made(name, partial(Checked, factory, pattern, intervals=intervals), "asked for")
    found = by_name(detector, pattern, "intervals" if intervals else "instances", stored=stored)
    if found is not None:
        return found
    from campaigns.carlson_lisper.loading import detector_factory  # which brings the mutants and NumPy

    with redirect_stdout(sys.stderr):  # results may be printed while it runs, and an import runs any code
        loaded = detector_factory(detector, [str(Path.cwd())])
    return Made(detector, partial(Checked, partial(Aside, loaded), pattern, intervals=intervals), "asked for")


def named_factory(given: object) -> tuple[str, Callable[..., Any]]:
    """Maker of a detector, as it was given, with its name in messages."""
    if not callable(given):
        remedy = "Give a class or function that takes the expression, or the name of a detector."
        raise InputError(f"{given!r} makes no detector", remedy=remedy)
    name = str(getattr(given, "__qualname__", None) or type(given).__qualname__)
    return name.replace("<locals>.", ""), given


class Refuted(Exception):
    """The text that was made for a pattern detects something else than the proved steps; the text says where."""


def validated_name(name: str, pattern: Expression, *, intervals: bool) -> str:
    """The detector that runs for a pattern where it has to be proved or validated."""
    taken = (DEFAULT_OF_INTERVALS if intervals else DEFAULT_DETECTOR) if name == AUTO else name
    if taken in DETECTORS and DETECTORS[taken].proved:
        return taken
    reason = f"{taken} is neither proved nor validated"
    if taken == DEFAULT_OF_INTERVALS:
        from smt.carlson_lisper.validation.validating import validate  # which brings the solver

        found = validate(Generated(pattern))
        if found.holds:
            return taken
        if found.outcome == "refuted":
            raise Refuted(f"the text of {taken} for {pattern} is wrong: {found.reason}")
        reason = f"the text of {taken} for {pattern} is {found}"
    raise InputError(reason, place="--validated", remedy="Take --detector figure4, whose steps are proved.")
