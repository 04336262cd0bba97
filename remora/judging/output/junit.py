"""The result of a gate as JUnit XML: one test case for each law, relation, lemma and set of cases, by detector."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from itertools import groupby

from remora import __version__
from remora.judging.output.reports import lines, repeated, word
from remora.judging.results import Check, Finding, GateResult
from reports.junit import junit_xml
from reports.page import Code, Entry, Outcome, Section


def junit(result: GateResult) -> str:
    """What is wrong is a failure, what is open an error; skipped is what was not run, and nothing else."""
    properties = {
        "remora": __version__,
        "python": platform.python_version(),
        "seed": str(result.request.seed),
        "cases": str(result.cases),
        "exit status": str(int(result.status)),
        "repeat": repeated(result),
    }
    sections = [
        Section(title=stage, entries=tuple(_entry(check, result.findings) for check in checks))
        for stage, checks in groupby(result.checks, key=lambda check: check.stage)
    ]
    return junit_xml("remora gate", sections, properties, dict(result.stages))


def _entry(check: Check, findings: Sequence[Finding]) -> Entry:
    outcome: Outcome = "passed"
    if check.standing is None:
        outcome = "skipped"
    elif check.wrong or check.open:
        outcome = "failure" if check.wrong else "error"
    drawn = [lines(f) for f in findings if f.stage == check.stage and f.detector == check.detector]
    tried = f"{check.tried:,} cases" if check.tried else ""
    return Entry(
        name=check.name,
        group=check.detector or "gate",
        standing=word(check),
        said="; ".join(part for part in (word(check), tried, check.detail) if part),
        outcome=outcome,
        message="" if outcome == "passed" else check.detail or word(check),
        blocks=(Code("\n".join(drawn)),) if drawn else (),
    )
