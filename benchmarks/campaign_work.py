"""What the benchmarks of campaigns carry: real cases, or cases that take a given time; and plain processes.

A case of a given time is a loop of so many rounds in the place of the judgement, and a row of a real case with another
number. All else is that of a campaign: the kernel, the rows, the Arrow batches and the Parquet files. So what a carrier
costs can be told for cases of any length, and does not change when judging gets faster.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from campaigns.engine.rows import ROW_SCHEMA, Row, judged_rows
from campaigns.engine.settings import Settings
from campaigns.engine.shards import WAVE_PER_PROCESSOR, Kernel

SAMPLE = 500
"""So many real rows are repeated in cases of a given time."""


@dataclass(frozen=True)
class BusyKernel(Kernel):
    """A kernel whose cases take a given time, whatever they are.

    Attributes:
        rounds: how often the loop of a case goes round.
        sample: the rows that are repeated.
    """

    rounds: int = 0
    sample: tuple[Row, ...] = ()

    def rows(
        self, numbers: Iterable[int], *, apart: bool = False, alive: Callable[[], None] = lambda: None
    ) -> Iterator[Row]:
        """Rows of the sample under the given numbers, each after its time."""
        for number in numbers:
            alive()
            go_round(self.rounds)
            yield self.sample[number % len(self.sample)]._replace(case=number)


def go_round(rounds: int) -> None:
    """Take the time of a loop of so many rounds."""
    for _ in range(rounds):
        pass


def rounds_in(milliseconds: float) -> int:
    """How many rounds take so long here and now: the median of a few measurements in processor time."""
    measured = []
    for _ in range(15):
        begin = time.thread_time()
        go_round(200_000)
        measured.append(time.thread_time() - begin)
    return round(200_000 * milliseconds / 1000 / statistics.median(measured))


def kernel_of(settings: Settings, work: float | None) -> Kernel:
    """The kernel of a campaign, or one whose cases take so many milliseconds."""
    if work is None:
        return Kernel(settings, ())
    sample = tuple(judged_rows(settings, range(SAMPLE)))
    return BusyKernel(settings, (), rounds_in(work), sample)


def settings_of(seed: int, cases: int, processes: int) -> Settings:
    """The settings of a campaign with waves for so many processes."""
    return Settings(seed=seed, cases=cases, wave=processes * WAVE_PER_PROCESSOR)


# ------------------------------------------------------------------------------------------------ plain processes


@dataclass(frozen=True)
class Used:
    """What a run took, in seconds on the clock and of processors."""

    clock: float
    processor: float


def plain_used(kernel: Kernel, processes: int, folder: Path | None = None) -> Used:
    """What plain processes take for all cases, once all have imported what they need.

    Args:
        kernel: what they do.
        processes: how many there are; each has a share of neighbouring cases.
        folder: where each writes a Parquet file with its rows; None to forget them.
    """
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(processes + 1)
    cuts = [kernel.settings.cases * part // processes for part in range(processes + 1)]
    workers = [
        context.Process(target=_share, args=(kernel, lo, hi, folder, start))
        for lo, hi in itertools.pairwise(cuts)
    ]
    for worker in workers:
        worker.start()
    start.wait()
    begin, before = time.monotonic(), processor_seconds()
    for worker in workers:
        worker.join()
        if worker.exitcode:
            raise SystemExit(f"a plain process ended with exit status {worker.exitcode}")
    return Used(time.monotonic() - begin, processor_seconds() - before)


def _share(kernel: Kernel, lo: int, hi: int, folder: Path | None, start: Barrier) -> None:
    next(kernel([numbered(range(1))]), None)  # so that nothing is imported later
    start.wait()
    if folder is None:
        for _ in kernel.rows(range(lo, hi)):
            pass
        return
    with pq.ParquetWriter(folder / f"{lo}.parquet", ROW_SCHEMA) as file:
        for batch in kernel([numbered(range(lo, hi))]):
            file.write_batch(batch)


def numbered(cases: range) -> pa.RecordBatch:
    """The numbers of cases as a kernel takes them."""
    return pa.record_batch({"id": pa.array(cases, pa.int64())})


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


def add_arguments(parser: argparse.ArgumentParser, cases: int) -> None:
    """Add the options that the benchmarks of campaigns share."""
    parser.add_argument("--cases", type=int, default=cases, help="how many cases each run has (%(default)s)")
    parser.add_argument(
        "--work", type=float, metavar="MS", help="cases that take so many milliseconds instead of real ones"
    )
    parser.add_argument(
        "--processes", type=int, default=2, help="plain processes, and tasks of Spark at once"
    )
    parser.add_argument("--repetitions", type=int, default=3)
