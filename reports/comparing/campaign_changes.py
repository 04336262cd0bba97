"""Changes in the campaign of a report: detectors, causes of failures, stored regressions, coverage."""

from __future__ import annotations

from collections.abc import Iterator

from reports.comparing.changes import Difference, Kind, State, changed, pairs
from reports.results.runs import Campaign, Cause, Coverage, Group, Share


def detectors(before: Campaign, after: Campaign) -> Iterator[Difference]:
    """Detectors, what their failures have in common, and stored regressions."""
    states = (
        {name: State(_rank(share), _share(share)) for name, share in campaign.detectors.items()}
        for campaign in (before, after)
    )
    yield from changed("detector", *states, bad=2)
    causes = [{_cause(cause): cause for cause in campaign.causes} for campaign in (before, after)]
    for name, old, new in pairs(*causes):
        if new is None and old is not None:
            yield Difference("better", "cause of failures", name, f"{old.cases} cases", "none")
        elif old is None and new is not None:
            first = f"first in case {new.first}"
            yield Difference("worse", "cause of failures", name, "none", f"{new.cases} cases", first)
    yield from _regressions(before, after)
    if bool(before.error) != bool(after.error):
        kind: Kind = "worse" if after.error else "better"
        words = [f"did not run: {one.error}" if one.error else "ran" for one in (before, after)]
        yield Difference(kind, "campaign", "campaign", words[0], words[1])


def _regressions(before: Campaign, after: Campaign) -> Iterator[Difference]:
    failed = [
        {f"{row.regression}, {row.detector}": row for row in campaign.regressions.failures}
        for campaign in (before, after)
    ]
    for name, was, now in pairs(*failed):
        if now is None:
            yield Difference("better", "stored regression", name, "failed", "not failed")
        elif was is None:
            yield Difference("worse", "stored regression", name, "not failed", "failed", now.detail)


def _rank(share: Share) -> int:
    """0 for a detector that failed, 1 for one that took no case, 2 for one that is as it should be."""
    return 0 if share.failures else 1 if share.refused >= share.cases else 2


def _share(share: Share) -> str:
    return f"{share.failures:,} of {share.cases - share.refused:,} cases failed"


def _cause(cause: Cause) -> str:
    said = "" if cause.relation in ("", "meaning") else f" by the relation {cause.relation}"
    return f"{cause.detector}: {cause.kind} at {cause.path}{said}"


def coverage(before: Coverage, after: Coverage) -> Iterator[Difference]:
    """Behaviours that the cases met before and do not meet any more, and the other way round."""
    groups = [{group.group: group for group in table.groups} for table in (before, after)]
    for name, was, now in pairs(*groups):
        if was is None or now is None:
            yield Difference("added" if was is None else "removed", "coverage", name, _met(was), _met(now))
            continue
        for lost in sorted({*now.never} - {*was.never}):
            yield Difference("less covered", "behaviour", f"{name}: {lost}", "met", "never met")
        for gained in sorted({*was.never} - {*now.never}):
            yield Difference("more covered", "behaviour", f"{name}: {gained}", "never met", "met")


def _met(group: Group | None) -> str:
    return "" if group is None else f"{group.reached} of {group.behaviours} met"
