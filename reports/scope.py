"""What a verification looked at and within which bounds, and what it does not say; as plain text for a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reports.claims import CARRIES_NOT_OVER

NAMED = 12
"""At most so many names stand in one sentence; a note says how many there are beyond."""


def looked_at(report: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """For each kind of evidence that the report has its name, and how much there is of it, within which bounds."""
    for name, said in (
        ("Proofs, for all event streams", _proofs(report)),
        ("Tests of claims, bounded", _tests(report)),
        ("False claims", _marked(report.get("canaries"), "ok", "are refuted, as they must be")),
        ("Checkers given something wrong", _checkers(report, mutants=False)),
        ("Wrong detectors", _checkers(report, mutants=True)),
        (
            "Patterns on traces",
            _marked(report.get("detection"), "agree", "have the detections of the meaning"),
        ),
        ("Campaign, bounded", _campaign(report.get("campaign") or {})),
        ("Stored regressions", _regressions(report.get("campaign") or {})),
    ):
        if said:
            yield name, said


def detectors(report: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """For each detector of the campaign how many cases it was given, failed and refused."""
    for name, share in ((report.get("campaign") or {}).get("detectors") or {}).items():
        numbers = (f"{share.get(key) or 0:,}" for key in ("cases", "failures", "refused"))
        yield (str(name), *numbers)  # type: ignore[misc]


def left_out(report: Mapping[str, Any]) -> Iterator[str]:
    """What is bounded, was refused, was never met or is only trusted: a reader has to know it to decide."""
    campaign = report.get("campaign") or {}
    if campaign.get("cases"):
        yield (
            f"Detectors are tested, not proved, by {campaign['cases']:,} random cases; the proofs are about the steps"
            f" of their operators. In {campaign.get('vacuous') or 0:,} of the cases there was nothing to detect."
        )
    for name, share in (campaign.get("detectors") or {}).items():
        if share.get("refused"):
            yield f"{name} refused {share['refused']:,} of {share.get('cases'):,} cases as beyond its limits."
    never = [str(one) for group in _groups(campaign) for one in group.get("never") or ()]
    if never:
        met = sum(group.get("reached") or 0 for group in _groups(campaign))
        total = sum(group.get("behaviours") or 0 for group in _groups(campaign))
        yield f"{met:,} of {total:,} behaviours were met in the cases; never met: {_listed(never)}."
    claims = report.get("claims") or ()
    discrete = [str(claim.get("id")) for claim in claims if claim.get("dense_time") == CARRIES_NOT_OVER]
    if discrete:
        yield f"Proved over integer time only: {_listed(discrete)}."
    trusting = [str(claim.get("id")) for claim in claims if claim.get("trusts")]
    if trusting:
        yield f"A part of the argument is in words, which no solver has seen: {_listed(trusting)}."
    items = [item for claim in claims for item in claim.get("obligations") or ()]
    checked = sum((item.get("certificate") or {}).get("checked") is True for item in items)
    if items and checked < len(items):
        unchecked = len(items) - checked
        before = sum(bool(item.get("accepted_before")) for item in items)
        by = sorted({name for item in items for name in item.get("accepted_before") or ()})
        said = f" Those of {before:,} were accepted before, by {'; by '.join(by)}." if by else ""
        yield f"{unchecked:,} of {len(items):,} obligations have no certificate that was checked in this run.{said}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _groups(campaign: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return list((campaign.get("coverage") or {}).get("groups") or ())


def _proofs(report: Mapping[str, Any]) -> str:
    claims = report.get("claims") or ()
    items = [item for claim in claims for item in claim.get("obligations") or ()]
    if not items:
        return ""
    dense = sum(item.get("time") == "real" for item in items)
    engines = dict.fromkeys(
        str(answer.get("solver"))
        for item in items
        for answer in item.get("answers") or ()
        if answer.get("solver")
    )
    by = f", asked of {' and '.join(engines)}" if engines else ""
    return f"{len(claims):,} claims as {len(items):,} obligations, {dense:,} of them over dense time{by}"


def _tests(report: Mapping[str, Any]) -> str:
    """How many cases there were by method, with the bound that most claims have."""
    cases, bounds = Counter[str](), dict[str, Counter[str]]()
    for test in (test for claim in report.get("claims") or () for test in claim.get("tests") or ()):
        if isinstance(test.get("cases"), int):
            method = str(test.get("method"))
            cases[method] += test["cases"]
            bounds.setdefault(method, Counter())[str(test.get("bound"))] += 1
    return "; ".join(
        f"{method}: {number:,} cases{_bound(bounds[method])}" for method, number in cases.items()
    )


def _bound(found: Counter[str]) -> str:
    ((bound, _),) = found.most_common(1)
    return f", {'mostly ' if len(found) > 1 else ''}{bound}"


def _marked(rows: Iterable[Mapping[str, Any]] | None, key: str, said: str) -> str:
    listed = list(rows or ())
    return f"{sum(bool(row.get(key)) for row in listed):,} of {len(listed):,} {said}" if listed else ""


def _checkers(report: Mapping[str, Any], *, mutants: bool) -> str:
    rows = [row for row in report.get("checks") or () if str(row.get("id")).startswith("mutant:") is mutants]
    if not mutants:
        return _marked(rows, "ok", "noticed it")
    worst = (report.get("power") or {}).get("worst")
    last = f", the last one by case {worst:,}" if isinstance(worst, int) else ""
    said = _marked(rows, "ok", "were found by random cases")
    return said and said + last


def _campaign(campaign: Mapping[str, Any]) -> str:
    if campaign.get("error"):
        return f"it did not run: {campaign['error']}"
    if not campaign.get("cases"):
        return ""
    relations = len(campaign.get("relations") or ())
    judged = f", {campaign['judgements']:,} judgements" if isinstance(campaign.get("judgements"), int) else ""
    against = len(campaign.get("detectors") or ())
    return (
        f"{campaign['cases']:,} random cases of seed {campaign.get('seed')}{judged}"
        f"{f' of {against} detectors' if against else ''}"
        f"{f', with {relations} relations between cases' if relations else ''}:"
        f" {campaign.get('failed') or 0:,} cases failed"
    )


def _regressions(campaign: Mapping[str, Any]) -> str:
    found = campaign.get("regressions") or {}
    if not found.get("tried"):
        return ""
    failures = len(found.get("failures") or ())
    return f"{found['tried']:,} cases that failed once, for each detector: {failures:,} failures"
