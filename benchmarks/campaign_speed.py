"""How fast a campaign on Spark judges cases, against plain Python processes that judge the same cases.

    python benchmarks/campaign_speed.py [--cases 60000] [--processes 2] [--repetitions 3]

Each repetition runs both, one after the other, on an otherwise idle machine, please. The time of Spark begins when the
session is there and ends when the last wave is written and checked; the first repetition includes the warming up of
Java. The time of the plain processes begins when all have imported what they need. The ratio is that of cases per
second: 1.0 would mean that Spark costs nothing. Where /proc tells it, the processor time of both is compared as well,
which other programs on the machine disturb less.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import os
import statistics
import tempfile
import time
from multiprocessing.synchronize import Barrier
from pathlib import Path

from campaigns.campaign import run_campaign, run_locally
from campaigns.settings import Settings


def plain_share(settings: Settings, lo: int, hi: int, start: Barrier) -> None:
    """Judge a share of the cases, once all processes are ready."""
    start.wait()
    for _ in run_locally(settings, lo, hi):
        pass


def plain_seconds(settings: Settings, processes: int) -> float:
    """How long plain processes take for all cases, in seconds."""
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(processes + 1)
    cuts = [settings.cases * part // processes for part in range(processes + 1)]
    workers = [
        context.Process(target=plain_share, args=(settings, lo, hi, start))
        for lo, hi in itertools.pairwise(cuts)
    ]
    for worker in workers:
        worker.start()
    start.wait()
    begin = time.monotonic()
    for worker in workers:
        worker.join()
    return time.monotonic() - begin


def spark_seconds(settings: Settings, processes: int) -> tuple[float, float]:
    """How long a campaign takes for all cases, without the session's start: on the clock, and of processors."""
    used: list[float] = []

    def progress(done: int, total: int, failures: int) -> None:
        if done in (0, total):
            used.append(processor_seconds())

    with tempfile.TemporaryDirectory() as directory:
        summary = run_campaign(Path(directory), settings, master=f"local[{processes}]", listener=progress)
    if not summary.ok or summary.judged_now != settings.cases:
        raise SystemExit(f"the campaign went wrong: {summary.kinds}")
    return summary.seconds, used[-1] - used[0]


def processor_seconds() -> float:
    """The processor time of this process and all below it, ended or not, in seconds; 0 where /proc is missing."""
    children: dict[int, list[int]] = {}
    seconds: dict[int, float] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            values = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        pid = int(stat.parent.name)
        children.setdefault(int(values[1]), []).append(pid)
        seconds[pid] = sum(map(int, values[11:15])) / os.sysconf("SC_CLK_TCK")
    found, total = [os.getpid()], 0.0
    while found:
        pid = found.pop()
        total += seconds.get(pid, 0.0)
        found += children.get(pid, [])
    return total


def main() -> None:
    """Run the repetitions and print a line for each, and the median of the ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=60_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--repetitions", type=int, default=3)
    arguments = parser.parse_args()
    ratios: list[float] = []
    for seed in range(arguments.repetitions):
        settings = Settings(seed=seed, cases=arguments.cases)
        before = processor_seconds()
        plain = plain_seconds(settings, arguments.processes)
        plain_used = processor_seconds() - before
        spark, spark_used = spark_seconds(settings, arguments.processes)
        ratios.append(plain / spark)
        line = f"plain {settings.cases / plain:6.0f} cases/s   Spark {settings.cases / spark:6.0f} cases/s"
        line += f"   ratio {plain / spark:.2f}"
        if spark_used:
            line += f"   processor time {plain_used:.1f} s, {spark_used:.1f} s, ratio {plain_used / spark_used:.2f}"
        print(line, flush=True)
    print(f"median ratio {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
