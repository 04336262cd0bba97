"""The outcome of a campaign as plain data for reports and for `--format json`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from importlib.metadata import version

from campaigns.engine.summary import CampaignSummary, Failure, figures
from campaigns.imports import names_code
from campaigns.judging.findings import compared_data, judged_case_data
from campaigns.judging.regressions import RegressionFailure
from campaigns.judging.verdicts import standing_of
from laws.standings import Standing
from remora.api.claiming.data import JsonObject


def campaign_data(summary: CampaignSummary, master: str) -> JsonObject:
    """The section of a report about a campaign."""
    return {
        "seed": summary.settings.seed,
        "cases": summary.total.cases,
        "failed": summary.total.failures,
        "vacuous": summary.total.vacuous,
        "refused": summary.total.refused,
        **figures(summary),
        "spark": version("pyspark"),
        "master": master,
        "operators": {name: share.cases for name, share in summary.operators.items()},
        "causes": [{**asdict(found.cause), "cases": found.cases, "first": found.first} for found in summary.causes],
        "failures": [failure_data(failure, summary) for failure in summary.failures],
        "regressions": {
            "tried": summary.regressions.tried,
            "failures": [regression_data(failure) for failure in summary.regressions.failures],
        },
    }


def campaign_standing(summary: CampaignSummary) -> Standing:
    """The standing of the detectors of a campaign; unknown if one refused every case, or was not finished."""
    kinds = [found.cause.kind for found in summary.causes]
    kinds += [found.verdict.kind for found in summary.regressions.failures if found.verdict.kind is not None]
    standing = standing_of(kinds)
    return Standing.UNKNOWN if standing is Standing.TESTED and summary.refusing else standing


def replay_command(directory: object, case: object, detectors: Iterable[str]) -> str:
    """The command that judges a case of a campaign again."""
    trust = " --trust" if any(map(names_code, detectors)) else ""
    return f"remora campaign replay {directory} {case}{trust}"


def failure_data(failure: Failure, summary: CampaignSummary) -> JsonObject:
    """One failing case: small where it was minimised, with the command that replays it."""
    case, verdict = failure.smallest
    return {
        "case": failure.case.number,
        **asdict(failure.cause),
        "detail": verdict.detail or failure.detail,
        "reproduced": failure.reproduced,
        **judged_case_data(case, verdict if failure.reproduced else None),
        **compared_data(failure.cause.relation, case),
        "original": {
            "expression": failure.case.text,
            "occurrences": failure.case.features.events,
            "detail": failure.detail,
        },
        "replay": replay_command(summary.directory, failure.case.number, (failure.cause.detector,)),
    }


def regression_data(failure: RegressionFailure) -> JsonObject:
    """A stored regression that a detector fails."""
    return {
        "regression": failure.regression.name,
        "detector": failure.detector,
        "relation": failure.regression.relation,
        "kind": failure.verdict.kind.value if failure.verdict.kind is not None else "",
        "detail": failure.verdict.detail,
        **judged_case_data(failure.regression.case, failure.verdict),
        **compared_data(failure.regression.relation, failure.regression.case),
    }


def refused_text(cases: int) -> str:
    """A part of a sentence about the cases that were neither passed nor failed."""
    return f"{cases:,} {'was' if cases == 1 else 'were'} refused as beyond its limits, " if cases else ""
