"""Known answers about what is kept: certificates, campaigns, the evidence for errata."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from campaigns.engine.campaign import run_locally
from campaigns.engine.directory import CampaignDirectory, write_json
from campaigns.engine.execution import CampaignFailed, Execution, Listener, _added
from campaigns.engine.failures import Examples
from campaigns.engine.finished import finished
from campaigns.engine.kept_waves import cause_of, waves_of
from campaigns.engine.receipts import write_receipts
from campaigns.engine.rows import to_batch
from campaigns.engine.settings import Settings, settings_from_json, settings_to_json
from campaigns.engine.shard_files import write_rows
from campaigns.engine.summary import CampaignSummary, CauseCount, Share, summary_to_json
from campaigns.judging.replays import RegressionOutcome
from campaigns.judging.verdicts import Cause
from campaigns.systems import NO_CORPUS
from laws.errata import Evidence, errata_of
from laws.standings import Standing
from laws.systems import find
from proofs.certification import Certified, with_certificates
from proofs.errata import ErratumResult, EvidenceResult, examiner_of
from proofs.names import row_id
from proofs.systems import provable_of
from remora.api.claiming.data import _certificate_data
from remora.verification.campaign import CAMPAIGN, prepare
from remora.verification.certificates import rejections
from remora.verification.known.answers import Known, Row, always
from remora.verification.known.judges.judging import summary
from remora.verification.known.proof_record import as_recorded
from reports.store import JSON_NAME
from semantics.errors import InputError
from semantics.systems import systems_in
from smt.certificates import Certificate, Checked, certificate, complaints, run_checker, sha256
from smt.solvers.cvc5_solver import CVC5
from smt.solvers.portfolio import Portfolio


def checks(portfolio: Portfolio) -> list[Known]:
    """The checks of this module; those of certificates where cvc5 is installed."""
    found = [
        Known(
            "evidence", "evidence that comes out otherwise is not as claimed", lambda: _evidence(portfolio)
        ),
        Known(
            "stored campaigns", "a campaign whose files were altered is not answered from them", _campaigns
        ),
        Known("certified", "a claim is certified when all of its parts are", _certified),
    ]
    solver = next((each for each in portfolio.solvers if isinstance(each, CVC5)), None)
    if solver is not None:
        known = solver
        found.append(
            Known(
                "certificates",
                "a certificate that is no refutation of the problem is rejected, whatever a checker says",
                lambda: _certificates(known),
                varies=True,
            )
        )
    return found


# --------------------------------------------------------------------------------------------------- certificates


def _certificates(solver: CVC5) -> Iterator[Row]:
    (law,) = find(["law:1"])
    problem, other = (part.text for part in provable_of(law).obligations("int"))
    whole = certificate(problem, "../p.smt2", solver, rlimit=100_000).text
    lines = whole.splitlines(keepends=True)
    assumed = next(line for line in lines if line.startswith("(assume "))
    rule = next(line for line in lines if line.startswith("(step ") and ":rule " in line)
    trusted = rule.replace(":rule " + rule.split(":rule ")[1].split()[0].strip("()"), ":rule trust", 1)
    bad = {
        "empty": "",
        "without an assumption": whole.replace(assumed, "", 1),
        "without its last step": "".join(lines[:-1]),
        "with a step on trust": whole.replace(rule, trusted, 1),
        "with a rule of its own": whole + "(declare-rule mine () :conclusion false)\n",
        "with an include": whole.replace("(reference", '(include "x.eo")\n(reference', 1),
        "with another hash": whole.replace(sha256(problem), sha256(other), 1),
        "with another file": whole.replace("../p.smt2", "../q.smt2", 1),
        "with two files": whole.replace("(reference", '(reference "../q.smt2")\n(reference', 1),
        "with one more assumption": whole.replace(assumed, assumed + "(assume @p9999 false)\n", 1),
        "with an unknown premise": whole + "(step @p9998 false :rule eq_resolve :premises (@p9999))\n",
        "with an unknown second premise": whole
        + f"(step @p9998 false :rule eq_resolve :premises ({assumed.split()[1]} @p9999))\n",
        "with a parenthesis that closes nothing": whole + ")\n(step @p9998 false :rule refl)\n",
        "with a local assumption": whole + "(assume-push @p9997 false)\n(step @p9996 false :rule refl)\n",
    }
    yield "whole", complaints(whole, problem, "../p.smt2"), ()
    yield "of another problem", bool(complaints(whole, other, "../p.smt2")), True
    for name, text in bad.items():
        yield name, bool(complaints(text, problem, "../p.smt2")), True
    if os.name != "posix":
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "c").mkdir()
        (folder / "p.smt2").write_text(problem, encoding="utf-8", newline="")
        for title, text, said, accepted in (
            ("whole, accepted", whole, "echo correct", True),
            ("whole, incomplete", whole, "echo incomplete", False),
            ("whole, with an error", whole, "echo correct; exit 1", False),
            ("whole, by a checker that is killed", whole, "echo correct; kill -9 $$", False),
            ("of a file elsewhere", whole.replace("../p.smt2", "../d/p.smt2"), "echo correct", False),
            ("whole, with something else", whole, "echo correct; echo not", False),
            *((f"{title}, accepted", text, "echo correct", False) for title, text in list(bad.items())[:4]),
        ):
            (folder / "c" / "p.cpc").write_text(text, encoding="utf-8", newline="")
            script = folder / "checker"
            script.write_text(f"#!/bin/sh\n{said}\n")
            script.chmod(0o755)
            found = run_checker(script, folder / "c" / "p.cpc", folder / "p.smt2", timeout_seconds=10)
            yield title, found.accepted, accepted
        for more in (b"\xff", b"\xff\nmore", b"\xff\n; more\n"):
            (folder / "c" / "p.cpc").write_bytes(whole.encode() + more)
            found = run_checker(script, folder / "c" / "p.cpc", folder / "p.smt2", timeout_seconds=10)
            yield f"bytes after 0xFF, {more!r}", found.accepted, False


def _certified() -> Iterator[Row]:
    (law,) = find(["law:14"])
    result = as_recorded(law)
    made = Certificate("", "", "", "", (), 0)
    names = [row_id(part.obligation) for part in result.obligations]
    for title, accepted, right in (
        ("all parts", dict.fromkeys(names, True), Standing.CERTIFIED),
        ("one part", {names[0]: True}, result.standing),
        ("one of two", {names[0]: True, names[1]: False}, result.standing),
        ("none", {}, result.standing),
    ):
        certified = {name: Certified(made, "", Checked(yes, "")) for name, yes in accepted.items()}
        (found,) = with_certificates([result], certified)
        yield title, found.standing, right
    for title, one, asked_now, objections in (
        ("a certificate that is rejected", Certified(made, "", Checked(False, "no")), True, 1),
        ("one that was not checked", Certified(made), True, 1),
        ("one that nobody was asked about", Certified(made), False, 0),
        ("no certificate", Certified(None, "none"), False, 1),
        ("one that is accepted", Certified(made, "", Checked(True, "")), True, 0),
    ):
        yield f"objections to {title}", len(rejections({"x": one}, asked=asked_now)), objections
    for checked, kept in ((Checked(True, ""), True), (Checked(False, ""), False), (None, None)):
        data = _certificate_data(result.obligations[0], {names[0]: Certified(made, "", checked)})
        yield f"a certificate in a report: {checked}", data["certificate"]["checked"], kept
    unasked = {name: Certified(made) for name in names}
    yield "no checker", with_certificates([result], unasked)[0].standing, result.standing
    unknown = replace(
        result,
        standing=Standing.UNKNOWN,
        obligations=tuple(replace(part, standing=Standing.UNKNOWN) for part in result.obligations),
    )
    asked = {name: Certified(made, "", Checked(True, "")) for name in names}
    (open_,) = with_certificates([unknown], asked)
    yield "nothing proved", open_.standing, Standing.UNKNOWN
    yield "its parts", {part.standing for part in open_.obligations}, {Standing.UNKNOWN}


# ------------------------------------------------------------------------------------------------------ campaigns

_SETTINGS = Settings(
    seed=9, cases=30, detectors=("figure2", "mutant:seq-newest"), relations=(), wave=30, constants=()
)


def _campaigns() -> Iterator[Row]:
    """A campaign of one wave, answered from its files; then one of them is altered."""
    rows = list(run_locally(_SETTINGS, 0, _SETTINGS.cases))
    causes: dict[Cause, list[tuple[int, str]]] = {}
    for row in rows:
        for failure in row.failures:
            causes.setdefault(cause_of(failure), []).append((row.case, failure["detail"]))
    total = Share(len(rows), sum(row.vacuous for row in rows), sum(bool(row.failures) for row in rows))
    counted = tuple(CauseCount(one, len(found), *found[0]) for one, found in causes.items())
    right = summary(
        campaign=_SETTINGS.campaign,
        settings=_SETTINGS,
        total=total,
        causes=counted,
        profiles={"known": total},
        detectors=dict(zip(_SETTINGS.detectors, (replace(total, failures=0), total), strict=True)),
    )
    yield "how many fail", total.failures > 0, True
    yield from _of_others()
    with TemporaryDirectory() as name:
        place = CampaignDirectory(Path(name))
        place.write_settings(_SETTINGS)
        shard = place.wave(0) / "part-0.parquet"
        write_receipts(place.wave(0), [write_rows(shard, [to_batch(rows)])])

        def summed_up(counted: CampaignSummary) -> object:
            execution: Any = object.__new__(Execution)
            execution.place, execution.settings, execution.listener = place, _SETTINGS, Listener()
            execution.waves = waves_of(_SETTINGS)
            execution.examples = SimpleNamespace(meet=lambda _: None)
            execution.summary = lambda *_: replace(counted, directory=place.path)
            try:
                return execution.run(RegressionOutcome()) is not None
            except CampaignFailed:
                return False

        regressions = RegressionOutcome(1)

        def answered(stored: CampaignSummary) -> object:
            write_json(place.summary, summary_to_json(replace(stored, directory=place.path)))
            unseen = Examples(_SETTINGS, (), lambda _: None)
            try:
                with patch.object(unseen, "meet"):
                    found = finished(place, _SETTINGS, unseen, regressions)
                    return found is not None and found.regressions is regressions
            except InputError:
                return "refused"

        yield "a summary that fits its rows", answered(right), True
        yield "sums by Spark that fit them", summed_up(right), True
        for title, wrong in (
            ("fewer failures", replace(right, total=replace(total, failures=0))),
            ("fewer cases", replace(right, total=replace(total, cases=29))),
            ("no causes", replace(right, causes=())),
            (
                "another detector",
                replace(right, detectors=dict(zip(_SETTINGS.detectors, (total,) * 2, strict=True))),
            ),
            ("no profile", replace(right, profiles={"known": replace(total, failures=0)})),
            ("another first case", replace(right, causes=tuple(replace(one, first=29) for one in counted))),
            ("the name of another campaign", replace(right, campaign="another")),
        ):
            yield f"a summary with {title}", answered(wrong), False
            if wrong.campaign == right.campaign:
                yield f"sums by Spark with {title}", summed_up(wrong), False
        for title, kept in (
            ("a row less", rows[1:]),
            ("a row twice", [*rows, rows[0]]),
            ("a row of another campaign", [rows[0]._replace(campaign="another"), *rows[1:]]),
        ):
            write_receipts(place.wave(0), [write_rows(shard, [to_batch(kept)])])
            yield f"a shard with {title}", answered(right), False
        shard.write_bytes(shard.read_bytes()[:100])
        none = replace(total, failures=0)
        none_by = dict.fromkeys(_SETTINGS.detectors, none)
        silent = replace(right, total=none, causes=(), profiles={"known": none}, detectors=none_by)
        yield "a shard that is cut off", answered(silent), False
        write_receipts(place.wave(0), [write_rows(shard, [to_batch(rows)])])
        write_rows(shard, [to_batch([row._replace(failures=[]) for row in rows])])
        yield "a shard with other rows", answered(right), "refused"


def _of_others() -> Iterator[Row]:
    """Campaigns that are others than the one that is asked for."""
    asked: tuple[dict[str, Any], ...] = (
        {"seed": 8},
        {"cases": 29},
        {"detectors": ("figure2",)},
        {"relations": ("gap",)},
        {"profiles": {"ties": 1}},
        {"seconds": 1.0},
        {"memory": 1},
        {"constants": (7,)},
    )
    for changed in asked:
        other = replace(_SETTINGS, **changed)
        got = other.campaign != _SETTINGS.campaign, bool(_SETTINGS.difference(other))
        yield f"settings with {changed}", got, (True, "constants" not in changed)
    for changed in (
        {},
        {"generation": -1},
        {"schema": "another"},
        {"vectorised": True},
        {"corpus": "another"},
    ):
        text = json.dumps({**settings_to_json(_SETTINGS), **changed})
        try:
            taken = settings_from_json(text, "", always(NO_CORPUS)) == _SETTINGS
        except InputError:
            taken = False
        yield f"settings that are stored with {changed}", taken, not changed
    one, other_share = Share(4, 3, 2, 1), Share(40, 30, 20, 10)
    yield "shares that are added", _added(one, other_share), Share(44, 33, 22, 11)
    with TemporaryDirectory() as name:
        place = CampaignDirectory(Path(name, CAMPAIGN))
        place.write_settings(_SETTINGS)
        for path in (place.summary, Path(name, JSON_NAME)):
            path.write_text("{}", "utf-8")
        prepare(Path(name), "local[1]")
        yield "a campaign of an earlier verification", place.path.exists(), False


# ------------------------------------------------------------------------------------------------------- evidence


def _evidence(portfolio: Portfolio) -> Iterator[Row]:
    """Of each kind of evidence one piece, of which something else is said to come out."""
    for system in systems_in("errata"):
        examine = examiner_of(system, portfolio.solvers[0])
        tried: set[object] = set()
        for erratum in errata_of(system):
            for one in erratum.evidence:
                kind = (
                    one.check,
                    frozenset(one.details) & {"trace", "instants", "streams", "printed", "meant"},
                )
                if kind in tried:
                    continue
                for details in _otherwise(one.details):
                    tried.add(kind)
                    try:
                        claimed = examine(Evidence(one.check, details)).as_claimed
                    except (InputError, KeyError):  # nothing like that can come out
                        claimed = False
                    yield f"{one.check} of {erratum.id} otherwise", claimed, False
        found = EvidenceResult("known", "", "", "", True)
        wrong = ErratumResult(erratum, (found, replace(found, as_claimed=False)))
        yield "an erratum without evidence", ErratumResult(erratum, ()).as_claimed, False
        yield "an erratum with wrong evidence", wrong.as_claimed, False


def _otherwise(details: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The details with other expectations, of theirs or of a side of them; none where there is none."""
    if "expect" in details:
        yield from ({**details, "expect": other} for other in _others(details["expect"]))
        return
    for side, given in details.items():
        if isinstance(given, Mapping) and "expect" in given:
            yield from ({**details, side: other} for other in _otherwise(given))
            return


def _others(expected: object) -> Iterator[object]:
    """Something else than what is to come out."""
    match expected:
        case list():
            yield [*expected, "another"]
            if expected:
                yield expected[:-1]
        case int():
            yield expected + 1
        case _:
            opposite = {"holds": "fails", "fails": "holds", "valid": "not valid", "not valid": "valid"}
            yield opposite.get(str(expected), "another")
