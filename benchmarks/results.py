"""Results as plain data."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import statistics
from collections.abc import Iterable, Sequence
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
