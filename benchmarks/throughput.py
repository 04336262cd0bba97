"""Throughput tables: patterns by densities by subjects, and how the cost of an instant grows with the trace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.subjects import Pattern, Subject
from benchmarks.timing import Effort, PatternTimings, Say, Scaling, compare, scaling
from benchmarks.traces import random_trace
from detectors.carlson_lisper.protocol import event_types

DENSITIES = (0.01, 0.1, 0.5)
"""Probabilities of an event type at a tick: gaps, the usual, and branches that cannot be predicted."""

SCALED = ("figure2 as printed", "figure2", "figure4", "generated step", "columns")
"""Whose cost is followed over the length of the trace."""


@dataclass(frozen=True)
class Plan:
    """What is measured.

    Attributes:
        densities: probabilities of each event type at each tick.
    """

    patterns: Sequence[Pattern]
    densities: Sequence[float]
    subjects: Sequence[Subject]
    effort: Effort
    seed: int = 0


def throughput(plan: Plan, *, say: Say = lambda _: None) -> Iterator[PatternTimings]:
    """Each pattern at each density, one comparison after the other.

    Raises:
        OracleDiffers: the oracle is wrong.
    """
    for density in plan.densities:
        for pattern in plan.patterns:
            place = f"{pattern.id} at {density:g}"
            say(f"{place}: the trace")
            names = event_types(pattern.expression)
            trace = random_trace(names, density, plan.effort.length(density), plan.seed)
            yield compare(
                pattern,
                density,
                trace,
                plan.subjects,
                plan.effort,
                say=lambda what, place=place: say(f"{place}: {what}"),  # type: ignore[misc]
            )


def growth(plan: Plan, pattern: Pattern, density: float, *, say: Say = lambda _: None) -> list[Scaling]:
    """How the cost of an instant grows with the trace, for the subjects of `SCALED` that take part."""
    names = event_types(pattern.expression)
    trace = random_trace(names, density, plan.effort.length(density), plan.seed)
    subjects = [subject for subject in plan.subjects if subject.name in SCALED]
    return scaling(pattern, density, trace, subjects, plan.effort, say=say)
