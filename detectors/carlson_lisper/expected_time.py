"""Cost model of detectors: expected seconds, by constants that were measured.

A cost is a straight line, the seconds before the first instant and those for each instant, so with more instants a
comparison never goes back to a detector that is slower per instant.
"""

from __future__ import annotations

from collections.abc import Mapping
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
        lane: for each tick of each of many traces and each operation.
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


NUMBA = 0.35
"""Seconds to load Numba."""

COSTS: Mapping[str, Cost] = {
    "figure3": Cost(1e-3, 1.5e-3, instant=1.5e-6, instant_operation=0.4e-6),
    "generated": Cost(1e-3, 1e-3, instant=0.2e-6, instant_operation=0.03e-6, tick=1e-9),
    "generated-compiled": Cost(1e-3, 1e-3, 0.6, 0.35, instant=2.5e-9, instant_operation=1.2e-9, tick=0.9e-9),
    "generated-words": Cost(1e-3, 1e-3, 0.6, 0.35, instant=1.5e-9, instant_operation=0.3e-9, tick=0.3e-9),
    "register-machine": Cost(4e-3, 1e-3, instant=0.5e-6, instant_operation=0.04e-6, tick=1e-9),
    "batch": Cost(1e-3, 2e-3, tick=4e-6, tick_operation=9e-6, lane=3e-9),
    "batch-compiled": Cost(1e-3, 3e-3, 0.5, 0.2, tick=15e-9, lane=0.06e-9),
}
"""A machine of many states is slower than the patterns that were measured: so it costs a little for each operation.
Only their proportions matter; they were measured on one core."""


def seconds(known: Known, name: str, *, is_compiled: bool | None = None, detectors: int = 1) -> float:
    """The expected seconds.

    Args:
        known: the expression and the input.
        name: whose costs.
        is_compiled: whether its loop was compiled before; None for what is not compiled.
        detectors: how many are made.
    """
    cost, operations, input = COSTS[name], known.operations, known.input
    total = detectors * (cost.make + operations * cost.make_operation)
    if is_compiled is not None:
        total += 0.0 if input.loaded else NUMBA
        total += 0.0 if is_compiled else cost.compile + operations * cost.compile_operation
    total += input.many * (cost.instant + operations * cost.instant_operation)
    if input.feed in ("letters", "traces"):
        per_tick = cost.tick + operations * (cost.tick_operation + input.traces * cost.lane)
        one_by_one = input.traces if cost.lane == 0 else 1
        total += one_by_one * input.length * per_tick
    return total
