"""Known answers about the pages of a report: what is not as it should be is marked, and listed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from remora.verification.known.answers import Checks, Row
from reports.comparing.comparison import compare
from reports.comparing.proof_changes import WORST_FIRST, standings
from reports.results.report import report_of
from reports.sections.glance import figures
from reports.sections.proof_summary import proof_problems, proof_rows
from reports.store import JSON_NAME, SCHEMA, read_report
from reports.writing.junit_report import report_junit
from reports.writing.markdown import render_markdown
from semantics.errors import InputError

checks = Checks()


def _claims(checked: bool | None) -> list[dict[str, Any]]:
    certificate = {"sha256": "0", "checked": checked}
    return [{"id": "c", "standing": "agreed", "obligations": [{"id": "c/1", "certificate": certificate}]}]


def _near(refuted: int) -> dict[str, Any]:
    counts = {"total": 3, "refuted": refuted, "true": 0, "open": 3 - refuted}
    return {"claims": [{"id": "x", "statement": "", **counts}]}


_ONE = {"id": "x", "solver": "z3"}

_REFUSING = {"cases": 3, "refused": 3}
_FAILED = {"tried": 1, "failures": [{"detector": "x", "regression": "r"}]}

_PARTS: Mapping[str, tuple[object, tuple[object, ...]]] = {
    "canaries": ([{"ok": True}], ([{"ok": True}, {"ok": False}],)),
    "neighbours": (_near(3), (_near(2),)),
    "campaign": (
        {"cases": 3},
        (
            {"cases": 3, "failed": 1, "detectors": {"x": {"cases": 3, "failures": 1}}},
            {"cases": 3, "error": "Spark broke down"},
            {"cases": 3, "regressions": _FAILED},
            {"cases": 3, "detectors": {"x": _REFUSING}},
        ),
    ),
    "power": ({"mutants": 2, "killed": 2}, ({"mutants": 2, "killed": 1},)),
    "detection": ([{"agree": True}], ([{"agree": True}, {"agree": False}],)),
    "errata": ([{"as_claimed": True}], ([{"as_claimed": False}, {"as_claimed": True}],)),
}
"""Parts of a report that are as they should be, and some that are not."""

_OF_PROOFS: Mapping[str, tuple[object, object, str, str]] = {
    "claims": (_claims(True), _claims(False), "1 accepted", "1 rejected"),
    "record": ({"same": True}, {"same": False, "differences": ["x"]}, "the same", "DIFFERENT in 1 places"),
    "stability": (
        {"ok": True, "variants": 2, "rows": [_ONE]},
        {"ok": False, "variants": 2, "rows": [_ONE], "unstable": [_ONE]},
        "stable: 1 rows, 2 variants each",
        "NOT STABLE: 1 rows, 2 variants each",
    ),
    "solvers": (
        {"rows": [{"solver": "z3", "proofs": 1}]},
        {"rows": [{"solver": "z3", "proofs": 1}], "disagreements": [{"id": "x", "reason": "y"}]},
        "z3: 1 proofs; no disagreements",
        "z3: 1 proofs; 1 disagreement",
    ),
    "errata": (
        [{"id": "e", "kind": "gap", "as_claimed": True}],
        [{"id": "e", "kind": "gap", "as_claimed": False}],
        "1 of 1 shown: 1 erratum, 0 in doubt and right; 1 gap",
        "0 of 1 shown: 1 erratum, 0 in doubt and right; 1 gap",
    ),
    "neighbours": (
        _near(3),
        _near(2),
        "3 of 1 claims: 3 refuted, 0 true, 0 open",
        "3 of 1 claims: 2 refuted, 0 true, 1 open",
    ),
}
"""The same of the summary of proofs, with what is said of them."""


@checks.known("report pages", "what is not as it should be is marked in a report, and listed")
def _pages() -> Iterator[Row]:
    for section, (right, several) in _PARTS.items():
        for part in (right, *several):
            found = {one.section: one.ok for one in figures(report_of({section: part}))}
            yield f"{section}: {part}", found, {section: part is right}
            if section != "power":  # each wrong detector is a check
                text = report_junit({section: part, "verdict": {"exit_status": 0}})
                passed = not ("<failure " in text or "<error " in text)
                yield f"{section} in JUnit XML: {part}", passed, part is right
    for section, (right, wrong, said, complained) in _OF_PROOFS.items():
        for part, words in ((right, said), (wrong, complained)):
            report = report_of({section: part})
            yield f"the row of {section}: {part}", [text for _, text in proof_rows(report)], [words]
            yield f"what is listed of {section}", bool(list(proof_problems(report))), part is wrong
    for noticed, words in (("x", "1 noticed"), ("", "0 noticed; nothing notices x")):
        report = report_of({"sabotages": {"of": 3, "rows": [{"id": "x", "noticed": noticed}]}})
        got = next(iter(proof_rows(report)))[1]
        yield f"a sabotage noticed by {noticed or 'nothing'}", got, f"1 of 3 tried, {words}"
    (unchecked,) = report_of({"claims": _claims(None)}).claims
    yield "a certificate that nobody checked", unchecked.obligations[0].certificate.state, "not checked"
    for share, regressions, outcome in (
        ({"cases": 3}, {}, ""),
        ({"cases": 3, "failures": 1}, {}, "failure"),
        ({"cases": 3}, _FAILED, "failure"),
        (_REFUSING, {}, "error"),
    ):
        campaign = {"detectors": {"x": share}, "regressions": regressions}
        got = _in_junit("x", {"campaign": campaign})
        yield f"a detector in JUnit XML: {share}, {regressions}", got, outcome
    for place, word in enumerate(WORST_FIRST):
        outcome = "failure" if word in ("disagreement", "refuted") else "" if place > 3 else "error"
        for what in ({"standing": word}, {"standing": "agreed", "dense_time": word}):
            yield f"a claim in JUnit XML: {what}", _in_junit("c", {"claims": [{"id": "c", **what}]}), outcome
    yield from _elsewhere()


def _elsewhere() -> Iterator[Row]:
    """What is wrong, in JUnit XML and in Markdown."""
    for status in range(-1, 6):
        outcome = {0: "", 1: "failure", 4: "failure"}.get(status, "error")
        got = _in_junit("verdict", {"verdict": {"exit_status": status}})
        yield f"a verdict in JUnit XML: {status}", got, outcome
    for word, outcome in (("agreed", "failure"), ("tested", "failure"), ("unknown", "error")):
        got = _in_junit("c", {"canaries": [{"id": "c", "standing": word}]})
        yield f"a false claim in JUnit XML that is {word}", got, outcome
    listed: tuple[tuple[str, object], ...] = (
        ("canaries", [{"ok": False}]),
        ("checks", [{"ok": False}]),
        ("detection", [{"agree": False}]),
        ("campaign", {"failures": _FAILED["failures"]}),
        ("campaign", {"regressions": _FAILED}),
        *(("claims", [{"standing": word}]) for word in WORST_FIRST[:3]),
    )
    for section, part in listed:
        lines = render_markdown({section: part}).splitlines()
        yield f"failures in Markdown: {part}", sum(line.startswith("**") for line in lines), 1
    text = render_markdown({"verdict": {"exit_status": 1, "problems": ["one", "two"]}})
    yield "problems in Markdown", ["- one" in text, "- two" in text], [True, True]
    some = {"cases": 3, "detectors": {"x": {"cases": 3, "refused": 1}}}
    yield "some cases that were refused", "refused 1 of 3" in render_markdown({"campaign": some}), True


def _in_junit(name: str, report: Mapping[str, Any]) -> str:
    """How the test cases of a name ended that did not pass."""
    text = report_junit(report)
    of_name = text[text.index(f'<testcase name="{name}"') :]
    return next((word for word in ("failure", "error") if f"<{word} " in of_name), "")


@checks.known("comparisons of reports", "a standing that is worse than before is worse")
def _changes() -> Iterator[Row]:
    reports = [
        report_of(
            {"claims": [{"id": "c", "dense_time": word, "obligations": [{"id": "c/1", **stands}], **stands}]}
        )
        for word in WORST_FIRST
        for stands in [{"standing": word}]
    ]
    for (worse, old), (better, new) in product(enumerate(reports), repeat=2):
        kinds = [change.kind for change in standings(old, new)]
        due = [] if worse == better else ["better" if better > worse else "worse"] * 3
        yield f"{WORST_FIRST[worse]} that becomes {WORST_FIRST[better]}", kinds, due
    for share, is_worse in (({"cases": 3}, False), ({"cases": 3, "failures": 1}, True), (_REFUSING, True)):
        before, after = ({"campaign": {"detectors": several}} for several in ({}, {"x": share}))
        yield f"a detector that is new: {share}", compare(before, after).worse, is_worse
    green = {"verdict": {"exit_status": 0}}
    found: tuple[dict[str, Any], ...] = (
        {"verdict": {"exit_status": 3}},
        {"checks": [{"id": "x"}]},
        {"canaries": [{"id": "x"}]},
        {"errata": [{"id": "x"}]},
        {"detection": [{"trace": "x"}]},
        {"power": {"survivors": ["x"]}},
        {"campaign": {"error": "Spark broke down"}},
        {"campaign": {"causes": [{"detector": "x"}]}},
        {"campaign": {"regressions": _FAILED}},
    )
    for wrong in found:
        yield f"what was not there before: {wrong}", compare(green, {**green, **wrong}).worse, True
    whole = {
        "schema": SCHEMA,
        "remora": "",
        "seed": 0,
        "claims": [],
        "verdict": {"exit_status": 0, "summary": ""},
    }
    for title, damaged in (
        ("whole", whole),
        ("without a verdict", {**whole, "verdict": None}),
        ("with a claim that has no standing", {**whole, "claims": [{"id": "c", "statement": ""}]}),
    ):
        with TemporaryDirectory() as folder:
            Path(folder, JSON_NAME).write_text(json.dumps(damaged), "utf-8")
            try:
                read = bool(read_report(folder))
            except InputError:
                read = False
        yield f"whether a report is read that is {title}", read, damaged is whole
