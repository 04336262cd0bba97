"""The result of a gate: printed, drawn, as JSON, as Markdown for a reviewer, as JUnit XML."""

from __future__ import annotations

import hashlib
import itertools
import platform
import shlex
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Any

from campaigns.imports import names_code
from campaigns.judging.findings import RELATION, Check, Finding, compared_data, judged_case_data
from campaigns.judging.judgements import UNSTEADY
from campaigns.judging.verdicts import MEANING, Verdict
from campaigns.systems import cases_of
from laws.standings import ExitStatus
from proofs.proving import RECORDED
from remora import __version__
from remora.api.claiming.data import to_json
from remora.gate.drawing import drawing
from remora.gate.gate import GateResult, duration
from remora.gate.step_proofs import AS_RECORDED
from remora.terminal.console import emit, emit_json, message_console, output_console, print_error
from remora.terminal.texts import counted
from reports.documents import value_of
from reports.drawing.timeline import to_text
from reports.junit import junit_xml
from reports.markdown import page_markdown
from reports.page import Code, Entry, Outcome, Page, Section, Table
from reports.report import version_of
from reports.standings import Tone
from semantics.atomic_files import write_text
from semantics.errors import InputError
from semantics.systems import DEFAULT_SYSTEM

SCHEMA = "remora/gate/1"

SKIPPED = "skipped"
"""In the place of a standing."""

TITLES = {
    "regressions": "cases that failed before",
    "logs": "your own logs, each as a whole",
    "laws": "laws, both sides of each on the same traces",
    "proofs": "proofs of the steps",
    "conditions": "conditions by which detectors forget",
    "texts": "texts that detectors have for one instant of a pattern, against proved steps",
    "campaign": "random cases against the semantics, and relations between cases",
    "mutants": "whether these cases find wrong detectors",
}
"""The work of each stage, in words."""


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


def gate_data(result: GateResult) -> dict[str, Any]:
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


def _check_data(check: Check) -> dict[str, Any]:
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


def _finding_data(finding: Finding) -> dict[str, Any]:
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
        yield stage, outcome, "; ".join(_counted(stage, checks, looked, bad))


def _counted(stage: str, checks: Sequence[Check], looked: Sequence[Check], bad: Sequence[Check]) -> Iterator[str]:
    """Summary of a stage: what was done, refused and failed."""
    of_meaning = [check for check in looked if not check.name.startswith(RELATION)]
    tried = max((check.tried for check in of_meaning), default=0)
    number = len({check.detector for check in checks})
    detectors = "the detector" if number == 1 else f"each of {number} detectors"
    failed = [f"{check.detector}: {check.detail.partition(': ')[0]}" for check in bad]
    match stage:
        case "regressions" if looked:
            yield f"{tried} stored cases for {detectors}"
        case "logs":
            yield f"{tried:,} of your logs for {detectors}"
        case "laws":
            names = list(dict.fromkeys(check.name for check in checks))
            rest = f", {len(checks) - len(looked)} {SKIPPED}" if 0 < len(looked) < len(checks) else ""
            yield f"{len(names)} laws, {sum(check.tried for check in looked):,} comparisons of both sides{rest}"
            violated = {check.name for check in bad}
            failed = [f"violated: {', '.join(name for name in names if name in violated)}"] if violated else []
        case "campaign":
            relations = len({check.name for check in looked if check.name.startswith(RELATION)})
            yield f"{tried:,} cases for {detectors}, {relations} relations"
            failed = [f"{check.detector}: {check.name}: {check.detail.partition(': ')[0]}" for check in bad]
        case "proofs":
            standings = Counter(word(check) for check in looked)
            again = sum(check.detail in (AS_RECORDED, RECORDED) for check in looked)
            if looked:
                said = ", ".join(f"{number} {word}" for word, number in standings.items())
                yield said + (f" ({again} as recorded)" if again else "")
            yield from sorted({check.detail for check in checks if check.standing is None})
            return
        case _:
            yield from dict.fromkeys(check.detail for check in checks)
            return
    yield from _refused([check for check in checks if stage != "campaign" or not check.name.startswith(RELATION)])
    yield from failed


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


# ------------------------------------------------------------------------------------------------- as a page

DRAWN = 3
"""So many failures of a detector are drawn in each stage, the smallest ones."""

_SIGNS: Mapping[ExitStatus, tuple[str, Tone]] = {
    ExitStatus.AS_CLAIMED: ("✅", "good"),
    ExitStatus.REFUTED: ("❌", "bad"),
    ExitStatus.DISAGREEMENT: ("❌", "bad"),
}


def gate_page(result: GateResult) -> Page:
    """The verdict, every check, what was done and within which bounds, what is not covered, how to repeat it."""
    symbol, tone = _SIGNS.get(result.status, ("⚠️", "open"))
    rows = tuple((TITLES[stage], outcome, said) for stage, outcome, said in stage_lines(result))
    done = Table(("stage", "outcome", "what was done"), rows)
    entries, shown = defaultdict[str, list[Entry]](list), set[tuple[str, str]]()
    laws = cases_of(result.request.system).laws()
    for check in result.checks:
        place = check.stage, check.detector
        drawn = _drawn(result, check) if (check.wrong or check.open) and place not in shown else ()
        shown |= {place} if drawn else set()
        entries[check.stage].append(_entry(check, laws, drawn))
    by = version_of(__version__, result.code and value_of("code", result.code))
    return Page(
        name="remora gate",
        summary=result.summary(),
        symbol=symbol,
        tone=tone,
        counts=Counter(word(check) for check in result.checks),
        properties={
            "remora": by,
            "python": platform.python_version(),
            "seed": str(result.request.seed),
            "cases": str(result.cases),
            "exit status": str(int(result.status)),
            "took": duration(result.seconds),
        },
        command=repeated(result),
        sections=(
            Section(title="What was done", folded=False, blocks=(done, *_bounds(result))),
            Section(title="What this does not say", folded=False, sentences=tuple(_not_covered(result))),
            *(Section(title=stage, entries=tuple(found)) for stage, found in entries.items()),
        ),
    )


