"""The page of a verification: its verdict, claims, detectors, scope, and the rest folded."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reports import page
from reports.documents import Document, value_of
from reports.page import NO_VERDICT, STANDINGS, VERDICTS, Block, Entry, Outcome, Page, Section, Table, badge, duration
from reports.systems import counterexample_timeline, failure_timeline, in_words, sections

CARRIES_NOT_OVER = "does not carry over"  # Standing over dense time of a claim that is not one about dense time
NAMED = 12  # At most so many names stand in one sentence; a note says how many there are beyond
COMMIT = 12  # So many digits of a commit are shown; all of them are in the data
CONFIRMED = "confirmed"

ERRATA: Mapping[str, str] = {
    "false as printed": "What is printed does not hold.",
    "vacuous": "What is printed says nothing.",
    "wrong law number": "A proof cites a law from which the step does not follow.",
    "superfluous": "A proof cites more than the step needs.",
    "gap": "A proof needs a step, or a hypothesis, that is not printed.",
    "misprint": "Typed wrong, or without a sense as typed; what is meant is clear.",
    "scope": "It holds under a condition that is not printed, or further than is printed.",
    CONFIRMED: "A statement that was in doubt, and is right.",
}
"""The kinds of errata, gravest first, and what each says."""


def report_page(document: Mapping[str, Any]) -> Page:
    """The page of a document of `remora/report/1`; a section for which it has nothing is left out."""
    report = value_of("remora/report/1", document)
    symbol, tone, meaning = VERDICTS.get(report.verdict.exit_status, NO_VERDICT)
    properties = {"Remora": version_of(report.remora, report.code), "seed": str(report.seed)}
    properties |= {"started": report.started, "took": duration(report.seconds)}
    if machine := report.environment:
        properties |= {"python": machine.python, "platform": machine.platform, "cores": str(machine.cores or "")}
        properties |= {"java": machine.java, **machine.packages}
    disagreements = report.solvers.disagreements if report.solvers else ()
    return Page(
        name="remora verify",
        summary=report.verdict.summary,
        symbol=symbol,
        tone=tone,
        meaning=meaning,
        counts=report.verdict.counts,
        problems=(
            *report.verdict.problems,
            *(f"Solvers disagree: {one.id}: {one.detail}" for one in disagreements),
            *(f"Warning: {text}" for text in report.warnings),
        ),
        properties={name: value for name, value in properties.items() if value},
        command=report.command,
        sections=tuple(each for each in _sections(report, document) if each.entries or each.blocks),
    )


def version_of(version: str, code: Document) -> str:
    """The version, and where it ran from a checkout the commit: `0.1.0 (commit 1f2e…, changed since)`."""
    if code is None:
        return version
    return f"{version} (commit {code.commit[:COMMIT]}{', changed since' if code.changed else ''})"


def _sections(report: Document, document: Mapping[str, Any]) -> Iterator[Section]:
    yield Section(title="Claims", folded=False, entries=tuple(map(_claim, report.claims)))
    yield _detectors(report.campaign) if report.campaign else Section(title="Detectors")
    yield Section(title="Patterns on logs", folded=False, entries=tuple(_detection(each) for each in report.detection))
    yield Section(title="What was looked at", folded=False, blocks=(Table((), tuple(_looked_at(report))),))
    yield Section(title="What this does not say", folded=False, blocks=tuple(_left_out(report)))
    yield Section(
        title="False equations",
        sentences=("Equations that are known to be false; each has to be refuted.",),
        entries=tuple(map(_canary, report.canaries)),
    )
    yield Section(
        title="Checks of the checkers",
        sentences=("Each checker was given something wrong, and had to complain.",),
        entries=tuple(map(_check, report.checks)),
    )
    errata = sorted(report.errata, key=lambda one: [*ERRATA, one.kind].index(one.kind))
    slips = tuple((one.place, one.printed, one.reading) for one in report.wordings)
    yield Section(
        title="Errors in the source",
        sentences=tuple(f"{kind}: {said}" for kind, said in ERRATA.items()),
        entries=tuple(map(_erratum, errata)),
        blocks=_filled(Table(("Slips of language", "Printed", "Meant"), slips)),
    )
    yield from sections(document)
    yield _proofs(report)
    yield from _throughput(report)
    operators = tuple((one.symbol, one.title, one.text, one.source) for one in report.definitions)
    yield Section(title="Operators", blocks=_filled(Table(("", "Operator", "Definition", "Source"), operators)))
    standings = tuple((badge(one.word), one.meaning) for one in STANDINGS.values())
    yield Section(title="What the standings say", blocks=(Table((), standings),))
    stages = tuple((one.name, duration(one.seconds), one.detail) for one in report.stages)
    yield Section(title="What took how long", blocks=_filled(Table(("Stage", "Time", ""), stages, ("Time",))))


def _filled(*blocks: Block) -> tuple[Block, ...]:
    return tuple(block for block in blocks if not isinstance(block, Table) or block.rows)


def _facts(said: Mapping[str, str]) -> Table:
    return Table((), tuple((name, text) for name, text in said.items() if text))


def _outcome(word: str) -> Outcome:
    if word in ("refuted", "disagreement"):
        return "failure"
    return "error" if word in ("unknown", "error") or word not in STANDINGS else "passed"


def _claim(claim: Document) -> Entry:
    facts = {
        "in words": claim.reading,
        "condition": claim.condition,
        "source": claim.source,
        "as printed": claim.note,
        "rests on": ", ".join(claim.rests_on),
        "no solver has seen": "; ".join(claim.trusts),
        "over dense time": claim.not_in_dense_time or claim.dense_time,
        "its scheme": claim.scheme,
        "kernel": claim.kernel,
        "reason": claim.reason,
    }
    told = in_words(claim.counterexample) if claim.counterexample else ""
    outcome, message = _outcome(claim.standing), claim.reason or told or "no reason is recorded"
    if outcome == "passed":  # then the one over dense time counts
        carries = claim.dense_time not in ("", CARRIES_NOT_OVER)
        outcome = _outcome(claim.dense_time) if carries else "passed"
        message = "" if outcome == "passed" else f"over dense time it is {claim.dense_time}"
    return Entry(
        name=claim.id,
        group=claim.kind or claim.id.partition(":")[0],
        standing=claim.standing,
        statement=claim.statement,
        said=_how(claim),
        outcome=outcome,
        message=message,
        blocks=(*_drawn(claim.counterexample), _facts(facts), *_tests(claim.tests), *_obligations(claim.obligations)),
        seconds=claim.seconds,
    )


def _how(claim: Document) -> str:
    """Provers of a claim, by the names of the solvers without their versions, and on how many cases it was tested."""
    answers = (answer for item in claim.obligations for answer in item.answers)
    names = dict.fromkeys(one.solver.partition(" ")[0] for one in answers if one.status in ("unsat", "sat"))
    proved = f"{len(claim.obligations)} obligations by {' and '.join(names)}" if names else ""
    cases = sum(test.cases for test in claim.tests)
    return "; ".join(filter(None, (claim.kernel, proved, f"{cases:,} cases tested" if cases else "")))


def _drawn(found: Document) -> tuple[Block, ...]:
    return () if found is None else (counterexample_timeline(found) or in_words(found),)


def _tests(tests: Iterable[Document]) -> Iterator[Block]:
    rows = tuple(
        (test.method, badge(test.standing), f"{test.cases:,}", test.bound, duration(test.seconds)) for test in tests
    )
    yield from _filled(Table(("Tested", "Standing", "Cases", "Among", "Time"), rows, ("Cases", "Time")))
    for test in tests:
        yield from _drawn(test.counterexample)


def _obligations(items: Iterable[Document]) -> tuple[Block, ...]:
    rows = []
    for item in items:
        said = [
            f"{one.solver.partition(' ')[0]}: {one.status}, {one.rlimit:,}{f' ({one.reason})' * bool(one.reason)}"
            for one in item.answers
        ]
        certificate = f"accepted before, by {'; by '.join(item.accepted_before)}" if item.accepted_before else ""
        if item.certificate:
            words = {True: "accepted", False: "rejected", None: "not checked"}
            certificate = "; ".join(filter(None, (words[item.certificate.checked], item.certificate.detail)))
        why, answers = "; ".join(filter(None, (item.reason, item.hypotheses))), "; ".join(said) or item.solver
        rows.append((item.id, badge(item.standing), answers, certificate, why, item.sha256[:COMMIT]))
    columns = ("Obligation", "Standing", "Answers and work", "Certificate", "", "SHA-256")
    return _filled(Table(columns, tuple(rows), code=("Obligation", "SHA-256")))


def _canary(claim: Document) -> Entry:
    told = in_words(claim.counterexample) if claim.counterexample else "no counterexample that is recorded"
    return Entry(
        name=claim.id,
        group="false equations",
        standing=claim.standing,
        statement=claim.statement,
        said=" ".join(filter(None, (claim.reading, f"Refuted {told}" if claim.ok else ""))),
        outcome="passed" if claim.ok else "error" if claim.standing in ("unknown", "error") else "failure",
        message="" if claim.ok else f"it is false and was NOT REFUTED: it is {claim.standing}. {claim.reason}",
        blocks=_drawn(claim.counterexample),
        seconds=claim.seconds,
    )


def _judged(name: str, group: str, ok: bool, wrong: str, **more: Any) -> Entry:
    """The entry of what is right, or `wrong` in words."""
    standing, outcome = ("as claimed", "passed") if ok else ("not as claimed", "failure")
    more |= {"outcome": outcome, "message": "" if ok else wrong}
    return Entry(name=name, group=group, standing=standing, **more)


def _check(check: Document) -> Entry:
    group = "wrong detectors" if check.id.startswith("mutant:") else "checkers"
    wrong = f"{check.what or check.id}: {check.detail}"
    return _judged(check.id, group, check.ok, wrong, statement=check.what, said=check.detail)


def _erratum(erratum: Document) -> Entry:
    facts = {"printed": erratum.printed, "meant": erratum.reading, "origin": erratum.origin}
    evidence = tuple((one.check, one.about, one.expected, one.found) for one in erratum.evidence)
    return _judged(
        f"{erratum.place} ({erratum.id})",
        erratum.kind,
        erratum.as_claimed,
        f"the evidence for {erratum.place} is another one",
        statement=erratum.problem,
        said=erratum.printed,
        blocks=(_facts(facts), Table(("Shown by", "About", "Expected", "Found"), evidence)),
    )


def _detection(found: Document) -> Entry:
    said = f"{found.detections:,} detections by {found.detector} in {found.events:,} events of {found.trace}"
    said += f", compared with the meaning: {found.compared}" if found.compared else ""
    wrong = f"{found.detector} differs from the meaning of {found.expression}"
    return _judged(found.expression, found.trace, found.agree, wrong, said=said, seconds=found.seconds)


def _detectors(campaign: Document) -> Section:
    """Each detector with all its failures; a campaign that did not run is an error, not a skip."""
    entries = []
    if campaign.error:
        message = f"it did not run: {campaign.error}"
        entries.append(Entry(name="campaign", group="campaign", standing="error", outcome="error", message=message))
    failures = [*campaign.failures, *(campaign.regressions.failures if campaign.regressions else ())]
    counts = {name: (share.cases, share.failures, share.refused) for name, share in campaign.detectors.items()}
    for name in dict.fromkeys([*counts, *(failure.detector for failure in failures)]):
        found = [failure for failure in failures if failure.detector == name]
        entries.append(_detector(name, counts.get(name, (0, 0, 0)), found))
    numbers = ("Cases", "Failed", "Refused")
    shares = tuple((name, *(f"{number:,}" for number in share)) for name, share in counts.items())
    texts = tuple((one.detector, badge(one.standing), f"{one.tried:,}", one.detail) for one in campaign.texts)
    tables = _filled(
        Table(("Detector", *numbers), shares, numbers),
        Table(("Generated texts of", "Standing", "Texts", ""), texts, ("Texts",)),
    )
    return Section(title="Detectors", folded=False, entries=tuple(entries), blocks=tables)


def _detector(name: str, share: tuple[int, int, int], failures: list[Document]) -> Entry:
    cases, failed, refused = share
    said = f"{cases:,} cases, {failed:,} failed, {refused:,} refused as beyond its limits"
    word, outcome, message = "tested", "passed", ""
    if failed or failures:
        word, outcome = "refuted", "failure"
        message = f"{failed:,} of {cases:,} cases failed, {len(failures)} are shown"
    elif refused >= cases:
        word, outcome, message = "unknown", "error", f"the detector took none of {cases:,} cases"
    blocks: list[Block] = []
    for one in failures:
        by = "" if one.relation in ("", "meaning") else f"by the relation {one.relation}: "
        again = f"again: {one.replay}" if one.replay else f"stored: regression {one.regression}"
        small = f"\nbefore it was made small: {one.original.expression}" if one.original else ""
        blocks += (failure_timeline(one), page.Code(f"{by}{one.kind}: {one.detail}{small}\n{again}"))
    judged: dict[str, Any] = {"standing": word, "said": said, "outcome": outcome, "message": message}
    return Entry(name=name, group="detectors", blocks=tuple(blocks), **judged)


def _looked_at(report: Document) -> Iterator[tuple[str, str]]:
    """For each kind of evidence how much there is of it, within which bounds, and how it came out."""
    items = [item for claim in report.claims for item in claim.obligations]
    if items:
        dense = sum(item.time == "real" for item in items)
        engines = dict.fromkeys(answer.solver for item in items for answer in item.answers)
        by = f", asked of {' and '.join(engines)}" if engines else ""
        yield (
            "Proofs, for all event streams",
            f"{len(report.claims):,} claims as {len(items):,} obligations, {dense:,} of them over dense time{by}",
        )
    tests = [test for claim in report.claims for test in claim.tests]
    if tests:
        yield "Tests of claims, bounded", _tested(tests)
    mutants = [check.ok for check in report.checks if check.id.startswith("mutant:")]
    checkers = [check.ok for check in report.checks if not check.id.startswith("mutant:")]
    for name, marks, said in (
        ("False equations", [one.ok for one in report.canaries], "are refuted, as they must be"),
        ("Checkers given something wrong", checkers, "noticed it"),
        ("Wrong detectors", mutants, "were found by random cases"),
        ("Errata of the source", [one.as_claimed for one in report.errata], "have the evidence that is claimed"),
        ("Patterns on logs", [one.agree for one in report.detection], "have the detections of the meaning"),
    ):
        if marks:
            yield name, f"{sum(marks):,} of {len(marks):,} {said}"
    if report.record:
        places = len(report.record.differences)
        yield ("Committed record of proofs", "the same" if report.record.same else f"DIFFERENT in {places} places")
    campaign = report.campaign
    if campaign and campaign.cases:
        yield (
            "Campaign, bounded",
            f"{campaign.cases:,} random cases of seed {campaign.seed}, {campaign.judgements:,} judgements,"
            f" {len(campaign.relations)} relations between cases: {campaign.failed:,} cases failed",
        )
        if campaign.regressions and campaign.regressions.tried:
            found = campaign.regressions
            yield ("Stored regressions", f"{found.tried:,} for each detector: {len(found.failures):,} failures")


def _tested(tests: Iterable[Document]) -> str:
    """How many cases there were by method, with the bound that most claims have."""
    cases, bounds = Counter[str](), dict[str, Counter[str]]()
    for test in tests:
        cases[test.method] += test.cases
        bounds.setdefault(test.method, Counter())[test.bound] += 1
    parts = []
    for method, number in cases.items():
        ((bound, _),) = bounds[method].most_common(1)
        parts.append(f"{method}: {number:,} cases, {'mostly ' if len(bounds[method]) > 1 else ''}{bound}")
    return "; ".join(parts)


def _left_out(report: Document) -> Iterator[str]:
    """Scope: what is bounded, was refused, was never met or is only trusted."""
    campaign = report.campaign
    if campaign and campaign.cases:
        yield (
            f"Detectors are tested, not proved, by {campaign.cases:,} random cases; the proofs are about the steps"
            f" of their operators. In {campaign.vacuous:,} of the cases there was nothing to detect."
        )
        for name, share in campaign.detectors.items():
            if share.refused:
                yield f"{name} refused {share.refused:,} of {share.cases:,} cases as beyond its limits."
    discrete = [claim.id for claim in report.claims if claim.dense_time == CARRIES_NOT_OVER]
    if discrete:
        yield f"Proved over integer time only: {_listed(discrete)}."
    trusting = [claim.id for claim in report.claims if claim.trusts]
    if trusting:
        yield f"A part of the argument is believed and not proved: {_listed(trusting)}."
    items = [item for claim in report.claims for item in claim.obligations]
    unchecked = [item for item in items if not (item.certificate and item.certificate.checked)]
    if unchecked:
        before = sum(bool(item.accepted_before) for item in items)
        by = sorted({name for item in items for name in item.accepted_before})
        said = f" Those of {before:,} were accepted before, by {'; by '.join(by)}." if by else ""
        yield f"{len(unchecked):,} of {len(items):,} obligations have no certificate checked in this run.{said}"


def _listed(names: list[str]) -> str:
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED:,} more" if len(names) > NAMED else "")


def _proofs(report: Document) -> Section:
    solvers = report.solvers.rows if report.solvers else ()
    rows = tuple((one.solver, f"{one.proofs:,}", f"{one.asked:,}", duration(one.seconds)) for one in solvers)
    told: tuple[str, ...] = ()
    if report.record:
        how = "are those of" if report.record.same else "differ from"
        told = (f"The obligations {how} the committed record of proofs.", *report.record.differences)
    table = Table(("Solver", "Proofs", "Asked", "Time"), rows, ("Proofs", "Asked", "Time"))
    return Section(title="Solvers, and the record of proofs", blocks=(*_filled(table), *told))


def _throughput(report: Document) -> Iterator[Section]:
    """Speeds beside other tools (`remora/bench/3`), the fastest first."""
    measured = sorted((report.throughput or {}).get("rows", ()), key=lambda row: -float(row["rate"]))
    for pattern in dict.fromkeys(row["case"]["pattern"] for row in measured):
        of_pattern = [row for row in measured if row["case"]["pattern"] == pattern and row["rate"]]
        rows = tuple((row["subject"], row["tool"], f"{row['rate'] / 1e6:,.3g}") for row in of_pattern)
        table = Table(("Tool", "Of", "Million instants a second"), rows, ("Million instants a second",))
        yield Section(title=f"Speed: {pattern}", blocks=(table,))
