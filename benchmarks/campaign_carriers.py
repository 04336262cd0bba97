"""What may carry a campaign on Spark: waves of batch shards, or a stream with a checkpoint; measured side by side.

    python benchmarks/campaign_carriers.py [--cases 24000] [--part 4000] [--work 0.25] [--repetitions 3]

The same kernel judges the same cases, in parts of the same size, in four ways:

- plain: two plain Python processes that write their rows into Parquet files; the yardstick;
- waves: a Spark job for each part, whose workers write the files (`campaigns.engine.execution`);
- sink:  a Spark job for each part, whose rows go through Spark into its own Parquet files;
- stream: Structured Streaming with a checkpoint, a micro-batch for each part, into Spark's own Parquet sink.

Then the process that carries the campaign and its Java are killed with signal 9 half-way, and the campaign is carried
on: what does a reader without Spark find after the kill and at the end?
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from benchmarks.campaign_work import (
    Used,
    add_arguments,
    kernel_of,
    numbered,
    plain_used,
    processor_seconds,
    settings_of,
)
from campaigns.engine.directory import CampaignDirectory
from campaigns.engine.execution import Execution, Listener
from campaigns.engine.rows import SPARK_SCHEMA
from campaigns.engine.shards import SHARDS_PER_PROCESSOR, Kernel
from cluster.session import spark_session

KILL_AFTER = 0.5
"""The carrier is killed when this share of the rows is there."""


@dataclass(frozen=True)
class Work:
    """What is carried: the cases of a kernel, in parts of so many."""

    kernel: Kernel
    part: int
    processes: int

    @property
    def parts(self) -> list[range]:
        """The numbers of the cases of each part."""
        cases = self.kernel.settings.cases
        return [range(lo, min(lo + self.part, cases)) for lo in range(0, cases, self.part)]


Carrier = Callable[[SparkSession, Work, Path], None]
"""Carries work out on a session, or what is missing of it, with files in a folder."""


def by_waves(spark: SparkSession, work: Work, folder: Path) -> None:
    """A Spark job for each part; the workers write. A part of which each case is there is not done again."""
    execution = Execution(spark, CampaignDirectory(folder), work.kernel, (), work.processes, Listener())
    execution.waves = work.parts
    for number, part in enumerate(work.parts):
        if execution.whole_wave(number) is None:
            for _ in execution.judge_wave(number, part):
                pass
            if execution.whole_wave(number) is None:
                raise SystemExit(f"wave {number} is not whole")


def by_sink(spark: SparkSession, work: Work, folder: Path) -> None:
    """A Spark job for each part; Spark writes. A part that Spark marked as finished is not done again."""
    for number, part in enumerate(work.parts):
        target = folder / "cases" / f"wave={number}"
        if not (target / "_SUCCESS").exists():
            shards = SHARDS_PER_PROCESSOR * work.processes
            rows = spark.range(part.start, part.stop, 1, shards).mapInArrow(work.kernel, SPARK_SCHEMA)
            rows.write.mode("overwrite").parquet(str(target))


def by_stream(spark: SparkSession, work: Work, folder: Path) -> None:
    """A micro-batch for each part, from small files with the numbers of the cases."""
    numbers, shards = folder / "numbers", SHARDS_PER_PROCESSOR * work.processes
    if not numbers.exists():
        numbers.mkdir(parents=True)
        for part in work.parts:
            cuts = [part.start + len(part) * shard // shards for shard in range(shards + 1)]
            for lo, hi in pairwise(cuts):
                path = numbers / f"{lo:012}.parquet"
                pq.write_table(pa.Table.from_batches([numbered(range(lo, hi))]), path)
                os.utime(path, (1_000_000 + lo, 1_000_000 + lo))
    source = spark.readStream.schema("id bigint").option("maxFilesPerTrigger", shards).parquet(str(numbers))
    writer = source.mapInArrow(work.kernel, SPARK_SCHEMA).writeStream.format("parquet")
    options = {"path": str(folder / "cases"), "checkpointLocation": str(folder / "checkpoint")}
    query = writer.options(**options).trigger(availableNow=True).start()
    query.awaitTermination()


CARRIERS: Mapping[str, Carrier] = {"waves": by_waves, "sink": by_sink, "stream": by_stream}

OPTIONS = {"spark.sql.files.maxPartitionBytes": "4m"}
"""As much as opening a file is taken to cost, so that a small file is a task of its own."""


# ------------------------------------------------------------------------------------------------------- the files


@dataclass(frozen=True)
class Found:
    """What a reader without Spark finds in a folder.

    Attributes:
        cases: how many cases are there.
        duplicates: how many rows there are beyond one for each case.
        damaged: how many files cannot be read.
        seen_by_spark: how many rows Spark reads.
    """

    cases: int
    duplicates: int
    damaged: int
    seen_by_spark: int | None = None

    def __str__(self) -> str:
        """In one line."""
        spark = "" if self.seen_by_spark is None else f" (Spark: {self.seen_by_spark:,} rows)"
        return f"{self.cases:,} cases, {self.duplicates:,} duplicates, {self.damaged} damaged files{spark}"


def found_in(folder: Path) -> Found:
    """Read the files whose names do not say that they are drafts."""
    counts: Counter[int] = Counter()
    damaged = 0
    for path in (folder / "cases").rglob("*.parquet"):
        if not any(part.startswith((".", "_")) for part in path.relative_to(folder).parts):
            try:
                counts.update(pq.read_table(path, columns=["case"], partitioning=None)["case"].to_pylist())
            except (pa.ArrowException, OSError):
                damaged += 1
    return Found(len(counts), counts.total() - len(counts), damaged)


# ------------------------------------------------------------------------------------------------ the measurements


def carried(spark: SparkSession, carrier: Carrier, work: Work) -> Used:
    """What a carrier takes, the session being there."""
    with tempfile.TemporaryDirectory() as place:
        begin, before = time.monotonic(), processor_seconds()
        carrier(spark, work, Path(place))
        used = Used(time.monotonic() - begin, processor_seconds() - before)
        found = found_in(Path(place))
    if found != Found(work.kernel.settings.cases, 0, 0):
        raise SystemExit(f"the carrier went wrong: {found}")
    return used


def plain(work: Work) -> Used:
    """What plain processes take that write their rows."""
    with tempfile.TemporaryDirectory() as place:
        return plain_used(work.kernel, work.processes, Path(place))


def killed_and_carried_on(name: str, work: Work, arguments: list[str]) -> tuple[Found, Found]:
    """What is found after a carrier was killed half-way, and after it was carried on."""
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, __file__, *arguments, "--carry", name, place]
        process = subprocess.Popen(command, start_new_session=True)
        while found_in(Path(place)).cases < KILL_AFTER * work.kernel.settings.cases:
            if process.poll() is not None:
                raise SystemExit("the carrier ended before it could be killed; take more cases")
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        time.sleep(3)  # workers that are left find out that nobody listens
        after_kill = found_in(Path(place))
        subprocess.run(command, check=True)
        end = found_in(Path(place))
        with spark_session("local[1]") as spark:
            seen = spark.read.parquet(f"{place}/cases").count()
        return after_kill, Found(end.cases, end.duplicates, end.damaged, seen)


def main() -> None:
    """Print a line for each carrier, and what a kill leaves behind."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser, 24_000)
    parser.add_argument("--part", type=int, default=4000, help="cases in a wave or micro-batch (%(default)s)")
    parser.add_argument("--carry", nargs=2, metavar=("CARRIER", "FOLDER"), help="do nothing but carry")
    arguments = parser.parse_args()
    processes: int = arguments.processes
    kernel = kernel_of(settings_of(0, arguments.cases, processes), arguments.work)
    work = Work(kernel, arguments.part, processes)
    master = f"local[{processes}]"
    if arguments.carry:
        name, folder = arguments.carry
        with spark_session(master, options=OPTIONS) as spark:
            CARRIERS[name](spark, work, Path(folder))
        return

    runs: dict[str, list[Used]] = {name: [] for name in ("plain", *CARRIERS)}
    with spark_session(master, options=OPTIONS) as spark:
        small = Work(kernel_of(settings_of(0, 1000, processes), 0), 500, processes)
        for carrier in CARRIERS.values():
            carried(spark, carrier, small)  # so that no one warms Java up for the others
        for _ in range(arguments.repetitions):
            runs["plain"].append(plain(work))
            for name, carrier in CARRIERS.items():
                runs[name].append(carried(spark, carrier, work))
    _print_table(runs, work)
    same = ["--cases", str(arguments.cases), "--part", str(arguments.part), "--processes", str(processes)]
    same += [] if arguments.work is None else ["--work", str(arguments.work)]
    print("\nkilled half-way, and then carried on; as a reader without Spark finds it")
    for name in CARRIERS:
        after_kill, end = killed_and_carried_on(name, work, same)
        print(f"{name:8}after the kill  {after_kill}\n        at the end      {end}", flush=True)


