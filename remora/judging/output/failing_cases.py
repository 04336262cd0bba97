"""Failing cases as plain data and as drawings.

A failure by the semantics has what is expected on its own trace. By a relation or a law, both sides are reports of the
detector: what follows from those on the case itself is due on another case, which is the one to look at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from campaigns.carlson_lisper.relations.suite import law_of
from campaigns.judging.verdicts import MEANING, Verdict
from campaigns.systems import AnyCase, cases_of
from remora.api.claiming.data import JsonObject
from reports.drawing.timeline import Timeline
from reports.systems import failed_case_of, failure_timeline
from semantics.events import Interval
from semantics.systems import DEFAULT_SYSTEM

LONGEST = 120
"""A case in a caption is cut after so many characters."""


@dataclass(frozen=True)
class ComparedCases:
    """Two cases whose reports are compared.

    Attributes:
        before: the case from whose reports it follows what is due.
        after: the case in which that is due.
        said: how this one comes from the other one, in a few words.
    """

    before: AnyCase
    after: AnyCase
    said: str


def comparison(by: str, case: AnyCase) -> ComparedCases | None:
    """What is compared; None where a detector is judged by the semantics.

    Args:
        by: the name of a relation, the id of a law, or `campaigns.judging.verdicts.MEANING`.
    """
    found = None if by == MEANING else cases_of(case.system).compared(by, case)
    return None if found is None else ComparedCases(*found)


def compared_data(by: str, case: AnyCase) -> JsonObject:
    """The member `compared` of a failure, for reports: the case in which something is due; nothing by the semantics."""
    compared = comparison(by, case)
    if compared is None:
        return {}
    return {"compared": {**_shown(compared.after), "said": compared.said}}


def judged_case_data(case: AnyCase, verdict: Verdict | None) -> JsonObject:
    """A case with what should have been detected and what was."""
    return {
        **_shown(case),
        "expected": [list(interval) for interval in verdict.expected] if verdict else [],
        "detected": [[report.start, report.end] for report in verdict.detected] if verdict else [],
    }


def _shown(case: AnyCase) -> JsonObject:
    """What is to be detected, and the trace; and of which system, where it is not the usual one."""
    system = {} if case.system == DEFAULT_SYSTEM else {"system": case.system}
    return {**cases_of(case.system).shown(case), **system}


def drawing(detector: str, by: str, kind: str, case: AnyCase, verdict: Verdict) -> Timeline:
    """A failure as a drawing, on the case in which what is due was not reported.

    Args:
        verdict: what had to be detected there, or in the related case, and what was.
    """
    compared = comparison(by, case)
    shown = case if compared is None else compared.after
    timeline = failure_timeline(
        failed_case_of({**judged_case_data(shown, verdict), "detector": detector, "kind": kind})
    )
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
    """
    first = {interval.end: interval for interval in verdict.expected}
    second = {report.end: Interval(report.start, report.end) for report in verdict.detected}
    for now in sorted(first.keys() | second.keys()):
        if first.get(now) != second.get(now):
            return f"at {now} it reports {_span(first.get(now))} for {left}, and {_span(second.get(now))} for {right}"
    return ""


def _span(interval: Interval | None) -> str:
    return "nothing" if interval is None else f"[{interval.start}, {interval.end}]"
