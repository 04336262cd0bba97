"""The results of a campaign in short: computed by Spark from the rows, kept as `summary.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from campaigns.failures import Failure
from campaigns.settings import Settings

SUMMARY_SCHEMA = "remora/campaign-summary/1"


@dataclass(frozen=True)
class Share:
    """Some of the cases of a campaign.

    Attributes:
        cases: how many there are.
        vacuous: how many of them have nothing to detect.
        failures: how many of them failed.
        refused: how many of them the detector did not take: they are neither failed nor passed.
    """

    cases: int
    vacuous: int
    failures: int
    refused: int = 0


@dataclass(frozen=True)
class CampaignSummary:
    """What a campaign found.

    Attributes:
        directory: where its rows are.
        campaign: the campaign's id.
        settings: its settings.
        total: all cases.
        literal: how many cases were also judged by the list of all instances.
        detections: how many instances, or intervals, the detector reported.
        kinds: how many cases failed in each way.
        operators: the cases in whose expressions an operator occurs.
        profiles: the cases generated with a profile.
        failures: the first failing cases by number, replayed and minimised.
        judged_now: how many cases were judged in this run; the others were there before.
        seconds: how long that took.
        microseconds: the mean time of one case in its worker.
    """

    directory: Path
    campaign: str
    settings: Settings
    total: Share
    literal: int
    detections: int
    kinds: Mapping[str, int]
    operators: Mapping[str, Share]
    profiles: Mapping[str, Share]
    failures: tuple[Failure, ...]
    judged_now: int
    seconds: float
    microseconds: float

    @property
    def ok(self) -> bool:
        """Whether no case failed, refused or not."""
        return not self.kinds

    @property
    def cases_per_second(self) -> float:
        """How many cases this run judged in a second; 0 if it judged none."""
        return self.judged_now / self.seconds if self.seconds else 0.0


def summary_to_json(summary: CampaignSummary) -> dict[str, Any]:
    """The contents of `summary.json`."""
    return {
        "schema": SUMMARY_SCHEMA,
        "campaign": summary.campaign,
        "settings": asdict(summary.settings),
        "ok": summary.ok,
        **asdict(summary.total),
        "literal": summary.literal,
        "detections": summary.detections,
        "kinds": dict(summary.kinds),
        "operators": {name: asdict(share) for name, share in summary.operators.items()},
        "profiles": {name: asdict(share) for name, share in summary.profiles.items()},
        "first_failures": [failure_to_json(failure) for failure in summary.failures],
        "judged_now": summary.judged_now,
        "seconds": round(summary.seconds, 3),
        "cases_per_second": round(summary.cases_per_second, 1),
        "microseconds": round(summary.microseconds, 1),
    }


def failure_to_json(failure: Failure) -> dict[str, Any]:
    """One failing case in `summary.json`."""
    small = failure.minimised
    return {
        "case": failure.case.number,
        "kind": failure.kind.value,
        "detail": failure.detail,
        "expression": str(failure.case.expression),
        "trace": failure.case.trace_text,
        "reproduced": failure.reproduced,
        "minimised": None
        if small is None
        else {
            "expression": str(small.case.expression),
            "trace": small.case.trace_text,
            "detail": small.verdict.detail,
            "judgements": small.judgements,
            "complete": small.complete,
        },
    }
