"""The detectors measured beside other tools: the table of `remora bench`, and what it says of a run."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks.patterns import PATTERNS
from benchmarks.subjects import OURS
from benchmarks.throughput import Plan, growth, throughput
from benchmarks.timing import PatternTimings, Scaling
from laws.standings import Standing
from remora.terminal.progress import Progress


def measured(plan: Plan, progress: Progress, *, scaling: bool) -> tuple[list[PatternTimings], list[Scaling]]:
    """The speeds, and how the cost of an instant grows with the trace, of the sequence if it is among the patterns.

    Raises:
        OracleDiffers: the oracle is wrong.
    """
    tables = len(plan.patterns) * len(plan.densities)
    pieces = tables * (1 + len(plan.subjects) + plan.effort.repetitions)
    scalings: list[Scaling] = []
    with progress.stage("throughput", pieces) as advance:
        comparisons = list(throughput(plan, say=advance))
    if scaling:
        followed = PATTERNS["ii"] if PATTERNS["ii"] in plan.patterns else plan.patterns[0]
        density = 0.1 if 0.1 in plan.densities else plan.densities[0]
        with progress.stage("scaling", len(plan.subjects)) as advance:
            scalings = growth(plan, followed, density, say=advance)
    return comparisons, scalings


def standing(comparisons: Iterable[PatternTimings]) -> Standing:
    """Refuted by a wrong answer or a detector of ours that broke down, an error where another tool did."""
    measurements = [one for comparison in comparisons for one in comparison.measurements]
    if any(
        one.status == "wrong" or (one.status == "failed" and one.subject.family == OURS)
        for one in measurements
    ):
        return Standing.REFUTED
    return Standing.ERROR if any(one.status == "failed" for one in measurements) else Standing.TESTED
