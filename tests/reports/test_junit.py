"""JUnit XML: what is not known never passes, what failed is drawn, and the shape is the common one."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.writing.junit import Suite, TestCase, junit_xml
from reports.writing.junit_report import report_junit
from tests.reports.formats import read_junit


def outcomes(text: str) -> dict[str, str]:
    """By `suite/name` of each test case, how it ended."""
    found = {}
    for suite in read_junit(text):
        for case in suite.iter("testcase"):
            ended = [child.tag for child in case if child.tag != "system-out"]
            found[f"{suite.get('name')}/{case.get('name')}"] = ended[0] if ended else "passed"
    return found


def case_of(text: str, name: str) -> ElementTree.Element:
    return next(case for case in read_junit(text).iter("testcase") if case.get("name") == name)


def test_every_claim_and_detector_is_a_test_case(report: dict[str, Any]) -> None:
    report["campaign"]["detectors"] = {
        "figure2": {"cases": 9, "failures": 1, "refused": 0},
        "batch": {"cases": 9, "failures": 0, "refused": 9},
        "ring": {"cases": 9, "failures": 0, "refused": 8},
    }
    assert outcomes(report_junit(report)) == {
        "verdict/verdict": "failure", "claims/law:14": "passed", "claims/law:2": "failure",
        "false claims/canary:1": "passed", "checks/vacuous": "passed",
        "detection/(fail ; fail)[60] - ok on examples/logins.csv": "passed", "detectors/figure2": "failure",
        "detectors/batch": "error", "detectors/ring": "passed",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("standing", "outcome"),
    [
        ("certified", "passed"), ("agreed", "passed"), ("proved", "passed"), ("tested", "passed"),
        ("unknown", "error"), ("error", "error"), ("of another version", "error"), (None, "error"),
        ("refuted", "failure"), ("disagreement", "failure"),
    ],
)  # fmt: skip
def test_the_outcome_of_a_claim_is_that_of_its_standing(
    report: dict[str, Any], standing: str | None, outcome: str
) -> None:
    report["claims"][0]["standing"] = standing
    assert outcomes(report_junit(report))["claims/law:14"] == outcome


def test_a_false_claim_passes_only_if_it_was_refuted(report: dict[str, Any]) -> None:
    (canary,) = report["canaries"]
    canary["ok"] = False
    for standing, outcome in (("agreed", "failure"), ("tested", "failure"), ("unknown", "error")):
        canary["standing"] = standing
        assert outcomes(report_junit(report))["false claims/canary:1"] == outcome


def test_what_does_not_carry_over_to_dense_time_is_skipped_and_nothing_else_is(
    proofs: dict[str, Any],
) -> None:
    found = outcomes(report_junit(proofs))
    assert [name for name, ended in found.items() if ended == "skipped"] == [
        "claims over dense time/lemma:5.3"
    ]
    proofs["claims"][2]["dense_time"] = "unknown"
    assert outcomes(report_junit(proofs))["claims over dense time/lemma:5.1"] == "error"
    proofs["claims"][2]["dense_time"] = "refuted"
    assert outcomes(report_junit(proofs))["claims over dense time/lemma:5.1"] == "failure"


def test_a_refuted_claim_and_a_failing_detector_are_drawn(report: dict[str, Any]) -> None:
    text = report_junit(report)
    assert "left only" in "".join(case_of(text, "law:2").itertext())
    said = "".join(case_of(text, "figure2").itertext())
    assert "expected only" in said
    assert "again: remora campaign replay results 17" in said


def test_a_campaign_that_did_not_run_is_an_error(report: dict[str, Any]) -> None:
    report["campaign"] = {"cases": 0, "failed": 0, "error": "no Java"}
    assert outcomes(report_junit(report))["detectors/campaign"] == "error"


def test_failed_checks_errata_and_proof_problems_fail(proofs: dict[str, Any]) -> None:
    proofs["checks"][0]["ok"] = False
    proofs["errata"][0]["as_claimed"] = False
    proofs["detection"][0]["agree"] = False
    found = outcomes(report_junit(proofs))
    for name in ("checks/vacuous", "errata/theorem-4.5-less", "proofs/checks of the proofs"):
        assert found[name] == "failure"
    assert any(name.startswith("detection/") and ended == "failure" for name, ended in found.items())


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(0, "passed"), (1, "failure"), (2, "error"), (3, "error"), (4, "failure"), (5, "error")],
)
def test_a_run_that_is_not_green_has_a_test_case_that_is_not(
    report: dict[str, Any], status: int, outcome: str
) -> None:
    report["verdict"]["exit_status"] = status
    assert outcomes(report_junit(report))["verdict/verdict"] == outcome


def test_a_run_without_a_verdict_is_not_green(report: dict[str, Any]) -> None:
    del report["verdict"]
    assert outcomes(report_junit(report))["verdict/verdict"] == "error"
    assert outcomes(report_junit({})) == {"verdict/verdict": "error"}


def test_versions_and_seed_are_properties_of_each_suite(report: dict[str, Any]) -> None:
    for suite in read_junit(report_junit(report)):
        said = {each.get("name"): each.get("value") for each in suite.iter("property")}
        assert said["seed"] == "0"
        assert said["z3-solver"] == "5.4.0"
        assert said["command"] == "remora verify --quick"


ANY_CASE = st.builds(
    TestCase,
    st.text(),
    st.text(),
    st.sampled_from(["passed", "failure", "error", "skipped"]),
    st.text(),
    st.text(),
    st.text(),
    st.text(),
    st.floats(0, 1e6),
)


@given(
    st.lists(st.lists(ANY_CASE, max_size=4), max_size=3), st.dictionaries(st.text(), st.text(), max_size=2)
)
def test_any_text_makes_a_document_of_the_common_shape(
    suites: list[list[TestCase]], properties: dict[str, str]
) -> None:
    text = junit_xml("any", [Suite(str(n), cases, properties) for n, cases in enumerate(suites)])
    root = read_junit(text)
    assert len(list(root.iter("testcase"))) == sum(map(len, suites))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('tests="1"', 'tests="2"'),
        ('failures="0"', 'failures="1"'),
        (' classname="g"', ""),
        ("<testcase", '<testcase passed="1"'),
        ("</testsuite>", "<test /></testsuite>"),
        ('time="0.000"', 'time="-1"'),
    ],
)
def test_the_check_of_the_shape_complains_of_another_one(right: str, wrong: str) -> None:
    text = junit_xml("any", [Suite("suite", [TestCase("n", "g")])])
    assert right in text
    read_junit(text)
    with pytest.raises((AssertionError, KeyError)):
        read_junit(text.replace(right, wrong))


def test_a_report_with_one_section_or_an_empty_one_is_a_document(proofs: dict[str, Any]) -> None:
    for name in proofs:
        read_junit(report_junit({name: proofs[name]}))
        read_junit(report_junit({**proofs, name: None}))
