"""Cost model of detectors: expected seconds, by constants that were measured.

A cost is a straight line, the seconds before the first instant and those for each instant, so with more instants a
comparison never goes back to a detector that is slower per instant.
"""

from __future__ import annotations

from dataclasses import dataclass

from detectors.carlson_lisper.known import Known


@dataclass(frozen=True)
class Cost:
    """What a detector costs, in seconds.

    Attributes:
        make: to make it.
        make_operation: to make it, for each operation of the expression.
        compile: to compile its loop, where that was not done before.
        compile_operation: the same for each operation.
        instant: for each instant with occurrences.
        instant_operation: for each of these and each operation.
        tick: for each tick of letters, and of many traces together.
        tick_operation: for each of these and each operation.
        lane: for each tick of each of many traces and each operation, by what takes these side by side.
        shared: whether what is made once serves several traces.
    """

    make: float
    make_operation: float = 0.0
    compile: float = 0.0
    compile_operation: float = 0.0
    instant: float = 0.0
    instant_operation: float = 0.0
    tick: float = 0.0
    tick_operation: float = 0.0
    lane: float = 0.0
    shared: bool = False


NUMBA = 0.35
"""Seconds to load Numba."""

WORDS = Cost(1e-3, 1e-3, 0.6, 0.35, instant=1.5e-9, instant_operation=0.3e-9, tick=0.3e-9)
"""What a compiled loop costs where it takes letters 64 at a time."""


def seconds(known: Known, cost: Cost) -> float:
    """The expected seconds; ∞ for what is compiled, where it cannot be."""
    operations, input = known.operations, known.input
    total = 0.0
    if cost.compile:
        if known.no_loop():
            return float("inf")
        total += 0.0 if input.loaded else NUMBA
        if not cost.lane and known.loop == "words":
            cost = WORDS
        if not (known.batch_is_compiled if cost.lane else known.loop_is_compiled):
            total += cost.compile + operations * cost.compile_operation
    one_by_one = 1 if cost.lane else input.traces
    total += (1 if cost.shared else one_by_one) * (cost.make + operations * cost.make_operation)
    total += input.many * (cost.instant + operations * cost.instant_operation)
    if input.feed in ("letters", "traces"):
        per_tick = cost.tick + operations * (cost.tick_operation + input.traces * cost.lane)
        total += one_by_one * input.length * per_tick
    return total
