"""Known answers about what is kept: the record of proofs, certificates, the atlas, the evidence for errata."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from laws.claims import Claim
from laws.errata import Evidence
from laws.standings import Standing
from laws.systems import find, laws_of
from proofs.acceptance import Acceptances, from_results
from proofs.certification import Certified, with_certificates
from proofs.errata import ErratumResult, EvidenceResult, examiner_of
from proofs.names import row_id
from proofs.record import FOLDER, changes, differences, recorded, text_differences
from proofs.systems import provable_of
from remora.atlas.cases import Level
from remora.atlas.cells import LAWS, Cell
from remora.atlas.deciding import decision
from remora.atlas.proving import Proof, agreed, definitions, known
from remora.atlas.record import differences as atlas_differences
from remora.atlas.record import recorded as recorded_atlas
from remora.atlas.record import replay
from remora.verification.known.answers import Known, Row
from semantics.errors import InputError
from semantics.settings.catalogue import SETTINGS
from semantics.systems import systems_in
from smt.attempts import ClaimResult, ObligationResult
from smt.certificates import Certificate, Checked, certificate, complaints, run_checker, sha256
from smt.obligations import Obligation
from smt.solvers.cvc5_solver import CVC5
from smt.solvers.portfolio import Opinion, Portfolio
from smt.solvers.solver import Answer, Strategy


def checks(portfolio: Portfolio) -> list[Known]:
    """The checks of this module; those of certificates where cvc5 is installed."""
    found = [
        Known("record of proofs", "whatever is other than the record of proofs is named", _record),
        Known("comparison of records", "what broke, grew slower, came or went is named", _changes),
        Known("atlas", "no law is proved where a trace refutes it, and false cells are named", _atlas),
        Known(
            "evidence", "evidence that comes out otherwise is not as claimed", lambda: _evidence(portfolio)
        ),
        Known("acceptances", "who accepted a certificate accepted that one alone", _acceptances),
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
            )
        )
    return found


# --------------------------------------------------------------------------------------------------------- record


def _as_recorded(claim: Claim, rows: Mapping[str, Mapping[str, Any]]) -> ClaimResult:
    """A result that says what the record says."""
    parts = []
    for part in provable_of(claim).obligations("int"):
        row = next(each for each in rows.values() if each["id"] == row_id(part))
        opinions = tuple(
            Opinion(
                one["solver"],
                Strategy(one["strategy"], tuple(one["options"].items())),
                Answer(one["status"], one["solver"], 0.0, one["units"]),
            )
            for one in row["solvers"]
        )
        asked = part.with_axioms(row["axioms"])
        parts.append(ObligationResult(asked, Standing(row["standing"]), opinions, row["hypotheses"]))
    return ClaimResult(claim, parts[0].standing, tuple(parts), None, 0, 0.0)


def _record() -> Iterator[Row]:
    rows = recorded()
    for claim in find(["lemma:5.2"]):
        result = _as_recorded(claim, rows)
        parts = [part.obligation for part in result.obligations]
        texts = _texts(claim.id)
        yield f"{claim.id} as recorded", texts(parts), []
        yield f"{claim.id} without a part", bool(texts(parts[1:])), True
        yield f"{claim.id} with one more", bool(texts([*parts, parts[0].renamed("more")])), True
        weaker = replace(parts[0], assertions=(*parts[0].assertions, "false"))
        yield f"{claim.id} with another text", bool(texts([weaker, *parts[1:]])), True
        # Rows over dense time are not among these parts, and only that is said.
        usual = differences([result], whole=False)
        yield f"{claim.id} again", usual, []
        for name, other in _altered(result):
            yield f"{claim.id}: {name}", bool(differences([other], whole=False)), True
    yield "nothing at all", len(text_differences([], FOLDER)), len(rows)
    yield "no result at all", len(differences([])), len(rows)


def _acceptances() -> Iterator[Row]:
    known = Acceptances().added("a checker", "a signature", ["aa"])
    yield "who accepted a certificate", known.of("aa"), ("a checker with a signature",)
    yield "who accepted another one", (known.of("bb"), known.of(None)), ((), ())
    name, row = next(
        (name, row) for name, row in recorded().items() if row["certificate"] and row["time"] == "int"
    )
    for title, sha, checked, right in (
        ("the recorded certificate", row["certificate"], True, [row["certificate"]]),
        ("another certificate", "bb", True, []),
        ("a certificate that is refused", row["certificate"], False, []),
    ):
        result = {"id": name, "time": "int", "certificate": {"sha256": sha, "checked": checked}}
        yield title, from_results({"obligations": [result]}), right


def _texts(claim: str) -> Callable[[list[Obligation]], list[str]]:
    return lambda parts: text_differences(parts, claims={claim})


def _altered(result: ClaimResult) -> Iterator[tuple[str, ClaimResult]]:
    """A result with one thing changed in its first part."""
    first, *others = result.obligations
    worse = Standing.PROVED if first.standing is Standing.AGREED else Standing.AGREED
    opinion = first.opinions[0]
    assert opinion.answer is not None  # it is out of the record
    unknown = replace(opinion, answer=replace(opinion.answer, status="unknown"))
    named = replace(opinion, strategy=replace(opinion.strategy, name="another"))
    optional = replace(opinion, strategy=replace(opinion.strategy, options=(("another", True),)))
    working = replace(opinion, answer=replace(opinion.answer, rlimit=opinion.answer.rlimit + 1))
    denied = replace(first.obligation, assertions=(*first.obligation.assertions, "false"))
    changed = {
        "standing": replace(first, standing=worse),
        "hypotheses": replace(first, hypotheses="not asked"),
        "text": replace(first, obligation=denied),
        **{
            name: replace(first, opinions=(one, *first.opinions[1:]))
            for name, one in (
                ("status", unknown),
                ("strategy", named),
                ("options", optional),
                ("units", working),
            )
        },
    }
    for name, part in changed.items():
        yield name, replace(result, obligations=(part, *others))
    yield "a part less", replace(result, obligations=tuple(others))


def _changes() -> Iterator[Row]:
    rows = dict(list(recorded().items())[:4])
    first = next(iter(rows))
    row = rows[first]
    cheap = {**row, "solvers": [{**each, "units": 30_000} for each in row["solvers"]]}
    dear = {**row, "solvers": [{**each, "units": 90_000} for each in row["solvers"]]}
    less = {name: each for name, each in rows.items() if name != first}
    yield "the same", sum(map(len, changes(rows, rows).values())), 0
    for kind, old, new in (
        ("broke", rows, {**rows, first: {**row, "standing": "unknown"}}),
        ("obsolete", rows, {**rows, first: {**row, "sha256": "0"}}),
        ("slower", {**rows, first: cheap}, {**rows, first: dear}),
        ("added", less, rows),
        ("removed", rows, less),
    ):
        yield kind, bool(changes(old, new)[kind]), True


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
    result = _as_recorded(law, recorded())
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


# ---------------------------------------------------------------------------------------------------------- atlas


def _atlas() -> Iterator[Row]:
    cells = recorded_atlas()
    laws = {law.id: law for law in LAWS}
    for name, setting in SETTINGS.items():
        said = setting.pairing == "unrestricted" and setting.spans == "filter"
        yield f"formulas that say {name}", definitions(setting) is not None, said
    for (law, name), cell in cells.items():
        if cell.standing == "refuted":
            yield f"a proof of {law} in {name}", known(laws[law], SETTINGS[name]), ""
            if name in _REFUTED_BY_ALL:
                yield f"solvers on {law} in {name}", agreed(laws[law], SETTINGS[name]), None
    for law, name, level in _OF_TYPES:
        decided = decision(laws[law], SETTINGS[name], level)
        yield f"automata on {law} in {name}", decided is not None and bool(decided.cases), True
    yield "automata on bounds", decision(laws["law:25"], SETTINGS["snoop-unrestricted-points"], "types"), None
    some = [next(one for one in cells.values() if one.standing == standing) for standing in _STANDINGS]
    rest = {key: cell for key, cell in cells.items() if cell not in some}
    proved = [cells[one] for one in _PROVED]
    yield "as recorded", [line for line in replay([*some, *proved]) if "no cell" not in line], []
    yield "cells that are not there", len(replay(some)), len(rest)
    for title, cell in _false_cells(some):
        yield title, bool([line for line in replay([cell]) if "no cell" not in line]), True
    key = next(iter(cells))
    worse = replace(cells[key], standing="tested" if cells[key].standing == "proved" else "proved")
    yield "the same atlas", atlas_differences(cells, cells), []
    yield "another standing", len(atlas_differences(cells, {**cells, key: worse})), 1
    yield "a cell less", len(atlas_differences(cells, {k: c for k, c in cells.items() if k != key})), 1


_STANDINGS = ("proved", "refuted", "decided")

_PROVED = (("law:8", "snoop-unrestricted-points"), ("law:9", "snoop-recent-points"))
"""Laws that the solvers prove by formulas of both kinds."""

_OF_TYPES: Sequence[tuple[str, str, Level]] = (
    ("law:6", "snoop-unrestricted-points", "types"),
    ("law:7", "snoop-recent-intervals", "types"),
    ("law:8", "snoop-cumulative-points", "types"),
    ("law:10", "snoop-continuous-points", "types"),
    ("law:9", "hv-first-last-lists-points-native", "types"),
    ("law:15", "hv-2-2-lists-points-native", "types"),
)
"""Laws that fail for event types."""

_REFUTED_BY_ALL = ("snoop-unrestricted-points", "snoop-recent-points")
"""Systems in which each law that is refuted is asked of the solvers too."""


def _false_cells(known: list[Cell]) -> Iterator[tuple[str, Cell]]:
    proved, refuted, decided = known
    yield "a refuted cell as proved", replace(refuted, standing="proved", why="common operators")
    yield "a proof of another kind", replace(proved, why="another")
    yield "a refuted cell as decided", replace(refuted, standing="decided", why="automata")
    yield "a decided cell as proved", replace(decided, standing="proved", why="pairs")
    for one in _PROVED:
        asked = recorded_atlas()[one]
        yield "a proof by other texts", replace(asked, proof=Proof(asked.why, "another", ()))
    assert refuted.case is not None  # it is refuted by one
    yield "a trace that refutes nothing", replace(refuted, case=replace(refuted.case, trace=()))
    yield "a refutation without a trace", replace(refuted, case=None)
    yield "a law that there is not", replace(proved, law="law:0")


# ------------------------------------------------------------------------------------------------------- evidence


def _evidence(portfolio: Portfolio) -> Iterator[Row]:
    """Of each kind of evidence one piece, of which something else is said to come out."""
    for system in systems_in("errata"):
        examine = examiner_of(system, portfolio.solvers[0])
        tried: set[object] = set()
        for erratum in laws_of(system).errata():
            for one in erratum.evidence:
                kind = (
                    one.check,
                    frozenset(one.details) & {"trace", "instants", "streams", "printed", "meant"},
                )
                details = _otherwise(one.details)
                if details is None or kind in tried:
                    continue
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


def _otherwise(details: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The details with another expectation, of theirs or of a side of them; None where there is none."""
    if "expect" in details:
        return {**details, "expect": _another(details["expect"])}
    for side, given in details.items():
        if isinstance(given, Mapping) and "expect" in given:
            return {**details, side: _otherwise(given)}
    return None


def _another(expected: object) -> object:
    """Something else than what is to come out."""
    match expected:
        case list():
            return [*expected, "another"]
        case int():
            return expected + 1
        case _:
            return {"holds": "fails", "fails": "holds", "valid": "not valid", "not valid": "valid"}.get(
                str(expected), "another"
            )
