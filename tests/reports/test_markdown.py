"""The Markdown summary: short, complete in what failed, and nothing in the data becomes markup."""

from __future__ import annotations

from typing import Any

import pytest

from reports.markdown import MAX_DRAWN, render_markdown
from reports.proof_summary import MAX_LISTED, proof_problems


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
    assert text.count("```text\n") == MAX_DRAWN
    assert f"{21 - MAX_DRAWN} more with a timeline are in `report.html`." in text


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
        "| Dense time | 1 agreed, 1 does not carry over |",
        "| Certificates | 1 accepted |",
        "| Solvers | z3 5.4.0: 579 proofs; 1 disagreement |",
        "| Neighbours | 51 of 2 claims: 47 refuted, 4 true, 0 open |",
        "| Changed definitions | 1 of 2 make a claim fail; no claim notices valid\\~1 |",
        "| Errata of the source | 2 of 2 shown: 1 false as printed, 1 confirmed |",
        "| Axioms | needed by how many of 3 claims: interval by 0, join-start by 1 |",
        "| Stability | NOT STABLE: 2 rows, 20 variants each, greatest spread 4.50 |",
        "| Committed record | DIFFERENT in 1 places |",
    ]


def test_an_old_report_has_no_table_of_the_proof_side(report: dict[str, Any]) -> None:
    assert "| Proofs |" not in render_markdown(report)


def test_what_of_the_proof_side_is_not_right_is_listed(proofs: dict[str, Any]) -> None:
    assert list(proof_problems(proofs)) == [
        "Solvers disagree: law:9: z3 has a proof, cvc5 a model",
        "Unstable: lemma:5.3/step 1",
        "Differs from the committed record: law:3 was recorded as unknown",
    ]
    proofs["claims"][2]["obligations"][0]["certificate"]["checked"] = False
    proofs["neighbours"]["claims"][0]["open"] = 2
    proofs["errata"][1]["as_claimed"] = False
    proofs["record"]["differences"] *= MAX_LISTED + 3
    found = list(proof_problems(proofs))
    assert found[1] == "Certificate rejected: lemma:5.1/base"
    assert found[2] == "2 neighbours of law:14 are open"
    assert found[3] == "Erratum not shown: six"
    assert found[-1] == "and 3 more such"
    assert f"- {found[1]}" in render_markdown(proofs)


def test_a_counterexample_that_is_a_sentence_is_told_in_the_title(proofs: dict[str, Any]) -> None:
    proofs["claims"][1]["counterexample"] = {"summary": "the step outputs ⟨⟩"}
    assert "**`law:2`, standing refuted: `A ; B == B ; A`, the step outputs ⟨⟩**" in render_markdown(proofs)


@pytest.mark.parametrize(
    "hostile", ["````\n# x", "<script>", "[x](y)", "**x**", "| x |", "@someone", "a `b` c"]
)
def test_hostile_text_is_neither_markup_nor_a_mention(hostile: str, report: dict[str, Any]) -> None:
    report["verdict"] |= {"summary": hostile, "problems": [hostile], "counts": {hostile: 1}}
    report["warnings"] = [hostile]
    report["claims"][1] |= {"id": hostile, "statement": hostile}
    report["claims"][1]["counterexample"]["statement"] = hostile
    lines = render_markdown(report).splitlines()
    assert "# x" not in lines
    prose = [line for line in lines if line.startswith(("## ", "- "))]
    assert len(prose) == 3
    for line in prose:
        assert hostile not in line
    table = next(line for line in lines if line.endswith("| 1 |"))
    assert table.replace("\\|", "").count("|") == 3
    fences = [line for line in lines if line.startswith("```") and set(line) <= set("`text")]
    assert len(fences) == 4
