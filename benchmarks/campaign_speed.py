"""How fast a campaign on Spark judges cases, against plain Python processes that judge the same cases.

    python benchmarks/campaign_speed.py [--cases 60000] [--work 0.25] [--processes 2] [--repetitions 3]

Each repetition runs one after the other, on an otherwise idle machine, please: plain processes that judge their share
of the cases and forget the rows; the same that also write them to Parquet files, as a campaign does; and the campaign.
The time of Spark begins when the session is there and ends when the last wave is written and checked; the first
repetition includes the warming up of Java. The time of the plain processes begins when all have imported what they
need. The ratio is that of cases per second: 1.0 would mean that Spark costs nothing. It is given against the first
yardstick, which is the harder one, and against the second. Where /proc tells it, the processor time of the first and of
Spark is compared as well, which other programs on the machine disturb less.

With `--work MS`, a loop that takes so many milliseconds stands in for the judgement of a case, in all three; see
`benchmarks.campaign_work`.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession

from benchmarks.campaign_work import (
    Used,
    add_arguments,
    kernel_of,
    plain_used,
    processor_seconds,
    settings_of,
)
from campaigns.engine.directory import CampaignDirectory
from campaigns.engine.execution import Execution, Listener
from campaigns.engine.shard_files import WORKERS_IMPORT
from campaigns.engine.shards import Kernel
from campaigns.judging.replays import RegressionOutcome
from cluster.session import spark_session

__all__ = ["processor_seconds", "spark_used"]


def spark_used(spark: SparkSession, kernel: Kernel, processes: int) -> Used:
    """A campaign on a session, without the counts of its summary."""
    used: list[float] = []

    def progress(done: int, total: int, failures: int) -> None:
        if done in (0, total):
            used.append(processor_seconds())

    with tempfile.TemporaryDirectory() as directory:
        place = CampaignDirectory(Path(directory))
        execution = Execution(spark, place, kernel, (), processes, Listener(progress))
        summary = execution.run(RegressionOutcome())
    if not summary.ok or summary.judged_now != kernel.settings.cases:
        raise SystemExit(f"the campaign went wrong: {summary.kinds}")
    return Used(summary.seconds, used[-1] - used[0])


def main() -> None:
    """Run the repetitions and print a line for each, and the median of the ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser, 60_000)
    arguments = parser.parse_args()
    processes: int = arguments.processes
    ratios: list[tuple[float, float, float]] = []
    print("      cases per second          ratio to plain     processor time per case, ms")
    print("  plain  kept    Spark      forgotten  kept      plain  Spark  ratio")
    with spark_session(f"local[{processes}]", workers_import=WORKERS_IMPORT) as spark:
        for seed in range(arguments.repetitions):
            settings = settings_of(seed, arguments.cases, processes)
            kernel = kernel_of(settings, arguments.work)
            forgotten = plain_used(kernel, processes)
            with tempfile.TemporaryDirectory() as folder:
                kept = plain_used(kernel, processes, Path(folder))
            carried = spark_used(spark, kernel, processes)
            used = forgotten.processor / carried.processor if carried.processor else 0.0
            ratios.append((forgotten.clock / carried.clock, kept.clock / carried.clock, used))
            rates = [settings.cases / run.clock for run in (forgotten, kept, carried)]
            times = [1000 * run.processor / settings.cases for run in (forgotten, carried)]
            print("{:7.0f} {:6.0f} {:7.0f}".format(*rates), end="")
            print("         {:.3f}   {:.3f}     ".format(*ratios[-1]), end="")
            print("{:6.3f} {:6.3f}  {:.3f}".format(*times, used), flush=True)
    medians = [statistics.median(column) for column in zip(*ratios, strict=True)]
    print("median ratios: {:.3f} to plain processes, {:.3f} to those that keep rows".format(*medians))


if __name__ == "__main__":
    main()
