"""Campaigns: many generated cases, judged on Spark wave after wave; resumed and replayed."""

import errno
import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from campaigns.engine import summary as summaries
from campaigns.engine.rows import Receipt, Row, Shard, asked, is_whole, judged_rows, waves_of, write_receipts
from campaigns.engine.settings import CampaignDirectory, Settings, write_json
from campaigns.engine.summary import CampaignSummary, Failure
from campaigns.judging.judgements import judge_case, made_small, maker_of, relation_of
from campaigns.judging.regressions import own_regressions, replayed, store, stored_regressions
from campaigns.judging.verdicts import Cause, Verdict
from campaigns.systems import Judged, cases_of
from cluster.jobs import own_modules, processors, shipped, watched, what_workers_lack
from cluster.session import SparkUnavailable, retrying_master, spark_session, workers_are_ours
from semantics.errors import InputError

WORKERS_NEED = ("semantics", "laws", "detectors", "cluster", "campaigns")  # Sent to workers that do not have them
RECEIPT = "file string, cases bigint, sha256 string"  # The fields of `campaigns.engine.rows.Receipt`
WAVE_PER_PROCESSOR = 20_000  # How many cases a full wave has for each processor: about a minute of work
SHARDS_PER_PROCESSOR = 3  # Of a wave: few, for each costs time; some, so that none waits long
SMALLEST_SHARD = 200  # Fewer cases than this are not worth a task of their own
DISK_FULL = "the disk is full"

Progress = Callable[[int, int, int], None]
"""Is told the number of cases judged, of all cases, and of cases that failed so far; in the calling thread."""


