"""A report as a short Markdown summary, as for a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from reports.proof_summary import proof_problems, proof_rows
from reports.records import is_drawn
from reports.separating_cases import side_by_side_lines
from reports.standings import NO_VERDICT, VERDICTS, in_order
from reports.timeline import counterexample_timeline, failure_timeline, to_text

MAX_DRAWN = 5
"""The most timelines that are drawn; a note says how many there are beyond."""

_NEGATIVE = ("refuted", "disagreement", "error")


def render_markdown(report: Mapping[str, Any]) -> str:
    """The verdict, the counts by standing, and each failure with its timeline as text."""
    return "\n".join(_lines(report)).rstrip() + "\n"


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    verdict = report.get("verdict") or {}
    symbol, _, meaning = VERDICTS.get(verdict.get("exit_status", -1), NO_VERDICT)
    yield f"## {symbol} {_prose(verdict.get('summary') or meaning)}"
    yield ""
    counts = verdict.get("counts") or {}
    if counts:
        yield "| Standing | Claims |"
        yield "|---|---:|"
        for standing in in_order(counts):
            yield f"| {_prose(f'{standing.symbol} {standing.word}')} | {_prose(counts[standing.word])} |"
        yield ""
    for problem in verdict.get("problems") or ():
        yield f"- {_prose(problem)}"
    for warning in report.get("warnings") or ():
        yield f"- Warning: {_prose(warning)}"
    yield from (f"- {_prose(problem)}" for problem in proof_problems(report))
    yield ""
    rows = list(proof_rows(report))
    if rows:
        yield "| Proofs | Outcome |"
        yield "|---|---|"
        yield from (f"| {name} | {_prose(text)} |" for name, text in rows)
        yield ""
    yield from _failures(report)
    cases = list(side_by_side_lines(report))
    if cases:
        yield "| Side by side | Trace | Here | Otherwise |"
        yield "|---|---|---|---|"
        for expression, *texts in cases:
            yield f"| {_code(expression).replace('|', chr(92) + '|')} | {' | '.join(map(_prose, texts))} |"
        yield ""
    ran = [f"`{name}` {_code(report[name])}" for name in ("command", "seed", "remora") if name in report]
    if ran:
        yield ", ".join(ran)


def _failures(report: Mapping[str, Any]) -> Iterator[str]:
    drawings: list[tuple[str, str]] = []
    for claim in report.get("claims") or ():
        if claim.get("standing") in _NEGATIVE:
            record = claim.get("counterexample")
            standing = _prose(claim["standing"])
            title = f"{_code(claim.get('id'))}, standing {standing}: {_code(claim.get('statement'))}"
            if record and record.get("summary"):
                title = f"{title}, {_prose(record['summary'])}"
            drawn = record and is_drawn(record)
            drawings.append((title, to_text(counterexample_timeline(record)) if drawn else ""))
    for canary in report.get("canaries") or ():
        if not canary.get("ok"):
            title = (
                f"{_code(canary.get('id'))} is false but was NOT REFUTED: {_code(canary.get('statement'))}"
            )
            drawings.insert(0, (title, ""))
    for check in report.get("checks") or ():
        if not check.get("ok"):
            what = check.get("what") or check.get("id")
            drawings.append((f"Check failed: {_prose(what)} ({_prose(check.get('detail', ''))})", ""))
    for item in report.get("detection") or ():
        if not item.get("agree"):
            where = f"{_code(item.get('detector'))} differs on {_code(item.get('trace'))}"
            title = f"{where}: {_code(item.get('expression'))}"
            drawings.append((title, ""))
    campaign = report.get("campaign") or {}
    failures = campaign.get("failures") or ()
    for failure in failures:
        title = f"Campaign case {_code(failure.get('case'))}; replay with {_code(failure.get('replay'))}"
        drawings.append((title, to_text(failure_timeline(failure))))
    left_out = 0
    drawn = 0
    for title, text in drawings:
        if text and drawn == MAX_DRAWN:
            left_out += 1
            continue
        yield f"**{title}**"
        yield ""
        if text:
            drawn += 1
            fence = "`" * max(3, _longest_run(text) + 1)
            yield from (f"{fence}text", text.rstrip("\n"), fence, "")
    if left_out:
        yield f"{left_out} more with a timeline are in `report.html`."
        yield ""


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _code(value: object) -> str:
    """A value as inline code, whatever backticks, line breaks or bars it contains."""
    text = " ".join(str(value).split())
    fence = "`" * (_longest_run(text) + 1)
    space = " " if text.startswith("`") or text.endswith("`") or not text else ""
    return f"{fence}{space}{text}{space}{fence}"


def _prose(value: object) -> str:
    """A value as running text: nothing in it is Markdown or HTML, or mentions an account."""
    text = re.sub(r"([\\`*_{}\[\]<>#|~&$])", r"\\\1", " ".join(str(value).split()))
    return text.replace("@", "@\u200b")
