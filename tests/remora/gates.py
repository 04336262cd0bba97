"""Runs of the gate, and a result of it that never took place."""

from pathlib import Path

from campaigns.carlson_lisper.cases import Case
from campaigns.engine.findings import Check, Finding
from campaigns.judging.verdicts import MEANING, Kind, Verdict
from laws.standings import Standing
from remora.gate.gate import Gate, GateResult, Request
from remora.gate.step_proofs import NO_STEPS
from remora.terminal.progress import Progress
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse
from semantics.events import Interval


def outcome(request: Request) -> GateResult:
    return Gate(request, Progress(quiet=True)).run()


def checks(result: GateResult, stage: str) -> dict[str, Check]:
    return {check.name: check for check in result.checks if check.stage == stage}


def a_result(folder: Path) -> GateResult:
    result = GateResult(Request(("my:Own",), folder, seed=3), cases=17, seconds=1.5)
    case = Case(3, 4, "small", parse("a | b"), (Occurrence("a", 1),))
    verdict = Verdict(Kind.MISSING, "at 1: nothing reported", (Interval(1, 1),))
    result.findings.append(
        Finding("laws", "my:Own", MEANING, Kind.MISSING, verdict.detail, case, verdict, "law:2, A | B", "r/1.json")
    )
    result.checks += [
        Check("laws", "law:1", "my:Own", Standing.TESTED, 9),
        Check("laws", "law:2", "my:Own", Standing.REFUTED, 9, "1 of 9 cases failed: a | b & <that>"),
        Check("proofs", "steps", "my:Own", None, 0, NO_STEPS),
        Check("campaign", "random cases", "my:Own", Standing.TESTED, 17),
        Check("mutants", "telling mutants", "", Standing.UNKNOWN, 17, "too few\x00"),
    ]
    return result
