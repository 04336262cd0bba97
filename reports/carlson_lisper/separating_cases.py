"""This algebra side by side with other engines: our answer computed when it is shown, theirs as it was recorded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from reports.layout import Bar, Timeline, plain
from semantics.carlson_lisper.interpretations import interpretation
from semantics.carlson_lisper.intervals import interval_denotation
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse
from semantics.events import Interval

Verdict = Literal["the same", "another answer", "left open", "not run"]

NOTHING = "no match"


@dataclass(frozen=True, slots=True)
class Row:
    """What one engine answers.

    Attributes:
        engine: its name.
        query: what it was asked; empty where it has no such query.
        answer: in words.
        verdict: compared with ours; ends alone are compared where nothing else is known.
        standing: whether it was run, with the version, or cited.
        note: what to know of the query, or what the source says.
        source: of what was cited.
    """

    engine: str
    query: str
    answer: str
    verdict: Verdict
    standing: str
    note: str
    source: str


@dataclass(frozen=True, slots=True)
class Case:
    """A trace on which engines differ.

    Attributes:
        id: a word.
        title: what it is about.
        about: what the trace decides.
        expression: in our syntax.
        trace: the occurrences in order of time, in words.
        answer: ours, in words.
        rows: the others.
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


def separating_cases(report: Mapping[str, Any]) -> list[Case]:
    """The cases of a report, each with our answer by definition: for each end the greatest start (Thm 4.5)."""
    return [_case(record) for record in report.get("side_by_side") or ()]


def _case(record: Mapping[str, Any]) -> Case:
    occurrences = tuple(
        Occurrence(item["event"], item["time"], item.get("value")) for item in record.get("trace") or ()
    )
    expression = str(record["expression"])
    ours = interval_denotation(parse(expression), interpretation(occurrences)).restricted()
    readings = record.get("readings") or ()
    return Case(
        str(record.get("id", "")),
        str(record.get("title", "")),
        str(record.get("about", "")),
        expression,
        ", ".join(plain(occurrence) for occurrence in occurrences),
        _intervals(ours),
        tuple(_row(reading, ours) for reading in readings),
        Timeline(
            plain(expression),
            (f"here: {_intervals(ours)}",),
            ("here", "others"),
            occurrences,
            tuple(_bars(ours, readings)),
            compares=False,
        ),
    )


def _bars(ours: list[Interval], readings: Iterable[Mapping[str, Any]]) -> Iterator[Bar]:
    for interval in ours:
        yield Bar(interval.start, interval.end, "left", True, (), "here")
    named: dict[tuple[int, int], list[str]] = {}
    for reading in readings:
        for start, end in reading.get("intervals") or ():
            engines = named.setdefault((start, end), [])
            if (start, end) not in ours and reading["engine"] not in engines:
                engines.append(str(reading["engine"]))
    for (start, end), engines in named.items():
        if engines:
            yield Bar(start, end, "right", True, (), plain(", ".join(engines)))


def _row(reading: Mapping[str, Any], ours: list[Interval]) -> Row:
    intervals, ends = reading.get("intervals"), reading.get("ends")
    run = reading.get("standing") == "run"
    verdict: Verdict
    if reading.get("standing") not in ("run", "cited"):
        answer, verdict = "", "not run"
    elif intervals is not None:
        found = [Interval(*pair) for pair in intervals]
        answer, verdict = _intervals(found), "the same" if found == ours else "another answer"
    elif ends is not None:
        answer = " and ".join(f"a match that ends at {end}" for end in ends) or NOTHING
        verdict = "the same" if ends == [interval.end for interval in ours] else "another answer"
    else:
        answer, verdict = "", "left open"
    standing = str(reading.get("standing") or "")
    if run and reading.get("version"):
        standing = f"run, version {reading['version']}"
    elif reading.get("detail"):
        standing = f"{standing}: {reading['detail']}"
    return Row(
        str(reading.get("engine", "")),
        str(reading.get("query") or ""),
        answer,
        verdict,
        standing,
        str(reading.get("note") or ""),
        str(reading.get("source") or ""),
    )


def _intervals(found: Iterable[Interval]) -> str:
    return " and ".join(f"[{interval.start}, {interval.end}]" for interval in found) or NOTHING


def sources(cases: Iterable[Case]) -> list[str]:
    """What was cited, each source once, in the order in which it is first needed."""
    return list(dict.fromkeys(row.source for case in cases for row in case.rows if row.source))


def side_by_side_lines(report: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """For a short summary: expression, trace, our answer, and who answers otherwise; as plain text."""
    for case in separating_cases(report):
        others = []
        for row in case.others:
            cited = " (cited)" if row.standing == "cited" else ""
            same = any(one.engine == row.engine and one.verdict == "the same" for one in case.rows)
            others.append(
                f"{row.engine}: {row.answer}{cited}{', with another query the same' if same else ''}"
            )
        yield case.expression, case.trace, case.answer, "; ".join(dict.fromkeys(others))
