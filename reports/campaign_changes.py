"""What changed in the campaign of a report: detectors, causes of failures, stored regressions, coverage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reports.changes import Difference, Kind, pairs


def detectors(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    """Detectors, what their failures have in common, and stored regressions."""
    before, after = ((report.get("campaign") or {}) for report in (old, new))
    for name, was, now in pairs(before.get("detectors") or {}, after.get("detectors") or {}):
        if now is None and was is not None:
            yield Difference("removed", "detector", name, _share(was), "")
        elif was is None and now is not None:
            kind: Kind = "worse" if _detector_rank(now) < 2 else "added"
            yield Difference(kind, "detector", name, "", _share(now))
        elif was is not None and now is not None and _detector_rank(was) != _detector_rank(now):
            kind = "worse" if _detector_rank(now) < _detector_rank(was) else "better"
            yield Difference(kind, "detector", name, _share(was), _share(now))
    causes = [
        {_cause(cause): cause for cause in campaign.get("causes") or ()} for campaign in (before, after)
    ]
    for name, was, now in pairs(*causes):
        if now is None and was is not None:
            yield Difference("better", "cause of failures", name, f"{was.get('cases')} cases", "none")
        elif was is None and now is not None:
            first = f"first in case {now.get('first')}"
            yield Difference("worse", "cause of failures", name, "none", f"{now.get('cases')} cases", first)
    yield from _regressions(before, after)
    errors = [str(campaign.get("error") or "") for campaign in (before, after)]
    if bool(errors[0]) != bool(errors[1]):
        kind = "worse" if errors[1] else "better"
        words = [f"did not run: {error}" if error else "ran" for error in errors]
        yield Difference(kind, "campaign", "campaign", words[0], words[1])


def _regressions(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Difference]:
    failed = [
        {
            f"{row.get('regression')}, {row.get('detector')}": row
            for row in (campaign.get("regressions") or {}).get("failures") or ()
        }
        for campaign in (before, after)
    ]
    for name, was, now in pairs(*failed):
        if now is None and was is not None:
            yield Difference("better", "stored regression", name, "failed", "not failed")
        elif was is None and now is not None:
            about = str(now.get("detail") or "")
            yield Difference("worse", "stored regression", name, "not failed", "failed", about)


def _detector_rank(share: Mapping[str, Any]) -> int:
    """0 for a detector that failed, 1 for one that took no case, 2 for one that is as it should be."""
    if share.get("failures"):
        return 0
    return 1 if (share.get("refused") or 0) >= (share.get("cases") or 0) else 2


def _share(share: Mapping[str, Any]) -> str:
    cases, failures, refused = (share.get(key) or 0 for key in ("cases", "failures", "refused"))
    return f"{failures:,} of {cases - refused:,} cases failed"


def _cause(cause: Mapping[str, Any]) -> str:
    by = cause.get("relation")
    said = "" if by in (None, "meaning") else f" by the relation {by}"
    return f"{cause.get('detector')}: {cause.get('kind')} at {cause.get('path')}{said}"


def coverage(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    """Behaviours that the cases met before and do not meet any more, and the other way round."""
    groups = [{str(group.get("group")): group for group in _groups(report)} for report in (old, new)]
    for name, was, now in pairs(*groups):
        if was is None or now is None:
            yield Difference("added" if was is None else "removed", "coverage", name, _met(was), _met(now))
            continue
        never = set(was.get("never") or ()), set(now.get("never") or ())
        for lost in sorted(never[1] - never[0]):
            yield Difference("less covered", "behaviour", f"{name}: {lost}", "met", "never met")
        for gained in sorted(never[0] - never[1]):
            yield Difference("more covered", "behaviour", f"{name}: {gained}", "never met", "met")


def _groups(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    table = (report.get("campaign") or {}).get("coverage") or {}
    return list(table.get("groups") or ())


def _met(group: Mapping[str, Any] | None) -> str:
    return "" if group is None else f"{group.get('reached')} of {group.get('behaviours')} met"
