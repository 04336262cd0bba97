"""Finished campaigns: the answer from stored rows, without Spark."""

from __future__ import annotations

import json
import time
from collections.abc import Collection
from dataclasses import replace

from campaigns.engine.directory import CampaignDirectory, write_json
from campaigns.engine.failures import Examples
from campaigns.engine.kept_waves import Wave, kept_wave, waves_of
from campaigns.engine.settings import Settings
from campaigns.engine.summary import SHOWN_CAUSES, CampaignSummary, summary_from_json, summary_to_json
from campaigns.judging.replays import RegressionOutcome
from campaigns.judging.verdicts import Cause


def finished(
    place: CampaignDirectory, settings: Settings, examples: Examples, regressions: RegressionOutcome
) -> CampaignSummary | None:
    """The summary that counting anew would give, and write; None where that is to be done.

    Every file is looked into: each case has to be there exactly once, and what failed has to be what the stored
    summary says. Examples are judged and made small anew, as the detectors may be others by now.

    Args:
        settings: its settings, as they are stored.
        examples: without any yet.
    """
    begin = time.monotonic()
    stored = _stored(place, settings)
    if stored is None:
        return None
    kept: list[Wave] = []
    for number, due in enumerate(waves_of(settings)):
        wave = kept_wave(place.wave(number), settings.campaign, due)
        if wave is None:
            return None
        kept.append(wave)
    if not fits(stored, kept):
        return None
    for wave in kept:
        examples.meet(wave.causes)
    seconds = time.monotonic() - begin
    summary = replace(stored, failures=examples.found, regressions=regressions, judged_now=0, seconds=seconds)
    write_json(place.summary, summary_to_json(summary))
    return summary


def _stored(place: CampaignDirectory, settings: Settings) -> CampaignSummary | None:
    """The counts of the stored summary; None if there is none, or one of something else."""
    try:
        return summary_from_json(json.loads(place.summary.read_text("utf-8")), place.path, settings)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def fits(summary: CampaignSummary, waves: Collection[Wave]) -> bool:
    """Whether a summary counts the failures that are in the waves, in all and by detector and profile."""
    causes: dict[Cause, int] = {}
    for wave in waves:
        for cause, (number, _) in wave.causes.items():
            causes.setdefault(cause, number)
    counted = {found.cause: found.first for found in summary.causes}
    total = (summary.settings.cases, sum(wave.failed for wave in waves))
    by_profile = summary.profiles.values()
    return (
        total == (summary.total.cases, summary.total.failures)
        and total
        == tuple(sum(getattr(share, what) for share in by_profile) for what in ("cases", "failures"))
        and {cause.detector for cause in causes}
        == {name for name, share in summary.detectors.items() if share.failures}
        and len(counted) == min(len(causes), SHOWN_CAUSES)
        and counted.items() <= causes.items()
    )
