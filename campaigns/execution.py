"""The execution of one campaign on a Spark session: wave after wave into Parquet files, then the counts."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from campaigns.coverage.behaviours import CoverageTable, is_sampled
from campaigns.directory import CampaignDirectory, write_json
from campaigns.failures import Failure, examine
from campaigns.judge import Kind
from campaigns.judgements import Cause
from campaigns.replays import RegressionOutcome
from campaigns.rows import SPARK_SCHEMA
from campaigns.shard_files import RECEIPT_SPARK_SCHEMA, ShardWriter
from campaigns.shards import SHARDS_PER_PROCESSOR, SMALLEST_SHARD, Kernel, waves
from campaigns.summary import CampaignSummary, CauseCount, Share, summary_to_json
from campaigns.vectorised.cases import LANES
from cluster.jobs import watched

EXAMINED = 12
"""Of so many causes, the first that are met, an example is replayed and minimised; and of one of each detector."""

SHOWN_CAUSES = 200
"""So many causes, the most frequent ones, are in the summary."""

Progress = Callable[[int, int, int], None]
"""Is told the number of cases judged, of all cases, and of cases that failed so far; in the calling thread."""


class CampaignFailed(Exception):
    """A campaign could not be carried out: Spark or the disk failed; `reason` says why in plain words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Listener:
    """Who is told how a campaign goes on; in the calling thread.

    Attributes:
        progress: see `Progress`.
        failure: is told an example of each cause, minimised, as soon as it was met.
    """

    progress: Progress = lambda done, total, failures: None
    failure: Callable[[Failure], None] = lambda failure: None


@dataclass(frozen=True)
class Wave:
    """A wave that is whole: how many of its cases failed, and the first case of each cause, with its detail."""

    failed: int
    causes: dict[Cause, tuple[int, str]]


