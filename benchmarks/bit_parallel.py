"""From how many operations on a word it is better to walk through its instants: `python -m benchmarks.bit_parallel`.

Prints, for patterns that take more and more operations, the nanoseconds for an instant by words and by a walk, and how
many times as long the walk takes. `MAX_OPERATIONS` and `BitParallel.busy` of
`detectors.carlson_lisper.fast.bit_parallel` are set by these.
"""

from __future__ import annotations

import time

import numpy as np

from benchmarks.traces import random_trace
from detectors.carlson_lisper.fast.bit_parallel import bit_parallel
from detectors.carlson_lisper.generated.generated import Generated
from detectors.carlson_lisper.intervals import Letters
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse

PATTERNS = (
    "(a ; a)[2] - (b | c)",
    "(a ; b)[10]",
    "(a + b)[5]",
    "(a + b)[10]",
    "(a ; (b ; c)[5])[10]",
    "(a + b)[16]",
    "((a + b)[5] ; c)[9] - (d ; b)",
)
"""By rising number of operations, up to about the limit."""

DENSITIES = (0.01, 0.1, 0.5)

INSTANTS = 4_000_000

REPETITIONS = 7


def main() -> None:
    """Measure and print."""
    print(f"{'pattern':32} operations  density  words ns  walk ns  walk / words")
    for text in PATTERNS:
        expression = parse(text)
        program = bit_parallel(expression)
        operations = "none" if program is None else f"{len(program.statements)}"
        for density in DENSITIES:
            words, walk = measured(expression, density)
            print(
                f"{text:32} {operations:>10}  {density:7}  {words:8.3f}  {walk:7.3f}  {walk / words:12.2f}",
                flush=True,
            )


def measured(expression: Expression, density: float) -> tuple[float, float]:
    """The least nanoseconds for an instant, by words and by a walk, measured in turns."""
    names = Generated(expression).names
    letters = random_trace(names, density, INSTANTS, seed=0).letters(names)
    best = [float("inf")] * 2
    for _ in range(REPETITIONS):
        for which, words_from in enumerate((0, 2 * INSTANTS)):
            best[which] = min(best[which], _once(expression, letters, words_from))
    return best[0] / INSTANTS * 1e9, best[1] / INSTANTS * 1e9


def _once(expression: Expression, letters: Letters, words_from: int) -> float:
    detector = Generated(expression)
    detector.words_from = words_from
    detector.chunk(np.zeros(INSTANTS >> 6, letters.dtype), 0)  # whatever is done once is done
    begin = time.perf_counter()
    detector.chunk(letters, INSTANTS)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
