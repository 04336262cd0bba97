"""Failures of a campaign drawn in the terminal: small where they could be made so, and each drawing once."""

from __future__ import annotations

from campaigns.engine.failures import Failure
from campaigns.judging.afresh import UNSTEADY
from remora.judging.output.failing_cases import drawing
from remora.terminal.console import output_console
from remora.terminal.results.drawing import print_timeline


class DrawnFailures:
    """What has been drawn."""

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
