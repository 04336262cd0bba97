"""How fast groups of cases are judged, many traces of one expression at once, against one case after the other.

    python benchmarks/vectorised_speed.py [--detectors batch] [--groups 20] [--cases 300] [--repetitions 5]

Each repetition judges groups first, and then other cases of the same campaign one after the other, by the same
detectors and by each of two that report instances: the default one, and the one that needs no preparation. Of groups
everything is counted: generation, the semantics, the detectors, the rows as an Arrow batch; of the others generation
and judgement alone. Rates are cases per second of processor time, which other programs on the machine disturb less;
each ratio is one of two rates in one repetition.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from campaigns.carlson_lisper.cases import generate
from campaigns.carlson_lisper.judge import judge
from campaigns.engine.rows import ROW_SCHEMA
from campaigns.judging.loading import any_factory
from campaigns.vectorised.cases import LANES
from campaigns.vectorised.judging import judge_group
from campaigns.vectorised.rows import to_record_batch
from detectors.carlson_lisper.catalogue import DEFAULT_DETECTOR


def rate(work: Callable[[], int]) -> float:
    """Of how many cases some work disposes in a second of processor time."""
    begin = time.process_time()
    cases = work()
    return cases / (time.process_time() - begin)


def groups(detectors: tuple[str, ...], seed: int, count: int) -> int:
    """Judge the first groups of a campaign; returns how many cases that were."""
    factories = {name: any_factory(name) for name in detectors}
    for number in range(count):
        outcome = judge_group(seed, number, factories)
        if outcome.faults:
            raise SystemExit(f"a detector is wrong: {next(iter(outcome.faults.values()))[0]}")
        to_record_batch(outcome, "benchmark", ROW_SCHEMA)
    return count * LANES


def plain(detectors: tuple[str, ...], seed: int, count: int) -> int:
    """Judge the first cases of a campaign; returns how many that were."""
    factories = [any_factory(name) for name in detectors]
    for number in range(count):
        case = generate(seed, number)
        for factory in factories:
            verdict = judge(case, factory)
            if verdict.kind is not None:
                raise SystemExit(f"a detector is wrong: {verdict.detail}")
    return count


def main() -> None:
    """Run the repetitions and print the rates of each, and the ratios with their spread."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--detectors", default="batch", help="names with commas in between")
    parser.add_argument("--groups", type=int, default=20, help=f"of {LANES} cases")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()
    detectors = tuple(arguments.detectors.split(","))
    others = {", ".join(names): names for names in (detectors, (DEFAULT_DETECTOR,), ("figure2",))}
    ratios: dict[str, list[float]] = {name: [] for name in others}
    groups(detectors, -1, 1)
    for names in others.values():
        plain(names, -1, 10)
    for seed in range(arguments.repetitions):
        together = rate(lambda: groups(detectors, seed, arguments.groups))  # noqa: B023 - called at once
        line = f"groups {together:8.0f} cases/s"
        for name, names in others.items():
            alone = rate(lambda: plain(names, seed, arguments.cases))  # noqa: B023
            ratios[name].append(together / alone)
            line += f"   {name} alone {alone:6.0f}, ratio {together / alone:5.1f}"
        print(line, flush=True)
    for name, found in ratios.items():
        print(
            f"against {name}: median ratio {statistics.median(found):.1f}, {min(found):.1f} to {max(found):.1f}"
        )


if __name__ == "__main__":
    main()
