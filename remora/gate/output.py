"""The result of a gate: printed, drawn, as JSON, as Markdown for a reviewer, as JUnit XML."""

import platform
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from campaigns.engine.findings import RELATION, Check, Finding
from campaigns.judging.judgements import UNSTEADY
from campaigns.judging.verdicts import MEANING
from campaigns.systems import cases_of
from laws.standings import ExitStatus
from proofs.proving import RECORDED
from remora import __version__
from remora.api.campaigning import compared_data, drawing, judged_case_data
from remora.api.claiming.data import picked
from remora.gate.gate import GateResult
from remora.gate.step_proofs import AS_RECORDED
from remora.terminal.console import emit, emit_json, message_console, output_console, print_error
from reports.documents import value_of
from reports.drawing.timeline import to_text
from reports.junit import junit_xml
from reports.markdown import page_markdown
from reports.page import VERDICTS, Code, Entry, Outcome, Page, Section, Table, duration
from reports.report import version_of
from semantics.atomic_files import to_json, write_text
from semantics.systems import DEFAULT_SYSTEM

DRAWN = 3  # So many failures of a detector are drawn in each stage, the smallest ones
SHOWN = 400  # So many characters of a trace are printed that is not drawn

_CHECK = ("stage", "name", "detector", "tried", "detail", "refused", "reason")
_FINDING = ("stage", "detector", "by", "detail", "remark", "regression", "steady", "kind")
_CASES = {"regressions": "stored cases", "logs": "of your logs", "campaign": "cases"}
_STYLES = {"passed": "green", "failed": "bold red", "open": "yellow"}


def lines(finding: Finding, width: int = 80) -> str:
    """A failure as text: drawn, in a sentence, how it was found and where it is stored."""
    if finding.verdict is None:
        by = "" if finding.by == MEANING else f" by {finding.by}"
        trace, events = finding.case.trace_text, finding.case.features.events
        shown = trace if len(trace) <= SHOWN else f"{events:,} events, the last of them: … {trace[-SHOWN:]}"
        text = f"{finding.detector}: {finding.kind}{by}\n{finding.case.text}  in  {shown}"
    else:
        text = to_text(drawing(finding.detector, finding.by, finding.kind.value, finding.case, finding.verdict), width)
    text += f"\n{finding.detail}\n"
    text += f"found by: {finding.remark}\n" if finding.remark else ""
    text += "" if finding.steady else f"{UNSTEADY}\n"
    return text + (f"stored: {finding.regression}\n" if finding.regression else "")


def repeated(result: GateResult) -> str:
    """The command that goes through the same cases again."""
    request = result.request
    words = ["--system", request.system] if request.system != DEFAULT_SYSTEM else []
    words += [word for name in request.detectors for word in ("--detector", name)]
    words += ["--seed", str(request.seed), "--cases", str(max(result.cases, 1))]
    words += ["--regressions", str(request.regressions), *request.log_words]
    words += [] if request.master is None else ["--master", request.master]
    return shlex.join(["remora", "gate", *words])


def word(check: Check) -> str:
    """How a check stands; `skipped` if it was not looked at."""
    return "skipped" if check.standing is None else check.standing.value


def stage_lines(result: GateResult) -> Iterator[tuple[str, str, str]]:
    """For each stage: its name, its outcome in a word, and what was done with counts."""
    for stage, found in groupby(result.checks, key=lambda check: check.stage):
        checks = list(found)
        outcome = "passed" if any(check.standing for check in checks) else "skipped"
        if any(check.wrong for check in checks):
            outcome = "failed"
        elif any(check.open for check in checks):
            outcome = "open"
        yield stage, outcome, "; ".join(_counted(stage, checks))


