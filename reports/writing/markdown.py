"""A report as a short Markdown summary, as for a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reports.results.report import Report, report_of
from reports.sections.proof_summary import proof_problems, proof_rows
from reports.sections.scope import detectors, left_out, looked_at
from reports.sections.standings import NO_VERDICT, VERDICTS, in_order
from reports.sections.versions import version_of
from reports.systems import Section, sections
from reports.writing.markdown_failures import failures
from reports.writing.markup import code_cell, fenced, folded, prose, table


def render_markdown(document: Mapping[str, Any]) -> str:
    """Verdict, standings, failures drawn, what was looked at, what that does not say, and how to repeat it."""
    return "\n".join(_lines(report_of(document), sections(document))).rstrip() + "\n"


def _lines(report: Report, of_systems: Iterable[Section]) -> Iterator[str]:
    yield from _verdict(report)
    yield from failures(report)
    rows = [(prose(name), prose(text)) for name, text in looked_at(report)]
    yield from table(("What was looked at", "How much, and how it came out"), rows)
    yield from table(("Proofs", "Outcome"), [(name, prose(text)) for name, text in proof_rows(report)])
    shares = [(code_cell(name), *map(prose, numbers)) for name, *numbers in detectors(report)]
    headings = ("Detector", "Cases", "Failed", "Refused")
    yield from table(headings, shares, right=headings[1:])
    gaps = list(left_out(report))
    if gaps:
        yield from ("### What this does not say", "", *(f"- {prose(gap)}" for gap in gaps), "")
    yield from _again(report)
    for section in of_systems:
        cells = [(code_cell(first), *map(prose, texts)) for first, *texts in section.rows]
        lines = [prose(sentence) for sentence in section.sentences]
        if section.text:
            lines += ["", *fenced(section.text)]
        lines += table(section.columns, cells)
        yield from folded(section.title, lines)


def _verdict(report: Report) -> Iterator[str]:
    verdict = report.verdict
    symbol, _, meaning = VERDICTS.get(verdict.exit_status, NO_VERDICT)
    yield from (f"## {symbol} {prose(verdict.summary or meaning)}", "")
    counts = verdict.counts
    rows = [(prose(f"{each.symbol} {each.word}"), prose(counts[each.word])) for each in in_order(counts)]
    yield from table(("Standing", "Claims"), rows, right=("Claims",))
    warnings = (f"Warning: {text}" for text in report.warnings)
    told = [*verdict.problems, *warnings, *proof_problems(report)]
    if told:
        yield from (*(f"- {prose(text)}" for text in told), "")


def _again(report: Report) -> Iterator[str]:
    if report.command:
        yield from ("### The same again", "", *fenced(report.command, "sh"), "")
    found = {"Remora": version_of(report.remora, report.code), "seed": report.seed}
    found |= {**report.environment.named, **report.environment.packages}
    ran = [prose(f"{name} {value}") for name, value in found.items()]
    yield from (", ".join([*ran, f"it took {report.seconds:,.0f} s"]) + ".", "")
