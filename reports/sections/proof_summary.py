"""The proof side of a report as a short table in Markdown, and what of it has to be looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reports.results.audits import (
    Alteration,
    Axioms,
    CommittedRecord,
    Erratum,
    NeighbourCounts,
    Solvers,
    Stability,
)
from reports.results.report import Report
from reports.sections.axioms import axiom_matrix
from reports.sections.claims import certificate_counts, dense_counts
from reports.sections.errata import counted, errata_groups, not_shown

MAX_LISTED = 10
"""The most problems of one kind that are listed; a note says how many there are beyond."""


def proof_rows(report: Report) -> Iterator[tuple[str, str]]:
    """For each section that the report has its name and how it came out, as plain text."""
    dense = ", ".join(f"{number} {word}" for number, word in dense_counts(report.claims))
    for name, text in (
        ("Dense time", dense),
        ("Certificates", _tally(certificate_counts(report.claims))),
        ("Solvers", _solvers(report.solvers)),
        ("Neighbours", _neighbours(report.neighbours.claims)),
        ("Changed definitions", _alterations(report.alterations)),
        ("Errata of the source", _errata(report.errata)),
        ("Axioms", _axioms(report.axioms)),
        ("Stability", _stability(report.stability)),
        ("Committed record", _record(report.record)),
    ):
        if text:
            yield name, text


def proof_problems(report: Report) -> Iterator[str]:
    """What of the proof side is not as it should be, as plain text; long lists are cut and the rest counted."""
    yield from _some(f"Solvers disagree: {one}" for one in report.solvers.disagreements)
    items = (item for claim in report.claims for item in claim.obligations)
    yield from _some(
        f"Certificate rejected: {item.id}" for item in items if item.certificate.checked is False
    )
    near = report.neighbours.claims
    yield from _some(f"{row.open} neighbours of {row.id} are open" for row in near if row.open)
    yield from _some(f"Erratum not shown: {item.id}" for item in not_shown(report.errata))
    yield from _some(f"Unstable: {item.id}, {item.solver}" for item in report.stability.unstable)
    yield from _some(f"Differs from the committed record: {text}" for text in report.record.differences)


def _some(texts: Iterable[str]) -> Iterator[str]:
    listed = list(texts)
    yield from listed[:MAX_LISTED]
    if len(listed) > MAX_LISTED:
        yield f"and {len(listed) - MAX_LISTED} more such"


def _tally(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {word}" for word, number in counts.items())


def _solvers(found: Solvers) -> str:
    if not found:
        return ""
    number = len(found.disagreements)
    said = f"{number or 'no'} {'disagreement' if number == 1 else 'disagreements'}"
    return "; ".join([*(f"{row.solver}: {row.proofs} proofs" for row in found.rows), said])


def _neighbours(rows: Sequence[NeighbourCounts]) -> str:
    if not rows:
        return ""
    counts = {name: sum(getattr(row, name) for row in rows) for name in ("refuted", "true", "open")}
    return f"{sum(row.total for row in rows)} of {len(rows)} claims: {_tally(counts)}"


def _alterations(rows: Sequence[Alteration]) -> str:
    unnoticed = [row.id for row in rows if not row.claim]
    named = f"; no claim notices {', '.join(_some(unnoticed))}" if unnoticed else ""
    return f"{len(rows) - len(unnoticed)} of {len(rows)} make a claim fail{named}" if rows else ""


def _errata(entries: Sequence[Erratum]) -> str:
    if not entries:
        return ""
    kinds = _tally({group.kind: len(group.entries) for group in errata_groups(entries)})
    return f"{len(entries) - len(not_shown(entries))} of {len(entries)} shown: {counted(entries)}; {kinds}"


def _axioms(found: Axioms) -> str:
    matrix = axiom_matrix(found)
    if not matrix.claims:
        return ""
    named = zip(matrix.axioms, matrix.counts, strict=True)
    parts = [f"{name} by {number}" for name, number in named]
    return f"needed by how many of {matrix.claims} claims: {', '.join(parts) or 'none'}"


def _stability(found: Stability) -> str:
    if not found:
        return ""
    said = "stable" if found.ok else "NOT STABLE"
    ratios = [row.ratio for row in found.rows if row.ratio is not None]
    greatest = f", greatest spread {max(ratios):.2f}" if ratios else ""
    return f"{said}: {len(found.rows)} rows, {found.variants} variants each{greatest}"


def _record(record: CommittedRecord) -> str:
    if not record:
        return ""
    return "the same" if record.same else f"DIFFERENT in {len(record.differences) or 'some'} places"
