"""The execution of one campaign on a Spark session: wave after wave into Parquet files, then the counts."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from campaigns.directory import CampaignDirectory, write_json
from campaigns.failures import Failure, examine
from campaigns.judge import Kind
from campaigns.rows import SPARK_SCHEMA
from campaigns.settings import Settings
from campaigns.shards import SHARDS_PER_PROCESSOR, SMALLEST_SHARD, Kernel, waves
from campaigns.summary import CampaignSummary, Share, summary_to_json

FIRST_FAILURES = 20
"""How many failing cases, the first by number, are replayed and minimised at the end."""

POLL = 0.5
"""How often progress within a wave is looked at, in seconds."""

Progress = Callable[[int, int, int], None]
"""Is told the number of cases judged, of all cases, and of failures found so far; in the calling thread."""

_SHARE = ("count(*)", "sum(int(vacuous))", "count(kind)", "count(refused)")
"""The counts of `campaigns.summary.Share`, in SQL."""


class CampaignFailed(Exception):
    """A campaign could not be carried out: Spark or the disk failed; `reason` says why in plain words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Execution:
    """A campaign while it is carried out."""

    def __init__(
        self,
        spark: SparkSession,
        place: CampaignDirectory,
        settings: Settings,
        search_path: tuple[str, ...],
        processors: int,
        progress: Progress,
    ) -> None:
        self.spark = spark
        self.place = place
        self.settings = settings
        self.kernel = Kernel(settings, search_path)
        self.processors = processors
        self.progress = progress
        self.waves = waves(settings.cases, settings.wave or settings.cases)

    def run(self) -> CampaignSummary:
        """Judge the missing waves and sum up."""
        found = self.complete_waves()
        kept = done = sum(len(self.waves[number]) for number in found)
        failures = sum(found.values())
        begin = time.monotonic()
        self.progress(done, self.settings.cases, failures)
        for number, wave in enumerate(self.waves):
            if number in found:
                continue
            for share in self.judge_wave(number, wave):
                self.progress(done + int(share * len(wave)), self.settings.cases, failures)
            written = self.complete_waves(number)
            if number not in written:
                raise CampaignFailed(f"wave {number} was written, but not all of its cases are there")
            done, failures = done + len(wave), failures + written[number]
            self.progress(done, self.settings.cases, failures)
        summary = self.summary(done - kept, time.monotonic() - begin)
        write_json(self.place.summary, summary_to_json(summary))
        return summary

    def judge_wave(self, number: int, wave: range) -> Iterator[float]:
        """Judge one wave and write its rows; yields now and then which share of it is done."""
        shards = max(1, min(SHARDS_PER_PROCESSOR * self.processors, len(wave) // SMALLEST_SHARD))
        numbers = self.spark.range(wave.start, wave.stop, 1, shards)
        rows = numbers.mapInArrow(self.kernel, SPARK_SCHEMA)
        target = str(self.place.wave(number))
        return self.in_background(lambda: rows.write.mode("overwrite").parquet(target))

    def in_background(self, job: Callable[[], None]) -> Iterator[float]:
        """Run a Spark job in another thread; yields now and then which share of it is done."""
        problems: list[Exception] = []

        def run() -> None:
            try:
                job()
            except Exception as error:  # raised again below, in the thread that asked for the job
                problems.append(error)

        thread = threading.Thread(target=run, name="remora-wave", daemon=True)
        thread.start()
        tracker = self.spark.sparkContext.statusTracker()
        try:
            while thread.is_alive():
                thread.join(POLL)
                stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
                tasks = [(info.numCompletedTasks, info.numTasks) for info in stages if info is not None]
                if thread.is_alive() and tasks:
                    yield sum(done for done, _ in tasks) / max(1, sum(total for _, total in tasks))
        except BaseException:
            self.spark.sparkContext.cancelAllJobs()
            raise
        if problems:
            raise problems[0]

    def rows(self) -> DataFrame:
        """The rows of the campaign that are in the directory; a damaged file counts as missing."""
        reader = self.spark.read.schema(f"{SPARK_SCHEMA}, wave int").option("ignoreCorruptFiles", "true")
        rows = reader.parquet(_literal_path(self.place.cases))
        return rows.where((f.col("campaign") == self.settings.campaign) & (f.col("wave") < len(self.waves)))

    def complete_waves(self, only: int | None = None) -> dict[int, int]:
        """The waves of which each case is there exactly once, with how many of them failed.

        Read here and not by Spark, whose first query of a kind takes seconds: two columns of a wave are small.
        """
        numbers = range(len(self.waves)) if only is None else (only,)
        counted = ((number, self.failures_of_complete(number)) for number in numbers)
        return {number: failed for number, failed in counted if failed is not None}

    def failures_of_complete(self, number: int) -> int | None:
        """How many cases of a wave failed; None if it is not whole. A damaged file counts as missing."""
        folder = self.place.wave(number)
        if not folder.is_dir():
            return None
        try:
            rows = pq.read_table(folder, columns=["campaign", "case", "kind"], partitioning=None)
        except (pa.ArrowException, OSError):
            return None
        ours = rows.filter(pc.equal(rows["campaign"], self.settings.campaign))
        if sorted(ours["case"].to_pylist()) != list(self.waves[number]):
            return None
        return len(ours) - int(ours["kind"].null_count)

    def summary(self, judged_now: int, seconds: float) -> CampaignSummary:
        """Count in Spark; replay and minimise the first failures here."""
        rows, share = self.rows(), [f.expr(count) for count in _SHARE]
        sums = rows.groupBy("profile").agg(
            *share, f.sum(f.col("literal").cast("int")), f.sum("detections"), f.sum("microseconds")
        )
        counts = {row[0]: tuple(row[1:]) for row in sums.orderBy("profile").collect()}
        cases, vacuous, failed, refused, literal, detections, microseconds = map(
            sum, zip(*counts.values(), strict=True)
        )
        by_operator = rows.select(
            f.explode("operators").alias("operator"), "vacuous", "kind", "refused"
        ).groupBy("operator")
        return CampaignSummary(
            directory=self.place.path,
            campaign=self.settings.campaign,
            settings=self.settings,
            total=Share(cases, vacuous, failed, refused),
            literal=literal,
            detections=detections,
            kinds=self.kinds() if failed else {},
            operators={
                row[0]: Share(*row[1:]) for row in by_operator.agg(*share).orderBy("operator").collect()
            },
            profiles={name: Share(*count[:4]) for name, count in counts.items()},
            failures=self.first_failures() if failed else (),
            judged_now=judged_now,
            seconds=seconds,
            microseconds=microseconds / cases,
        )

    def kinds(self) -> dict[str, int]:
        """How many cases failed in each way."""
        failed = self.rows().where(f.col("kind").isNotNull())
        return dict(failed.groupBy("kind").count().orderBy("kind").collect())

    def first_failures(self) -> tuple[Failure, ...]:
        """The first failing cases by number, replayed and minimised in this process."""
        failed = self.rows().where(f.col("kind").isNotNull()).orderBy("case").limit(FIRST_FAILURES)
        found = [
            (case, Kind(kind), detail)
            for case, kind, detail in failed.select("case", "kind", "detail").collect()
        ]
        return examine(self.settings, found, search_path=self.kernel.search_path)


def _literal_path(path: Path) -> str:
    """A path as Spark reads it: characters that it takes for a pattern are escaped."""
    return re.sub(r"([\[\]{}*?\\])", r"\\\1", str(path))
