"""Where a sequence keeps its candidates: the source's queues against a ring with an answer for each tick.

    python -m benchmarks.queues [--instants 200000] [--repetitions 5] [--bounds 5,50,500,4000] [--densities 0.1,0.5]

The pattern is `A;(B;C)[t]`, whose outer sequence has the label t. `A` occurs with the given probability at each tick,
`B` and `C` with 2/t, so that right instances are of any length up to the bound. Each line: the bound, the probability,
and for each detector of whole instances millions of ticks per second, then how many times as fast as Figure 4 it is
(the median of the ratios of each repetition, and the least and the greatest). All find the same, which is compared
first. Time is that of the processor.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from benchmarks.traces import Trace
from detectors.carlson_lisper.catalogue import DETECTORS
from detectors.protocol import DetectorFactory
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Time, Value
from semantics.carlson_lisper.syntax import parse

NAMES = ("figure2", "figure4", "recent", "ring")
"""The detectors that differ in nothing but this; the first one keeps everything."""

BASE = "figure4"

Instants: TypeAlias = Sequence[tuple[Time, Mapping[str, Value]]]


def instants(ticks: int, density: float, bound: int, seed: int = 0) -> Instants:
    """The instants with occurrences of a random trace."""
    source = np.random.default_rng(seed)
    shares = {"A": density, "B": min(2 / bound, 0.5), "C": min(2 / bound, 0.5)}
    columns = {name: np.flatnonzero(source.random(ticks) < share) for name, share in shares.items()}
    return Trace(ticks, columns).occurring(tuple(shares))


def run(
    make: DetectorFactory, expression: Expression, trace: Instants
) -> tuple[float, list[tuple[Time, Time]]]:
    """The seconds that a fresh detector takes, and the starts and ends that it finds."""
    step = make(expression).step
    found = []
    begin = time.process_time()
    for now, values in trace:
        instance = step(now, values)
        if instance is not None:
            found.append((instance.start, instance.end))
    return time.process_time() - begin, found


def line(bound: int, density: float, ticks: int, repetitions: int) -> str:
    """The speeds for a bound and a density."""
    expression = parse(f"A;(B;C)[{bound}]")
    trace = instants(ticks, density, bound)
    _, expected = run(DETECTORS[BASE], expression, trace)
    seconds: dict[str, list[float]] = {name: [] for name in NAMES}
    for _ in range(repetitions):
        for name in NAMES:
            took, found = run(DETECTORS[name], expression, trace)
            if found != expected:
                raise SystemExit(f"{name} finds other instances of {expression} than {BASE}")
            seconds[name].append(took)
    cells = [f"{bound:6} {density:8g}"]
    for name in NAMES:
        ratios = [base / took for base, took in zip(seconds[BASE], seconds[name], strict=True)]
        spread = f"{statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})"
        cells.append(f"{ticks / statistics.median(seconds[name]) / 1e6:8.2f} {spread:>18}")
    return " ".join(cells)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each bound and density."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--instants", type=int, default=200_000)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--bounds", default="5,50,500,4000")
    parser.add_argument("--densities", default="0.1,0.5")
    given = parser.parse_args(arguments)
    print(f"{'bound':>6} {'p(A)':>8} " + " ".join(f"{name:>27}" for name in NAMES))
    for bound in map(int, given.bounds.split(",")):
        for density in map(float, given.densities.split(",")):
            print(line(bound, density, given.instants, given.repetitions), flush=True)


if __name__ == "__main__":
    main()
