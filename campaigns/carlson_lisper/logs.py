"""Whole logs put to a detector once, beside the proved detector; where the two part, a window for the semantics."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Any

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.judge import given
from campaigns.carlson_lisper.profiles import LONGEST
from campaigns.judging.isolation import Failed, ended
from campaigns.judging.verdicts import Kind, Verdict
from detectors.carlson_lisper.adapters import AnyFactory, TraceDetector
from detectors.carlson_lisper.protocol import Report, not_a_report
from detectors.carlson_lisper.source.figure2 import figure4
from semantics.carlson_lisper.occurrences import Time

DEFINED = LONGEST  # A log with more distinct times is compared with the proved detector, not with the semantics
SECONDS_PER_INSTANT = 1e-3  # The time limit for an instant of a long log
WINDOWS = (60, 250, 1000, 2500)  # So many occurrences before a difference are put to the detector again


def is_long(case: Case) -> bool:
    """Whether the trace of a case is too long for the interval semantics."""
    return case.features.instants > DEFINED


def time_for(case: Case, seconds: float) -> float:
    """How long a detector may take for a long trace, in seconds."""
    return max(seconds, SECONDS_PER_INSTANT * case.features.instants)


def compared(case: Case, factory: AnyFactory, seconds: float) -> tuple[Verdict, Time]:
    """The verdict on a fresh detector beside the proved one on a long trace, and the time of the first difference."""
    now: Time = 0

    def work() -> None:
        nonlocal now
        detector: Any = factory(case.expression)
        proved = figure4(case.expression)
        whole = isinstance(detector, TraceDetector)
        found = {report.end: report for report in detector.detect_trace(list(given(case)))} if whole else {}
        for now, occurrences in given(case):
            due = proved.step(now, dict(occurrences))
            _compare(due, found.pop(now, None) if whole else detector.step(now, occurrences))
        if found:
            now = min(found)
            raise Failed(Kind.WRONG_END, "a report ends where nothing occurs")

    kind, said = ended(work, time_for(case, seconds))
    if kind is None:
        return Verdict(None, "", (), refusal=said), now
    said = f"the whole log was not finished, up to {now:,}" if kind is Kind.TIMEOUT else f"at {now}: {said}"
    return Verdict(kind, said, ()), now


def _compare(due: Report | None, report: Any) -> None:
    if report is not None and (wrong := not_a_report(report)):
        raise Failed(Kind.NOT_AN_INSTANCE, wrong)
    said = None if report is None else (report.start, report.end)
    wanted = None if due is None else (due.start, due.end)
    if said != wanted:
        kind = Kind.MISSING if said is None else Kind.SPURIOUS if wanted is None else Kind.WRONG_START
        raise Failed(kind, f"{said or 'nothing'} is reported, and {wanted or 'nothing'} by the proved detector")


def windows(case: Case, until: Time) -> Iterator[Case]:
    """The end of a trace up to a time, short ones first."""
    before = tuple(takewhile(lambda each: each.time <= until, case.occurrences))
    for length in WINDOWS:
        yield replace(case, occurrences=before[-length:])
