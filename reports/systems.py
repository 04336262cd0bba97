"""Protocol of a system in reports: how its records are drawn, and sections of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from reports.drawing.layout import Timeline, plain
from reports.results.parts import Record
from reports.results.runs import FailedCase
from semantics.systems import DEFAULT_SYSTEM, system_of, systems_in


@dataclass(frozen=True)
class Section:
    """A section of the report: sentences, then a text, a table, and drawings.

    Attributes:
        part: the entry of the contents under which it stands, with those before it of the same part; by default
            an entry of its own.
        folded: whether it opens by a click.
        text: plain text whose lines and spaces stay.
        columns: the heads of the table; none where there is no table.
        graphs: graphs as SVG elements, in HTML alone.
        template: the template that shows the section in HTML; by default one for every section.
    """

    title: str
    part: str = ""
    folded: bool = False
    sentences: tuple[str, ...] = ()
    text: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    timelines: tuple[Timeline, ...] = ()
    graphs: tuple[str, ...] = ()
    template: str = "section.html.jinja"


class ReportsOfSystem(Protocol):
    """The drawings and sections of a system; the object `REPORTS` of its module is one.

    What has a default may be left out.
    """

    def is_drawn(self, record: Record) -> bool:
        """Whether there is more to a counterexample than a sentence."""
        return False

    def in_words(self, record: Record) -> str:
        """A counterexample in one line of text."""
        return plain(record.get("summary", ""))

    def counterexample_timeline(self, record: Record) -> Timeline:
        """The timeline of a counterexample; of one that is a sentence, a timeline without a trace."""
        return Timeline(self.in_words(record), (), ("", ""), (), (), compares=False)

    def failure_timeline(self, case: FailedCase) -> Timeline:
        """The timeline of a failing case of a campaign; without one, its expression."""
        return Timeline(plain(case.expression), (), ("", ""), (), (), compares=False)

    def is_equation(self, text: str) -> bool:
        """Whether a text is an equation between expressions of the system, and is typeset as one."""
        return False

    def in_templates(self) -> Mapping[str, Callable[..., Any]]:
        """Functions that templates of the system's own parts call, by name."""
        return {}

    def sections(self, document: Mapping[str, Any]) -> Sequence[Section]:
        """Sections that the system adds to a report; none where its document has nothing for them."""
        return ()


def judged_text(judged: Mapping[str, Any]) -> str:
    """The end of a sentence about engines that were judged by random cases; older reports say nothing of refusals."""
    refused = f"; {judged['refused']:,} cases were refused" if "refused" in judged else ""
    return f"{judged['judgements']:,} judgements, {len(judged['failures']):,} failed{refused}."


def reports_of(system: str) -> ReportsOfSystem:
    """What a system provides.

    Raises:
        InputError: there is no such system.
    """
    return cast(ReportsOfSystem, system_of(system).module("reports").REPORTS)


def _of(record: Record) -> ReportsOfSystem:
    return reports_of(str(record.get("system", DEFAULT_SYSTEM)))


def is_drawn(record: Record) -> bool:
    """Whether there is more to a counterexample than a sentence."""
    return _of(record).is_drawn(record)


def in_words(record: Record) -> str:
    """A counterexample in one line of text."""
    return _of(record).in_words(record)


def counterexample_timeline(record: Record) -> Timeline:
    """The timeline of a counterexample of any system."""
    return _of(record).counterexample_timeline(record)


def failure_timeline(case: FailedCase) -> Timeline:
    """The timeline of a failing case of any system."""
    return reports_of(case.system or DEFAULT_SYSTEM).failure_timeline(case)


def is_equation(text: str) -> bool:
    """Whether a text is an equation of some system."""
    return any(reports_of(name).is_equation(text) for name in systems_in("reports"))


def sections(document: Mapping[str, Any]) -> list[Section]:
    """The sections of all systems, in the order of the registry."""
    return [section for name in systems_in("reports") for section in reports_of(name).sections(document)]


def in_templates() -> dict[str, Callable[..., Any]]:
    """The functions for templates of all systems."""
    return {
        key: function
        for name in systems_in("reports")
        for key, function in reports_of(name).in_templates().items()
    }
