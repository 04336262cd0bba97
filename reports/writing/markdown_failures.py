"""Everything in a report that is not as it should be, as Markdown: a title, what is known of it, a drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reports.drawing.timeline import to_text
from reports.results.claims import Claim
from reports.results.report import Report
from reports.results.runs import FailedCase
from reports.systems import counterexample_timeline, failure_timeline, is_drawn
from reports.writing.markup import code, fenced, prose

MAX_DRAWN = 5
"""The most timelines of claims that are drawn, and of detectors; a note says how many there are beyond."""

MAX_OPEN = 20
"""The most claims that are listed of which nothing is known; a note says how many there are beyond."""

_NEGATIVE = ("refuted", "disagreement", "error")


@dataclass(frozen=True)
class _Failure:
    """What is wrong: a title, in Markdown, what is known besides, as plain text, and a drawing or ""."""

    title: str
    said: str = ""
    drawing: str = ""


def failures(report: Report) -> Iterator[str]:
    """Lines of Markdown: what makes the run unreliable first, then claims, checks and detectors."""
    yield from _shown(_canaries(report.canaries))
    yield from _shown(_claims(report.claims))
    yield from _open([claim for claim in report.claims if claim.standing == "unknown"])
    yield from _shown(
        _Failure(f"Check failed: {prose(check.what or check.id)} ({prose(check.detail)})")
        for check in report.checks
        if not check.ok
    )
    yield from _shown(
        _Failure(f"{code(item.detector)} differs on {code(item.trace)}: {code(item.expression)}")
        for item in report.detection
        if not item.agree
    )
    yield from _shown(
        [*_cases(report.campaign.failures), *_regressions(report.campaign.regressions.failures)]
    )


def _shown(found: Iterable[_Failure]) -> Iterator[str]:
    drawn = omitted = 0
    for failure in found:
        if failure.drawing and drawn == MAX_DRAWN:
            omitted += 1
            continue
        drawn += bool(failure.drawing)
        yield from (f"**{failure.title}**", "")
        if failure.said:
            yield from (prose(failure.said), "")
        if failure.drawing:
            yield from (*fenced(failure.drawing, "text"), "")
    if omitted:
        yield from (f"{omitted} more with a timeline are in `report.html`.", "")


def _canaries(rows: Iterable[Claim]) -> Iterator[_Failure]:
    for row in rows:
        if not row.ok:
            said = f"{code(row.id)} is false but was NOT REFUTED: {code(row.statement)}"
            yield _Failure(said, row.reason)


def _claims(claims: Iterable[Claim]) -> Iterator[_Failure]:
    for claim in claims:
        if claim.standing not in _NEGATIVE:
            continue
        record = claim.counterexample
        title = f"{code(claim.id)}, standing {prose(claim.standing)}: {code(claim.statement)}"
        if record.get("summary"):
            title = f"{title}, {prose(record['summary'])}"
        words = (claim.source, claim.reading, claim.condition, "" if record else claim.reason)
        drawing = to_text(counterexample_timeline(record)) if record and is_drawn(record) else ""
        yield _Failure(title, " — ".join(text for text in words if text), drawing)


def _open(found: Sequence[Claim]) -> Iterator[str]:
    """Claims of which nothing is known, each with the reason."""
    for claim in found[:MAX_OPEN]:
        reason = prose(claim.reason or "no reason is recorded")
        yield f"- Open: {code(claim.id)}, {code(claim.statement)}: {reason}"
    if len(found) > MAX_OPEN:
        yield f"- and {len(found) - MAX_OPEN} more are open"
    if found:
        yield ""


def _cases(cases: Iterable[FailedCase]) -> list[_Failure]:
    """Failing cases of the campaign, one of each detector before a second one of any."""
    turn = Counter[str]()
    found: list[tuple[int, _Failure]] = []
    for case in cases:
        turn[case.detector] += 1
        title = f"{code(case.detector)}: {prose(case.kind or 'failing case')} in campaign case"
        title += f" {code(case.case)}; replay with {code(case.replay)}"
        found.append((turn[case.detector], _Failure(title, _detail(case), to_text(failure_timeline(case)))))
    return [failure for _, failure in sorted(found, key=lambda each: each[0])]


def _detail(case: FailedCase) -> str:
    return (
        case.detail if case.relation in ("", "meaning") else f"By the relation {case.relation}: {case.detail}"
    )


def _regressions(cases: Iterable[FailedCase]) -> Iterator[_Failure]:
    for case in cases:
        title = f"{code(case.detector)} fails the stored regression {code(case.regression)}"
        yield _Failure(title, _detail(case), to_text(failure_timeline(case)))
