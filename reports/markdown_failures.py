"""Everything in a report that is not as it should be, as Markdown: a title, what is known of it, a drawing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reports.markup import code, fenced, prose
from reports.systems import counterexample_timeline, failure_timeline, is_drawn
from reports.timeline import to_text

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


def failures(report: Mapping[str, Any]) -> Iterator[str]:
    """Lines of Markdown: what makes the run unreliable first, then claims, checks and detectors."""
    campaign = report.get("campaign") or {}
    yield from _shown(_canaries(report.get("canaries") or ()))
    yield from _shown(_claims(report.get("claims") or ()))
    yield from _open(report.get("claims") or ())
    yield from _shown(_checks(report.get("checks") or ()))
    yield from _shown(_detections(report.get("detection") or ()))
    yield from _shown([*_cases(campaign), *_regressions(campaign)])


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


def _canaries(rows: Iterable[Mapping[str, Any]]) -> Iterator[_Failure]:
    for row in rows:
        if not row.get("ok"):
            said = f"{code(row.get('id'))} is false but was NOT REFUTED: {code(row.get('statement'))}"
            yield _Failure(said, str(row.get("reason") or ""))


def _claims(claims: Iterable[Mapping[str, Any]]) -> Iterator[_Failure]:
    for claim in claims:
        if claim.get("standing") not in _NEGATIVE:
            continue
        record = claim.get("counterexample") or {}
        title = (
            f"{code(claim.get('id'))}, standing {prose(claim['standing'])}: {code(claim.get('statement'))}"
        )
        if record.get("summary"):
            title = f"{title}, {prose(record['summary'])}"
        words = [str(claim.get(key) or "") for key in ("source", "reading", "condition")]
        reason = "" if record else str(claim.get("reason") or "")
        drawing = to_text(counterexample_timeline(record)) if record and is_drawn(record) else ""
        yield _Failure(title, " — ".join(text for text in (*words, reason) if text), drawing)


def _open(claims: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Claims of which nothing is known, each with the reason."""
    found = [claim for claim in claims if claim.get("standing") == "unknown"]
    for claim in found[:MAX_OPEN]:
        reason = prose(claim.get("reason") or "no reason is recorded")
        yield f"- Open: {code(claim.get('id'))}, {code(claim.get('statement'))}: {reason}"
    if len(found) > MAX_OPEN:
        yield f"- and {len(found) - MAX_OPEN} more are open"
    if found:
        yield ""


def _checks(checks: Iterable[Mapping[str, Any]]) -> Iterator[_Failure]:
    for check in checks:
        if not check.get("ok"):
            what = check.get("what") or check.get("id")
            yield _Failure(f"Check failed: {prose(what)} ({prose(check.get('detail', ''))})")


def _detections(items: Iterable[Mapping[str, Any]]) -> Iterator[_Failure]:
    for item in items:
        if not item.get("agree"):
            where = f"{code(item.get('detector'))} differs on {code(item.get('trace'))}"
            yield _Failure(f"{where}: {code(item.get('expression'))}")


def _cases(campaign: Mapping[str, Any]) -> list[_Failure]:
    """Failing cases of the campaign, one of each detector before a second one of any."""
    turn: dict[str, int] = {}
    found: list[tuple[int, _Failure]] = []
    for case in campaign.get("failures") or ():
        name = str(case.get("detector"))
        turn[name] = turn.get(name, 0) + 1
        title = f"{code(name)}: {prose(case.get('kind') or 'failing case')} in campaign case"
        title += f" {code(case.get('case'))}; replay with {code(case.get('replay'))}"
        found.append((turn[name], _Failure(title, _detail(case), to_text(failure_timeline(case)))))
    return [failure for _, failure in sorted(found, key=lambda each: each[0])]


def _detail(case: Mapping[str, Any]) -> str:
    by = case.get("relation")
    said = "" if by in (None, "meaning") else f"By the relation {by}: "
    return f"{said}{case.get('detail') or ''}"


def _regressions(campaign: Mapping[str, Any]) -> Iterator[_Failure]:
    for row in (campaign.get("regressions") or {}).get("failures") or ():
        title = f"{code(row.get('detector'))} fails the stored regression {code(row.get('regression'))}"
        yield _Failure(title, _detail(row), to_text(failure_timeline(row)))
