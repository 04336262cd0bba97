"""Candidates of the chooser, as data: what they find, what they cost, what stands in their way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from detectors.carlson_lisper.expected_time import seconds
from detectors.carlson_lisper.known import Feed, Known, Wanted
from semantics.errors import LimitExceeded


@dataclass(frozen=True)
class Candidate:
    """A detector that may be chosen.

    Attributes:
        name: of it.
        wanted: what it finds.
        feeds: how it can be fed.
        is_bounded: whether its memory does not grow with the input.
        cost: the expected seconds.
        obstacle: why it cannot be taken; an empty text if it can. Asked last, because it may take time.
        what: what it is, for people.
        make: makes a fresh one.
    """

    name: str
    wanted: tuple[Wanted, ...]
    feeds: tuple[Feed, ...]
    is_bounded: Callable[[Known], bool]
    cost: Callable[[Known], float]
    obstacle: Callable[[Known], str]
    what: str
    make: Callable[[Known], Any]

    @property
    def is_compiled(self) -> bool:
        """Whether it runs in a compiled loop."""
        return self.name.endswith("compiled")


def _labels_are_finite(known: Known) -> bool:
    return not known.unbounded


def _always(known: Known) -> bool:
    return True


def _nothing(known: Known) -> str:
    return ""


def _not_compiled(known: Known) -> str:
    from detectors.carlson_lisper.intervals import MAX_NAMES

    if known.types > MAX_NAMES:
        return f"there are more than {MAX_NAMES} event types"
    return "" if known.input.compiles else "Numba is not installed"


def _no_machine(known: Known) -> str:
    return known.machine if isinstance(known.machine, str) else ""


def _no_batch(known: Known) -> str:
    from detectors.carlson_lisper.fast.lanes import lane_program

    try:
        lane_program(known.expression)
    except LimitExceeded as error:
        return error.reason
    return ""


def _no_compiled_batch(known: Known) -> str:
    return _not_compiled(known) or _no_batch(known)


def _batch_seconds(known: Known) -> float:
    if _no_compiled_batch(known):
        return float("inf")
    return seconds(known, "batch-compiled", is_compiled=known.batch_is_compiled)


def _loop_seconds(known: Known) -> float:
    if _not_compiled(known):
        return float("inf")
    traces = known.input.traces
    loop = "generated-words" if known.loop == "words" else "generated-compiled"
    return seconds(known, loop, is_compiled=known.loop_is_compiled, detectors=traces)


def _batch(known: Known, *, compiles: bool) -> Any:
    from detectors.carlson_lisper.fast.batches import Batch

    return Batch(known.expression, known.input.traces, compiles=compiles)


_STRETCHES: tuple[Feed, ...] = ("letters", "events", "columns", "traces")
_ALL: tuple[Feed, ...] = ("instants", *_STRETCHES)

CANDIDATES: tuple[Candidate, ...] = (
    Candidate(
        "figure3",
        ("instances",),
        _ALL,
        _labels_are_finite,
        lambda known: seconds(known, "figure3", detectors=known.input.traces),
        _nothing,
        "code generated for the expression (Figure 3), with whole instances",
        lambda known: known.figure3.fresh(),
    ),
    Candidate(
        "generated",
        ("intervals",),
        _ALL,
        _always,
        lambda known: seconds(known, "generated", detectors=known.input.traces),
        _nothing,
        "code generated for the expression, with starts alone, in bounded memory",
        lambda known: known.generated.fresh(),
    ),
    Candidate(
        "generated-compiled",
        ("intervals",),
        _STRETCHES,
        _always,
        _loop_seconds,
        _not_compiled,
        "a loop generated for the expression and compiled, with starts alone, in bounded memory",
        lambda known: known.loops.fresh(),
    ),
    Candidate(
        "register-machine",
        ("intervals",),
        _ALL,
        _always,
        lambda known: seconds(known, "register-machine"),
        _no_machine,
        "the register machine, in bounded memory",
        lambda known: known.machine.fresh(),
    ),
    Candidate(
        "batch",
        ("intervals",),
        ("traces",),
        _always,
        lambda known: seconds(known, "batch"),
        _no_batch,
        "the same instants of all traces side by side, by NumPy",
        lambda known: _batch(known, compiles=False),
    ),
    Candidate(
        "batch-compiled",
        ("intervals",),
        ("traces",),
        _always,
        _batch_seconds,
        _no_compiled_batch,
        "the same instants of all traces side by side, in a compiled loop",
        lambda known: _batch(known, compiles=True),
    ),
)
"""All that can be chosen; whole instances, and starts and ends by generated code, can always be had."""
