"""A report as SARIF: claims and errata at the records that state them, detectors at their source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reports.carlson_lisper.records import in_words, is_drawn
from reports.proof_summary import proof_problems
from reports.sarif import Level, Position, Result, Rule, Run, sarif_json
from reports.standings import standing
from reports.timeline import counterexample_timeline, failure_timeline, to_text

CLAIM_REFUTED = Rule(
    "claim/refuted",
    "This claim is false.",
    "A concrete trace, replayed by the executable semantics, contradicts what is claimed; it is drawn.",
)
CLAIM_DISAGREEMENT = Rule(
    "claim/disagreement",
    "Two engines contradict each other about this claim.",
    "One of them has a proof and another one a counterexample; neither answer counts.",
)
CLAIM_OPEN = Rule(
    "claim/open",
    "It is not known whether this claim holds.",
    "No engine proved or refuted it within its budget; the reason is given.",
)
CANARY = Rule(
    "claim/false-not-refuted",
    "This claim is false and was not refuted.",
    "Every run has to refute it; one that does not is not to be believed.",
)
ERRATUM = Rule(
    "erratum/not-shown",
    "The evidence for this erratum is another one.",
    "What the record says is wrong in the source, or its reading, did not come out as it says.",
)
DETECTOR = Rule(
    "detector/wrong",
    "This detector is wrong.",
    "It reports something else than the semantics says, or violates a relation between traces. The smallest case of"
    " each cause is drawn.",
)
CHECK = Rule(
    "check/failed",
    "A check of the testbed itself failed.",
    "A checker was given something wrong and did not notice, or a section of the proofs is not as it should be.",
)

Finder = Callable[[str], Position | None]


@dataclass(frozen=True)
class Positions:
    """Where things stand, each by its name; None for what has no position.

    Attributes:
        claim: finds a claim by its id.
        erratum: finds an erratum by its id.
        detector: finds a detector by its name.
    """

    claim: Finder
    erratum: Finder
    detector: Finder


def report_sarif(report: Mapping[str, Any], positions: Positions) -> str:
    """The document; what has no position is a notification in it."""
    campaign = report.get("campaign") or {}
    results = [
        *_claims(report.get("claims") or (), positions.claim),
        *_canaries(report.get("canaries") or (), positions.claim),
        *_errata(report.get("errata") or (), positions.erratum),
        *_detectors(report.get("detection") or (), campaign, positions.detector),
        *_checks(report),
    ]
    status = (report.get("verdict") or {}).get("exit_status", 5)
    version, command = str(report.get("remora", "")), str(report.get("command", ""))
    return sarif_json(Run(version, command, status, results))


_RULES: Mapping[str, tuple[Rule, Level]] = {
    "refuted": (CLAIM_REFUTED, "error"),
    "disagreement": (CLAIM_DISAGREEMENT, "error"),
    "error": (CLAIM_OPEN, "warning"),
    "unknown": (CLAIM_OPEN, "warning"),
}


def _claims(claims: Iterable[Mapping[str, Any]], find: Finder) -> Iterator[Result]:
    for claim in claims:
        name, statement = str(claim.get("id")), str(claim.get("statement"))
        for word, over in ((claim.get("standing"), ""), (claim.get("dense_time"), " over dense time")):
            if word is None or standing(word).tone in ("good", "bounded") or word not in _RULES:
                continue
            rule, level = _RULES[word]
            reason = claim.get("reason") or "no reason is recorded"
            drawn = _drawn(claim.get("counterexample"))
            message = f"{name}{over} is {word}: {statement}\n\n{drawn or reason}".rstrip()
            yield Result(rule, level, message, find(name), name, f"{name} {word}{over}")


def _canaries(canaries: Iterable[Mapping[str, Any]], find: Finder) -> Iterator[Result]:
    for canary in canaries:
        if not canary.get("ok"):
            name = str(canary.get("id"))
            message = f"{name} is {canary.get('standing')}, and must be refuted: {canary.get('statement')}"
            yield Result(CANARY, "error", message, find(name), name, f"{name} not refuted")


def _errata(errata: Iterable[Mapping[str, Any]], find: Finder) -> Iterator[Result]:
    for erratum in errata:
        if not erratum.get("as_claimed"):
            name = str(erratum.get("id"))
            found = [
                f"{item.get('about')}: expected {item.get('expected')}, found {item.get('found')}"
                for item in erratum.get("evidence") or ()
                if not item.get("as_claimed")
            ]
            message = "\n".join([f"{erratum.get('place')}: {erratum.get('problem')}", *found])
            yield Result(ERRATUM, "error", message, find(name), name, f"erratum {name}")


def _detectors(
    detection: Iterable[Mapping[str, Any]], campaign: Mapping[str, Any], find: Finder
) -> Iterator[Result]:
    for item in detection:
        if not item.get("agree"):
            name, expression = str(item.get("detector")), item.get("expression")
            message = f"{name} disagrees with the meaning of {expression} on {item.get('trace')}"
            yield Result(DETECTOR, "error", message, find(name), name, f"{name} {expression}")
    stored = (campaign.get("regressions") or {}).get("failures") or ()
    shown = {str(failure.get("detector")) for failure in (*(campaign.get("failures") or ()), *stored)}
    for name, share in (campaign.get("detectors") or {}).items():
        if share.get("failures") and name not in shown:
            message = f"{share['failures']:,} of {share.get('cases', 0):,} random cases failed; none is shown"
            yield Result(DETECTOR, "error", message, find(name), name, f"{name} random cases")
    for failure in (*(campaign.get("failures") or ()), *stored):
        name, expression = str(failure.get("detector")), failure.get("expression")
        kind = failure.get("kind") or "failing case"
        message = (
            f"{kind} of {expression}: {failure.get('detail') or ''}\n\n{to_text(failure_timeline(failure))}"
        )
        yield Result(DETECTOR, "error", message.rstrip(), find(name), name, f"{name} {kind} {expression}")


def _checks(report: Mapping[str, Any]) -> Iterator[Result]:
    for check in report.get("checks") or ():
        if not check.get("ok"):
            name = str(check.get("id"))
            yield Result(
                CHECK, "error", f"{check.get('what')}: {check.get('detail')}", None, name, f"check {name}"
            )
    for problem in proof_problems(report):
        yield Result(CHECK, "error", problem, None, "proofs", problem)
    error = (report.get("campaign") or {}).get("error")
    if error:
        yield Result(CHECK, "error", f"the campaign did not run: {error}", None, "campaign", "campaign")


def _drawn(record: Mapping[str, Any] | None) -> str:
    if not record:
        return ""
    return to_text(counterexample_timeline(record)) if is_drawn(record) else in_words(record)
