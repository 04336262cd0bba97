"""What a relation between cases, or a law, compares; and the drawing of a case that violates it.

A failure by the semantics has what is expected on its own trace. By a relation, both sides are reports of the
detector: what follows from those on the case itself is due on another case, which is the one to draw.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from campaigns.cases import Case, Source
from campaigns.judge import Verdict
from campaigns.judgements import MEANING, choices
from campaigns.relations.catalogue import RELATIONS
from campaigns.relations.rewriting import equations
from campaigns.relations.suite import law_relation
from laws.claims import EquationClaim
from remora.campaign_data import judged_case_data
from reports.timeline import Timeline, failure_timeline
from semantics.finite import Interval

LONGEST = 120
"""A case in a caption is cut after so many characters."""


@dataclass(frozen=True)
class Comparison:
    """Two cases whose reports are compared.

    Attributes:
        before: the case from whose reports it follows what is due.
        after: the case in which that is due.
        said: how this one comes from the other one, in a few words.
    """

    before: Case
    after: Case
    said: str


def comparison(by: str, case: Case) -> Comparison | None:
    """What is compared; None where a detector is judged by the semantics.

    Args:
        by: the name of a relation, the id of a law, or `campaigns.judgements.MEANING`.
        case: the case that violates it.
    """
    if by == MEANING:
        return None
    law = law_of(by)
    relation = RELATIONS.get(by) if law is None else law_relation(law)
    found = None if relation is None else relation.relate(case, Source(by) if law else choices(case))
    return None if found is None else Comparison(found.before or case, found.case, found.said)


def law_of(by: str) -> EquationClaim | None:
    """The law with an id; None if it is none."""
    return next((law for law in equations() if law.id == by), None)


def drawing(detector: str, by: str, kind: str, case: Case, verdict: Verdict) -> Timeline:
    """A failure as a drawing, on the case in which what is due was not reported.

    Args:
        detector: the name of the detector.
        by: see `comparison`.
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
