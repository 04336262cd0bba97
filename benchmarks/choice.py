"""How much worse than the best the chooser's choice is, and what its constants are.

    python -m benchmarks.choice [--instants 1000,100000,1000000] [--densities 0.01,0.1,0.5] [EXPRESSION...]
    python -m benchmarks.choice --constants

Each candidate that could be taken is made and run over one trace; loops are compiled before, as for the second run of
a program. After a line for each measurement comes the table: for each pattern, density and length the greatest regret
among the ways to feed a detector. Regret is the time of the choice by the time of the fastest candidate, a hundredth of
a second added to both: 1 is the best.

Time is that of the processor; the least of some repetitions counts. With `--constants` the seconds for making each
candidate and for each instant are printed, of which `detectors.carlson_lisper.expected_time.COSTS` holds round numbers.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.patterns import PATTERNS
from benchmarks.traces import Trace, random_trace
from detectors.carlson_lisper.choice import Feed, Input, again, choose, every_choice
from detectors.carlson_lisper.feeds import events_by_steps
from detectors.protocol import event_types
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse

FEEDS: tuple[Feed, ...] = ("instants", "letters", "events", "columns")

MORE = (
    "a",
    "(A+B)[300];C",
    "A;(B;C)",
    "A;(B+C)",
    "((A;B)|(C+D))[20]-(E;F)",
    "(A+B)+(C+D)",
    "(B;B)[50]-(P|T)",
    "(A;(B;P))[10]-T",
    "A;(B;C)[100000]",
    "((A+B)[6];(C+D)[6])[12]-E",
)
"""Besides the patterns of the table: the smallest one, long restrictions, no bound at all, one operation after the
other, and such whose register machine has many states."""

REPETITIONS = 3

FLOOR = 0.01
"""So many seconds are added to each time: what is done in less is done at once, whatever was chosen."""


def runs(trace: Trace, names: tuple[str, ...], fed: Feed) -> Callable[[Any], object]:
    """Feeds a detector with a trace."""
    letters = trace.letters(names)
    times = np.flatnonzero(letters).astype(np.int64)
    busy = letters[times]
    columns = [trace.columns[name] for name in names]
    return {
        "instants": lambda detector: events_by_steps(detector.step, times, busy),
        "letters": lambda detector: detector.chunk(letters, 0),
        "events": lambda detector: detector.events(times, busy),
        "columns": lambda detector: detector.sparse(columns),
    }[fed]


def seconds(
    name: str, expression: Expression, given: Input, run: Callable[[Any], object]
) -> tuple[float, float]:
    """The least time to make a detector, what it takes to find out that it can be made included, and to run it."""
    making, running = [], []
    for _ in range(REPETITIONS):
        begin = time.process_time()
        chosen = again(name, expression, given)
        assert chosen is not None
        detector = chosen.make()
        made = time.process_time()
        run(detector)
        making.append(made - begin)
        running.append(time.process_time() - made)
    return min(making), min(running)


def measured(
    expression: Expression, density: float, instants: int, fed: Feed
) -> tuple[Input, dict[str, tuple[float, float]]]:
    """What is to be done, and the seconds to make and to run each candidate; loops are compiled before."""
    names = event_types(expression)
    share = 1 - (1 - density) ** len(names)
    trace = random_trace(names, density, max(int(instants / share), 10), 0)
    run = runs(trace, names, fed)
    count = len(np.flatnonzero(trace.letters(names)))
    given = Input(feed=fed, instants=count, ticks=trace.instants, loaded=True)
    candidates = every_choice(expression, given)
    for candidate in candidates.values():
        run(candidate.make())
    return given, {name: seconds(name, expression, given, run) for name in candidates}


def constants(expression: Expression) -> None:
    """Print what each candidate takes for an expression."""
    print(f"{expression}")
    for fed in FEEDS:
        given, found = measured(expression, 0.1, 200_000, fed)
        for name, (made, took) in found.items():
            each = took / max(given.many, 1) * 1e9
            print(f"  {fed:9} {name:27} made {made * 1e3:7.1f} ms, {each:8.1f} ns per instant")


def main() -> None:
    """Print a line for each pattern, density, feed and size, and the worst regret."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("expressions", nargs="*", metavar="EXPRESSION")
    parser.add_argument("--instants", default="1000,100000,1000000")
    parser.add_argument("--densities", default="0.01,0.1,0.5")
    parser.add_argument("--constants", action="store_true")
    arguments = parser.parse_args()
    own = [pattern.expression for pattern in PATTERNS.values()] + [parse(text) for text in MORE]
    expressions = [parse(text) for text in arguments.expressions] or own
    if arguments.constants:
        for expression in expressions:
            constants(expression)
        return
    table: dict[tuple[str, str], dict[str, float]] = {}
    for expression in expressions:
        for density in map(float, arguments.densities.split(",")):
            for fed in FEEDS:
                for instants in map(int, arguments.instants.split(",")):
                    given, found = measured(expression, density, instants, fed)
                    name = choose(expression, given).name
                    total = {one: sum(parts) for one, parts in found.items()}
                    best = min(total, key=lambda one: total[one])
                    regret = (total[name] + FLOOR) / (total[best] + FLOOR)
                    column = f"p {density:g}", f"{instants:,}"
                    row = table.setdefault(column, {})
                    row[f"{expression} {fed}"] = regret
                    costs = "  ".join(f"{one} {cost * 1e3:.1f}" for one, cost in total.items())
                    print(
                        f"{expression!s:32.32} {density:<5} {fed:8} {given.many:9,}  {name:26}"
                        f" regret {regret:6.2f}  best {best:26} ms: {costs}",
                        flush=True,
                    )
    print_table(list(map(str, expressions)), table)


def print_table(patterns: Sequence[str], table: Mapping[tuple[str, str], Mapping[str, float]]) -> None:
    """Print the greatest regret of each pattern by density and length, and what all come to.

    Args:
        patterns: the rows.
        table: for each density and length, the regret by pattern and way to feed.
    """
    print(f"\n{'':32}" + "".join(f"{density:>11}" for density, _ in table))
    print(f"{'regret':32}" + "".join(f"{instants:>11}" for _, instants in table))
    for pattern in patterns:
        cells = (max(column[f"{pattern} {fed}"] for fed in FEEDS) for column in table.values())
        print(f"{pattern:32.32}" + "".join(f"{cell:11.2f}" for cell in cells))
    ordered = sorted(regret for column in table.values() for regret in column.values())
    print(
        f"\nregret: median {ordered[len(ordered) // 2]:.2f}, nine of ten at most"
        f" {ordered[int(len(ordered) * 0.9)]:.2f}, worst {ordered[-1]:.2f}, of {len(ordered)}"
    )


if __name__ == "__main__":
    main()