class Execution:
    """A campaign while it is carried out."""

    def __init__(
        self,
        spark: SparkSession,
        place: CampaignDirectory,
        kernel: Kernel,
        search_path: tuple[str, ...],
        processors: int,
        listener: Listener,
    ) -> None:
        self.spark = spark
        self.place = place
        self.settings = settings = kernel.settings
        self.kernel = kernel
        self.search_path = search_path
        self.processors = processors
        self.listener = listener
        self.unit = LANES if settings.vectorised else 1
        self.waves = waves(settings.cases, settings.wave or settings.cases, self.unit)
        self.examined: dict[Cause, Failure] = {}

    def run(self, regressions: RegressionOutcome) -> CampaignSummary:
        """Judge the missing waves and sum up."""
        whole = {number: wave for number in range(len(self.waves)) if (wave := self.whole_wave(number))}
        kept = done = sum(len(self.waves[number]) for number in whole)
        failed = sum(wave.failed for wave in whole.values())
        begin = time.monotonic()
        total = self.settings.cases
        self.listener.progress(done, total, failed)
        for number, numbers in enumerate(self.waves):
            wave = whole.get(number)
            if wave is None:
                for share in self.judge_wave(number, numbers):
                    self.listener.progress(done + int(share * len(numbers)), total, failed)
                wave = self.whole_wave(number)
                if wave is None:
                    raise CampaignFailed(f"wave {number} was written, but not all of its cases are there")
                done, failed = done + len(numbers), failed + wave.failed
                self.listener.progress(done, total, failed)
            self.examine(wave.causes)
        summary = self.summary(regressions, done - kept, time.monotonic() - begin)
        write_json(self.place.summary, summary_to_json(summary))
        return summary

    def judge_wave(self, number: int, wave: range) -> Iterator[float]:
        """Judge one wave and write its rows; yields now and then which share of it is done."""
        shards = max(1, min(SHARDS_PER_PROCESSOR * self.processors, len(wave) // SMALLEST_SHARD))
        numbers = self.spark.range(wave.start // self.unit, -(-wave.stop // self.unit), 1, shards)
        folder = self.place.wave(number)
        if folder.exists():
            shutil.rmtree(folder)  # what is left of an earlier run may have been cut in other ways
        receipts = numbers.mapInArrow(ShardWriter(self.kernel, str(folder)), RECEIPT_SPARK_SCHEMA)
        return watched(self.spark, receipts.collect)

    def whole_wave(self, number: int) -> Wave | None:
        """What is in a wave of which each case is there exactly once; None if it is not whole.

        Read here and not by Spark, whose first query of a kind takes seconds: a few columns of a wave are small. A
        damaged file counts as missing.
        """
        folder = self.place.wave(number)
        if not folder.is_dir():
            return None
        try:
            rows = pq.read_table(folder, columns=["campaign", "case", "failures"], partitioning=None)
        except (pa.ArrowException, OSError):
            return None
        ours = rows.filter(pc.equal(rows["campaign"], self.settings.campaign))
        numbers, due = ours["case"].to_numpy(), self.waves[number]
        if not np.array_equal(np.sort(numbers), np.arange(due.start, due.stop)):
            return None
        failed = ours.filter(pc.greater(pc.list_value_length(ours["failures"]), 0)).sort_by("case")
        causes: dict[Cause, tuple[int, str]] = {}
        for row in failed.select(["case", "failures"]).to_pylist():
            for failure in row["failures"]:
                causes.setdefault(_cause(failure), (row["case"], failure["detail"]))
        return Wave(len(failed), causes)

    def examine(self, causes: dict[Cause, tuple[int, str]]) -> None:
        """Replay, minimise and tell an example of each new cause, up to `EXAMINED` and one for each detector."""
        for cause, (number, detail) in causes.items():
            known = {examined.detector for examined in self.examined}
            if cause not in self.examined and (len(self.examined) < EXAMINED or cause.detector not in known):
                found = examine(self.settings, [(number, cause, detail)], search_path=self.search_path)
                self.examined[cause] = found[0]
                self.listener.failure(found[0])

    # --------------------------------------------------------------------------------------------- the counts

    def rows(self) -> DataFrame:
        """The rows of the campaign that are in the directory."""
        reader = self.spark.read.schema(f"{SPARK_SCHEMA}, wave int").option("ignoreCorruptFiles", "true")
        rows = reader.parquet(_literal_path(self.place.cases))
        return rows.where((f.col("campaign") == self.settings.campaign) & (f.col("wave") < len(self.waves)))

    def summary(self, regressions: RegressionOutcome, judged_now: int, seconds: float) -> CampaignSummary:
        """Count in Spark; nothing but counts comes here."""
        rows = self.rows()
        by_kind = rows.groupBy("profile", "relation").agg(
            *_share(), f.sum(f.col("literal").cast("int")), f.sum("judgements")
        )
        counts = sorted(tuple(row) for row in by_kind.collect())
        profiles: dict[str, Share] = {}
        relations: dict[str, int] = {}
        total = Share(0, 0, 0)
        for profile, relation, *four, _, _ in counts:
            share = Share(*four)
            profiles[profile] = _added(profiles.get(profile), share)
            relations[relation] = relations.get(relation, 0) + share.cases
            total = _added(total, share)
        operators = rows.select(f.explode("operators").alias("operator"), "vacuous", "failures", "refusals")
        if total.cases != self.settings.cases:
            # Possible where workers of a run that was thought dead write to a wave after it was found whole.
            raise CampaignFailed(f"{total.cases} rows for {self.settings.cases} cases; resume the campaign")
        causes = self.causes(rows) if total.failures else ()
        return CampaignSummary(
            directory=self.place.path,
            campaign=self.settings.campaign,
            settings=self.settings,
            total=total,
            judgements=sum(row[-1] for row in counts),
            literal=sum(row[-2] for row in counts),
            detectors=self.detectors(rows, total),
            relations={name: count for name, count in sorted(relations.items()) if name},
            operators={
                row[0]: Share(*row[1:])
                for row in operators.groupBy("operator").agg(*_share()).orderBy("operator").collect()
            },
            profiles=dict(sorted(profiles.items())),
            coverage=self.coverage(rows),
            causes=causes,
            failures=tuple(self.examined.values()),
            regressions=regressions,
            judged_now=judged_now,
            seconds=seconds,
        )

    def causes(self, rows: DataFrame) -> tuple[CauseCount, ...]:
        """What failures have in common, the most frequent first."""
        failures = rows.select("case", f.explode("failures").alias("f")).select("case", "f.*")
        counted = failures.groupBy("detector", "relation", "path", "kind").agg(
            f.count("*").alias("cases"), f.min(f.struct("case", "detail")).alias("first")
        )
        ordered = counted.orderBy(f.desc("cases"), "detector", "relation", "path", "kind").limit(SHOWN_CAUSES)
        return tuple(
            CauseCount(_cause(row), row["cases"], row["first"]["case"], row["first"]["detail"])
            for row in (row.asDict() for row in ordered.collect())
        )

    def detectors(self, rows: DataFrame, total: Share) -> dict[str, Share]:
        """The cases by detector."""
        failed = self._by_detector(rows, "failures") if total.failures else {}
        refused = self._by_detector(rows, "refusals") if total.refused else {}
        return {
            name: Share(total.cases, total.vacuous, failed.get(name, 0), refused.get(name, 0))
            for name in self.settings.detectors
        }

    def _by_detector(self, rows: DataFrame, column: str) -> dict[str, int]:
        each = rows.select(f.explode(column).alias("one")).groupBy("one.detector").count()
        return {row[0]: row[1] for row in each.collect()}

    def coverage(self, rows: DataFrame) -> CoverageTable:
        """In how many cases each behaviour was met."""
        met = rows.select(f.explode("covered").alias("name")).groupBy("name").count()
        counts = {row[0]: row[1] for row in met.collect()}
        cases = range(self.settings.cases)
        return CoverageTable(counts, len(cases), sum(map(is_sampled, cases)))


def _share() -> tuple[Column, ...]:
    """The counts of `campaigns.summary.Share`."""
    return (
        f.count("*"),
        f.sum(f.col("vacuous").cast("int")),
        f.sum((f.size("failures") > 0).cast("int")),
        f.sum((f.size("refusals") > 0).cast("int")),
    )


def _added(one: Share | None, other: Share) -> Share:
    if one is None:
        return other
    return Share(
        one.cases + other.cases,
        one.vacuous + other.vacuous,
        one.failures + other.failures,
        one.refused + other.refused,
    )


def _cause(record: dict[str, Any]) -> Cause:
    return Cause(record["detector"], record["relation"], record["path"], Kind(record["kind"]))


def _literal_path(path: Path) -> str:
    """A path as Spark reads it: characters that it takes for a pattern are escaped."""
    return re.sub(r"([\[\]{}*?\\])", r"\\\1", str(path))
