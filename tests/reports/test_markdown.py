"""The Markdown summary: short, complete in what failed, and nothing in the data becomes markup."""

from __future__ import annotations

from typing import Any

import pytest

from reports.markdown import MAX_DRAWN, render_markdown


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


def test_a_report_with_one_section_renders_and_an_empty_one_too(report: dict[str, Any]) -> None:
    assert render_markdown({}).startswith("## ○ No verdict was recorded")
    for name in report:
        assert render_markdown({name: report[name]})
        assert render_markdown({**report, name: None})


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
