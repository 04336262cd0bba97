"""Protocol of a system in reports: how its records are drawn, and sections of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from reports.documents import Document, value_of
from reports.drawing.layout import Timeline, plain
from reports.page import Section
from semantics.systems import DEFAULT_SYSTEM, system_of, systems_in


class ReportsOfSystem(Protocol):
    """The drawings and sections of a system; the object `REPORTS` of its module is one.

    What has a default may be left out.
    """

    def is_drawn(self, found: Document) -> bool:
        """Whether there is more to a counterexample than a sentence."""
        return False

    def in_words(self, found: Document) -> str:
        """A counterexample in one line of text."""
        return plain(found.summary)

    def counterexample_timeline(self, found: Document) -> Timeline:
        """The timeline of a counterexample; of one that is a sentence, a timeline without a trace."""
        return Timeline(self.in_words(found), (), ("", ""), (), (), compares=False)

    def failure_timeline(self, case: Document) -> Timeline:
        """The timeline of a failing case of a campaign; without one, its expression."""
        return Timeline(plain(case.expression), (), ("", ""), (), (), compares=False)

    def detection_timeline(self, found: Document) -> Timeline:
        """A detection among what occurs in its interval."""
        return Timeline(f"{plain(found.begins)} to {plain(found.ends)}", (), ("", ""), (), (), compares=False)

    def sections(self, document: Mapping[str, Any]) -> Sequence[Section]:
        """Sections that the system adds to a report; none where its document has nothing for them."""
        return ()


def reports_of(system: str) -> ReportsOfSystem:
    """What a system provides.

    Raises:
        InputError: there is no such system.
    """
    return cast(ReportsOfSystem, system_of(system).module("reports").REPORTS)


def _value(record: Document) -> tuple[ReportsOfSystem, Document]:
    found = value_of("counterexample", record) if isinstance(record, Mapping) else record
    return reports_of(found.system or DEFAULT_SYSTEM), found


def is_drawn(record: Document) -> bool:
    """Whether there is more to a counterexample than a sentence."""
    system, found = _value(record)
    return system.is_drawn(found)


def in_words(record: Document) -> str:
    """A counterexample in one line of text."""
    system, found = _value(record)
    return system.in_words(found)


def counterexample_timeline(record: Document) -> Timeline:
    """The timeline of a counterexample of any system."""
    system, found = _value(record)
    return system.counterexample_timeline(found)


def failed_case_of(data: Mapping[str, Any]) -> Document:
    """A failing case, as documents have it."""
    return value_of("failed case", data)


def failure_timeline(case: Document) -> Timeline:
    """The timeline of a failing case of any system."""
    return reports_of(case.system or DEFAULT_SYSTEM).failure_timeline(case)


def sections(document: Mapping[str, Any]) -> list[Section]:
    """The sections of all systems, in the order of the registry."""
    return [section for name in systems_in("reports") for section in reports_of(name).sections(document)]


def judged_text(judged: Mapping[str, Any]) -> str:
    """The end of a sentence about engines that were judged by random cases; older reports say nothing of refusals."""
    refused = f"; {judged['refused']:,} cases were refused" if "refused" in judged else ""
    return f"{judged['judgements']:,} judgements, {len(judged['failures']):,} failed{refused}."
