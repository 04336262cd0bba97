"""Subjects of the benchmarks: engines that answer a pattern on a trace, each from its own kind of input."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from benchmarks.traces import Times, Trace
from semantics.carlson_lisper.expressions import Expression

OURS = "remora"
"""The family of this project's detectors."""

Reports: TypeAlias = Literal["starts and ends", "ends"]

Feed: TypeAlias = Literal["each instant", "each tick", "dense", "columns"]
"""How a trace comes in: a call for each instant with occurrences, a call for each tick, an array with an entry per
tick, or sorted times by event type."""


class Absent(Exception):
    """What a subject needs is not there; the text says what."""


class NoQuery(Exception):
    """A subject has no answer to a pattern: no query was written by hand, or as the text says."""


@dataclass(frozen=True)
class Pattern:
    """What is detected.

    Attributes:
        id: the number in the table, `i` to `iv`, or the expression's text for a pattern from outside.
    """

    id: str
    expression: Expression


@dataclass(frozen=True)
class Answer:
    """What a subject found, in order of ends.

    Attributes:
        starts: the greatest start for each end, shape `(n,)`, in ticks; None if the subject reports ends only.
        ends: shape `(n,)`, in ticks, strictly increasing.
        stored: how many starts or instances the subject keeps after the trace; None if it cannot say.
    """

    starts: Times | None
    ends: Times
    stored: int | None = None


Found: TypeAlias = Answer | Callable[[], Answer]
"""An answer, or one in a form of the subject's own with the way to turn it into arrays of starts and ends."""

Query: TypeAlias = Callable[[], Found]
"""One run over the whole trace from the initial state; this is what is timed. Called once."""


def arrays(found: Found) -> Answer:
    """What was found as arrays; good until the subject runs again."""
    return found() if callable(found) else found


Prepared: TypeAlias = Callable[[], Query]
"""Puts a subject that has its input into its initial state; not timed."""


@dataclass(frozen=True)
class Subject:
    """One way to get the answer.

    Attributes:
        family: whose it is: `OURS`, or the tool.
        prepare: takes a pattern and a trace, brings the trace into the subject's own form and returns the way to start.
            Raises `Absent` or `NoQuery`.
    """

    name: str
    family: str
    fed: Feed
    prepare: Callable[[Pattern, Trace], Prepared]
    reports: Reports = "starts and ends"
    package: str | None = None


def load(module: str) -> Any:
    """A module that may be missing.

    Raises:
        Absent: it is.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        # A broken installation is not the same as none.
        missing = isinstance(error, ModuleNotFoundError) and error.name == module
        raise Absent(
            f"{module} is not installed" if missing else f"{module} cannot be imported: {error}"
        ) from None
