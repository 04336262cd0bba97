"""The results of a campaign in short: computed by Spark from the rows, kept as `summary.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from campaigns.engine.failures import Failure
from campaigns.engine.settings import Settings
from campaigns.judging.replays import RegressionOutcome
from campaigns.judging.verdicts import Cause, Kind
from campaigns.systems import Coverage, cases_of

SUMMARY_SCHEMA = "remora/campaign-summary/2"

SHOWN_CAUSES = 200
"""So many causes, the most frequent ones, are in the summary."""


@dataclass(frozen=True)
class Share:
    """Some of the cases of a campaign.

    Attributes:
        vacuous: how many of them have nothing to detect.
        refused: how many of them were not taken by a detector: neither failed nor passed.
    """

    cases: int
    vacuous: int
    failures: int
    refused: int = 0


@dataclass(frozen=True)
class CauseCount:
    """How often a cause was met.

    Attributes:
        first: the number of the first of them.
        detail: what happened there, in one sentence.
    """

    cause: Cause
    cases: int
    first: int
    detail: str


@dataclass(frozen=True)
class CampaignSummary:
    """What a campaign found.

    Attributes:
        judgements: how many judgements there were, by the meaning or by a relation.
        literal: how many cases were also judged by the list of all instances.
        detectors: the cases by detector.
        relations: on how many cases each relation was tried.
        operators: the cases in whose expressions an operator occurs.
        profiles: the cases generated with a profile.
        coverage: in how many cases each behaviour was met.
        causes: what failures have in common, the most frequent first.
        failures: one example of each of the first causes, replayed and minimised.
        judged_now: how many cases were judged in this run; the others were there before.
    """

    directory: Path
    campaign: str
    settings: Settings
    total: Share
    judgements: int
    literal: int
    detectors: Mapping[str, Share]
    relations: Mapping[str, int]
    operators: Mapping[str, Share]
    profiles: Mapping[str, Share]
    coverage: Coverage
    causes: tuple[CauseCount, ...]
    failures: tuple[Failure, ...]
    regressions: RegressionOutcome
    judged_now: int
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether no detector failed, neither a case nor a stored regression."""
        return not self.causes and not self.regressions.failures

    @property
    def refusing(self) -> list[str]:
        """The detectors that refused every case, of which nothing is known."""
        return [name for name, share in self.detectors.items() if share.refused == share.cases]

    @property
    def kinds(self) -> dict[str, int]:
        """How many judgements were failed in each way."""
        counts: dict[str, int] = {}
        for found in self.causes:
            counts[found.cause.kind.value] = counts.get(found.cause.kind.value, 0) + found.cases
        return dict(sorted(counts.items()))

    @property
    def cases_per_second(self) -> float:
        """How many cases this run judged in a second; 0 if it judged none."""
        return self.judged_now / self.seconds if self.seconds else 0.0


def summary_to_json(summary: CampaignSummary) -> dict[str, Any]:
    """The contents of `summary.json`; all but the last four entries depend on the settings alone."""
    return {
        "schema": SUMMARY_SCHEMA,
        "campaign": summary.campaign,
        "settings": summary.settings.to_data(),
        "ok": summary.ok,
        **asdict(summary.total),
        "judgements": summary.judgements,
        "literal": summary.literal,
        "kinds": summary.kinds,
        "detectors": {name: asdict(share) for name, share in summary.detectors.items()},
        "relations": dict(summary.relations),
        "operators": {name: asdict(share) for name, share in summary.operators.items()},
        "profiles": {name: asdict(share) for name, share in summary.profiles.items()},
        "coverage": summary.coverage.to_json(),
        "causes": [
            {**asdict(found.cause), "cases": found.cases, "first": found.first, "detail": found.detail}
            for found in summary.causes
        ],
        "examples": [failure_to_json(failure) for failure in summary.failures],
        "regressions": summary.regressions.to_json(),
        "judged_now": summary.judged_now,
        "seconds": round(summary.seconds, 3),
        "cases_per_second": round(summary.cases_per_second, 1),
    }


def summary_from_json(record: Mapping[str, Any], directory: Path, settings: Settings) -> CampaignSummary:
    """The counts of a `summary.json`; its examples and regressions, which each run tries anew, are left out.

    Raises:
        ValueError: it is the summary of another campaign, or damaged; likewise `KeyError` and `TypeError`.
    """
    if (record["schema"], record["campaign"]) != (SUMMARY_SCHEMA, settings.campaign):
        raise ValueError("this is the summary of something else")

    def shares(name: str) -> dict[str, Share]:
        return {key: Share(**share) for key, share in record[name].items()}

    return CampaignSummary(
        directory=directory,
        campaign=settings.campaign,
        settings=settings,
        total=Share(*(record[field.name] for field in fields(Share))),
        judgements=record["judgements"],
        literal=record["literal"],
        detectors=shares("detectors"),
        relations=record["relations"],
        operators=shares("operators"),
        profiles=shares("profiles"),
        coverage=cases_of(settings.system).coverage_from_json(record["coverage"]),
        causes=tuple(
            CauseCount(
                Cause(each["detector"], each["relation"], each["path"], Kind(each["kind"])),
                each["cases"],
                each["first"],
                each["detail"],
            )
            for each in record["causes"]
        ),
        failures=(),
        regressions=RegressionOutcome(),
        judged_now=record["judged_now"],
        seconds=record["seconds"],
    )


def failure_to_json(failure: Failure) -> dict[str, Any]:
    """One failing case in `summary.json`."""
    small = failure.minimised
    return {
        "case": failure.case.number,
        **asdict(failure.cause),
        "detail": failure.detail,
        "expression": failure.case.text,
        "trace": failure.case.trace_text,
        "reproduced": failure.reproduced,
        "minimised": None
        if small is None
        else {
            "expression": small.case.text,
            "trace": small.case.trace_text,
            "detail": small.verdict.detail,
            "judgements": small.judgements,
            "complete": small.complete,
        },
    }
