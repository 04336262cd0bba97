"""Contributions of a system to reports: drawings of its records, and sections of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from reports.documents import Document, value_of
from reports.drawing.layout import Occurrence, Timeline, compared_bars, plain
from reports.page import Section
from semantics.systems import DEFAULT_SYSTEM, system_of, systems_in

_COLUMNS = ("event", "time", "start")


class ReportsOfSystem:
    """The drawings and sections of a system, with defaults; the object `REPORTS` of its module is one."""

    declarations = "\n"  # How lines of a text begin that a heading leaves out

    def in_words(self, found: Document) -> str:
        """A counterexample in one line of text."""
        return plain(found.summary)

    def counterexample_timeline(self, found: Document) -> Timeline | None:
        """The timeline of a counterexample; None for one that is a sentence."""
        return None

    def failure_timeline(self, case: Document) -> Timeline:
        """The answers that are due in a failing case, and those that an engine gave."""
        lines = [line for line in case.expression.splitlines() if not line.startswith(self.declarations)]
        captions = (
            f"{plain(case.detector or 'engine')}: {plain(case.kind or 'failing case')}",
            f"{len(case.expected)} answers expected, {len(case.detected)} given",
        )
        bars = compared_bars(case.expected, case.detected)
        return Timeline(
            plain("  ".join(lines)), captions, ("expected", "given"), tuple(map(event_mark, case.trace)), bars
        )

    def sections(self, document: Mapping[str, Any]) -> Sequence[Section]:
        """Sections that the system adds to a report; none where its document has nothing for them."""
        return ()


@dataclass(frozen=True)
class _Shown:
    """An event in a drawing, at its end."""

    event: str
    time: int
    text: str

    def __str__(self) -> str:
        return self.text


def event_mark(row: Mapping[str, Any]) -> Occurrence:
    """The mark of an event, which is a row, in a drawing."""
    values = ", ".join(f"{name} = {value}" for name, value in row.items() if name not in _COLUMNS)
    begin = f" from {row['start']}" if row.get("start", row["time"]) != row["time"] else ""
    return _Shown(str(row["event"]), int(row["time"]), plain(f"{row['event']}({values})@{row['time']}{begin}"))


def _of(name: str, record: Document) -> tuple[ReportsOfSystem, Document]:
    """The reports of the system of a record, and its value; `name` is that of its form."""
    found = value_of(name, record) if isinstance(record, Mapping) else record
    return cast(ReportsOfSystem, system_of(found.system or DEFAULT_SYSTEM).module("reports").REPORTS), found


def in_words(record: Document) -> str:
    """A counterexample in one line of text."""
    reports, found = _of("counterexample", record)
    return reports.in_words(found)


def counterexample_timeline(record: Document) -> Timeline | None:
    """The timeline of a counterexample of any system; None where there is no more to it than a sentence."""
    reports, found = _of("counterexample", record)
    return reports.counterexample_timeline(found)


def failure_timeline(record: Document) -> Timeline:
    """The timeline of a failing case of any system, as documents have it."""
    reports, found = _of("failed case", record)
    return reports.failure_timeline(found)


def sections(document: Mapping[str, Any]) -> list[Section]:
    """The sections of all systems, in the order of the registry."""
    of_systems = (system_of(name).module("reports").REPORTS for name in systems_in("reports"))
    return [section for one in of_systems for section in one.sections(document)]


def judged_text(judged: Mapping[str, Any]) -> str:
    """The end of a sentence about engines that were judged by random cases; older reports say nothing of refusals."""
    refused = f"; {judged['refused']:,} cases were refused" if "refused" in judged else ""
    return f"{judged['judgements']:,} judgements, {len(judged['failures']):,} failed{refused}."
