"""Campaigns: many generated cases, judged on Spark wave after wave; resumed and replayed."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from campaigns.engine.directory import CampaignDirectory
from campaigns.engine.execution import CampaignFailed, Execution, Listener
from campaigns.engine.failures import Examples, regression_of
from campaigns.engine.finished import finished
from campaigns.engine.rows import Row, judged_rows, maker_of, relation_of
from campaigns.engine.settings import Settings
from campaigns.engine.shard_files import WORKERS_IMPORT
from campaigns.engine.shards import WAVE_PER_PROCESSOR, Kernel
from campaigns.engine.summary import CampaignSummary
from campaigns.judging.judgements import judge_case
from campaigns.judging.regressions import own_regressions, store, stored_regressions
from campaigns.judging.replays import RegressionOutcome, growing, replayed
from campaigns.systems import Judged, cases_of
from cluster.jobs import processors
from cluster.masters import retrying_master, workers_are_ours
from cluster.session import SparkUnavailable, spark_session
from cluster.shipping import own_modules, shipped, what_workers_lack
from semantics.errors import InputError

__all__ = ["CampaignFailed", "Listener", "replay", "resume", "run_campaign", "run_locally"]

WORKERS_NEED = ("semantics", "laws", "detectors", "cluster", "campaigns")
"""The packages of the project that judge cases; sent to workers that do not have them."""

DISK_FULL = "the disk is full"


def run_campaign(
    directory: Path,
    settings: Settings,
    *,
    master: str = "local[*]",
    options: Mapping[str, str] | None = None,
    regressions: Path | None = None,
    listener: Listener | None = None,
) -> CampaignSummary:
    """Carry out a campaign on Spark, or what is missing of it.

    Stored regressions come first, and a long run of each detector (see `campaigns.carlson_lisper.growth`).
    Where nothing is missing, the answer comes from what is stored, without Spark.

    The modules of detectors named as `package.module:object` are looked for in the current directory as well. On a
    cluster they are sent to the workers, as the project is (see `cluster.shipping`), and `directory` has to be at the
    same place on all machines.

    Args:
        directory: where the results go: new, empty, or with a campaign of the same settings.
        regressions: a folder whose regressions are tried first and that receives new ones; by default the folder
            `regressions` in `directory`. Those of the project are tried as well.

    Raises:
        InputError: the directory holds something else; a detector cannot be imported; a regression cannot be read; no
            such master.
        CampaignFailed: Spark or the disk failed. What was finished is kept; running again goes on from there.
    """
    _require_master(master)
    listener = listener or Listener()
    place = CampaignDirectory(directory.absolute())
    search_path = (str(Path.cwd()),)
    settings = place.adopt(settings).with_constants(search_path)
    for name in settings.detectors:
        cases_of(settings.system).factory(name, search_path)
    folder = regressions or place.regressions
    tried = _replayed(settings, folder, search_path)
    with _failures_told():
        there = finished(place, settings, Examples(settings, search_path, listener.failure), tried)
        if there is not None:
            listener.progress(settings.cases, settings.cases, there.total.failures)
            _store(folder, there)
            return there
    with _failures_told(), _session(master, options, settings.detectors) as spark:
        number = processors(spark)
        settings = replace(settings, wave=settings.wave or WAVE_PER_PROCESSOR * number)
        place.write_settings(settings)
        kernel = Kernel(settings, search_path if workers_are_ours(master) else ())
        execution = Execution(spark, place, kernel, search_path, number, listener)
        summary = execution.run(tried)
        _store(folder, summary)
    return summary


def _store(folder: Path, summary: CampaignSummary) -> None:
    store(folder, [regression_of(found) for found in summary.failures if found.reproduced])


def _replayed(settings: Settings, folder: Path, search_path: tuple[str, ...]) -> RegressionOutcome:
    detectors = {name: cases_of(settings.system).factory(name, search_path) for name in settings.detectors}
    stored = [*own_regressions(), *stored_regressions(folder)]
    known = [regression for regression in stored if regression.case.system == settings.system]
    outcome = replayed(known, detectors, seconds=settings.seconds)
    return replace(outcome, failures=(*outcome.failures, *growing(detectors, settings.system)))


def resume(
    directory: Path,
    *,
    master: str = "local[*]",
    regressions: Path | None = None,
    listener: Listener | None = None,
) -> CampaignSummary:
    """Carry out what is missing of the campaign in a directory, with its own settings; see `run_campaign`."""
    settings = CampaignDirectory(directory.absolute()).settings()
    return run_campaign(directory, settings, master=master, regressions=regressions, listener=listener)


def run_locally(settings: Settings, lo: int, hi: int) -> Iterator[Row]:
    """The rows of the cases numbered from `lo` up to, not including, `hi`: in this process, without Spark.

    Raises:
        InputError: there is no such detector.
    """
    search_path = (str(Path.cwd()),)
    return judged_rows(settings.with_constants(search_path), range(lo, hi), search_path=search_path)


def replay(directory: Path, number: int, *, apart: bool = False) -> Judged:
    """Generate and judge one case of a campaign again, without Spark.

    Args:
        apart: whether each detector runs in a process of its own, because it might end this one.

    Raises:
        InputError: there is no campaign, no such case, or no such detector.
    """
    settings = CampaignDirectory(directory.absolute()).settings()
    if not 0 <= number < settings.cases:
        raise InputError(
            f"there is no case {number}", remedy=f"The cases are numbered from 0 to {settings.cases - 1}."
        )
    search_path = (str(Path.cwd()),)
    detectors = {name: cases_of(settings.system).factory(name, search_path) for name in settings.detectors}
    return judge_case(
        maker_of(settings)(number),
        detectors,
        relation=relation_of(settings, number),
        seconds=settings.seconds,
        apart=apart,
    )


# ------------------------------------------------------------------------------------------ what can go wrong


def _require_master(master: str) -> None:
    try:
        retrying_master(master)
    except ValueError as error:
        raise InputError(str(error)) from error


@contextmanager
def _session(
    master: str, options: Mapping[str, str] | None, detectors: tuple[str, ...]
) -> Iterator[SparkSession]:
    """A session in whose workers the project and the user's own detectors can be imported."""
    with spark_session(master, options=options, workers_import=WORKERS_IMPORT) as spark:
        if workers_are_ours(master):
            yield spark
        else:
            with shipped(spark, (*WORKERS_NEED, *own_modules(detectors, Path.cwd()))):
                yield spark


@contextmanager
def _failures_told() -> Iterator[None]:
    """Turn the errors of Spark and of the disk into `CampaignFailed`."""
    try:
        yield
    except SparkUnavailable as error:
        raise CampaignFailed(error.reason) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise CampaignFailed(DISK_FULL) from error
        raise CampaignFailed(f"{error.filename or 'the disk'}: {error.strerror or error}") from error
    except (PySparkException, Py4JError) as error:
        raise CampaignFailed(_plain(str(error))) from error


def _plain(message: str) -> str:
    """One sentence out of an error of Spark, which comes with the stack traces of two languages."""
    if any(words in message for words in ("No space left on device", "Disk quota exceeded")):
        return DISK_FULL
    if lack := what_workers_lack(message):
        return lack
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    python = [line for line in lines if re.match(r"[A-Za-z_.]+(Error|Exception|Failed|Exceeded): ", line)]
    cause = python[-1] if python else lines[0] if lines else "no reason given"
    return f"Spark failed: {cause}"
