"""A campaign's outcome as plain data for reports."""

from __future__ import annotations

from importlib.metadata import version

from campaigns.cases import Case
from campaigns.failures import Failure
from campaigns.judge import Kind, Verdict
from campaigns.summary import CampaignSummary
from laws.standings import Standing
from remora.data import JsonObject, occurrence_data


def campaign_data(summary: CampaignSummary, master: str) -> JsonObject:
    """The section of a report about a campaign."""
    return {
        "seed": summary.settings.seed,
        "cases": summary.total.cases,
        "detector": summary.settings.detector,
        "failed": summary.total.failures,
        "vacuous": summary.total.vacuous,
        "refused": summary.total.refused,
        "literal": summary.literal,
        "detections": summary.detections,
        "kinds": dict(summary.kinds),
        "judged_now": summary.judged_now,
        "seconds": round(summary.seconds, 3),
        "cases_per_second": round(summary.cases_per_second, 1),
        "spark": version("pyspark"),
        "master": master,
        "operators": {name: share.cases for name, share in summary.operators.items()},
        "profiles": {name: share.cases for name, share in summary.profiles.items()},
        "failures": [failure_data(failure, summary) for failure in summary.failures],
    }


def campaign_standing(summary: CampaignSummary) -> Standing:
    """What a campaign says of its detector; nothing, if the detector refused every case."""
    if Kind.DISAGREEMENT.value in summary.kinds:
        return Standing.DISAGREEMENT
    if summary.total.refused == summary.total.cases:
        return Standing.UNKNOWN
    return Standing.TESTED if summary.ok else Standing.REFUTED


def failure_data(failure: Failure, summary: CampaignSummary) -> JsonObject:
    """One failing case: small where it was minimised, with the command that replays it."""
    small = failure.minimised
    shown = (small.case, small.verdict) if small is not None else (failure.case, None)
    return {
        "case": failure.case.number,
        "detector": summary.settings.detector,
        "kind": failure.kind.value,
        "detail": failure.detail if small is None else small.verdict.detail,
        **judged_case_data(*shown),
        "original": {
            "expression": str(failure.case.expression),
            "occurrences": len(failure.case.occurrences),
            "detail": failure.detail,
        },
        "replay": f"remora campaign replay {summary.directory} {failure.case.number}",
    }


def judged_case_data(case: Case, verdict: Verdict | None) -> JsonObject:
    """A case with what should have been detected and what was."""
    return {
        "expression": str(case.expression),
        "trace": [occurrence_data(occurrence) for occurrence in case.occurrences],
        "expected": [list(interval) for interval in verdict.expected] if verdict else [],
        "detected": [[report.start, report.end] for report in verdict.detected] if verdict else [],
    }
