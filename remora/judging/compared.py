"""Drawing of a case that violates a relation or a law."""

from __future__ import annotations

from dataclasses import replace

from campaigns.carlson_lisper.cases import Case
from campaigns.judging.verdicts import Verdict
from remora.judging.campaign_data import judged_case_data
from remora.judging.related_cases import comparison, law_of
from reports.systems import failure_timeline
from reports.timeline import Timeline
from semantics.events import Interval

LONGEST = 120
"""A case in a caption is cut after so many characters."""


def drawing(detector: str, by: str, kind: str, case: Case, verdict: Verdict) -> Timeline:
    """A failure as a drawing, on the case in which what is due was not reported.

    Args:
        detector: the name of the detector.
        by: see `remora.judging.related_cases.comparison`.
        kind: how it failed.
        case: the case.
        verdict: what had to be detected there, or in the related case, and what was.
    """
    compared = comparison(by, case)
    shown = case if compared is None else compared.after
    timeline = failure_timeline({**judged_case_data(shown, verdict), "detector": detector, "kind": kind})
    if compared is None:
        return timeline
    law = law_of(by)
    if law is not None:
        left, right = compared.before.expression, shown.expression
        sides = (f"{detector}: {kind} by {law.id}", f"left:  {left}", f"right: {right}")
        return replace(timeline, heading=law.statement, captions=sides, names=("left", "right"))
    before = str(compared.before)
    before = before if len(before) <= LONGEST else f"{before[:LONGEST]}…"
    captions = (f"{detector}: {kind} by {by}", f"due is what follows from its reports on {before}")
    return replace(timeline, captions=captions, names=("due", "reported"))


def sides_told(left: str, right: str, verdict: Verdict) -> str:
    """Where two sides of a law first differ, and which of them reports what; "" if they do not.

    Args:
        left: the side whose reports are the verdict's `expected`.
        right: the other one.
        verdict: the comparison.
    """
    first = {interval.end: interval for interval in verdict.expected}
    second = {report.end: Interval(report.start, report.end) for report in verdict.detected}
    for now in sorted(first.keys() | second.keys()):
        if first.get(now) != second.get(now):
            return f"at {now} it reports {_span(first.get(now))} for {left}, and {_span(second.get(now))} for {right}"
    return ""


def _span(interval: Interval | None) -> str:
    return "nothing" if interval is None else f"[{interval.start}, {interval.end}]"