def markdown(result: GateResult) -> str:
    """Markdown for a reviewer."""
    return page_markdown(gate_page(result))


def junit(result: GateResult) -> str:
    """JUnit XML: wrong checks are failures, open ones errors, and only those that were not run are skipped."""
    page = gate_page(result)
    return junit_xml(page.name, page.sections, {**page.properties, "repeat": page.command}, dict(result.stages))


def _entry(check: Check, laws: Mapping[str, str], drawn: tuple[Code, ...]) -> Entry:
    outcome: Outcome = "passed"
    if check.standing is None:
        outcome = "skipped"
    elif check.wrong or check.open:
        outcome = "failure" if check.wrong else "error"
    tried = f"{check.tried:,} cases" if check.tried else ""
    of = f"{check.detector}: " if check.detector else ""
    return Entry(
        name=check.name,
        group=check.detector or "gate",
        standing=word(check),
        statement=laws.get(check.name, "") if check.stage == "laws" else "",
        said="; ".join(part for part in (word(check), tried, check.detail) if part),
        outcome=outcome,
        message="" if outcome == "passed" else f"{of}{check.detail or word(check)}",
        blocks=drawn,
    )


def _drawn(result: GateResult, check: Check) -> tuple[Code, ...]:
    """The smallest failures of a detector in a stage."""
    found = [f for f in result.smallest_first() if (f.stage, f.detector) == (check.stage, check.detector)]
    more = len(found) - DRAWN
    rest = [Code(f"{more} more failures of {check.detector} are in the result as JSON.")] if more > 0 else []
    return (*(Code(lines(finding), "text") for finding in found[:DRAWN]), *rest)


def _bounds(result: GateResult) -> Iterator[str]:
    """The cases in numbers; and where a detector of the user's stands, with what was in that file."""
    request = result.request
    yield (
        f"{cases_of(request.system).described()}. They are drawn from seed {request.seed}, and a case is wrong if"
        " one start or end differs from the semantics."
    )
    yield f"A detector has {request.seconds:g} s for each trace; one that is not finished by then is no answer."
    for name in filter(names_code, request.detectors):
        with suppress(InputError):
            cases_of(request.system).factory(name, request.search_path)  # which imports the module
            path = Path(sys.modules[name.partition(":")[0]].__file__ or "")
            if path.is_file():
                digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
                yield f"{name} is from {path.name}; the SHA-256 of that file begins with {digest}."


def _not_covered(result: GateResult) -> Iterator[str]:
    proofs = [check for check in result.checks if check.stage == "proofs"]
    if any(check.standing is not None and check.standing.unbounded for check in proofs):
        yield (
            "Proofs are about the step functions that the detector shows; that it runs these is tested, not proved."
            " Everything else here is a test of finitely many cases."
        )
    else:
        yield "Nothing is proved: everything here is a test of finitely many cases."
    skipped: dict[tuple[str, str], dict[str, None]] = {}
    for check in result.checks:
        if check.standing is None:
            skipped.setdefault((check.stage, check.detail), {})[check.name] = None
    for (stage, reason), names in skipped.items():
        yield f"Skipped, {stage}: {', '.join(names)}: {reason}."
    for check in result.checks:
        if check.refused and check.stage != "laws" and not check.name.startswith(RELATION):
            yield f"{check.detector}, {check.name}: {refused_text(check.refused, check.reason)}."
    yield "Speed and memory are limited here, and not compared with those of an earlier version."


# -------------------------------------------------------------------------------------------------- printed

TEXTS: Mapping[str, Callable[[GateResult], str]] = {"markdown": markdown, "junit": junit}
"""The formats that are a text of their own."""

_STYLES = {"passed": "green", "failed": "bold red", "open": "yellow"}


def print_findings(result: GateResult) -> None:
    """Draw the failures, the smallest first."""
    console = output_console()
    for finding in result.smallest_first():
        console.print(lines(finding, console.width))


def write_result(folder: Path, result: GateResult) -> None:
    """Write every format into a folder."""
    write_text(folder / "gate.md", markdown(result))
    write_text(folder / "gate.json", to_json(gate_data(result), indent=2) + "\n")
    write_text(folder / "gate.junit.xml", junit(result))


def print_result(result: GateResult, form: str) -> None:
    """Print one format: text, json, or a key of `TEXTS`."""
    if form == "json":
        emit_json(gate_data(result))
    elif form in TEXTS:
        emit(TEXTS[form](result))
    else:
        _print(result)


def _print(result: GateResult) -> None:
    print_findings(result)
    console = output_console()
    for stage, outcome, said in stage_lines(result):
        console.print(f"{stage:12} ", end="")
        console.print(f"{outcome:9} ", style=_STYLES.get(outcome, ""), end="")
        console.print(said)
    asked: dict[tuple[str, str], list[str]] = {}
    for check in result.open():
        if check.stage != "mutants":
            asked.setdefault((check.name, check.detail or "unknown"), []).append(check.detector)
    for (name, detail), detectors in itertools.islice(asked.items(), 10):
        of = detectors[0] if len(detectors) == 1 else f"of {counted(len(detectors), 'detector')}"
        print_error(f"open: {name} {of}: {detail}")
    green = result.status is ExitStatus.AS_CLAIMED
    console.print(result.summary(), style="bold green" if green else "bold red")
    message_console().print(f"{duration(result.seconds)}. The same cases again: {repeated(result)}")
