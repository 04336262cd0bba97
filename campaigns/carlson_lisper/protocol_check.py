"""Check of the protocol: a detector from outside on one small trace, before any case.

What has no `step` fails every case in the same way: a mistake in the form, which gets a message with its place.
"""

import inspect
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from campaigns.imports import is_ours, names_code, raised_in
from campaigns.judging.isolation import TimeUp, isolated, time_limit
from detectors.carlson_lisper.adapters import AnyFactory, TraceDetector
from detectors.carlson_lisper.protocol import not_a_report
from detectors.processes import REMEDY
from detectors.protocol import ProcessFailed
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError, LimitExceeded

EXPRESSIONS = ("a | b", "a", "a + b", "a ; b")  # The first that a detector takes; the least reports at each instant
INSTANTS: tuple[tuple[int, Mapping[str, Any]], ...] = ((0, {"a": None}), (1, {"b": None}))
SECONDS = 5.0  # How long it may take; a detector that takes longer, or ends its process, is for the cases to find out

MADE = "It is called with the expression alone; what it does not take, it refuses by LimitExceeded."
METHODS = "Give it step(time, occurrences), which returns what ends then, and state(), which may return ()."
STEPS = "step takes a time, an integer, and a mapping from the event types that occur to their values."
STATES = "Return a tuple of detectors.protocol.NodeState; () says nothing of what is stored."
TRACES = "detect_trace takes a list of pairs of a time and a mapping, and returns what it finds, by ends."
REPORTS = "Report semantics.carlson_lisper.occurrences.Instance or semantics.events.Interval, and nothing as None."


def require_protocol(detectors: Mapping[str, AnyFactory]) -> None:
    """Raise `InputError` where a detector from outside does not keep to the protocol of `detectors.protocol`."""
    for name, factory in detectors.items():
        found = isolated(partial(mistake, factory), seconds=SECONDS) if names_code(name) else None
        if isinstance(found, InputError):
            raise InputError(f"the detector {name} {found.reason}", place=found.place, remedy=found.remedy)


def mistake(factory: AnyFactory) -> InputError | None:
    """How a detector breaks the protocol; None if it does not, or does not get so far."""
    with suppress(TimeUp), time_limit(SECONDS):
        for text in EXPRESSIONS:
            try:
                _tried(factory, text)
            except LimitExceeded:  # not this one
                continue
            except InputError as error:
                return error
            break
    return None


def _tried(factory: AnyFactory, text: str) -> None:
    """Raise what is wrong with a detector of an expression, or `LimitExceeded` where it does not take that."""
    when, remedy = f"failed when it was made for {text}", MADE
    try:
        detector: Any = factory(parse(text))
        when, remedy = f"failed on a small trace of {text}", TRACES
        if isinstance(detector, TraceDetector):
            _require_reports(factory, "detect_trace", detector.detect_trace(list(INSTANTS)))
            return
        for method in ("step", "state"):
            if not callable(getattr(detector, method, None)):
                reason = f"makes a {type(detector).__name__}, which has no method {method}"
                raise InputError(reason, place=_place_of(factory), remedy=METHODS)
        for time, occurrences in INSTANTS:
            when, remedy = f"failed at time {time} of a small trace of {text}", STEPS
            report = detector.step(time, dict(occurrences))
            _require_reports(factory, "step", [] if report is None else [report])
            when, remedy = f"has a state() that cannot be used, for {text}", STATES
            for node in detector.state():
                _ = node.stored > node.bound
    except (LimitExceeded, InputError):
        raise
    except ProcessFailed as failed:
        raise InputError(f"failed on a small trace of {text}: {failed}", remedy=REMEDY) from None
    except (Exception, SystemExit) as error:  # whatever it raises is a mistake, with its place
        said, frame = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":"), raised_in(error)
        place = f"{frame.filename}:{frame.lineno}" if frame else _place_of(factory)
        raise InputError(f"{when}: {said}", place=place, remedy=remedy) from None


def _require_reports(factory: AnyFactory, method: str, reports: Iterable[object]) -> None:
    for report in reports:
        if wrong := not_a_report(report):
            reason = f"breaks the protocol: {method} {wrong}"
            raise InputError(reason, place=_place_of(factory, method), remedy=REPORTS)


def _place_of(factory: AnyFactory, method: str = "") -> str:
    """Where the user's code stands: a method, or else the class or function; "" where it has no source."""
    for found in (getattr(factory, method, None) if method else None, factory):
        with suppress(TypeError, OSError):
            function = inspect.unwrap(found)  # type: ignore[arg-type]
            if (file := inspect.getsourcefile(function)) and not is_ours(file):
                return f"{file}:{inspect.getsourcelines(function)[1]}"
    return ""
