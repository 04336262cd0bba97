"""The gate's result as text, Markdown, JSON and JUnit XML."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from remora.judging.junit import junit
from remora.judging.markdown import DRAWN, FOLDED, markdown
from remora.judging.reports import gate_data, lines, repeated
from remora.judging.results import GateResult, Request
from remora.judging.step_proofs import NO_STEPS
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse
from tests.remora.gates import a_result
from tests.reports.formats import read_junit, read_markdown


def test_a_failure_is_drawn_with_where_it_is_kept(tmp_path: Path) -> None:
    (finding,) = a_result(tmp_path).findings
    text = lines(finding)
    assert "expected only" in text
    assert "at 1: nothing reported\nfound by: law:2, A | B\nstored: r/1.json\n" in text
    unseen = lines(replace(finding, verdict=None))
    assert "a | b  in  a@1" in unseen


def test_markdown_has_all_that_a_decision_needs(tmp_path: Path) -> None:
    text = markdown(a_result(tmp_path))
    assert text.startswith("## ❌ May not go in: my:Own failed.\n")
    order = [
        "`my:Own`: 1 of 3 checks failed: missing detection.",
        "expected only",
        "| laws | law:2: `A \\| B == B \\| A` | `my:Own` | 1 of 9 cases failed: a \\| b \\& \\<that\\> |",
        "### Open",
        "- telling mutants: too few",
        "### What was done",
        "expressions of depth 1 to",
        "### What this does not say",
        "- Nothing is proved:",
        f"- Skipped, proofs: steps: {NO_STEPS}.",
        "### The same cases again",
        repeated(a_result(tmp_path)),
        ", seed 3; it took 1.5 s.",
    ]
    places = [text.index(said) for said in order]
    assert places == sorted(places)
    page = read_markdown(text)
    assert [len(rows) for rows in page.tables] == [2, 5]
    assert page.tables[0][1][1] == "law:2: A | B == B | A"


def test_markdown_says_which_code_was_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "judged.py").write_text("import math\n\n\ndef make(expression):\n    return None\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    result = GateResult(Request(("judged:make", "figure3"), tmp_path))
    assert "`judged:make` is from `judged.py`; the SHA-256 of that file begins with" in markdown(result)
    assert "figure3` is from" not in markdown(result)


def test_failures_beyond_a_few_are_folded_away_the_smallest_first(tmp_path: Path) -> None:
    result = a_result(tmp_path)
    (one,) = result.findings
    long = [
        replace(one.case, expression=parse(" | ".join("ab"[n % 2] for n in range(k)))) for k in (9, 7, 5, 3)
    ]
    result.findings[:0] = [replace(one, case=case) for case in long]
    text = markdown(result)
    shown, folded = text.split("<details>")
    assert shown.count("```text") == DRAWN
    assert shown.index("in `a | b`\n") < shown.index("in `a | b | a`\n")
    assert "2 more failures of my:Own" in folded
    result.findings += [replace(one, remark=str(number)) for number in range(FOLDED + 4)]
    text = markdown(result)
    assert text.count("```text") == DRAWN + FOLDED
    assert f"{len(result.findings) - DRAWN - FOLDED} more are in the result as JSON." in text


def test_files_that_keep_failures_are_named_once(tmp_path: Path) -> None:
    result = a_result(tmp_path)
    result.findings += result.findings
    text = markdown(result)
    assert "New files that keep what failed, for version control: `r/1.json`." in text
    result.findings = [replace(each, regression="") for each in result.findings]
    assert "New files" not in markdown(result)


@pytest.mark.parametrize(
    "hostile",
    [
        "```\n# x",
        "<script>",
        "| x |",
        "@someone",
        "a `b` c",
        "\x1b[31m",
        "</details>",
        "[x](y)",
        "    x",
        "&lt;",
    ],
)
def test_nothing_that_a_log_or_a_detector_says_becomes_markup(tmp_path: Path, hostile: str) -> None:
    plain = read_markdown(markdown(a_result(tmp_path)))
    result = a_result(tmp_path)
    (one,) = result.findings
    case = replace(one.case, occurrences=(Occurrence("a", 1, hostile),))
    result.findings = [replace(one, case=case, detail=hostile, remark=hostile)]
    result.findings += [replace(one, case=case, detector=hostile)] * (DRAWN + 1)
    result.checks[1] = replace(result.checks[1], detail=hostile, detector=hostile)
    result.checks[4] = replace(result.checks[4], detail=hostile)
    text = markdown(result)
    page = read_markdown(text)
    assert len(page.headings) == len(plain.headings) + DRAWN + 1
    assert len(page.fences) == len(plain.fences) + DRAWN + 1
    assert [len(rows) for rows in page.tables] == [2, 5]
    assert "\x1b" not in text
    assert "@someone" not in page.words


def test_json_says_what_text_says(tmp_path: Path) -> None:
    data = json.loads(json.dumps(gate_data(a_result(tmp_path))))
    assert (data["schema"], data["exit_status"], data["green"]) == ("remora/gate/1", 1, False)
    assert [check["standing"] for check in data["checks"]] == [
        "tested",
        "refuted",
        "skipped",
        "tested",
        "unknown",
    ]
    assert data["failures"][0]["expected"] == [[1, 1]]
    assert data["failures"][0]["regression"] == "r/1.json"


def test_junit_has_a_test_case_for_each_check(tmp_path: Path) -> None:
    root = read_junit(junit(a_result(tmp_path)))
    outcomes = {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}
    assert outcomes == {
        "law:1": ["system-out"],
        "law:2": ["failure", "system-out"],
        "steps": ["skipped", "system-out"],
        "random cases": ["system-out"],
        "telling mutants": ["error", "system-out"],
    }
    assert "expected only" in "".join(root.find(".//failure").itertext())  # type: ignore[union-attr]
    suites = {suite.get("name"): suite.attrib for suite in root}
    assert (suites["laws"]["tests"], suites["laws"]["failures"]) == ("2", "1")
    properties = {each.get("name"): each.get("value") for each in root.iter("property")}
    assert properties["seed"] == "3"
    assert properties["repeat"] == repeated(a_result(tmp_path))
