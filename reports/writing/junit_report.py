"""A report as JUnit XML: one test case for each claim and detector, and for everything else that was looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reports.drawing.timeline import to_text
from reports.results.audits import Check, Erratum
from reports.results.claims import Claim
from reports.results.parts import Record
from reports.results.report import Report, report_of
from reports.results.runs import Campaign, Detection, FailedCase, Share
from reports.sections.claims import CARRIES_NOT_OVER
from reports.sections.proof_summary import proof_problems, proof_rows
from reports.sections.standings import NO_VERDICT, VERDICTS, standing
from reports.systems import counterexample_timeline, failure_timeline, in_words, is_drawn
from reports.writing.junit import Outcome, Suite, TestCase, junit_xml

_OUTCOMES: Mapping[int, Outcome] = {0: "passed", 1: "failure", 4: "failure"}
_WRONG = ("refuted", "disagreement")


def report_junit(document: Mapping[str, Any]) -> str:
    """The document; nothing that is unknown, timed out or was refused altogether passes in it."""
    report = report_of(document)
    properties = _properties(report)
    suites = {
        "verdict": [_verdict(report)],
        "claims": [_claim(claim) for claim in report.claims],
        "claims over dense time": [_dense(claim) for claim in report.claims if claim.dense_time],
        "false claims": [_canary(canary) for canary in report.canaries],
        "proofs": list(_proofs(report)),
        "errata": [_erratum(erratum) for erratum in report.errata],
        "checks": [_check(check) for check in report.checks],
        "detection": [_detection(item) for item in report.detection],
        "detectors": list(_detectors(report.campaign)),
    }
    return junit_xml("remora verify", (Suite(name, cases, properties) for name, cases in suites.items()))


def _properties(report: Report) -> dict[str, object]:
    found = {name: getattr(report, name) for name in ("remora", "command", "seed", "started")}
    code = {"commit": report.code.commit, "changed": report.code.changed} if report.code else {}
    found |= {**code, **report.environment.named, **report.environment.packages}
    return {name: value for name, value in found.items() if value != ""}


def _verdict(report: Report) -> TestCase:
    verdict = report.verdict
    symbol, _, meaning = VERDICTS.get(verdict.exit_status, NO_VERDICT)
    said, problems = verdict.summary or meaning, "\n".join(verdict.problems)
    outcome = _OUTCOMES.get(verdict.exit_status, "error")
    return TestCase("verdict", "remora verify", outcome, f"{symbol} {meaning}", said, problems, said)


def _outcome(word: str) -> Outcome:
    """A bounded result passes as one; what is not known never does."""
    known = standing(word)
    if known.unbounded or known.word == "tested":
        return "passed"
    return "failure" if known.word in _WRONG else "error"


def _claim(claim: Claim) -> TestCase:
    tests = [f"{test.method}: {test.cases:,} cases, {test.bound}, {test.standing}" for test in claim.tests]
    said = [claim.statement, f"standing: {claim.standing}", *_cost(claim), *tests]
    reason = claim.reason or "no reason is recorded"
    outcome = _outcome(claim.standing)
    return TestCase(
        claim.id,
        claim.kind or "claim",
        outcome,
        claim.standing,
        "" if outcome == "passed" else f"{claim.statement} is {claim.standing}: {reason}",
        _drawn(claim.counterexample),
        "\n".join(said),
        claim.seconds,
    )


def _cost(claim: Claim) -> Iterator[str]:
    work = [item.rlimit for item in claim.obligations]
    if work:
        yield f"{len(work)} obligations, {sum(work):,} units of work"


def _dense(claim: Claim) -> TestCase:
    word = claim.dense_time
    over = claim.not_in_dense_time or word
    outcome: Outcome = "skipped" if word == CARRIES_NOT_OVER else _outcome(word)
    message = over if outcome == "skipped" else "" if outcome == "passed" else f"over dense time it is {word}"
    return TestCase(claim.id, claim.kind or "claim", outcome, word, message, "", f"standing: {word}")


def _canary(canary: Claim) -> TestCase:
    word, statement, ok = canary.standing, canary.statement, canary.ok
    # What is false and proved is as wrong as can be; what nobody could refute is open.
    outcome: Outcome = "passed" if ok else "failure" if _outcome(word) != "error" else "error"
    return TestCase(
        canary.id,
        "false claim",
        outcome,
        word,
        "" if ok else f"{statement} is false and was not refuted: it is {word}",
        "",
        f"{statement}\nrefuted by {_words(canary.counterexample)}" if ok else statement,
        canary.seconds,
    )


def _proofs(report: Report) -> Iterator[TestCase]:
    """The sections about the proofs: each passes, unless something in it has to be looked at."""
    problems, rows = list(proof_problems(report)), list(proof_rows(report))
    if problems or rows:
        said = "\n".join(f"{name}: {text}" for name, text in rows)
        outcome: Outcome = "failure" if problems else "passed"
        message = problems[0] if problems else ""
        yield TestCase(
            "checks of the proofs", "proofs", outcome, "proofs", message, "\n".join(problems), said
        )


def _erratum(erratum: Erratum) -> TestCase:
    shown = erratum.as_claimed
    evidence = "\n".join(
        f"{item.about}: expected {item.expected}, found {item.found}" for item in erratum.evidence
    )
    return TestCase(
        erratum.id,
        erratum.kind or "erratum",
        "passed" if shown else "failure",
        "not shown",
        "" if shown else f"the evidence for {erratum.place} is another one",
        "" if shown else evidence,
        f"{erratum.place}: {erratum.problem}",
    )


def _check(check: Check) -> TestCase:
    said = f"{check.what or check.id}: {check.detail}"
    return TestCase(
        check.id,
        "mutants" if check.mutant else "checkers",
        "passed" if check.ok else "failure",
        "check",
        "" if check.ok else said,
        "",
        said,
    )


def _detection(item: Detection) -> TestCase:
    where = f"{item.expression} on {item.trace}"
    return TestCase(
        where,
        item.detector or "detector",
        "passed" if item.agree else "failure",
        "detection",
        "" if item.agree else f"{item.detector} differs from the meaning of {item.expression}",
        "",
        f"{where}: {item.detections} detections in {item.events} events"
        + (f"; compared with the meaning: {item.compared}" if item.compared else ""),
        item.seconds,
    )


# ---------------------------------------------------------------------------------------------------------- detectors


def _detectors(campaign: Campaign) -> Iterator[TestCase]:
    """Each detector with all its failures; a campaign that did not run is an error, not a skip."""
    if campaign.error:
        yield TestCase("campaign", "campaign", "error", "error", f"it did not run: {campaign.error}")
    failures = [*campaign.failures, *campaign.regressions.failures]
    for name in dict.fromkeys([*campaign.detectors, *(failure.detector for failure in failures)]):
        found = [failure for failure in failures if failure.detector == name]
        yield _detector(name, campaign.detectors.get(name, Share()), found, campaign.seed)


def _detector(name: str, share: Share, failures: list[FailedCase], seed: int) -> TestCase:
    cases, failed, refused = share.cases, share.failures, share.refused
    said = (
        f"{cases:,} random cases of seed {seed}, {failed:,} failed, {refused:,} refused as beyond its limits"
    )
    outcome: Outcome = "passed"
    message = ""
    if failed or failures:
        outcome, message = "failure", f"{failed:,} of {cases:,} cases failed, {len(failures)} are shown"
    elif refused >= cases:
        outcome, message = "error", f"the detector took none of {cases:,} cases"
    text = "\n".join(
        f"{to_text(failure_timeline(failure))}{failure.detail}\n{_again(failure)}\n" for failure in failures
    )
    return TestCase(
        name, "detectors", outcome, "wrong" if outcome == "failure" else "refused", message, text, said
    )


def _again(failure: FailedCase) -> str:
    if failure.replay:
        return f"again: {failure.replay}"
    return f"stored: regression {failure.regression}" if failure.regression else ""


# ------------------------------------------------------------------------------------------------------------ helpers


def _drawn(record: Record) -> str:
    if not record:
        return ""
    return to_text(counterexample_timeline(record)) if is_drawn(record) else _words(record)


def _words(record: Record) -> str:
    return in_words(record) if record else "no counterexample that is recorded"