def _counted(stage: str, checks: list[Check]) -> Iterator[str]:
    """Summary of a stage: what was done, refused and failed."""
    looked = [check for check in checks if check.standing is not None]
    if stage != "laws" and stage not in _CASES:
        if stage == "proofs" and looked:
            said = ", ".join(f"{number} {standing}" for standing, number in Counter(map(word, looked)).items())
            again = sum(check.detail in (AS_RECORDED, RECORDED) for check in looked)
            yield said + (f" ({again} as recorded)" if again else "")
        yield from dict.fromkeys(check.detail for check in checks if stage != "proofs" or check.standing is None)
        return
    names, bad = dict.fromkeys(check.name for check in checks), [check for check in looked if check.wrong]
    failed = [f"{check.detector}: {check.name}: {check.detail.partition(': ')[0]}" for check in bad]
    detectors = dict.fromkeys(check.detector for check in checks)
    own = [check for check in checks if not check.name.startswith(RELATION)]
    if stage == "laws":
        rest = f", {len(checks) - len(looked)} skipped" if 0 < len(looked) < len(checks) else ""
        yield f"{len(names)} laws, {sum(check.tried for check in looked):,} comparisons of both sides{rest}"
        failed = [f"violated: {', '.join(dict.fromkeys(check.name for check in bad))}"] if bad else []
    else:
        tried = max((sum(each.tried for each in own if each.detector == of) for of in detectors), default=0)
        whom = "the detector" if len(detectors) == 1 else f"each of {len(detectors)} detectors"
        relations = len({check.name for check in looked if check.name.startswith(RELATION)})
        yield f"{tried:,} {_CASES[stage]} for {whom}" + f", {relations} relations" * (stage == "campaign")
    for detector in detectors:
        refusing = [check for check in own if check.detector == detector and check.refused]
        if refusing:
            most = max(refusing, key=lambda check: (bool(check.reason), check.refused))
            yield f"{detector}: {refused_text(sum(check.refused for check in refusing), most.reason)}"
    yield from failed


def refused_text(number: int, reason: str) -> str:
    """How many cases were neither passed nor failed, and why: `3,965 refused: negations are not taken`."""
    return f"{number:,} refused: {reason}" if reason else f"{number:,} refused"


def gate_data(result: GateResult) -> dict[str, Any]:
    """Everything as plain data, of schema `remora/gate/1`."""
    request = result.request
    return {
        "schema": "remora/gate/1",
        "remora": __version__,
        **({} if result.code is None else {"code": dict(result.code)}),
        "exit_status": int(result.status),
        "green": int(result.status) == 0,
        "summary": result.summary(),
        "not_tried": result.not_tried(),
        **picked(request, "detectors", "seed"),
        "budget": request.budget,
        "cases": result.cases,
        "seconds": round(result.seconds, 3),
        "stages": [{"name": name, "seconds": round(seconds, 3)} for name, seconds in result.stages],
        "checks": [picked(check, *_CHECK) | {"standing": word(check)} for check in result.checks],
        "failures": [
            {
                **picked(found, *_FINDING),
                **judged_case_data(found.case, found.verdict),
                **compared_data(found.by, found.case),
            }
            for found in result.findings
        ],
        "repeat": repeated(result),
    }


