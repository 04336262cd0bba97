"""Jobs on a Spark session, watched while they run; the same on a session of Spark Connect."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator

from pyspark.sql import SparkSession
from pyspark.sql.utils import is_remote

POLL = 0.5
"""How often progress is looked at, in seconds."""


def processors(spark: SparkSession) -> int:
    """How many tasks can run at the same time.

    Spark Connect does not tell it; there it is what `spark.default.parallelism` says, or the number of processors of
    this machine.
    """
    if is_remote():
        said = spark.conf.get("spark.default.parallelism", None)
        return int(said) if said else os.cpu_count() or 1
    return spark.sparkContext.defaultParallelism


def watched(spark: SparkSession, job: Callable[[], object]) -> Iterator[float]:
    """Run a Spark job in another thread; yields now and then which share of it is done, from 0 to 1.

    A job that is no longer wanted, as after an interrupt, is cancelled.
    """
    problems: list[Exception] = []

    def run() -> None:
        try:
            job()
        except Exception as error:  # raised again below, in the thread that asked for the job
            problems.append(error)

    share = _share(spark)
    thread = threading.Thread(target=run, name="remora-job", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(POLL)
            done = share()
            if thread.is_alive() and done is not None:
                yield done
    except BaseException:
        spark.interruptAll()
        raise
    if problems:
        raise problems[0]


def _share(spark: SparkSession) -> Callable[[], float | None]:
    """A function that says which share of the running job is done; None if nobody knows, as with Spark Connect."""
    if is_remote():
        return lambda: None
    tracker = spark.sparkContext.statusTracker()

    def share() -> float | None:
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        tasks = [(info.numCompletedTasks, info.numTasks) for info in stages if info is not None]
        return sum(done for done, _ in tasks) / max(1, sum(total for _, total in tasks)) if tasks else None

    return share
