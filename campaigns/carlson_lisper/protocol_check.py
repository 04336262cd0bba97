"""Check of the protocol: a detector from outside on one small trace, before any case.

What has no `step`, or returns a pair in the place of an interval, fails every case in the same way. That is no wrong
detection but a mistake in the form, and gets a message with its place and a remedy.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from campaigns.imports import is_ours, names_code, raised_in
from campaigns.judging.isolation import TimeUp, isolated, time_limit
from detectors.carlson_lisper.adapters import AnyFactory, TraceDetector
from detectors.carlson_lisper.protocol import not_a_report
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError, LimitExceeded

EXPRESSIONS = ("a | b", "a", "a + b", "a ; b")
"""The first of these that a detector takes is detected; the least of them reports at each instant."""

INSTANTS: tuple[tuple[int, Mapping[str, Any]], ...] = ((0, {"a": None}), (1, {"b": None}))

SECONDS = 5.0
"""How long it may take; a detector that takes longer, or ends its process, is for the cases to find out."""

_EXPECTED = (
    "What ends is reported as semantics.carlson_lisper.occurrences.Instance or"
    " semantics.events.Interval, and nothing as None."
)


@dataclass(frozen=True)
class Mistake:
    """How a detector breaks the protocol: where, what, and what would be right."""

    place: str
    reason: str
    remedy: str


def require_protocol(detectors: Mapping[str, AnyFactory]) -> None:
    """Make sure that detectors from outside keep to the protocol of `detectors.protocol`.

    Args:
        detectors: factories by name; those of the project, and its mutants, are passed over.

    Raises:
        InputError: one does not.
    """
    for name, factory in detectors.items():
        if not names_code(name):
            continue
        found = isolated(partial(mistake, factory), seconds=SECONDS)
        if isinstance(found, Mistake):
            raise InputError(f"the detector {name} {found.reason}", place=found.place, remedy=found.remedy)


def mistake(factory: AnyFactory) -> Mistake | None:
    """How a detector breaks the protocol; None if it does not, or does not get so far."""
    with suppress(TimeUp), time_limit(SECONDS):
        for text in EXPRESSIONS:
            try:
                return _mistake(factory, text)
            except LimitExceeded:  # not this one
                continue
    return None


def _mistake(factory: AnyFactory, text: str) -> Mistake | None:
    """The same with one expression.

    Raises:
        LimitExceeded: the detector does not take it.
    """
    try:
        detector: Any = factory(parse(text))
    except LimitExceeded:
        raise
    except (Exception, SystemExit) as error:
        remedy = "It is called with the expression alone; what it does not take, it refuses by LimitExceeded."
        return _crashed(factory, error, f"failed when it was made for {text}", remedy)
    if isinstance(detector, TraceDetector):
        return _of_traces(factory, detector, text)
    for method in ("step", "state"):
        if not callable(getattr(detector, method, None)):
            kind = type(detector).__name__
            return Mistake(
                _place_of(factory),
                f"makes a {kind}, which has no method {method}",
                "Give it step(time, occurrences), which returns what ends then, and state(), which may return ().",
            )
    for time, occurrences in INSTANTS:
        try:
            report = detector.step(time, dict(occurrences))
        except LimitExceeded:
            raise
        except (Exception, SystemExit) as error:
            remedy = "step takes a time, an integer, and a mapping from the event types that occur to their values."
            return _crashed(factory, error, f"failed at time {time} of a small trace of {text}", remedy)
        if report is not None and (wrong := not_a_report(report)):
            return Mistake(_place_of(factory, "step"), f"breaks the protocol: step {wrong}", _EXPECTED)
        if found := _of_state(factory, detector, text):
            return found
    return None


def _of_state(factory: AnyFactory, detector: Any, text: str) -> Mistake | None:
    remedy = "Return a tuple of detectors.protocol.NodeState; () says nothing of what is stored."
    try:
        nodes = detector.state()
        if not isinstance(nodes, Iterable):
            said = "None" if nodes is None else f"{nodes!r:.60}, of type {type(nodes).__name__}"
            return Mistake(_place_of(factory, "state"), f"returns {said} from state()", remedy)
        for node in nodes:
            _ = node.stored > node.bound
    except LimitExceeded:
        raise
    except (Exception, SystemExit) as error:
        return _crashed(factory, error, f"has a state() that cannot be used, for {text}", remedy)
    return None


def _of_traces(factory: AnyFactory, detector: TraceDetector, text: str) -> Mistake | None:
    try:
        reports = list(detector.detect_trace(list(INSTANTS)))
    except LimitExceeded:
        raise
    except (Exception, SystemExit) as error:
        remedy = (
            "detect_trace takes a list of pairs of a time and a mapping, and returns what it finds, by ends."
        )
        return _crashed(factory, error, f"failed on a small trace of {text}", remedy)
    for report in reports:
        if wrong := not_a_report(report):
            return Mistake(
                _place_of(factory, "detect_trace"), f"breaks the protocol: detect_trace {wrong}", _EXPECTED
            )
    return None


def _crashed(factory: AnyFactory, error: BaseException, when: str, remedy: str) -> Mistake:
    text = " ".join(str(error).split())
    frame = raised_in(error)
    place = f"{frame.filename}:{frame.lineno}" if frame else _place_of(factory)
    return Mistake(place, f"{when}: {type(error).__name__}{': ' if text else ''}{text}", remedy)


def _place_of(factory: AnyFactory, method: str = "") -> str:
    """Where the user's code stands: a method, or else the class or function; "" where it has no source."""
    for found in (getattr(factory, method, None) if method else None, factory):
        with suppress(TypeError, OSError):
            function = inspect.unwrap(found)  # type: ignore[arg-type]
            if (file := inspect.getsourcefile(function)) and not is_ours(file):
                return f"{file}:{inspect.getsourcelines(function)[1]}"
    return ""
