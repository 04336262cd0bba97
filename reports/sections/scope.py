"""Scope of a verification as plain text: what was looked at, within which bounds, and what is not said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from reports.results.report import Report
from reports.results.runs import Campaign
from reports.sections.claims import CARRIES_NOT_OVER

NAMED = 12
"""At most so many names stand in one sentence; a note says how many there are beyond."""


def looked_at(report: Report) -> Iterator[tuple[str, str]]:
    """For each kind of evidence that the report has its name, and how much there is of it, within which bounds."""
    checkers = [check.ok for check in report.checks if not check.mutant]
    mutants = [check.ok for check in report.checks if check.mutant]
    last = "" if report.power.worst is None else f", the last one by case {report.power.worst:,}"
    for name, said in (
        ("Proofs, for all event streams", _proofs(report)),
        ("Tests of claims, bounded", _tests(report)),
        ("False claims", _marked([one.ok for one in report.canaries], "are refuted, as they must be")),
        ("Checkers given something wrong", _marked(checkers, "noticed it")),
        ("Wrong detectors", _marked(mutants, f"were found by random cases{last}")),
        (
            "Patterns on traces",
            _marked([one.agree for one in report.detection], "have the detections of the meaning"),
        ),
        ("Campaign, bounded", _campaign(report.campaign)),
        ("Stored regressions", _regressions(report.campaign)),
    ):
        if said:
            yield name, said


def detectors(report: Report) -> Iterator[tuple[str, str, str, str]]:
    """For each detector of the campaign how many cases it was given, failed and refused."""
    for name, share in report.campaign.detectors.items():
        yield name, f"{share.cases:,}", f"{share.failures:,}", f"{share.refused:,}"


def left_out(report: Report) -> Iterator[str]:
    """What is bounded, was refused, was never met or is only trusted: a reader has to know it to decide."""
    campaign, groups = report.campaign, report.campaign.coverage.groups
    if campaign.cases:
        yield (
            f"Detectors are tested, not proved, by {campaign.cases:,} random cases; the proofs are about the steps"
            f" of their operators. In {campaign.vacuous:,} of the cases there was nothing to detect."
        )
    for name, share in campaign.detectors.items():
        if share.refused:
            yield f"{name} refused {share.refused:,} of {share.cases:,} cases as beyond its limits."
    never = [one for group in groups for one in group.never]
    if never:
        met, total = sum(group.reached for group in groups), sum(group.behaviours for group in groups)
        yield f"{met:,} of {total:,} behaviours were met in the cases; never met: {_listed(never)}."
    discrete = [claim.id for claim in report.claims if claim.dense_time == CARRIES_NOT_OVER]
    if discrete:
        yield f"Proved over integer time only: {_listed(discrete)}."
    trusting = [claim.id for claim in report.claims if claim.trusts]
    if trusting:
        yield f"A part of the argument is in words, which no solver has seen: {_listed(trusting)}."
    items = [item for claim in report.claims for item in claim.obligations]
    unchecked = sum(item.certificate.checked is not True for item in items)
    if unchecked:
        before = sum(bool(item.accepted_before) for item in items)
        by = sorted({name for item in items for name in item.accepted_before})
        said = f" Those of {before:,} were accepted before, by {'; by '.join(by)}." if by else ""
        yield f"{unchecked:,} of {len(items):,} obligations have no certificate that was checked in this run.{said}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _proofs(report: Report) -> str:
    items = [item for claim in report.claims for item in claim.obligations]
    if not items:
        return ""
    dense = sum(item.time == "real" for item in items)
    engines = dict.fromkeys(answer.solver for item in items for answer in item.answers)
    by = f", asked of {' and '.join(engines)}" if engines else ""
    return (
        f"{len(report.claims):,} claims as {len(items):,} obligations, {dense:,} of them over dense time{by}"
    )


def _tests(report: Report) -> str:
    """How many cases there were by method, with the bound that most claims have."""
    cases, bounds = Counter[str](), dict[str, Counter[str]]()
    for test in (test for claim in report.claims for test in claim.tests):
        cases[test.method] += test.cases
        bounds.setdefault(test.method, Counter())[test.bound] += 1
    return "; ".join(
        f"{method}: {number:,} cases{_bound(bounds[method])}" for method, number in cases.items()
    )


def _bound(found: Counter[str]) -> str:
    ((bound, _),) = found.most_common(1)
    return f", {'mostly ' if len(found) > 1 else ''}{bound}"


def _marked(marks: Sequence[bool], said: str) -> str:
    return f"{sum(marks):,} of {len(marks):,} {said}" if marks else ""


def _campaign(campaign: Campaign) -> str:
    if campaign.error:
        return f"it did not run: {campaign.error}"
    if not campaign.cases:
        return ""
    relations, against = len(campaign.relations), len(campaign.detectors)
    return (
        f"{campaign.cases:,} random cases of seed {campaign.seed}"
        f"{f', {campaign.judgements:,} judgements' if campaign.judgements else ''}"
        f"{f' of {against} detectors' if against else ''}"
        f"{f', with {relations} relations between cases' if relations else ''}:"
        f" {campaign.failed:,} cases failed"
    )


def _regressions(campaign: Campaign) -> str:
    found = campaign.regressions
    if not found.tried:
        return ""
    return f"{found.tried:,} cases that failed once, for each detector: {len(found.failures):,} failures"
