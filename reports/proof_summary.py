"""The proof side of a report as a short table in Markdown, and what of it has to be looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from reports.axioms import axiom_matrix
from reports.claims import certificate_counts, dense_counts
from reports.errata import counted, errata_groups, not_shown
from reports.solvers import solvers_of
from reports.stability import spreads

MAX_LISTED = 10
"""The most problems of one kind that are listed; a note says how many there are beyond."""


def proof_rows(report: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """For each section that the report has its name and how it came out, as plain text."""
    sections: tuple[tuple[str, Callable[[Mapping[str, Any]], str]], ...] = (
        ("Dense time", _dense_time),
        ("Certificates", _certificates),
        ("Solvers", _solvers),
        ("Neighbours", _neighbours),
        ("Changed definitions", _alterations),
        ("Sabotages of the verifier", _sabotages),
        ("Errata of the source", _errata),
        ("Axioms", _axioms),
        ("Stability", _stability),
        ("Committed record", _record),
    )
    for name, describe in sections:
        text = describe(report)
        if text:
            yield name, text


def proof_problems(report: Mapping[str, Any]) -> Iterator[str]:
    """What of the proof side is not as it should be, as plain text; long lists are cut and the rest counted."""
    yield from _some(f"Solvers disagree: {text}" for text in solvers_of(report).disagreements)
    rejected = [
        f"Certificate rejected: {item.get('id')}"
        for claim in report.get("claims") or ()
        for item in claim.get("obligations") or ()
        if (item.get("certificate") or {}).get("checked") is False
    ]
    yield from _some(rejected)
    rows = (report.get("neighbours") or {}).get("claims") or ()
    yield from _some(
        f"{row['open']} neighbours of {row.get('id')} are open" for row in rows if row.get("open")
    )
    yield from _some(f"Erratum not shown: {item.get('id')}" for item in not_shown(report.get("errata") or ()))
    unstable = (report.get("stability") or {}).get("unstable") or ()
    yield from _some(f"Unstable: {_unstable(item)}" for item in unstable)
    differences = (report.get("record") or {}).get("differences") or ()
    yield from _some(f"Differs from the committed record: {text}" for text in differences)


def _some(texts: Iterable[str]) -> Iterator[str]:
    listed = list(texts)
    yield from listed[:MAX_LISTED]
    if len(listed) > MAX_LISTED:
        yield f"and {len(listed) - MAX_LISTED} more such"


def _unstable(item: object) -> str:
    return f"{item.get('id')}, {item.get('solver')}" if isinstance(item, Mapping) else str(item)


def _tally(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {word}" for word, number in counts.items())


def _sum(rows: Iterable[Mapping[str, Any]], key: str) -> int:
    return sum(row[key] for row in rows if isinstance(row.get(key), int))


def _dense_time(report: Mapping[str, Any]) -> str:
    return ", ".join(f"{number} {word}" for number, word in dense_counts(report.get("claims") or ()))


def _certificates(report: Mapping[str, Any]) -> str:
    return _tally(certificate_counts(report.get("claims") or ()))


def _solvers(report: Mapping[str, Any]) -> str:
    found = solvers_of(report)
    rows = [row.solver if row.proofs is None else f"{row.solver}: {row.proofs} proofs" for row in found.rows]
    number = len(found.disagreements)
    said = f"{number or 'no'} {'disagreement' if number == 1 else 'disagreements'}"
    return "; ".join([*rows, said]) if rows or number else ""


def _neighbours(report: Mapping[str, Any]) -> str:
    rows = (report.get("neighbours") or {}).get("claims") or ()
    if not rows:
        return ""
    counts = {"refuted": _sum(rows, "refuted"), "true": _sum(rows, "true"), "open": _sum(rows, "open")}
    return f"{_sum(rows, 'total')} of {len(rows)} claims: {_tally(counts)}"


def _alterations(report: Mapping[str, Any]) -> str:
    rows = report.get("alterations") or ()
    unnoticed = [str(row.get("id") or row.get("name")) for row in rows if not row.get("claim")]
    named = f"; no claim notices {', '.join(_some(unnoticed))}" if unnoticed else ""
    return f"{len(rows) - len(unnoticed)} of {len(rows)} make a claim fail{named}" if rows else ""


def _sabotages(report: Mapping[str, Any]) -> str:
    found = report.get("sabotages") or {}
    rows = found.get("rows") or ()
    unseen = [str(row.get("id")) for row in rows if not row.get("noticed")]
    named = f"; nothing notices {', '.join(_some(unseen))}" if unseen else ""
    tried = f"{len(rows)} of {found.get('of')} tried"
    return f"{tried}, {len(rows) - len(unseen)} noticed{named}" if rows else ""


def _errata(report: Mapping[str, Any]) -> str:
    entries = report.get("errata") or ()
    if not entries:
        return ""
    kinds = _tally({group.kind: len(group.entries) for group in errata_groups(entries)})
    return f"{len(entries) - len(not_shown(entries))} of {len(entries)} shown: {counted(entries)}; {kinds}"


def _axioms(report: Mapping[str, Any]) -> str:
    matrix = axiom_matrix(report.get("axioms") or {})
    if not matrix.claims:
        return ""
    named = zip(matrix.axioms, matrix.counts, strict=True)
    parts = [f"{name} by {number}" for name, number in named]
    return f"needed by how many of {matrix.claims} claims: {', '.join(parts) or 'none'}"


def _stability(report: Mapping[str, Any]) -> str:
    stability = report.get("stability") or {}
    if not stability:
        return ""
    rows = spreads(stability)
    said = "stable" if stability.get("ok") else "NOT STABLE"
    ratios = [row.ratio for row in rows if row.ratio is not None]
    greatest = f", greatest spread {max(ratios):.2f}" if ratios else ""
    return f"{said}: {len(rows)} rows, {stability.get('variants', 'some')} variants each{greatest}"


def _record(report: Mapping[str, Any]) -> str:
    record = report.get("record") or {}
    if not record:
        return ""
    number = len(record.get("differences") or ())
    return "the same" if record.get("same") else f"DIFFERENT in {number or 'some'} places"
