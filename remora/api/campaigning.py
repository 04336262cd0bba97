"""Campaigns on Spark: started from a program or a notebook; their outcome drawn, and as plain data for reports."""

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from campaigns.engine.summary import CampaignSummary, Failure as CampaignFailure, figures
from campaigns.imports import names_code
from campaigns.judging.judgements import UNSTEADY
from campaigns.judging.regressions import RegressionFailure
from campaigns.judging.verdicts import MEANING, Verdict, standing_of
from campaigns.systems import AnyCase, cases_of
from laws.standings import Standing
from remora.api.arguments import require_path, require_seed, require_whole, several
from remora.api.cards import Card, Shown
from remora.terminal.console import JsonObject, output_console, print_timeline
from reports.drawing.layout import Timeline
from reports.page import Table, standing
from reports.systems import failure_timeline
from semantics.errors import InputError
from semantics.systems import DEFAULT_SYSTEM

CASES = 10_000  # So many cases, by default
DRAWN = 3  # So many failures are drawn
LONGEST = 120  # A case in a caption is cut after so many characters


@dataclass(frozen=True, repr=False)
class Campaign(Shown):
    """A campaign that is finished: the numbers, failures and coverage, and where Spark ran.

    It is true as a condition where no case was failed and no detector refused all of them.
    """

    summary: CampaignSummary
    master: str

    @property
    def standing(self) -> Standing:
        """Tested, refuted, unknown or disagreement."""
        return campaign_standing(self.summary)

    def __bool__(self) -> bool:
        return self.standing is Standing.TESTED

    def card(self) -> Card:
        """The numbers by detector, the causes, and the smallest failures."""
        data, mark = campaign_data(self.summary, self.master), standing(self.standing.value)
        words = f"{mark.word}: {data['failed']:,} of {data['cases']:,} cases failed"
        rows = tuple(
            (name, f"{share.cases:,}", f"{share.failures:,}", f"{share.refused:,}")
            for name, share in self.summary.detectors.items()
        )
        columns = ("detector", "cases", "failed", "refused")
        failures = (*data["regressions"]["failures"], *data["failures"])
        return Card(
            str(self.summary.directory),
            mark._replace(word=words),
            tuple(f"{found.cases:,} cases: {found.cause}" for found in self.summary.causes[:DRAWN]),
            blocks=(Table(columns, rows, columns[1:]), *(failure_timeline(one) for one in failures[:DRAWN])),
            notes=(f"{data['vacuous']:,} cases had nothing to detect",),
        )


def campaign(
    directory: str | os.PathLike[str],
    *,
    cases: int = CASES,
    detectors: str | Iterable[str] = (),
    corpus: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    seed: int = 0,
    master: str | None = None,
) -> Campaign:
    """Judge detectors on random cases, fanned out by Spark; what a killed run has finished is kept.

    Args:
        directory: where its rows go; one that is there already is gone on with.
        detectors: names; `package.module:object` for one of your own, "all" for all of ours.
        corpus: a file with a real trace, or several, from windows of which half of the cases are made.
        seed: of the cases: a seed and a number make the same case on every machine.
        master: where Spark runs; by default what spark-submit was given, or all processors of this machine.

    Raises:
        InputError: the directory holds something else, or a detector cannot be loaded.
        CampaignFailed: Spark or the disk failed.
    """
    from campaigns.carlson_lisper.corpus import read_corpus
    from campaigns.carlson_lisper.loading import named_detectors
    from campaigns.engine.campaign import run_campaign
    from campaigns.engine.settings import Settings
    from cluster.session import usual_master
    from detectors.carlson_lisper.catalogue import DEFAULT_DETECTOR

    require_path(directory)
    require_whole("cases", cases, 1)
    require_seed(seed)
    if not os.fspath(directory):
        raise InputError("the path of the directory is empty", remedy='Give one; "." is the working directory.')
    names = several("detectors", detectors, '["figure4", "generated"]')
    corpora = several("corpus", corpus, '["log.csv"]')
    for each in corpora:
        require_path(each)
    judged, traces = named_detectors(names or (DEFAULT_DETECTOR,)), read_corpus(tuple(map(Path, corpora)))
    settings = Settings(seed=seed, cases=cases, detectors=judged, corpus=traces)
    where = master or usual_master()
    return Campaign(run_campaign(Path(directory), settings, master=where), where)


