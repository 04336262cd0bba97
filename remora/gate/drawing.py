"""Failing cases drawn.

A failure by the semantics has what is expected on its own trace. By a relation or a law, both sides are reports of the
detector: what follows from those on the case itself is due on another case, which is the one to look at.
"""

from __future__ import annotations

from dataclasses import replace

from campaigns.engine.summary import Failure
from campaigns.judging.findings import judged_case_data
from campaigns.judging.judgements import UNSTEADY
from campaigns.judging.verdicts import MEANING, Verdict
from campaigns.systems import AnyCase, cases_of
from remora.terminal.console import output_console
from remora.terminal.drawing import print_timeline
from reports.drawing.timeline import Timeline
from reports.systems import failed_case_of, failure_timeline

LONGEST = 120
"""A case in a caption is cut after so many characters."""


def drawing(detector: str, by: str, kind: str, case: AnyCase, verdict: Verdict) -> Timeline:
    """A failure as a drawing, on the case in which what is due was not reported.

    Args:
        verdict: what had to be detected there, or in the related case, and what was.
    """
    system = cases_of(case.system)
    compared = None if by == MEANING else system.compared(by, case)
    shown = case if compared is None else compared[1]
    timeline = failure_timeline(
        failed_case_of({**judged_case_data(shown, verdict), "detector": detector, "kind": kind})
    )
    if compared is None:
        return timeline
    if by not in system.RELATIONS:  # a law
        sides = (f"{detector}: {kind} by {by}", f"left:  {compared[0].text}", f"right: {shown.text}")
        return replace(timeline, heading=system.laws()[by], captions=sides, names=("left", "right"))
    before = str(compared[0])
    before = before if len(before) <= LONGEST else f"{before[:LONGEST]}…"
    captions = (f"{detector}: {kind} by {by}", f"due is what follows from its reports on {before}")
    return replace(timeline, captions=captions, names=("due", "reported"))


class DrawnFailures:
    """Failures of a campaign, drawn once each."""

    def __init__(self) -> None:
        self._places: dict[tuple[object, ...], str] = {}

    def draw(self, failure: Failure) -> None:
        """Say how a case fails, with a drawing where there is none yet of the same case and the same answers."""
        console, cause = output_console(), failure.called
        case, verdict = failure.smallest
        console.print(f"case {failure.case.number}: {cause}: {verdict.detail or failure.detail}")
        if not failure.reproduced:
            console.print(f"it did not fail again alone: the detector {UNSTEADY}")
            return
        reported = tuple((report.start, report.end) for report in verdict.detected)
        shown = (cause.relation, case.text, case.trace_text, tuple(verdict.expected), reported)
        here = f"case {failure.case.number}, {cause}"
        place = self._places.setdefault(shown, here)
        if place == here:
            print_timeline(drawing(cause.detector, cause.relation, cause.kind.value, case, verdict))
        else:
            console.print(f"the same drawing as of {place}")
