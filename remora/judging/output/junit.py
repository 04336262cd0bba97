"""The result of a gate as JUnit XML: one test case for each law, relation, lemma and set of cases, by detector."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from itertools import groupby

from remora import __version__
from remora.judging.output.reports import lines, repeated, word
from remora.judging.results import Check, Finding, GateResult
from reports.writing.junit import Outcome, Suite, TestCase, junit_xml


def junit(result: GateResult) -> str:
    """What is wrong is a failure, what is open an error; skipped is what was not run, and nothing else."""
    seconds = dict(result.stages)
    properties = {
        "remora": __version__,
        "python": platform.python_version(),
        "seed": result.request.seed,
        "cases": result.cases,
        "exit status": int(result.status),
        "repeat": repeated(result),
    }
    suites = [
        Suite(stage, [_case(check, result.findings) for check in checks], properties, seconds.get(stage, 0.0))
        for stage, checks in groupby(result.checks, key=lambda check: check.stage)
    ]
    return junit_xml("remora gate", suites)


def _case(check: Check, findings: Sequence[Finding]) -> TestCase:
    outcome: Outcome = (
        "skipped"
        if check.standing is None
        else "failure"
        if check.wrong
        else "error"
        if check.open
        else "passed"
    )
    drawn = [lines(f) for f in findings if f.stage == check.stage and f.detector == check.detector]
    tried = f"{check.tried:,} cases" if check.tried else ""
    return TestCase(
        check.name,
        check.detector or "gate",
        outcome,
        word(check),
        "" if outcome == "passed" else check.detail or word(check),
        "\n".join(drawn),
        "; ".join(part for part in (word(check), tried, check.detail) if part),
    )
