"""The execution of one campaign on a Spark session: wave after wave into Parquet files, then the counts."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import IntegerType

from campaigns.engine.directory import CampaignDirectory, write_json
from campaigns.engine.failures import Examples, Failure
from campaigns.engine.finished import fits
from campaigns.engine.kept_waves import Wave, cause_of, kept_wave, waves_of
from campaigns.engine.receipts import Receipt, write_receipts
from campaigns.engine.rows import ROW_SCHEMA
from campaigns.engine.shard_files import RECEIPT_SPARK_SCHEMA, ShardWriter
from campaigns.engine.shards import SHARDS_PER_PROCESSOR, SMALLEST_SHARD, Kernel
from campaigns.engine.summary import SHOWN_CAUSES, CampaignSummary, CauseCount, Share, summary_to_json
from campaigns.judging.replays import RegressionOutcome
from campaigns.systems import Coverage, cases_of
from cluster.jobs import watched

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
        failure: is told an example of each cause, minimised, as soon as it was met.
    """

    progress: Progress = lambda done, total, failures: None
    failure: Callable[[Failure], None] = lambda failure: None


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
        self.processors = processors
        self.listener = listener
        self.waves = waves_of(settings)
        self.examples = Examples(settings, search_path, listener.failure)

    def run(self, regressions: RegressionOutcome) -> CampaignSummary:
        """Judge the missing waves and sum up.

        Raises:
            CampaignFailed: rows are missing, or the sums are not those of the rows.
        """
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
                whole[number] = wave
                done, failed = done + len(numbers), failed + wave.failed
                self.listener.progress(done, total, failed)
            self.examples.meet(wave.causes)
        summary = self.summary(regressions, done - kept, time.monotonic() - begin)
        if not fits(summary, [whole[number] for number in range(len(self.waves))]):
            raise CampaignFailed("the counts by Spark are not those of the rows; resume the campaign")
        write_json(self.place.summary, summary_to_json(summary))
        return summary

    def judge_wave(self, number: int, wave: range) -> Iterator[float]:
        """Judge one wave and write its rows; yields now and then which share of it is done."""
        shards = max(1, min(SHARDS_PER_PROCESSOR * self.processors, len(wave) // SMALLEST_SHARD))
        numbers = self.spark.range(wave.start, wave.stop, 1, shards)
        folder = self.place.wave(number)
        if folder.exists():
            shutil.rmtree(folder)  # what is left of an earlier run may have been cut in other ways
        job = numbers.mapInArrow(ShardWriter(self.kernel, str(folder)), RECEIPT_SPARK_SCHEMA)
        receipts = list[Receipt]()
        yield from watched(
            self.spark, lambda: receipts.extend(Receipt(**row.asDict()) for row in job.collect())
        )
        write_receipts(folder, receipts)

    def whole_wave(self, number: int) -> Wave | None:
        """What is in a wave that is there; None if it is not whole."""
        return kept_wave(self.place.wave(number), self.settings.campaign, self.waves[number])

    # --------------------------------------------------------------------------------------------- the counts

    def rows(self) -> DataFrame:
        """The rows of the campaign that are in the directory."""
        reader = self.spark.read.schema(from_arrow_schema(ROW_SCHEMA).add("wave", IntegerType())).option(
            "ignoreCorruptFiles", "true"
        )
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
            failures=self.examples.found,
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
            CauseCount(cause_of(row), row["cases"], row["first"]["case"], row["first"]["detail"])
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

    def coverage(self, rows: DataFrame) -> Coverage:
        """In how many cases each behaviour was met."""
        met = rows.select(f.explode("covered").alias("name")).groupBy("name").count()
        counts = {row[0]: row[1] for row in met.collect()}
        return cases_of(self.settings.system).coverage(counts, self.settings.cases)


def _share() -> tuple[Column, ...]:
    """The counts of `campaigns.engine.summary.Share`."""
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


def _literal_path(path: Path) -> str:
    """A path as Spark reads it: characters that it takes for a pattern are escaped."""
    return re.sub(r"([\[\]{}*?\\])", r"\\\1", str(path))