class CampaignFailed(Exception):
    """A campaign could not be carried out: Spark or the disk failed; `reason` says why in plain words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def run_campaign(
    directory: Path,
    settings: Settings,
    *,
    master: str = "local[*]",
    options: Mapping[str, str] | None = None,
    regressions: Path | None = None,
    progress: Progress = lambda done, total, failures: None,
    show: Callable[[Failure], None] = lambda failure: None,
) -> CampaignSummary:
    """Carry out a campaign on Spark, or what is missing of it; stored regressions come first.

    Where no wave is missing, the rows that are there are counted again, without Spark. The modules of detectors named
    as `package.module:object` are looked for in the current directory as well. On a cluster they are sent to the
    workers, as the project is (see `cluster.jobs`), and `directory` has to be at the same place on all machines.

    Args:
        directory: where the results go: new, empty, or with a campaign of the same settings.
        regressions: a folder whose regressions are tried first, as those of the project are, and that receives new
            ones; by default the folder `regressions` in `directory`.
        show: is told an example of each cause, minimised, as soon as it was met.

    Raises:
        InputError: the directory holds something else; a detector, a regression or the master cannot be used.
        CampaignFailed: Spark or the disk failed. What was finished is kept; running again goes on from there.
    """
    try:
        retrying_master(master)
    except ValueError as error:
        raise InputError(str(error)) from error
    place = CampaignDirectory(directory.absolute())
    search_path = (str(Path.cwd()),)
    settings = place.adopt(settings).with_constants(search_path)
    folder = regressions or place.regressions
    known = [one for one in (*own_regressions(), *stored_regressions(folder)) if one.case.system == settings.system]
    outcome = replayed(known, settings.factories(search_path), seconds=settings.seconds)
    begin = time.monotonic()
    with _failures_told(), ExitStack() as stack:
        session: SparkSession | None = None
        if settings.wave is None:
            session = stack.enter_context(_session(master, options, settings.detectors))
            settings = replace(settings, wave=WAVE_PER_PROCESSOR * processors(session))
        place.write_settings(settings)
        examples = dict[Cause, Failure]()
        done = failed = judged_now = 0
        waves = waves_of(settings)
        progress(0, settings.cases, 0)
        for number, numbers in enumerate(waves):
            wave = place.wave(number)
            if not is_whole(wave, settings.campaign, numbers):
                if session is None:
                    session = stack.enter_context(_session(master, options, settings.detectors))
                shard = Shard(settings, search_path if workers_are_ours(master) else (), str(wave))
                for share in _judge_wave(session, shard, numbers):
                    progress(done + int(share * len(numbers)), settings.cases, failed)
                if not is_whole(wave, settings.campaign, numbers):
                    raise CampaignFailed(f"wave {number} was written, but not all of its cases are there")
                judged_now += len(numbers)
            ((some,),) = asked("select count(*) filter (len(failures) > 0) from rows", [wave], settings.campaign)
            done, failed = done + len(numbers), failed + some
            progress(done, settings.cases, failed)
            for met in summaries.worth_examining(summaries.causes_in([wave], settings.campaign), examples):
                examples[met.cause] = examined(settings, met.first, met.cause, met.detail, search_path)
                show(examples[met.cause])
        folders = [place.wave(number) for number in range(len(waves))]
        summary = summaries.counted(place.path, settings, folders, examples.values(), outcome)
        if summary.total.cases != settings.cases:
            # Possible where workers of a run that was thought dead write to a wave after it was found whole.
            raise CampaignFailed(f"{summary.total.cases} rows for {settings.cases} cases; resume the campaign")
        summary = replace(summary, judged_now=judged_now, seconds=time.monotonic() - begin)
        write_json(place.summary, summaries.summary_to_json(summary))
        store(folder, [found.regression for found in summary.failures if found.is_kept])
    return summary


def _judge_wave(spark: SparkSession, shard: Shard, wave: range) -> Iterator[float]:
    """Judge one wave and write its rows; yields now and then which share of it is done."""
    shards = max(1, min(SHARDS_PER_PROCESSOR * processors(spark), len(wave) // SMALLEST_SHARD))
    folder = Path(shard.folder)
    if folder.exists():
        shutil.rmtree(folder)  # what is left of an earlier run may have been cut in other ways
    job = spark.range(wave.start, wave.stop, 1, shards).mapInArrow(shard, RECEIPT)
    receipts = list[Receipt]()
    yield from watched(spark, lambda: receipts.extend(Receipt(**row.asDict()) for row in job.collect()))
    write_receipts(folder, receipts)


def examined(settings: Settings, number: int, cause: Cause, detail: str, search_path: tuple[str, ...] = ()) -> Failure:
    """Judge a failing case again and make it small, in processes of their own."""
    case, factory = maker_of(settings)(number), cases_of(settings.system).factory(cause.detector, search_path)
    failed = Verdict(cause.kind, detail, ())
    return Failure(case, cause, detail, *made_small(cause.relation, case, failed, factory, seconds=settings.seconds))


def run_locally(settings: Settings, lo: int, hi: int) -> Iterator[Row]:
    """The rows of the cases numbered from `lo` up to, not including, `hi`: in this process, without Spark."""
    search_path = (str(Path.cwd()),)
    return judged_rows(settings.with_constants(search_path), range(lo, hi), search_path=search_path)


def replay(directory: Path, number: int, *, apart: bool = False) -> Judged:
    """Judge one case of a campaign again, without Spark, detectors in processes of their own if `apart`.

    `InputError` if there is no campaign, no such case, or no such detector.
    """
    settings = CampaignDirectory(directory.absolute()).settings()
    if not 0 <= number < settings.cases:
        raise InputError(f"there is no case {number}", remedy=f"The cases are numbered from 0 to {settings.cases - 1}.")
    case, detectors = maker_of(settings)(number), settings.factories((str(Path.cwd()),))
    relation = relation_of(settings, number)
    return judge_case(case, detectors, relation=relation, seconds=settings.seconds, apart=apart)


@contextmanager
def _session(master: str, options: Mapping[str, str] | None, detectors: tuple[str, ...]) -> Iterator[SparkSession]:
    with spark_session(master, options=options) as spark, ExitStack() as stack:
        if not workers_are_ours(master):
            stack.enter_context(shipped(spark, (*WORKERS_NEED, *own_modules(detectors, Path.cwd()))))
        yield spark


@contextmanager
def _failures_told() -> Iterator[None]:
    try:
        yield
    except SparkUnavailable as error:
        raise CampaignFailed(str(error)) from error
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        said = f"{error.filename or 'the disk'}: {error.strerror or error}"
        raise CampaignFailed(DISK_FULL if full else said) from error
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
    return f"Spark failed: {(python[-1:] or lines or ['no reason given'])[0]}"
