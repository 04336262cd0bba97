"""Whole logs put to a detector once, beside the proved detector; where the two part, a window for the semantics."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Any

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.judge import given
from campaigns.carlson_lisper.profiles import LONGEST
from campaigns.imports import crash_text
from campaigns.judging.isolation import TimeUp, time_limit
from campaigns.judging.verdicts import Kind, Verdict
from detectors.carlson_lisper.adapters import AnyFactory, TraceDetector
from detectors.carlson_lisper.protocol import Report, not_a_report
from detectors.carlson_lisper.source.figure4 import figure4
from semantics.carlson_lisper.occurrences import Time
from semantics.errors import LimitExceeded

DEFINED = LONGEST
"""A log with more distinct times is too long for the interval semantics; it is compared with the proved detector."""

SECONDS_PER_INSTANT = 1e-3
"""The time limit for an instant of a long log."""

WINDOWS = (60, 250, 1000, 2500)
"""How many occurrences before a difference are put to the detector again, to be judged by the semantics."""


def is_long(case: Case) -> bool:
    """Whether the trace of a case is too long for the interval semantics."""
    return case.features.instants > DEFINED


def time_for(case: Case, seconds: float) -> float:
    """How long a detector may take for a long trace, in seconds."""
    return max(seconds, SECONDS_PER_INSTANT * case.features.instants)


def compared(case: Case, factory: AnyFactory, seconds: float) -> tuple[Verdict, Time]:
    """The verdict on a fresh detector beside the proved one on a long trace, and the time of the first difference."""
    now: Time = 0
    try:
        detector: Any = factory(case.expression)
        proved = figure4(case.expression)
        whole = isinstance(detector, TraceDetector)
        with time_limit(time_for(case, seconds)):
            found: dict[Time, Report] = (
                {report.end: report for report in detector.detect_trace(list(given(case)))} if whole else {}
            )
            for now, occurrences in given(case):
                due = proved.step(now, dict(occurrences))
                report = found.pop(now, None) if whole else detector.step(now, occurrences)
                failure = _difference(now, due, report)
                if failure is not None:
                    return Verdict(*failure, ()), now
        if found:
            now = min(found)
            return Verdict(Kind.WRONG_END, f"at {now}: a report ends where nothing occurs", ()), now
    except TimeUp:
        return Verdict(Kind.TIMEOUT, f"the whole log was not finished, up to {now:,}", ()), now
    except MemoryError:
        return Verdict(Kind.MEMORY, f"at {now}: it asked for more memory than it may have", ()), now
    except LimitExceeded as error:
        return Verdict(None, "", (), refusal=error.reason), now
    except (Exception, SystemExit) as error:  # whatever a detector raises is a result
        return Verdict(Kind.CRASH, f"at {now}: {crash_text(error)}", ()), now
    return Verdict(None, "", ()), now


def _difference(now: Time, due: Report | None, report: object) -> tuple[Kind, str] | None:
    if report is not None and (wrong := not_a_report(report)):
        return Kind.NOT_AN_INSTANCE, f"at {now}: {wrong}"
    said = None if report is None else (report.start, report.end)  # type: ignore[attr-defined]
    wanted = None if due is None else (due.start, due.end)
    if said == wanted:
        return None
    kind = Kind.MISSING if said is None else Kind.SPURIOUS if wanted is None else Kind.WRONG_START
    return (kind, f"at {now}: {said or 'nothing'} is reported, and {wanted or 'nothing'} by the proved detector")


def windows(case: Case, until: Time) -> Iterator[Case]:
    """The end of a trace up to a time, short ones first."""
    before = tuple(takewhile(lambda each: each.time <= until, case.occurrences))
    for length in WINDOWS:
        yield replace(case, occurrences=before[-length:])
