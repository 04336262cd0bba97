"""The results of a campaign in short: counted by DuckDB from the stored rows, kept as `summary.json`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from campaigns.engine.failures import CauseCount, Failure
from campaigns.engine.rows import asked
from campaigns.engine.settings import Settings
from campaigns.judging.regressions import RegressionOutcome
from campaigns.judging.verdicts import Cause, Kind

SUMMARY_SCHEMA = "remora/campaign-summary/3"

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
class CampaignSummary:
    """Summary of a campaign.

    Attributes:
        judgements: how many judgements there were, by the meaning or by a relation.
        literal: how many cases were also judged by the list of all instances.
        detectors: the cases by detector.
        relations: on how many cases each relation was tried.
        operators: the cases in whose expressions an operator occurs.
        profiles: the cases generated with a profile.
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


def figures(summary: CampaignSummary) -> dict[str, Any]:
    """The numbers of a campaign as plain data."""
    return {
        "judgements": summary.judgements,
        "literal": summary.literal,
        "kinds": summary.kinds,
        "detectors": {name: asdict(share) for name, share in summary.detectors.items()},
        "relations": dict(summary.relations),
        "profiles": {name: asdict(share) for name, share in summary.profiles.items()},
        "judged_now": summary.judged_now,
        "seconds": round(summary.seconds, 3),
        "cases_per_second": round(summary.cases_per_second, 1),
    }


def summary_to_json(summary: CampaignSummary) -> dict[str, Any]:
    """The contents of `summary.json`, which follow from the settings but for what was judged now, and how fast."""
    return {
        "schema": SUMMARY_SCHEMA,
        "campaign": summary.campaign,
        "settings": summary.settings.to_data(),
        "ok": summary.ok,
        **asdict(summary.total),
        **figures(summary),
        "operators": {name: asdict(share) for name, share in summary.operators.items()},
        "causes": [
            {**asdict(found.cause), "cases": found.cases, "first": found.first, "detail": found.detail}
            for found in summary.causes
        ],
        "examples": [failure_to_json(failure) for failure in summary.failures],
        "regressions": summary.regressions.to_json(),
    }


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


# ------------------------------------------------------------------------------------------------- the counts

SHARE = """count(*), count(*) filter (vacuous),
    count(*) filter (len(failures) > 0), count(*) filter (len(refusals) > 0)"""
"""The fields of `Share`."""

CAUSES = """select f.detector, f.relation, f.path, f.kind, count(*) as cases, min("case"), arg_min(f.detail, "case")
    from (select "case", unnest(failures) as f from rows)
    group by all order by cases desc, f.detector, f.relation, f.path, f.kind"""

OF_DETECTORS = """select each.detector, count(distinct "case")
    from (select "case", unnest({}) as each from rows) group by all"""


def failed_in(folders: Collection[Path], campaign: str) -> int:
    """How many cases in waves failed."""
    ((failed,),) = asked("select count(*) filter (len(failures) > 0) from rows", folders, campaign)
    return int(failed)


def causes_in(folders: Collection[Path], campaign: str) -> list[CauseCount]:
    """The causes of failures in waves, the most frequent first."""
    return [
        CauseCount(Cause(detector, relation, path, Kind(kind)), cases, first, detail)
        for detector, relation, path, kind, cases, first, detail in asked(CAUSES, folders, campaign)
    ]


def counted(
    directory: Path,
    settings: Settings,
    folders: Collection[Path],
    examples: Sequence[Failure],
    regressions: RegressionOutcome,
) -> CampaignSummary:
    """The summary of a campaign whose waves are whole.

    Args:
        folders: those of all waves.
        examples: one failing case of each of the first causes.
    """

    def rows(query: str) -> list[tuple[Any, ...]]:
        return asked(query, folders, settings.campaign)

    def shares(column: str, source: str) -> dict[str, Share]:
        found = rows(f"select {column}, {SHARE} from {source} group by {column} order by {column}")
        return {name: Share(*counts) for name, *counts in found}

    [(*total, judgements, literal)] = rows(
        f"select {SHARE}, coalesce(sum(judgements), 0)::bigint, count(*) filter (literal) from rows"
    )
    share = Share(*total)
    failed, refused = (dict(rows(OF_DETECTORS.format(column))) for column in ("failures", "refusals"))
    return CampaignSummary(
        directory=directory,
        campaign=settings.campaign,
        settings=settings,
        total=share,
        judgements=judgements,
        literal=literal,
        detectors={
            name: replace(share, failures=failed.get(name, 0), refused=refused.get(name, 0))
            for name in settings.detectors
        },
        relations=dict(rows("select relation, count(*) from rows where relation != '' group by all order by all")),
        operators=shares("operator", "(select *, unnest(operators) as operator from rows)"),
        profiles=shares("profile", "rows"),
        causes=tuple(causes_in(folders, settings.campaign)[:SHOWN_CAUSES]),
        failures=tuple(examples),
        regressions=regressions,
        judged_now=0,
        seconds=0.0,
    )
