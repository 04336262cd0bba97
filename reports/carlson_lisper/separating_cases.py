"""This algebra side by side with other engines: our answer computed when it is shown, theirs as it was recorded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from reports.drawing.layout import Bar, Timeline, plain
from reports.results.parts import Record
from reports.results.report import value_of
from semantics.carlson_lisper.intervals import interval_denotation
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.syntax import parse
from semantics.events import Interval

Verdict = Literal["the same", "another answer", "left open", "not run"]

NOTHING = "no match"


@dataclass(frozen=True, slots=True)
class Reading:
    """What one engine answers, as it was recorded; intervals or ends are None where they are not known."""

    engine: str
    query: str
    standing: str
    note: str = ""
    version: str = ""
    intervals: tuple[tuple[int, int], ...] | None = None
    ends: tuple[int, ...] | None = None
    source: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entry of a report's `side_by_side`."""

    id: str
    title: str
    about: str
    expression: str
    trace: tuple[Record, ...]
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """What one engine answers.

    Attributes:
        query: what it was asked; empty where it has no such query.
        verdict: compared with ours; ends alone are compared where nothing else is known.
        standing: whether it was run, with the version, or cited.
    """

    engine: str
    query: str
    answer: str
    verdict: Verdict
    standing: str
    note: str
    source: str


@dataclass(frozen=True, slots=True)
class SeparatingTrace:
    """A trace on which engines differ.

    Attributes:
        timeline: the trace with our intervals, and those of others that are not ours.
    """

    id: str
    title: str
    about: str
    expression: str
    trace: str
    answer: str
    rows: tuple[Row, ...]
    timeline: Timeline

    @property
    def others(self) -> tuple[Row, ...]:
        """Who answers otherwise."""
        return tuple(row for row in self.rows if row.verdict == "another answer")


def separating_cases(document: Mapping[str, Any]) -> list[SeparatingTrace]:
    """The cases of a report, each with our answer by definition: for each end the greatest start (Thm 4.5)."""
    return [_case(value_of(Recorded, record)) for record in document.get("side_by_side") or ()]


def _case(record: Recorded) -> SeparatingTrace:
    occurrences = tuple(Occurrence(item["event"], item["time"], item["value"]) for item in record.trace)
    ours = interval_denotation(parse(record.expression), interpretation(occurrences)).restricted()
    return SeparatingTrace(
        record.id,
        record.title,
        record.about,
        record.expression,
        ", ".join(plain(occurrence) for occurrence in occurrences),
        _intervals(ours),
        tuple(_row(reading, ours) for reading in record.readings),
        Timeline(
            plain(record.expression),
            (f"here: {_intervals(ours)}",),
            ("here", "others"),
            occurrences,
            tuple(_bars(ours, record.readings)),
            compares=False,
        ),
    )


def _bars(ours: list[Interval], readings: Iterable[Reading]) -> Iterator[Bar]:
    for interval in ours:
        yield Bar(interval.start, interval.end, "left", True, (), "here")
    named: dict[tuple[int, int], list[str]] = {}
    for reading in readings:
        for start, end in reading.intervals or ():
            engines = named.setdefault((start, end), [])
            if (start, end) not in ours and reading.engine not in engines:
                engines.append(reading.engine)
    for (start, end), engines in named.items():
        if engines:
            yield Bar(start, end, "right", True, (), plain(", ".join(engines)))


def _row(reading: Reading, ours: list[Interval]) -> Row:
    verdict: Verdict
    if reading.standing not in ("run", "cited"):
        answer, verdict = "", "not run"
    elif reading.intervals is not None:
        found = [Interval(*pair) for pair in reading.intervals]
        answer, verdict = _intervals(found), "the same" if found == ours else "another answer"
    elif reading.ends is not None:
        answer = " and ".join(f"a match that ends at {end}" for end in reading.ends) or NOTHING
        verdict = "the same" if [*reading.ends] == [interval.end for interval in ours] else "another answer"
    else:
        answer, verdict = "", "left open"
    standing = reading.standing
    if standing == "run" and reading.version:
        standing = f"run, version {reading.version}"
    elif reading.detail:
        standing = f"{standing}: {reading.detail}"
    return Row(reading.engine, reading.query, answer, verdict, standing, reading.note, reading.source)


def _intervals(found: Iterable[Interval]) -> str:
    return " and ".join(f"[{interval.start}, {interval.end}]" for interval in found) or NOTHING


def sources(cases: Iterable[SeparatingTrace]) -> list[str]:
    """What was cited, each source once, in the order in which it is first needed."""
    return list(dict.fromkeys(row.source for case in cases for row in case.rows if row.source))


def side_by_side_lines(document: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """For a short summary: expression, trace, our answer, and who answers otherwise; as plain text."""
    for case in separating_cases(document):
        others = []
        for row in case.others:
            cited = " (cited)" if row.standing == "cited" else ""
            same = any(one.engine == row.engine and one.verdict == "the same" for one in case.rows)
            others.append(
                f"{row.engine}: {row.answer}{cited}{', with another query the same' if same else ''}"
            )
        yield case.expression, case.trace, case.answer, "; ".join(dict.fromkeys(others))