def _print_table(runs: Mapping[str, list[Used]], work: Work) -> None:
    """The medians; ratios are taken within a repetition."""
    cases, parts = work.kernel.settings.cases, len(work.parts)
    per_case = partial(_median, lambda run, _: 1000 * run.processor / cases)
    print(f"{cases:,} cases in {parts} parts; medians of {len(runs['plain'])} repetitions")
    print("        cases/s   ratio   overhead per part, s   processor time per case, ms   ratio")
    for name, own in runs.items():
        pairs = list(zip(own, runs["plain"], strict=True))
        rate = _median(lambda run, _: cases / run.clock, pairs)
        ratio = _median(lambda run, plain: plain.clock / run.clock, pairs)
        overhead = _median(lambda run, plain: (run.clock - plain.clock) / parts, pairs)
        saved = _median(lambda run, plain: plain.processor / max(run.processor, 1e-9), pairs)
        print(
            f"{name:8}{rate:7.0f}{ratio:8.2f}{overhead:23.2f}{per_case(pairs):30.3f}{saved:8.2f}", flush=True
        )


def _median(value: Callable[[Used, Used], float], pairs: list[tuple[Used, Used]]) -> float:
    return statistics.median(value(run, plain) for run, plain in pairs)


if __name__ == "__main__":
    main()
