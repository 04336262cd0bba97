"""The Markdown summary: short, complete in what failed, and nothing in the data becomes markup."""

from __future__ import annotations

from typing import Any

import pytest

from reports.results.report import report_of
from reports.sections.proof_summary import MAX_LISTED, proof_problems
from reports.writing.markdown import render_markdown
from reports.writing.markdown_failures import MAX_DRAWN, MAX_OPEN
from tests.reports.formats import read_markdown


def test_the_verdict_is_the_heading_and_the_counts_are_a_table(report: dict[str, Any]) -> None:
    lines = render_markdown(report).splitlines()
    assert lines[:6] == [
        "## ✕ One claim is refuted.",
        "",
        "| Standing | Claims |",
        "|---|---:|",
        "| ● proved | 40 |",
        "| ✕ refuted | 1 |",
    ]


def test_each_failure_has_its_timeline_in_a_fence(report: dict[str, Any]) -> None:
    text = render_markdown(report)
    assert text.count("```text\n") == 2
    assert "**`law:2`, standing refuted: `A ; B == B ; A`**" in text
    assert "left only  ●━━━━━●  {a@0, b@1}" in text
    assert "replay with `remora campaign replay results 17`" in text


def test_a_canary_that_was_not_refuted_is_the_first_failure(report: dict[str, Any]) -> None:
    report["canaries"][0]["ok"] = False
    text = render_markdown(report)
    assert text.index("NOT REFUTED") < text.index("`law:2`, standing")


def test_failed_checks_and_differing_detections_are_listed(report: dict[str, Any]) -> None:
    report["checks"][0]["ok"] = False
    report["detection"][0]["agree"] = False
    text = render_markdown(report)
    assert "Check failed: equal sides are vacuous" in text
    assert "`figure2` differs on `examples/logins.csv`" in text


def test_timelines_beyond_the_limit_are_counted(report: dict[str, Any], failure: dict[str, Any]) -> None:
    report["campaign"]["failures"] = [failure] * 20
    text = render_markdown(report)
    assert text.count("```text\n") == 1 + MAX_DRAWN
    assert f"{20 - MAX_DRAWN} more with a timeline are in `report.html`." in text


def test_one_case_of_each_detector_comes_before_a_second_one(
    report: dict[str, Any], failure: dict[str, Any]
) -> None:
    names = ["a", "a", "a", "a", "a", "a", "b"]
    report["campaign"]["failures"] = [{**failure, "detector": name} for name in names]
    drawn = [
        line.split("`")[1] for line in render_markdown(report).splitlines() if "in campaign case" in line
    ]
    assert drawn == ["a", "b", "a", "a", "a"]


def test_an_open_claim_is_listed_with_its_reason(report: dict[str, Any]) -> None:
    report["claims"] = [
        {"id": f"law:{n}", "statement": "A | A == A", "standing": "unknown", "reason": "z3 gave up: time"}
        for n in range(MAX_OPEN + 2)
    ]
    text = render_markdown(report)
    assert "- Open: `law:0`, `A | A == A`: z3 gave up: time" in text
    assert text.count("- Open: ") == MAX_OPEN
    assert "- and 2 more are open" in text


def test_a_report_with_one_section_renders_and_an_empty_one_too(proofs: dict[str, Any]) -> None:
    assert render_markdown({}).startswith("## ○ No verdict was recorded")
    for name in proofs:
        assert render_markdown({name: proofs[name]})
        assert render_markdown({**proofs, name: None})


def test_the_proof_side_is_a_table_with_a_row_for_each_section(proofs: dict[str, Any]) -> None:
    lines = render_markdown(proofs).splitlines()
    begin = lines.index("| Proofs | Outcome |")
    assert lines[begin + 1 : begin + 11] == [
        "|---|---|",
        "| Dense time | 1 agreed, 1 not claimed |",
        "| Certificates | 1 accepted |",
        "| Solvers | z3 5.4.0: 579 proofs; 1 disagreement |",
        "| Neighbours | 51 of 2 claims: 47 refuted, 4 true, 0 open |",
        "| Changed definitions | 1 of 2 make a claim fail; no claim notices valid\\~1 |",
        "| Errata of the source | 2 of 2 shown: 1 erratum, 1 in doubt and right; 1 false as printed, 1 confirmed |",
        "| Axioms | needed by how many of 3 claims: interval by 1, join-start by 1 |",
        "| Stability | NOT STABLE: 2 rows, 20 variants each, greatest spread 4.50 |",
        "| Committed record | DIFFERENT in 1 places |",
    ]


def test_an_old_report_has_no_table_of_the_proof_side(report: dict[str, Any]) -> None:
    assert "| Proofs |" not in render_markdown(report)


