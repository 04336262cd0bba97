"""Summaries of campaigns that never took place."""

from pathlib import Path

from campaigns.engine.settings import Settings
from campaigns.engine.summary import CampaignSummary, CauseCount, Share
from campaigns.judging.regressions import RegressionOutcome


def summary_of(
    folder: Path, settings: Settings, share: Share, judged_now: int, causes: tuple[CauseCount, ...] = ()
) -> CampaignSummary:
    """A summary in which every detector has the same share."""
    return CampaignSummary(
        directory=folder,
        settings=settings,
        total=share,
        judgements=0,
        literal=0,
        detectors=dict.fromkeys(settings.detectors, share),
        relations={},
        operators={},
        profiles={},
        causes=causes,
        failures=(),
        regressions=RegressionOutcome(),
        judged_now=judged_now,
        seconds=1.0,
    )
