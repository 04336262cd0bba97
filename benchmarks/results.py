"""Results as plain data, and what changed between two of them."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.timing import Effort, Measurement, PatternTimings, Ratio, Scaling

SCHEMA = "remora/bench/1"
"""The version of the results; what is in it keeps its name and meaning."""

PACKAGES = ("remora", "numpy", "numba", "polars", "duckdb", "reelay")
"""Whose versions are recorded."""


def results_data(
    comparisons: Iterable[PatternTimings],
    scalings: Iterable[Scaling],
    effort: Effort,
    seed: int,
    exit_status: int,
) -> dict[str, Any]:
    """Everything that was measured, every single timing included."""
    return {
        "schema": SCHEMA,
        "machine": machine_data(),
        "versions": versions(),
        "seed": seed,
        "effort": {
            "repetitions": effort.repetitions,
            "seconds_per_timing": effort.seconds,
            "most_instants": effort.instants,
            "most_occurrences": effort.occurrences,
        },
        "units": {
            "rates": "million instants per second",
            "seconds": "of one run",
            "density": "per type and tick",
        },
        "results": [comparison_data(comparison) for comparison in comparisons],
        "scaling": [scaling_data(scaling) for scaling in scalings],
        "exit_status": exit_status,
    }


def comparison_data(comparison: PatternTimings) -> dict[str, Any]:
    """One pattern at one density."""
    return {
        "pattern": comparison.pattern.id,
        "expression": str(comparison.pattern.expression),
        "density": comparison.density,
        "subjects": [_measurement_data(measurement) for measurement in comparison.measurements],
        "ratios": [_ratio_data(ratio) for ratio in comparison.ratios()],
    }


def _measurement_data(measurement: Measurement) -> dict[str, Any]:
    subject = measurement.subject
    rates = measurement.rates
    return {
        "name": subject.name,
        "family": subject.family,
        "reports": subject.reports,
        "fed": subject.fed,
        "status": measurement.status,
        "detail": measurement.detail,
        "instants": measurement.instants,
        "checked_instants": measurement.checked,
        "detections": measurement.detections,
        "runs_per_timing": measurement.runs,
        "first_seconds": measurement.first_seconds,
        "seconds": list(measurement.seconds),
        "rate": spread_data(rates) if rates else None,
    }


def _ratio_data(ratio: Ratio) -> dict[str, Any]:
    return {
        "subject": ratio.subject,
        "family": ratio.family,
        "peer": ratio.peer,
        **spread_data(ratio.values),
        "values": list(ratio.values),
    }


def spread_data(values: Sequence[float]) -> dict[str, float]:
    """Median, least and greatest of some values."""
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def scaling_data(scaling: Scaling) -> dict[str, Any]:
    """How the cost of one subject grows."""
    return {
        "subject": scaling.subject.name,
        "family": scaling.subject.family,
        "pattern": scaling.pattern.id,
        "expression": str(scaling.pattern.expression),
        "density": scaling.density,
        "points": [
            {
                "instants": point.instants,
                "nanoseconds_per_instant": point.cost,
                "seconds": list(point.seconds),
                "stored": point.stored,
            }
            for point in scaling.points
        ],
        "growth": scaling.growth,
        "stopped": scaling.stopped,
    }


def versions() -> dict[str, str | None]:
    """The version of each package that matters; None for one that is not installed."""
    found: dict[str, str | None] = {}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = None
    return found


def machine_data() -> dict[str, Any]:
    """Where it ran."""
    return {
        "system": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


# ------------------------------------------------------------------------------------------------------ comparing


@dataclass(frozen=True)
class Change:
    """How a ratio of one of our subjects to another tool changed.

    Attributes:
        pattern: the pattern's number or text.
        density: the probability of each event type at each tick.
        subject: ours.
        family: the other tool.
        old: the median ratio before.
        new: the median ratio now.
        apart: whether all values of the one lie above all of the other, so that noise alone does not explain it.
    """

    pattern: str
    density: float
    subject: str
    family: str
    old: float
    new: float
    apart: bool

    @property
    def factor(self) -> float:
        """The new ratio by the old one: above 1 is faster."""
        return self.new / self.old if self.old else float("inf")


ROUNDING = 1 + 1e-9
"""What differs by no more than this is the same number."""


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Change]:
    """What changed between two results: ratios to other tools, which noise and another machine disturb least.

    A ratio that only one of them has is left out.

    Raises:
        ValueError: one of them is not of this schema.
    """
    for one in (old, new):
        if not isinstance(one, Mapping) or one.get("schema") != SCHEMA:
            raise ValueError(f"not results of schema {SCHEMA}")
    before = _by_key(old)
    return [
        Change(
            *key,
            float(before[key]["median"]),
            float(ratio["median"]),
            ratio["min"] > before[key]["max"] * ROUNDING or ratio["max"] * ROUNDING < before[key]["min"],
        )
        for key, ratio in _by_key(new).items()
        if key in before
    ]


def _by_key(results: Mapping[str, Any]) -> dict[tuple[str, float, str, str], Mapping[str, Any]]:
    return {
        (result["pattern"], result["density"], ratio["subject"], ratio["family"]): ratio
        for result in results["results"]
        for ratio in result["ratios"]
    }
