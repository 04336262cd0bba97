"""Memory that goes on growing although a detector states a bound: looked for in a long run of each detector.

What a detector says that it keeps is held against its bound at each instant of each case (Section 5.2). What it keeps
besides shows in the memory of its process alone, and only after many more instants than a case has. So one trace is
repeated to a detector again and again: whatever it needs for it, it has before long.

Nothing is said of detectors that state no bound, that answer for whole traces, whose results grow with these, or that
take longer than `SECONDS`. Memory that Python does not hand out, as that of a C library, is not seen.
"""

from __future__ import annotations

import gc
import time
import tracemalloc
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from campaigns.carlson_lisper.cases import Case
from campaigns.judging.isolation import isolated
from campaigns.judging.verdicts import Kind, Verdict
from detectors.carlson_lisper.adapters import AnyDetector, AnyFactory, TraceDetector
from semantics.carlson_lisper.expressions import UNBOUNDED
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse

PROFILE = "regression"
"""Stands in the place of a profile."""

EXPRESSIONS = ("(((a ; b)[6] + (c + a)) - d)[9]", "((a | b) + c) - d")
"""Of the first, detectors after Section 5.2 keep little; of the second, every detector of the paper."""

EVENTS = ("a", "c", "b", "", "ab", "d", "", "c", "a", "b", "cd", "a", "abc", "", "b", "d", "ac", "b", "c", "")
"""The events of each tick of the trace that is repeated."""

REPETITIONS = 80
"""So often in each part of a look…"""

PARTS = 3
"""…which has so many; the first is for what is made once."""

LONGER = 10
"""A detector that grows is looked at for so many times as long: the cache that it fills may be full by then."""

LEAST = 4
"""Growth of less than so many bytes a tick is none: half a pointer."""

SECONDS = 2.0
"""A detector that takes longer is not looked at to the end."""

INSTANTS = tuple((tick, dict.fromkeys(events)) for tick, events in enumerate(EVENTS) if events)
"""The same as a detector takes it."""


class Growth(NamedTuple):
    """Memory that went on growing.

    Attributes:
        sizes: the memory after each part of a look, in bytes.
        ticks: how many ticks each part has.
        bound: how many instances the detector says that it keeps at most, all subexpressions together.
        place: the line that allocated most of what is there at the end, as `file:line`.
        share: how much of it that is, from 0 to 1.
    """

    sizes: tuple[int, ...]
    ticks: int
    bound: int
    place: str
    share: float

    @property
    def a_tick(self) -> float:
        """How many bytes came with each tick of the parts after the first."""
        return (self.sizes[-1] - self.sizes[0]) / (self.ticks * (len(self.sizes) - 1))


def grown(factory: AnyFactory) -> tuple[Case, Verdict] | None:
    """The trace that is repeated, if a detector states a bound and its memory goes on growing with that trace."""
    for text in EXPRESSIONS:
        # The longer look is for those alone that have grown in the short one.
        growth = _growth(factory, text, 1) and _growth(factory, text, LONGER)
        if growth:
            return _failure(text, growth)
    return None


def _growth(factory: AnyFactory, text: str, times: int) -> Growth | None:
    """How memory grows in a look of so many times the usual length; None where it does not or nothing can be said."""
    look = partial(_look, factory, text, times * REPETITIONS, times * SECONDS)
    found = isolated(look, seconds=times * SECONDS)
    return found if isinstance(found, Growth) else None


def _failure(text: str, growth: Growth) -> tuple[Case, Verdict]:
    occurrences = tuple(Occurrence(event, tick) for tick, at in INSTANTS for event in at)
    parts = ", ".join(f"{size:,}" for size in growth.sizes)
    detail = (
        f"its memory still grew after {PARTS * REPETITIONS * LONGER:,} repetitions of the trace, although it states"
        f" a bound of {growth.bound:,} {'instance' if growth.bound == 1 else 'instances'}: by"
        f" {growth.a_tick:,.0f} bytes a tick in detecting {parse(text)}; there were {parts} bytes after each"
        f" {growth.ticks:,} ticks, {growth.share:.0%} of them allocated at {growth.place}"
    )
    case = Case(0, 0, PROFILE, parse(text), occurrences)
    return case, Verdict(Kind.STORAGE, detail, ())


def _look(factory: AnyFactory, text: str, repetitions: int, seconds: float) -> Growth | None:
    """`_grew` of a fresh detector, in a process that may be lost; what was there before is set aside."""
    deadline = time.monotonic() + seconds
    gc.freeze()
    tracemalloc.start()
    try:
        return _grew(factory(parse(text)), repetitions, deadline)
    except (Exception, SystemExit):  # whatever else is wrong with a detector, the cases tell
        return None
    finally:
        tracemalloc.stop()
        gc.unfreeze()


def _grew(detector: AnyDetector, repetitions: int, deadline: float) -> Growth | None:
    """How a detector takes more memory in each part but the first; None if it does not."""
    if isinstance(detector, TraceDetector):
        return None
    sizes: list[int] = []
    begin, bound = 0, 0
    for _ in range(PARTS):
        for _ in range(repetitions):
            for tick, occurrences in INSTANTS:
                detector.step(begin + tick, occurrences)
            begin += len(EVENTS)
            if time.monotonic() > deadline:
                return None
        bounds = [node.bound for node in detector.state()]
        if not bounds or UNBOUNDED in bounds:
            return None
        bound = sum(map(int, bounds))
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])
    ticks = repetitions * len(EVENTS)
    if any(after - earlier <= LEAST * ticks for earlier, after in pairwise(sizes)):
        return None
    most = tracemalloc.take_snapshot().statistics("lineno")[0]
    line = most.traceback[0]
    return Growth(tuple(sizes), ticks, bound, f"{line.filename}:{line.lineno}", most.size / sizes[-1])
