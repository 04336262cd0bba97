"""The results of a campaign in short: counted by DuckDB from the stored rows, an example of each cause made small."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from campaigns.engine.rows import asked
from campaigns.engine.settings import Settings
from campaigns.judging.judgements import Minimised
from campaigns.judging.regressions import Regression, RegressionOutcome
from campaigns.judging.verdicts import Cause, Kind, Verdict
from campaigns.systems import AnyCase, cases_of

SUMMARY_SCHEMA = "remora/campaign-summary/3"

SHOWN_CAUSES = 200  # So many causes, the most frequent ones, are in the summary
EXAMINED = 12  # Of so many causes, in the order in which they are met, an example is judged again and made small


@dataclass(frozen=True)
class CauseCount:
    """How often a cause was met, the number of the first of these cases, and what happened there in one sentence."""

    cause: Cause
    cases: int
    first: int
    detail: str


@dataclass(frozen=True)
class Failure:
    """A case that failed in the campaign."""

    case: AnyCase
    cause: Cause
    detail: str
    verdict: Verdict  # what came of it when it was judged again
    minimised: Minimised[AnyCase] | None = None  # the case made small, if it failed in the same way again

    @property
    def reproduced(self) -> bool:
        """Whether it failed in the same way when it was judged again, in a process that had judged nothing before."""
        return self.verdict.kind == self.cause.kind

    @property
    def is_kept(self) -> bool:
        """Whether it becomes a stored regression; a case that was not finished says nothing of the next detector."""
        return self.reproduced and self.cause.kind is not Kind.TIMEOUT

    @property
    def smallest(self) -> tuple[AnyCase, Verdict]:
        """The case to show, with its verdict: small where it was made so."""
        found = self.minimised
        return (self.case, self.verdict) if found is None else (found.case, found.verdict)

    @property
    def called(self) -> Cause:
        """The cause, called after the operators of the smallest form of the case."""
        case, _ = self.smallest
        *_, (_, path) = cases_of(case.system).suspects(case)
        return self.cause if self.minimised is None else replace(self.cause, path=path)

    @property
    def regression(self) -> Regression:
        """The smallest form, to be kept."""
        (case, verdict), cause = self.smallest, self.cause
        kind = verdict.kind or cause.kind
        return Regression(case, cause.relation, cause.detector, kind.value, verdict.detail or self.detail)


def worth_examining(causes: Iterable[CauseCount], known: Collection[Cause]) -> list[CauseCount]:
    """The causes not known yet, by their first cases: up to `EXAMINED` with the known ones, and one of a detector."""
    chosen, detectors = list[CauseCount](), {cause.detector for cause in known}
    for found in sorted(causes, key=lambda each: each.first):
        room = len(known) + len(chosen) < EXAMINED
        if found.cause not in known and (room or found.cause.detector not in detectors):
            chosen.append(found)
            detectors.add(found.cause.detector)
    return chosen


@dataclass(frozen=True)
class Share:
    """Some of the cases of a campaign: those with nothing to detect, failed, and refused, which is neither."""

    cases: int
    vacuous: int
    failures: int
    refused: int = 0


@dataclass(frozen=True)
class CampaignSummary:
    """Summary of a campaign."""

    directory: Path
    settings: Settings
    total: Share
    judgements: int
    literal: int  # how many cases were also judged by the list of all instances
    detectors: Mapping[str, Share]
    relations: Mapping[str, int]  # on how many cases each was tried
    operators: Mapping[str, Share]  # the cases in whose expressions each occurs
    profiles: Mapping[str, Share]
    causes: tuple[CauseCount, ...]  # what failures have in common, the most frequent first
    failures: tuple[Failure, ...]  # one example of each of the first causes, replayed and minimised
    regressions: RegressionOutcome
    judged_now: int = 0  # how many cases were judged in this run; the others were there before
    seconds: float = 0.0

    @property
    def refusing(self) -> list[str]:
        """The detectors that refused every case, of which nothing is known."""
        return [name for name, share in self.detectors.items() if share.refused == share.cases]


def figures(summary: CampaignSummary) -> dict[str, Any]:
    """The numbers of a campaign as plain data."""
    kinds = Counter[str]()
    for found in summary.causes:
        kinds[found.cause.kind.value] += found.cases
    return {
        "judgements": summary.judgements,
        "literal": summary.literal,
        "kinds": dict(sorted(kinds.items())),
        "detectors": {name: asdict(share) for name, share in summary.detectors.items()},
        "relations": dict(summary.relations),
        "profiles": {name: asdict(share) for name, share in summary.profiles.items()},
        "judged_now": summary.judged_now,
        "seconds": round(summary.seconds, 3),
        "cases_per_second": round(summary.judged_now / summary.seconds, 1) if summary.seconds else 0.0,
    }


def summary_to_json(summary: CampaignSummary) -> dict[str, Any]:
    """The contents of `summary.json`, which follow from the settings but for what was judged now, and how fast."""
    outcome = summary.regressions
    return {
        "schema": SUMMARY_SCHEMA,
        "campaign": summary.settings.campaign,
        "settings": summary.settings.to_data(),
        "ok": not summary.causes and not outcome.failures,
        **asdict(summary.total),
        **figures(summary),
        "operators": {name: asdict(share) for name, share in summary.operators.items()},
        "causes": [
            {**asdict(found.cause), "cases": found.cases, "first": found.first, "detail": found.detail}
            for found in summary.causes
        ],
        "examples": [
            {"case": each.case.number, **asdict(each.cause), "detail": each.detail, **_texts(each.case)}
            | {"reproduced": each.reproduced, "minimised": each.minimised and _small(each.minimised)}
            for each in summary.failures
        ],
        "regressions": {
            "tried": outcome.tried,
            "refused": outcome.refused,
            "failures": [
                {"regression": one.name, "detector": detector, "relation": one.relation, **_texts(one.case)}
                | {"kind": verdict.kind and verdict.kind.value, "detail": verdict.detail}
                for one, detector, verdict in outcome.failures
            ],
        },
    }


def _small(found: Minimised[AnyCase]) -> dict[str, Any]:
    data = {"detail": found.verdict.detail, "judgements": found.judgements, "complete": found.complete}
    return _texts(found.case) | data


def _texts(case: AnyCase) -> dict[str, str]:
    return {"expression": case.text, "trace": case.trace_text}


# The fields of `Share`
SHARE = """count(*), count(*) filter (vacuous),
    count(*) filter (len(failures) > 0), count(*) filter (len(refusals) > 0)"""

CAUSES = """select f.detector, f.relation, f.path, f.kind, count(*) as cases, min("case"), arg_min(f.detail, "case")
    from (select "case", unnest(failures) as f from rows)
    group by all order by cases desc, f.detector, f.relation, f.path, f.kind"""

OF_DETECTORS = """select each.detector, count(distinct "case")
    from (select "case", unnest({}) as each from rows) group by all"""


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
    examples: Iterable[Failure],
    regressions: RegressionOutcome,
) -> CampaignSummary:
    """The summary of a campaign from the folders of all its waves, and a failing case of each of the first causes."""

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
        directory,
        settings,
        share,
        judgements,
        literal,
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
    )
