"""Campaigns: many generated cases, judged on Spark wave after wave; resumed and replayed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from campaigns.directory import CampaignDirectory
from campaigns.execution import CampaignFailed, Execution, Progress
from campaigns.failures import Replay, replay_case
from campaigns.loading import any_factory
from campaigns.rows import Row, judged_rows
from campaigns.settings import Settings
from campaigns.shards import WAVE_PER_PROCESSOR
from campaigns.summary import CampaignSummary
from cluster.session import SparkUnavailable, retrying_master, spark_session
from semantics.errors import InputError

__all__ = ["CampaignFailed", "Progress", "replay", "resume", "run_campaign", "run_locally"]


def run_campaign(
    directory: Path,
    settings: Settings,
    *,
    master: str = "local[*]",
    options: Mapping[str, str] | None = None,
    progress: Progress = lambda done, total, failures: None,
) -> CampaignSummary:
    """Carry out a campaign on Spark, or what is missing of it.

    The module of a detector named as `package.module:object` is looked for in the current directory as well, here
    and in the workers. On a cluster all machines need this package, and `directory` at the same place.

    Args:
        directory: where the results go: new, empty, or with a campaign of the same settings.
        settings: what to do.
        master: the Spark master.
        options: Spark's own settings.
        progress: is told how far the campaign is.

    Raises:
        InputError: the directory holds something else; the detector cannot be imported; no such master.
        CampaignFailed: Spark or the disk failed. What was finished is kept; running again goes on from there.
    """
    place = CampaignDirectory(directory.absolute())
    settings = place.adopt(settings)
    search_path = (str(Path.cwd()),)
    any_factory(settings.detector, search_path)
    with _failures_told(), _session(master, options) as spark:
        processors = spark.sparkContext.defaultParallelism
        settings = replace(settings, wave=settings.wave or WAVE_PER_PROCESSOR * processors)
        place.write_settings(settings)
        return Execution(spark, place, settings, search_path, processors, progress).run()


def resume(
    directory: Path,
    *,
    master: str = "local[*]",
    options: Mapping[str, str] | None = None,
    progress: Progress = lambda done, total, failures: None,
) -> CampaignSummary:
    """Carry out what is missing of the campaign in a directory, with its own settings; see `run_campaign`."""
    settings = CampaignDirectory(directory.absolute()).settings()
    return run_campaign(directory, settings, master=master, options=options, progress=progress)


def run_locally(settings: Settings, lo: int, hi: int) -> Iterator[Row]:
    """The rows of the cases numbered from `lo` up to, not including, `hi`: in this process, without Spark.

    Raises:
        InputError: there is no such detector.
    """
    return judged_rows(settings, range(lo, hi), search_path=(str(Path.cwd()),))


def replay(directory: Path, number: int, *, isolated: bool = False) -> Replay:
    """Generate and judge one case of a campaign again, without Spark.

    Args:
        directory: the campaign's directory.
        number: the number of the case.
        isolated: whether the detector runs in a process of its own, because it might end this one.

    Raises:
        InputError: there is no campaign, no such case, or no such detector.
    """
    settings = CampaignDirectory(directory.absolute()).settings()
    if not 0 <= number < settings.cases:
        raise InputError(
            f"there is no case {number}", remedy=f"The cases are numbered from 0 to {settings.cases - 1}."
        )
    return replay_case(settings, number, isolated=isolated, search_path=(str(Path.cwd()),))


# ------------------------------------------------------------------------------------------ what can go wrong


@contextmanager
def _session(master: str, options: Mapping[str, str] | None) -> Iterator[SparkSession]:
    try:
        retrying_master(master)
    except ValueError as error:
        raise InputError(str(error)) from error
    with spark_session(master, options=options) as spark:
        yield spark


@contextmanager
def _failures_told() -> Iterator[None]:
    """Turn the errors of Spark and of the disk into `CampaignFailed`."""
    try:
        yield
    except SparkUnavailable as error:
        raise CampaignFailed(error.reason) from error
    except OSError as error:
        raise CampaignFailed(f"{error.filename or 'the disk'}: {error.strerror or error}") from error
    except (PySparkException, Py4JError) as error:
        raise CampaignFailed(_plain(str(error))) from error


def _plain(message: str) -> str:
    """One sentence out of an error of Spark, which comes with the stack traces of two languages."""
    if "No space left on device" in message:
        return "the disk is full"
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    python = [line for line in lines if re.match(r"[A-Za-z_.]+(Error|Exception|Failed|Exceeded): ", line)]
    cause = python[-1] if python else lines[0] if lines else "no reason given"
    return f"Spark failed: {cause}"
