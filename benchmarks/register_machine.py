"""How fast register machines are, and how large they become.

    python benchmarks/register_machine.py [--instants 4000000] [--repetitions 5] [EXPRESSION...]

Each line: the machine's states and the greatest number of starts that it stores; millions of instants per second of
`chunk` and `events` (of the same trace: the instants in `events` are those with events, its speed is that of the
ticks) and of `step` over the instants with events, for three probabilities of an event per type and tick. Time is
that of the processor, which other programs disturb less; the best of the repetitions counts, after one that finds the
states. What `chunk` and `events` find is compared first.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from detectors.carlson_lisper.intervals import Letters, Times
from detectors.carlson_lisper.register.machine import RegisterMachine
from semantics.carlson_lisper.syntax import parse

PATTERNS = (
    "(B;B)[2] - (P|T)",
    "(B;B)[50] - (P|T)",
    "A;B",
    "A;(B;C)",
    "A;(B+C)",
    "(A;(B;P))[10] - T",
    "(B+P)+T",
    "(A+B)[10]",
    "A;(B;C)[5]",
)

DENSITIES = (0.01, 0.1, 0.5)

STEPS = 200_000


def trace(types: int, instants: int, density: float, seed: int = 1) -> Letters:
    """Letters at neighbouring ticks, each type occurring independently."""
    source = np.random.default_rng(seed)
    letters = np.zeros(instants, np.uint8)
    for bit in range(types):
        letters |= (source.random(instants, np.float32) < density).astype(np.uint8) << bit
    return letters


def best(run: Callable[[RegisterMachine], object], machine: RegisterMachine, repetitions: int) -> float:
    """The least number of seconds that a run from the initial state takes."""
    seconds = []
    for _ in range(repetitions + 1):
        detector = machine.fresh()
        begin = time.process_time()
        run(detector)
        seconds.append(time.process_time() - begin)
    return min(seconds[1:])


def step_through(detector: RegisterMachine, times: Times, letters: Letters) -> None:
    """Feed instants one at a time."""
    step = detector.step
    for now, letter in zip(times.tolist(), letters.tolist(), strict=True):
        step(now, letter)


def main() -> None:
    """Print a line for each pattern and density."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("expressions", nargs="*", metavar="EXPRESSION", default=PATTERNS)
    parser.add_argument("--instants", type=int, default=4_000_000)
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()
    for text in arguments.expressions:
        begin = time.process_time()
        machine = RegisterMachine(parse(text))
        built = time.process_time() - begin
        size = machine.size()
        most = f"{size.states}/{size.registers}" if size.exact else f"over {size.states}/{size.registers}"
        print(f"{text}: {most} states/starts, built in {built * 1000:.0f} ms", flush=True)
        for density in DENSITIES:
            letters = trace(len(machine.names), arguments.instants, density)
            times = np.flatnonzero(letters)
            kept = letters[times]
            one, other = machine.fresh().chunk(letters, 0), machine.fresh().events(times, kept)
            if not all(map(np.array_equal, one, other)):
                raise SystemExit(f"{text}: chunk and events disagree")
            chunk = best(lambda d, x=letters: d.chunk(x, 0), machine, arguments.repetitions)  # type: ignore[misc]
            events = best(lambda d, t=times, k=kept: d.events(t, k), machine, arguments.repetitions)  # type: ignore[misc]
            few = min(STEPS, len(times))
            steps = best(lambda d, t=times[:few], k=kept[:few]: step_through(d, t, k), machine, 2)  # type: ignore[misc]
            million = arguments.instants / 1e6
            print(
                f"    p = {density:<5} chunk {million / chunk:7.0f}   events {million / events:7.0f}"
                f"   ({len(times) / events / 1e6:4.0f} of its own)   step {few / steps / 1e6:6.2f}"
                f"   {len(one.ends):9,} detections",
                flush=True,
            )


if __name__ == "__main__":
    main()
