"""A report as JUnit XML: one test case for each claim and detector, and for everything else that was looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reports.claims import CARRIES_NOT_OVER
from reports.junit import Outcome, Suite, TestCase, junit_xml
from reports.proof_summary import proof_problems, proof_rows
from reports.standings import NO_VERDICT, VERDICTS, standing
from reports.systems import counterexample_timeline, failure_timeline, in_words, is_drawn
from reports.timeline import to_text

_OUTCOMES: Mapping[int, Outcome] = {0: "passed", 1: "failure", 4: "failure"}
_WRONG = ("refuted", "disagreement")


def report_junit(report: Mapping[str, Any]) -> str:
    """The document; nothing that is unknown, timed out or was refused altogether passes in it."""
    properties = _properties(report)
    claims = report.get("claims") or ()
    suites = {
        "verdict": [_verdict(report)],
        "claims": [_claim(claim) for claim in claims],
        "claims over dense time": [_dense(claim) for claim in claims if claim.get("dense_time")],
        "false claims": [_canary(canary) for canary in report.get("canaries") or ()],
        "proofs": list(_proofs(report)),
        "errata": [_erratum(erratum) for erratum in report.get("errata") or ()],
        "checks": [_check(check) for check in report.get("checks") or ()],
        "detection": [_detection(item) for item in report.get("detection") or ()],
        "detectors": list(_detectors(report.get("campaign") or {})),
    }
    return junit_xml("remora verify", (Suite(name, cases, properties) for name, cases in suites.items()))


def _properties(report: Mapping[str, Any]) -> dict[str, object]:
    environment = report.get("environment") or {}
    found = {name: report.get(name) for name in ("remora", "command", "seed", "started")}
    found |= report.get("code") or {}
    found |= {name: environment.get(name) for name in ("python", "platform", "cores", "java")}
    found |= environment.get("packages") or {}
    return {name: value for name, value in found.items() if value is not None}


def _verdict(report: Mapping[str, Any]) -> TestCase:
    verdict = report.get("verdict") or {}
    status = verdict.get("exit_status", -1)
    symbol, _, meaning = VERDICTS.get(status, NO_VERDICT)
    said = str(verdict.get("summary") or meaning)
    problems = "\n".join(map(str, verdict.get("problems") or ()))
    outcome = _OUTCOMES.get(status, "error")
    return TestCase("verdict", "remora verify", outcome, f"{symbol} {meaning}", said, problems, said)


def _outcome(word: object) -> Outcome:
    """A bounded result passes as one; what is not known never does."""
    known = standing(word)
    if known.unbounded or known.word == "tested":
        return "passed"
    return "failure" if known.word in _WRONG else "error"


def _claim(claim: Mapping[str, Any]) -> TestCase:
    word = str(claim.get("standing") or "unknown")
    statement = str(claim.get("statement") or "")
    tests = [
        f"{test.get('method')}: {test.get('cases'):,} cases, {test.get('bound')}, {test.get('standing')}"
        for test in claim.get("tests") or ()
        if isinstance(test.get("cases"), int)
    ]
    obligations = claim.get("obligations") or ()
    said = [statement, f"standing: {word}", *_cost(obligations), *tests]
    reason = claim.get("reason") or "no reason is recorded"
    return TestCase(
        str(claim.get("id")),
        str(claim.get("kind") or "claim"),
        _outcome(word),
        word,
        "" if _outcome(word) == "passed" else f"{statement} is {word}: {reason}",
        _drawn(claim.get("counterexample")),
        "\n".join(said),
        _seconds(claim),
    )


def _cost(obligations: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    work = [item.get("rlimit") for item in obligations]
    if work:
        yield f"{len(work)} obligations, {sum(each for each in work if isinstance(each, int)):,} units of work"


def _dense(claim: Mapping[str, Any]) -> TestCase:
    word = str(claim["dense_time"])
    over = str(claim.get("not_in_dense_time") or word)
    outcome: Outcome = "skipped" if word == CARRIES_NOT_OVER else _outcome(word)
    message = over if outcome == "skipped" else "" if outcome == "passed" else f"over dense time it is {word}"
    return TestCase(
        str(claim.get("id")),
        str(claim.get("kind") or "claim"),
        outcome,
        word,
        message,
        "",
        f"standing: {word}",
    )


def _canary(canary: Mapping[str, Any]) -> TestCase:
    word = str(canary.get("standing") or "unknown")
    statement, ok = str(canary.get("statement") or ""), bool(canary.get("ok"))
    # What is false and proved is as wrong as can be; what nobody could refute is open.
    outcome: Outcome = "passed" if ok else "failure" if _outcome(word) != "error" else "error"
    return TestCase(
        str(canary.get("id")),
        "false claim",
        outcome,
        word,
        "" if ok else f"{statement} is false and was not refuted: it is {word}",
        "",
        f"{statement}\nrefuted by {_words(canary.get('counterexample'))}" if ok else statement,
        _seconds(canary),
    )


def _proofs(report: Mapping[str, Any]) -> Iterator[TestCase]:
    """The sections about the proofs: each passes, unless something in it has to be looked at."""
    problems = list(proof_problems(report))
    if problems or any(True for _ in proof_rows(report)):
        said = "\n".join(f"{name}: {text}" for name, text in proof_rows(report))
        outcome: Outcome = "failure" if problems else "passed"
        message = problems[0] if problems else ""
        yield TestCase(
            "checks of the proofs", "proofs", outcome, "proofs", message, "\n".join(problems), said
        )


def _erratum(erratum: Mapping[str, Any]) -> TestCase:
    shown = bool(erratum.get("as_claimed"))
    evidence = "\n".join(
        f"{item.get('about')}: expected {item.get('expected')}, found {item.get('found')}"
        for item in erratum.get("evidence") or ()
    )
    return TestCase(
        str(erratum.get("id")),
        str(erratum.get("kind") or "erratum"),
        "passed" if shown else "failure",
        "not shown",
        "" if shown else f"the evidence for {erratum.get('place')} is another one",
        "" if shown else evidence,
        f"{erratum.get('place')}: {erratum.get('problem')}",
    )


def _check(check: Mapping[str, Any]) -> TestCase:
    ok = bool(check.get("ok"))
    detail = str(check.get("detail") or "")
    what = str(check.get("what") or check.get("id"))
    return TestCase(
        str(check.get("id")),
        "mutants" if str(check.get("id")).startswith("mutant:") else "checkers",
        "passed" if ok else "failure",
        "check",
        "" if ok else f"{what}: {detail}",
        "",
        f"{what}: {detail}",
    )


def _detection(item: Mapping[str, Any]) -> TestCase:
    agree = bool(item.get("agree"))
    said = (
        f"{item.get('expression')} on {item.get('trace')}: {item.get('detections')} detections"
        f" in {item.get('events')} events"
    )
    return TestCase(
        f"{item.get('expression')} on {item.get('trace')}",
        str(item.get("detector") or "detector"),
        "passed" if agree else "failure",
        "detection",
        "" if agree else f"{item.get('detector')} differs from the meaning of {item.get('expression')}",
        "",
        said,
        _seconds(item),
    )


# ---------------------------------------------------------------------------------------------------------- detectors


def _detectors(campaign: Mapping[str, Any]) -> Iterator[TestCase]:
    """Each detector with all its failures; a campaign that did not run is an error, not a skip."""
    if campaign.get("error"):
        yield TestCase("campaign", "campaign", "error", "error", f"it did not run: {campaign['error']}")
    failures = [
        *(campaign.get("failures") or ()),
        *((campaign.get("regressions") or {}).get("failures") or ()),
    ]
    shares = campaign.get("detectors") or {}
    named = [*shares, *(failure.get("detector") for failure in failures)]
    for name in dict.fromkeys(str(each) for each in named if each):
        found = [failure for failure in failures if str(failure.get("detector")) == name]
        yield _detector(name, shares.get(name) or {}, found, campaign)


def _detector(
    name: str, share: Mapping[str, Any], failures: list[Mapping[str, Any]], campaign: Mapping[str, Any]
) -> TestCase:
    cases, failed, refused = (share.get(key) or 0 for key in ("cases", "failures", "refused"))
    seed = campaign.get("seed")
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
        f"{to_text(failure_timeline(failure))}{failure.get('detail') or ''}\n{_again(failure)}\n"
        for failure in failures
    )
    return TestCase(name, "detectors", outcome, "wrong" if failed else "refused", message, text, said)


def _again(failure: Mapping[str, Any]) -> str:
    if failure.get("replay"):
        return f"again: {failure['replay']}"
    return f"stored: regression {failure.get('regression')}" if failure.get("regression") else ""


# ------------------------------------------------------------------------------------------------------------ helpers


def _drawn(record: Mapping[str, Any] | None) -> str:
    if not record:
        return ""
    return to_text(counterexample_timeline(record)) if is_drawn(record) else _words(record)


def _words(record: Mapping[str, Any] | None) -> str:
    return in_words(record) if record else "no counterexample that is recorded"


def _seconds(record: Mapping[str, Any]) -> float:
    seconds = record.get("seconds")
    return float(seconds) if isinstance(seconds, int | float) else 0.0