def gate_page(result: GateResult) -> Page:
    """The verdict, every check, what was done and within which bounds, what is not covered, how to repeat it."""
    request, system = result.request, cases_of(result.request.system)
    symbol, tone, meaning = VERDICTS[int(result.status)]
    bounds = (
        f"{system.described()}. They are drawn from seed {request.seed}; a case is wrong if one start or end differs"
        " from the semantics.",
        f"A detector has {request.seconds:g} s for each trace; one that is not finished by then is no answer.",
    )
    done = Table(("stage", "outcome", "what was done"), tuple(stage_lines(result)))
    entries, laws = defaultdict[str, list[Entry]](list), system.laws()
    drawn = defaultdict[tuple[str, str], list[Code]](list)  # the smallest failures of a detector in a stage
    for finding in result.smallest_first():
        found = drawn[finding.stage, finding.detector]
        if len(found) < DRAWN:
            found.append(Code(lines(finding), "text"))
    for check in result.checks:
        outcome: Outcome = "skipped" if check.standing is None else "error" if check.open else "passed"
        outcome = "failure" if check.wrong else outcome
        of, tried = (f"{check.detector}: " if check.detector else ""), f"{check.tried:,} cases" if check.tried else ""
        entry = Entry(
            name=check.name,
            group=check.detector or "gate",
            standing=word(check),
            statement=laws.get(check.name, "") if check.stage == "laws" else "",
            said="; ".join(filter(None, (word(check), tried, check.detail))),
            outcome=outcome,
            message="" if outcome == "passed" else f"{of}{check.detail or word(check)}",
            blocks=tuple(drawn.pop((check.stage, check.detector), [])) if check.wrong or check.open else (),
        )
        entries[check.stage].append(entry)
    return Page(
        name="remora gate",
        summary=result.summary(),
        symbol=symbol,
        tone=tone,
        meaning=meaning,
        counts=Counter(word(check) for check in result.checks),
        properties={
            "remora": version_of(__version__, result.code and value_of("code", result.code)),
            "python": platform.python_version(),
            "seed": str(request.seed),
            "cases": str(result.cases),
            "exit status": str(int(result.status)),
            "took": duration(result.seconds),
        },
        command=repeated(result),
        sections=(
            Section(title="What was done", folded=False, blocks=(done, *bounds)),
            Section(title="What this does not say", folded=False, sentences=tuple(_not_covered(result))),
            *(Section(title=stage, entries=tuple(found)) for stage, found in entries.items()),
        ),
    )


def _not_covered(result: GateResult) -> Iterator[str]:
    said, tested = "Nothing is proved: everything here is", "a test of finitely many cases."
    if any(check.standing and check.standing.unbounded for check in result.checks if check.stage == "proofs"):
        said = (
            "Proofs are about the step functions that the detector shows; that it runs these is tested, not proved."
            " Everything else here is"
        )
    yield f"{said} {tested}"
    skipped: dict[tuple[str, str], dict[str, None]] = {}
    for check in result.checks:
        if check.standing is None:
            skipped.setdefault((check.stage, check.detail), {})[check.name] = None
        if check.refused and check.stage != "laws" and not check.name.startswith(RELATION):
            yield f"{check.detector}, {check.name}: {refused_text(check.refused, check.reason)}."
    for (stage, reason), names in skipped.items():
        yield f"Skipped, {stage}: {', '.join(names)}: {reason}."
    yield "Speed and memory are limited here, and not compared with those of an earlier version."


def rendered(result: GateResult, form: str) -> str:
    """A format: JSON, Markdown, or JUnit XML, in which open checks are errors and only what was not run is skipped."""
    if form == "json":
        return to_json(gate_data(result), indent=2) + "\n"
    page = gate_page(result)
    if form == "markdown":
        return page_markdown(page)
    return junit_xml(page.name, page.sections, {**page.properties, "repeat": page.command}, dict(result.stages))


def write_result(folder: Path, result: GateResult) -> None:
    """Write every format into a folder."""
    for form, name in (("markdown", "gate.md"), ("json", "gate.json"), ("junit", "gate.junit.xml")):
        write_text(folder / name, rendered(result, form))


def print_result(result: GateResult, form: str) -> None:
    """Print one format: text, json, markdown or junit."""
    if form == "json":
        emit_json(gate_data(result))
    elif form != "text":
        emit(rendered(result, form))
    else:
        console = output_console()
        for finding in result.smallest_first():
            console.print(lines(finding, console.width))
        for stage, outcome, said in stage_lines(result):
            console.print(f"{stage:12} {outcome:9} {said}", style=_STYLES.get(outcome, ""))
        for check in [check for check in result.checks if check.open and check.stage != "mutants"][:10]:
            print_error(f"open: {check.name} of {check.detector}: {check.detail or 'unknown'}")
        console.print(result.summary(), style="bold green" if result.status is ExitStatus.AS_CLAIMED else "bold red")
        message_console().print(f"{duration(result.seconds)}. The same cases again: {repeated(result)}")