def campaign_data(summary: CampaignSummary, master: str) -> JsonObject:
    """The section of a report about a campaign."""
    total = summary.total
    return {
        "seed": summary.settings.seed,
        "cases": total.cases,
        "failed": total.failures,
        "vacuous": total.vacuous,
        "refused": total.refused,
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


def compared_data(by: str, case: AnyCase) -> dict[str, Any]:
    """The member `compared` of a failure by a relation or law: another case, in which something is due."""
    compared = None if by == MEANING else cases_of(case.system).compared(by, case)
    return {} if compared is None else {"compared": {**_shown(compared[1]), "said": compared[2]}}


def judged_case_data(case: AnyCase, verdict: Verdict | None) -> dict[str, Any]:
    """A case with what should have been detected and what was."""
    return {
        **_shown(case),
        "expected": [list(interval) for interval in verdict.expected] if verdict else [],
        "detected": [[report.start, report.end] for report in verdict.detected] if verdict else [],
    }


def _shown(case: AnyCase) -> dict[str, Any]:
    system = {} if case.system == DEFAULT_SYSTEM else {"system": case.system}
    return {**cases_of(case.system).shown(case), **system}


def drawing(detector: str, by: str, kind: str, case: AnyCase, verdict: Verdict) -> Timeline:
    """A failure as a drawing, on the case in which what is due was not reported."""
    system = cases_of(case.system)
    compared = None if by == MEANING else system.compared(by, case)
    shown = case if compared is None else compared[1]
    data = {**judged_case_data(shown, verdict), "detector": detector, "kind": kind}
    timeline = failure_timeline(data)
    if compared is None:
        return timeline
    title, before = f"{detector}: {kind} by {by}", str(compared[0])
    if by not in system.RELATIONS:  # a law
        sides = (title, f"left:  {compared[0].text}", f"right: {shown.text}")
        return replace(timeline, heading=system.laws()[by], captions=sides, names=("left", "right"))
    before = before if len(before) <= LONGEST else f"{before[:LONGEST]}…"
    captions = (title, f"due is what follows from its reports on {before}")
    return replace(timeline, captions=captions, names=("due", "reported"))


def draw(failure: CampaignFailure) -> None:
    """Say how a case of a campaign fails, with a drawing."""
    console, cause = output_console(), failure.called
    case, verdict = failure.smallest
    console.print(f"case {failure.case.number}: {cause}: {verdict.detail or failure.detail}")
    if failure.reproduced:
        print_timeline(drawing(cause.detector, cause.relation, cause.kind.value, case, verdict))
    else:
        console.print(f"it did not fail again alone: the detector {UNSTEADY}")


def failure_data(failure: CampaignFailure, summary: CampaignSummary) -> JsonObject:
    """One failing case: small where it was minimised, with the command that replays it."""
    (case, verdict), original = failure.smallest, failure.case
    return {
        "case": original.number,
        **asdict(failure.cause),
        "detail": verdict.detail or failure.detail,
        "reproduced": failure.reproduced,
        **judged_case_data(case, verdict if failure.reproduced else None),
        **compared_data(failure.cause.relation, case),
        "original": {"expression": original.text, "occurrences": original.features.events, "detail": failure.detail},
        "replay": replay_command(summary.directory, original.number, (failure.cause.detector,)),
    }


def regression_data(failure: RegressionFailure) -> JsonObject:
    """A stored regression that a detector fails."""
    stored, verdict = failure.regression, failure.verdict
    return {
        "regression": stored.name,
        "detector": failure.detector,
        "relation": stored.relation,
        "kind": "" if verdict.kind is None else verdict.kind.value,
        "detail": verdict.detail,
        **judged_case_data(stored.case, verdict),
        **compared_data(stored.relation, stored.case),
    }


def refused_text(cases: int) -> str:
    """A part of a sentence about the cases that were neither passed nor failed."""
    return f"{cases:,} {'was' if cases == 1 else 'were'} refused as beyond its limits, " if cases else ""