def test_what_of_the_proof_side_is_not_right_is_listed(proofs: dict[str, Any]) -> None:
    assert list(proof_problems(report_of(proofs))) == [
        "Solvers disagree: law:9: z3 has a proof, cvc5 a model",
        "Unstable: lemma:5.3/step 1, cvc5",
        "Differs from the committed record: law:3 was recorded as unknown",
    ]
    proofs["claims"][2]["obligations"][0]["certificate"]["checked"] = False
    proofs["neighbours"]["claims"][0]["open"] = 2
    proofs["errata"][1]["as_claimed"] = False
    proofs["record"]["differences"] *= MAX_LISTED + 3
    found = list(proof_problems(report_of(proofs)))
    assert found[1] == "Certificate rejected: lemma:5.1/base"
    assert found[2] == "2 neighbours of law:14 are open"
    assert found[3] == "Erratum not shown: six"
    assert found[-1] == "and 3 more such"
    assert f"- {found[1]}" in render_markdown(proofs)


def test_a_counterexample_that_is_a_sentence_is_told_in_the_title(proofs: dict[str, Any]) -> None:
    proofs["claims"][1]["counterexample"] = {"summary": "the step outputs ⟨⟩"}
    assert "**`law:2`, standing refuted: `A ; B == B ; A`, the step outputs ⟨⟩**" in render_markdown(proofs)


HOSTILE = [
    "````\n# x",
    "<script>",
    "[x](y)",
    "**x**",
    "| x |",
    "@someone",
    "a `b` c",
    "</details>",
    "\x1b[31m",
    "&lt;b&gt;",
    "    x",
    "1. x",
    "2) x",
    "- x",
    "+ x",
    "---",
    "===",
    "+++",
]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_is_neither_markup_nor_a_mention(hostile: str, report: dict[str, Any]) -> None:
    plain = read_markdown(render_markdown(report))
    report["verdict"] |= {"summary": hostile, "problems": [hostile], "counts": {hostile: 1, "refuted": 1}}
    report["warnings"] = [hostile]
    report["claims"][1] |= {"id": hostile, "statement": hostile}
    report["claims"][1]["counterexample"]["statement"] = hostile
    report["claims"][1]["counterexample"]["trace"][0] |= {"event": hostile, "value": hostile}
    (failure,) = report["campaign"]["failures"]
    failure |= {"detail": hostile, "relation": hostile}
    report["claims"][1] |= {"reading": hostile}
    failure |= {"detector": hostile, "kind": hostile, "case": hostile, "replay": hostile}
    report["campaign"] |= {"seed": hostile, "detectors": {hostile: {"cases": 3, "refused": 1}}}
    report["environment"] = {"python": hostile, "packages": {hostile: hostile}}
    report["checks"][0] |= {"ok": False, "what": hostile, "detail": hostile}
    text = render_markdown(report)
    page = read_markdown(text)
    assert len(page.headings) == len(plain.headings)
    assert len(page.fences) == len(plain.fences)
    assert [len(rows) for rows in page.tables] == [3, *(len(rows) for rows in plain.tables[1:]), 2]
    assert "\x1b" not in text
    assert "@someone" not in page.words


# ---------------------------------------------------------------------------------------------- deciding from it alone


def test_the_parts_come_in_the_order_in_which_a_reviewer_asks(report: dict[str, Any]) -> None:
    report["claims"][0]["trusts"] = ["a loop"]
    report["campaign"] |= {
        "detectors": {"figure2": {"cases": 5000, "failures": 1, "refused": 3}},
        "coverage": {"groups": [{"group": "pair", "reached": 3, "behaviours": 4, "never": ["a|b"]}]},
    }
    text = render_markdown(report)
    order = [
        "## ✕ One claim is refuted.",
        "- law:2 is refuted",
        "**`law:2`, standing refuted",
        "left only",
        "**`figure2`: missing detection in campaign case `17`; replay with `remora campaign replay results 17`**",
        "expected only",
        "| What was looked at | How much, and how it came out |",
        "exhaustive: 2,097,152 cases, all streams over 3 occurrences",
        "5,000 random cases of seed 0 of 1 detectors: 1 cases failed",
        "| `figure2` | 5,000 | 1 | 3 |",
        "### What this does not say",
        "Detectors are tested, not proved, by 5,000 random cases",
        "figure2 refused 3 of 5,000 cases as beyond its limits.",
        "3 of 4 behaviours were met in the cases; never met: a\\|b.",
        "which no solver has seen: law:14.",
        "1 of 1 obligations have no certificate that was checked in this run.",
        "### The same again",
        "remora verify --quick",
        "Remora 0.1.0, seed 0, python 3.11.7, cores 2, z3-solver 5.4.0, it took 61 s.",
    ]
    places = [text.index(said) for said in order]
    assert places == sorted(places)


def test_a_stored_regression_that_fails_is_drawn(report: dict[str, Any], failure: dict[str, Any]) -> None:
    report["campaign"] |= {
        "failures": [],
        "regressions": {"tried": 9, "failures": [{**failure, "regression": "0123"}]},
    }
    text = render_markdown(report)
    assert "**`figure2` fails the stored regression `0123`**" in text
    assert "9 cases that failed once, for each detector: 1 failures" in text


def test_a_campaign_that_did_not_run_is_said(report: dict[str, Any]) -> None:
    report["campaign"] = {"cases": 0, "failed": 0, "error": "no Java"}
    assert "| Campaign, bounded | it did not run: no Java |" in render_markdown(report)
