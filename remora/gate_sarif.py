"""A gate's outcome as SARIF: what is wrong with a detector, at the class or function that makes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from campaigns.judging.judgements import MEANING
from laws.standings import Standing
from remora import __version__
from remora.gate_reports import lines, repeated, word
from remora.gate_results import Check, Finding, GateResult
from remora.positions import claim_position, detector_position
from reports.sarif import Level, Position, Result, Rule, Run, sarif_json
from semantics.errors import InputError

WRONG = Rule(
    "detector/wrong",
    "This detector is wrong.",
    "It reports something else than the semantics of the algebra says, or violates a law or a relation between"
    " traces. The smallest case that was found is drawn: what is expected, and what was detected.",
)
OPEN = Rule(
    "detector/open",
    "It is not known whether this detector is right.",
    "The gate came to no answer: too few cases, a lemma that is not proved, or something broke down.",
)
PROOF = Rule(
    "detector/step-refuted",
    "A step of this detector does not do what its lemma says.",
    "A run of the step contradicts the lemma about its operator.",
)


def sarif(result: GateResult) -> str:
    """The document; where a detector's source is not to be had, what is wrong with it is a notification."""
    request = result.request
    places: dict[str, Position | None] = {}

    def where(detector: str) -> Position | None:
        first = detector.partition(", ")[0]
        if first not in places:
            places[first] = None
            with suppress(InputError):  # the name of several together, or what is no detector
                places[first] = detector_position(first, request.search_path)
        return places[first]

    found = [*_found(result, where), *_refuted(result, where), *_open(result, where)]
    return sarif_json(Run(__version__, repeated(result), int(result.status), found))


Where = Callable[[str], Position | None]


def _found(result: GateResult, where: Where) -> Iterator[Result]:
    for finding in result.findings:
        message = f"{_sentence(finding)}\n\n{lines(finding)}".rstrip()
        subject = finding.detector
        yield Result(WRONG, "error", message, where(subject), subject, _identity(finding))


def _sentence(finding: Finding) -> str:
    by = "" if finding.by == MEANING else f", by {finding.by}"
    return f"{finding.kind.value.capitalize()} of {finding.case.expression}{by}: {finding.detail}"


def _identity(finding: Finding) -> str:
    return f"{finding.detector} {finding.by} {finding.kind.value} {finding.case.expression}"


def _refuted(result: GateResult, where: Where) -> Iterator[Result]:
    """What is wrong and has no drawing: refuted lemmas, and failures of which there was no time to look at any."""
    drawn = {(finding.stage, finding.detector) for finding in result.findings}
    for check in result.checks:
        if check.standing not in (Standing.REFUTED, Standing.DISAGREEMENT):
            continue
        if check.stage == "proofs":
            place = where(check.detector) or claim_position(check.name)
            yield _of_check(PROOF, check, place)
        elif (check.stage, check.detector) not in drawn:
            yield _of_check(WRONG, check, where(check.detector))


def _open(result: GateResult, where: Where) -> Iterator[Result]:
    for check in result.open():
        yield _of_check(OPEN, check, where(check.detector) if check.detector else None)


def _of_check(rule: Rule, check: Check, place: Position | None) -> Result:
    level: Level = "warning" if rule is OPEN else "error"
    message = f"{check.name}: {check.detail or word(check)}"
    subject = check.detector or check.stage
    return Result(rule, level, message, place, subject, f"{subject} {check.name} {word(check)}")
