"""Reports of a detector, checked against the types of the protocol."""

from __future__ import annotations

from typing import TypeAlias

from semantics.carlson_lisper.occurrences import Instance, Time
from semantics.events import Interval

Report: TypeAlias = Instance | Interval
"""What a detector reports: an instance, or its start and end alone."""


def not_a_report(report: object) -> str:
    """Why something is neither an instance nor an interval of whole ticks, in a few words; "" if it is one.

    1.0 and True equal 1, and are no times: from 2⁵³ on the one loses ticks, and in JSON neither is a number of ticks.
    """
    if not isinstance(report, Report):
        return f"reported {_with_article(type(report).__name__)}; an instance or None is expected"
    if not is_time(report.start):
        return f"reported {report.start!r:.60} as a start; a time is an int"
    if not is_time(report.end):
        return f"reported {report.end!r:.60} as an end; a time is an int"
    return ""


def is_time(time: Time) -> bool:
    """Whether something that was given as a time is a whole number of ticks by its type."""
    return type(time) is int or (isinstance(time, int) and not isinstance(time, bool))


def _with_article(name: str) -> str:
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
