"""This algebra behind the protocol of systems (`semantics.systems.SemanticsOfSystem`)."""

from __future__ import annotations

from collections.abc import Sequence

from semantics.events import Event, TraceForm
from semantics.hinze_voisard.evaluation import evaluated
from semantics.hinze_voisard.profiles import ProfileFile
from semantics.hinze_voisard.syntax import parse as parse

FORM = TraceForm(intervals=False, source="Section 2.2: events have no duration")
"""Events are points in time; several of a type may occur at one time."""


def evaluate(file: ProfileFile, trace: Sequence[Event]) -> list[Event]:
    """The occurrences of all profiles over the interval of the trace, from their first to their last events."""
    return [Event(one.profile, one.start, one.time) for one in evaluated(file, trace)]
