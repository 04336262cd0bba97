"""The result of a gate as Markdown: all that a reviewer needs who has nothing else in front of him."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import groupby
from pathlib import Path

from campaigns.imports import names_code
from campaigns.systems import cases_of
from laws.standings import ExitStatus
from remora import __version__
from remora.judging.budget import duration
from remora.judging.cases import RELATION
from remora.judging.output.reports import TITLES, lines, refused_text, repeated, stage_lines, word
from remora.judging.results import Check, Finding, GateResult
from reports.documents.report import Code
from reports.markdown import code, code_cell, fenced, folded, prose, table
from reports.report import version_of
from semantics.errors import InputError

DRAWN = 3
"""So many failures of a detector are drawn at once, the smallest ones; the others are folded away."""

FOLDED = 5
"""And so many of these; a note says how many there are beyond, for a comment on a pull request has a greatest size."""

LISTED = 20
"""At most so many checks are listed by name; a note says how many there are beyond."""

_SIGNS = {ExitStatus.AS_CLAIMED: "✅", ExitStatus.REFUTED: "❌", ExitStatus.DISAGREEMENT: "❌"}


def markdown(result: GateResult) -> str:
    """The verdict, what failed, what was done and within which bounds, what is not covered, how to repeat it."""
    sign = _SIGNS.get(result.status, "⚠️")
    parts = [f"## {sign} {prose(result.summary())}", "", _in_short(result), ""]
    parts += _failures(result)
    parts += _failed_checks(result)
    parts += _open(result)
    parts += ["### What was done", ""]
    parts += table(
        ("stage", "outcome", "what was done"),
        [(prose(TITLES[stage]), outcome, prose(said)) for stage, outcome, said in stage_lines(result)],
    )
    parts += [f"- {line}" for line in _bounds(result)]
    parts += ["", "### What this does not say", ""]
    parts += [f"- {line}" for line in _not_covered(result)]
    parts += ["", "### The same cases again", "", *fenced(repeated(result), "sh"), ""]
    parts += [f"- {line}" for line in _subjects(result)]
    by = version_of(__version__, None if result.code is None else Code(**result.code))
    parts += [
        f"- Remora {prose(by)}, Python {prose(platform.python_version())}, seed {result.request.seed};"
        f" it took {duration(result.seconds)}.",
        "",
    ]
    return "\n".join(parts)


def _in_short(result: GateResult) -> str:
    """One line for who reads no further."""
    looked = [check for check in result.checks if check.standing is not None and check.stage != "mutants"]
    bad = [check for check in looked if check.wrong]
    names = ", ".join(map(code, result.request.detectors))
    kinds = dict.fromkeys(finding.kind.value for finding in result.findings)
    found = f": {', '.join(map(prose, kinds))}" if kinds else ""
    return f"{names}: {len(bad)} of {len(looked)} checks failed{found}."


# ----------------------------------------------------------------------------------------------------- failures


def _failures(result: GateResult) -> Iterator[str]:
    """The smallest cases drawn, by detector; the others folded away."""
    for detector in dict.fromkeys(finding.detector for finding in result.findings):
        found = [finding for finding in result.smallest_first() if finding.detector == detector]
        for finding in found[:DRAWN]:
            yield from _drawn(finding)
        rest = [line for finding in found[DRAWN : DRAWN + FOLDED] for line in _drawn(finding)]
        if len(found) > DRAWN + FOLDED:
            rest += [f"{len(found) - DRAWN - FOLDED} more are in the result as JSON.", ""]
        yield from folded(f"{len(found) - DRAWN} more failures of {detector}", rest)
    kept = dict.fromkeys(finding.regression for finding in result.findings if finding.regression)
    if kept:
        yield f"New files that keep what failed, for version control: {', '.join(map(code, kept))}."
        yield ""


def _drawn(finding: Finding) -> Iterator[str]:
    yield f"### {code(finding.detector)}: {prose(finding.kind.value)} in {code(finding.case.text.strip())}"
    yield ""
    yield from fenced(lines(finding), "text")
    yield ""


def _failed_checks(result: GateResult) -> Iterator[str]:
    """Everything that failed by name, each law with what it says."""
    bad = [check for check in result.checks if check.wrong]
    if bad:
        yield from ("### Everything that failed", "")
        laws = cases_of(result.request.system).laws()
        rows = [
            (
                prose(check.stage),
                _named(check, laws),
                code_cell(check.detector),
                prose(check.detail or word(check)),
            )
            for check in bad
        ]
        yield from table(("stage", "check", "detector", "what came out"), rows[:LISTED])
        yield from ([f"{len(rows) - LISTED} more failed.", ""] if len(rows) > LISTED else [])


def _named(check: Check, laws: Mapping[str, str]) -> str:
    law = laws.get(check.name) if check.stage == "laws" else None
    return prose(check.name) + (f": {code_cell(law)}" if law else "")


def _open(result: GateResult) -> Iterator[str]:
    told = result.open()
    if told:
        yield from ("### Open", "", "Nothing is known of these; open is not green.", "")
        for check in told[:LISTED]:
            by = f" ({code(check.detector)})" if check.detector else ""
            yield f"- {prose(check.name)}{by}: {prose(check.detail or word(check))}"
        if len(told) > LISTED:
            yield f"- and {len(told) - LISTED} more"
        yield ""


def _subjects(result: GateResult) -> Iterator[str]:
    """Which code was judged: where a detector of the user's stands, and what was in that file."""
    for name in result.request.detectors:
        if not names_code(name):
            continue
        with suppress(InputError):
            cases_of(result.request.system).factory(
                name, result.request.search_path
            )  # which imports the module
            path = Path(sys.modules[name.partition(":")[0]].__file__ or "")
            if path.is_file():
                digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
                yield f"{code(name)} is from {code(path.name)}; the SHA-256 of that file begins with {code(digest)}."


# ------------------------------------------------------------------------------------------------ bounds and gaps


def _bounds(result: GateResult) -> Iterator[str]:
    """What the cases are, in numbers."""
    request = result.request
    yield (
        f"{cases_of(request.system).described()}. They are drawn from seed {request.seed}, and a case is wrong if"
        " one start or end differs from the semantics."
    )
    yield f"A detector has {result.request.seconds:g} s for each trace; more is a failure."


def _not_covered(result: GateResult) -> Iterator[str]:
    proofs = [check for check in result.checks if check.stage == "proofs"]
    if any(check.standing is not None and check.standing.unbounded for check in proofs):
        yield (
            "Proofs are about the step functions that the detector shows; that it runs these is tested, not proved."
            " Everything else here is a test of finitely many cases."
        )
    else:
        yield "Nothing is proved: everything here is a test of finitely many cases."
    for stage, skipped in groupby(result.not_reached, key=lambda check: check.stage):
        reasons: dict[str, list[Check]] = {}
        for check in skipped:
            reasons.setdefault(check.detail, []).append(check)
        for reason, checks in reasons.items():
            names = ", ".join(dict.fromkeys(check.name for check in checks[:LISTED]))
            more = f" and {len(checks) - LISTED} more" if len(checks) > LISTED else ""
            yield f"Skipped, {prose(stage)}: {prose(names)}{more}: {prose(reason)}."
    for check in result.checks:
        if check.refused and check.stage != "laws" and not check.name.startswith(RELATION):
            yield f"{code(check.detector)}, {prose(check.name)}: {prose(refused_text(check.refused, check.reason))}."
    yield "Speed and memory are limited here, and not compared with those of an earlier version."
