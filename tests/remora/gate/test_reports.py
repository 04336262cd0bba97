"""The gate's result as text, Markdown, JSON and JUnit XML."""

from dataclasses import replace
from pathlib import Path

from campaigns.carlson_lisper.cases import Case
from campaigns.engine.findings import sides_told
from campaigns.judging.judgements import UNSTEADY
from campaigns.judging.verdicts import Kind, Verdict
from remora.api.campaigning import drawing
from remora.gate.output import DRAWN, gate_data, lines, rendered, repeated
from remora.gate.step_proofs import NO_STEPS
from reports.documents import complaint
from reports.drawing.timeline import to_text
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse
from semantics.events import Interval
from tests.remora.gates import a_result
from tests.reports.formats import read_junit


def test_a_failure_is_drawn_with_where_it_is_kept(tmp_path: Path) -> None:
    (finding,) = a_result(tmp_path).findings
    text = lines(finding)
    assert "expected only" in text
    assert "at 1: nothing reported\nfound by: law:2, A | B\nstored: r/1.json\n" in text
    unseen = lines(replace(finding, verdict=None))
    assert "a | b  in  a@1" in unseen


def test_markdown_has_all_that_a_decision_needs(tmp_path: Path) -> None:
    text = rendered(a_result(tmp_path), "markdown")
    assert text.startswith("## ✕ May not go in: my:Own failed.\n")
    order = [
        "**`law:2`, refuted: `A | B == B | A`**",
        "my:Own: 1 of 9 cases failed: a \\| b \\& \\<that\\>",
        "expected only",
        "stored: r/1.json",
        "**`telling mutants`, unknown**\n\ntoo few",
        "### What was done",
        "expressions of depth 1 to",
        "### What this does not say",
        "Nothing is proved:",
        f"Skipped, proofs: steps: {NO_STEPS}.",
        "### The same again",
        repeated(a_result(tmp_path)),
        ", seed 3, cases 17, exit status 1, took 1.50 s.",
    ]
    places = [text.index(said) for said in order]
    assert places == sorted(places)


def test_of_many_failures_the_smallest_are_drawn(tmp_path: Path) -> None:
    result = a_result(tmp_path)
    (one,) = result.findings
    long = [replace(one.case, expression=parse(" | ".join("ab"[n % 2] for n in range(k)))) for k in (9, 7, 5, 3)]
    result.findings[:0] = [replace(one, case=case) for case in long]
    text = rendered(result, "markdown")
    assert text.count("```text") == DRAWN
    assert text.index("```text\na | b\n") < text.index("```text\na | b | a\n")


def test_a_failure_that_did_not_come_again_is_said_to_be_one(tmp_path: Path) -> None:
    result = a_result(tmp_path)
    result.findings = [replace(result.findings[0], verdict=None, regression="", steady=False)]
    data = gate_data(result)
    assert complaint("remora/gate/1", data) is None
    assert (data["exit_status"], data["green"]) == (1, False)
    assert [check["standing"] for check in data["checks"]] == ["tested", "refuted", "skipped", "tested", "unknown"]
    assert [failure["steady"] for failure in data["failures"]] == [False]
    assert UNSTEADY in lines(result.findings[0])
    assert UNSTEADY.partition(":")[0] in rendered(result, "markdown")


def test_junit_has_a_test_case_for_each_check(tmp_path: Path) -> None:
    root = read_junit(rendered(a_result(tmp_path), "junit"))
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


def test_sides_of_a_law_are_told_apart() -> None:
    verdict = Verdict(Kind.RELATION, "", (Interval(6, 6),), (Interval(1, 2),))
    assert sides_told("a | b", "b | a", verdict) == "at 2 it reports nothing for a | b, and [1, 2] for b | a"
    assert sides_told("a", "b", Verdict(None, "", (Interval(1, 2),), (Interval(1, 2),))) == ""


def test_a_law_is_drawn_with_its_two_sides() -> None:
    case = Case(0, 0, "small", parse("a | b"), (Occurrence("a", 1),))
    verdict = Verdict(Kind.RELATION, "", (Interval(1, 1),))
    text = to_text(drawing("mine", "law:2", "relation violated", case, verdict))
    assert text.startswith("A | B == B | A\nmine: relation violated by law:2\nleft:  a | b\nright: b | a\n")
    assert "left only" in text
    assert "expected" not in text
