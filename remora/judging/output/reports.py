"""The result of a gate in short, as drawings and as JSON."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from campaigns.judging.afresh import UNSTEADY
from campaigns.judging.verdicts import MEANING, Verdict
from remora import __version__
from remora.api.claiming.data import JsonObject
from remora.judging.cases import RELATION
from remora.judging.output.failing_cases import compared_data, drawing, judged_case_data
from remora.judging.results import Check, Finding, GateResult
from remora.judging.step_proofs import AS_RECORDED
from reports.drawing.timeline import to_text
from semantics.systems import DEFAULT_SYSTEM

SCHEMA = "remora/gate/1"

SKIPPED = "skipped"
"""In the place of a standing."""

TITLES = {
    "regressions": "cases that failed before",
    "nearby": "cases near those that failed before",
    "logs": "windows of your own logs",
    "laws": "laws, both sides of each on the same traces",
    "proofs": "proofs of the steps",
    "conditions": "conditions by which detectors forget",
    "texts": "texts that detectors have for one instant of a pattern, against proved steps",
    "campaign": "random cases against the semantics, and relations between cases",
    "mutants": "whether these cases find wrong detectors",
}
"""What is done in each stage."""


def repeated(result: GateResult) -> str:
    """The command that goes through the same cases again."""
    request = result.request
    words = ["remora", "gate"]
    if request.system != DEFAULT_SYSTEM:
        words += ["--system", request.system]
    for name in request.detectors:
        words += ["--detector", name]
    words += ["--seed", str(request.seed), "--cases", str(max(result.cases, 1))]
    words += ["--regressions", str(request.regressions), *request.log_words]
    if request.master is not None:
        words += ["--master", request.master]
    return shlex.join(words)


def lines(finding: Finding, width: int = 80) -> str:
    """A failure as text: drawn, in a sentence, how it was found and where it is stored."""
    by = "" if finding.by == MEANING else f" by {finding.by}"
    if finding.verdict is None:
        text = f"{finding.detector}: {finding.kind}{by}\n{finding.case}\n"
    else:
        drawn = drawing(finding.detector, finding.by, finding.kind.value, finding.case, finding.verdict)
        text = to_text(drawn, width) + "\n"
    text += f"{finding.detail}\n"
    if finding.remark:
        text += f"found by: {finding.remark}\n"
    if not finding.steady:
        text += f"{UNSTEADY}\n"
    if finding.regression:
        text += f"stored: {finding.regression}\n"
    return text


def gate_data(result: GateResult) -> JsonObject:
    """Everything as plain data, of schema `remora/gate/1`."""
    request = result.request
    return {
        "schema": SCHEMA,
        "remora": __version__,
        **({} if result.code is None else {"code": dict(result.code)}),
        "exit_status": int(result.status),
        "green": int(result.status) == 0,
        "summary": result.summary(),
        "detectors": list(request.detectors),
        "seed": request.seed,
        "budget": request.budget,
        "cases": result.cases,
        "seconds": round(result.seconds, 3),
        "stages": [{"name": name, "seconds": round(seconds, 3)} for name, seconds in result.stages],
        "checks": [_check_data(check) for check in result.checks],
        "failures": [_finding_data(finding) for finding in result.findings],
        "repeat": repeated(result),
    }


def _check_data(check: Check) -> JsonObject:
    return {
        "stage": check.stage,
        "name": check.name,
        "detector": check.detector,
        "standing": word(check),
        "tried": check.tried,
        "detail": check.detail,
        "refused": check.refused,
        "reason": check.reason,
    }


def word(check: Check) -> str:
    """How a check stands; `skipped` if it was not looked at."""
    return SKIPPED if check.standing is None else check.standing.value


def _finding_data(finding: Finding) -> JsonObject:
    return {
        "stage": finding.stage,
        "detector": finding.detector,
        "by": finding.by,
        "kind": finding.kind.value,
        "detail": finding.detail,
        "remark": finding.remark,
        "regression": finding.regression,
        "steady": finding.steady,
        **judged_case_data(finding.case, finding.verdict or Verdict(None, "", ())),
        **compared_data(finding.by, finding.case),
    }


# ----------------------------------------------------------------------------------------------------- in short


def stage_lines(result: GateResult) -> Iterator[tuple[str, str, str]]:
    """For each stage: its name, its outcome in a word, and what was done with counts."""
    for stage, found in groupby(result.checks, key=lambda check: check.stage):
        checks = list(found)
        looked = [check for check in checks if check.standing is not None]
        bad = [check for check in looked if check.wrong]
        vague = any(check.open for check in looked)
        outcome = "failed" if bad else "open" if vague else "passed" if looked else SKIPPED
        yield stage, outcome, _counted(stage, checks, looked, bad)


def _counted(stage: str, checks: Sequence[Check], looked: Sequence[Check], bad: Sequence[Check]) -> str:
    skipped = len(checks) - len(looked)
    rest = f", {skipped} {SKIPPED}" if skipped and looked else ""
    match stage:
        case "regressions":
            tried = max((check.tried for check in looked), default=0)
            said = f"{tried} stored cases for {_each(looked)}" if looked else ""
            return _with(said, checks, [f"{c.detector}: {c.detail.partition('; ')[0]}" for c in bad])
        case "nearby":
            tried = max((check.tried for check in looked), default=0)
            said = f"{tried:,} cases near them for {_each(checks)}"
            return _with(said, checks, [f"{c.detector}: {c.detail.partition(': ')[0]}" for c in bad])
        case "logs":
            tried = max((check.tried for check in looked), default=0)
            said = f"{tried:,} windows of your logs for {_each(checks)}"
            return _with(said, checks, [f"{c.detector}: {c.detail.partition(': ')[0]}" for c in bad])
        case "laws":
            names = {check.name for check in checks}
            tried = sum(check.tried for check in looked)
            failed = sorted({check.name for check in bad}, key=[c.name for c in checks].index)
            said = f"{len(names)} laws, {tried:,} comparisons of both sides{rest}"
            return _with(said, checks, [f"violated: {', '.join(failed)}"] if failed else [])
        case "proofs":
            standings = Counter(word(check) for check in looked)
            said = ", ".join(f"{number} {word}" for word, number in standings.items())
            remarks = {check.detail for check in checks if check.standing is None}
            again = sum(check.detail == AS_RECORDED for check in looked)
            if again:
                said += f" ({again} as recorded)"
            return "; ".join([said, *sorted(remarks)] if said else sorted(remarks))
        case "campaign":
            cases = max((c.tried for c in looked if not _is_relation(c)), default=0)
            relations = len({c.name for c in looked if _is_relation(c)})
            said = f"{cases:,} cases for {_each(checks)}, {relations} relations"
            of_meaning = [check for check in checks if not _is_relation(check)]
            failed = [f"{c.detector}: {c.name}: {c.detail.partition(': ')[0]}" for c in bad]
            return _with(said, of_meaning, failed)
        case _:
            return "; ".join(dict.fromkeys(check.detail for check in checks))


def _is_relation(check: Check) -> bool:
    return check.name.startswith(RELATION)


def _with(said: str, checks: Sequence[Check], failed: Sequence[str]) -> str:
    """A sentence, what was refused, and what failed."""
    return "; ".join(part for part in (said, *_refused(checks), *failed) if part)


def _refused(checks: Sequence[Check]) -> Iterator[str]:
    """For each detector, how much it refused, and why most often."""
    several = len({check.detector for check in checks}) > 1
    for detector in dict.fromkeys(check.detector for check in checks):
        of_it = [check for check in checks if check.detector == detector and check.refused]
        if of_it:
            most = max(of_it, key=lambda check: (bool(check.reason), check.refused))
            said = refused_text(sum(check.refused for check in of_it), most.reason)
            yield f"{detector}: {said}" if several else said


def refused_text(number: int, reason: str) -> str:
    """How many cases were neither passed nor failed, and why: `3,965 refused: negations are not taken`."""
    return f"{number:,} refused: {reason}" if reason else f"{number:,} refused"


def _each(checks: Sequence[Check]) -> str:
    number = len({check.detector for check in checks})
    return "the detector" if number == 1 else f"each of {number} detectors"
