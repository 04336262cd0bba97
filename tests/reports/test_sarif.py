"""SARIF: what is wrong is shown where it stands, and what stands nowhere is not lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from reports.sarif import Position
from reports.sarif_report import Positions, report_sarif
from tests.reports.formats import read_sarif

PLACE = Position("laws/my%20laws.toml", 3, 7)


def somewhere(name: str) -> Position | None:
    return PLACE


def nowhere(name: str) -> Position | None:
    return None


def run(report: dict[str, Any], find: Callable[[str], Position | None] = somewhere) -> dict[str, Any]:
    return read_sarif(report_sarif(report, Positions(find, find, find)))


def test_what_is_wrong_is_shown_where_it_stands(report: dict[str, Any]) -> None:
    found = run(report)
    assert [(each["ruleId"], each["level"]) for each in found["results"]] == [
        ("claim/refuted", "error"),
        ("detector/wrong", "error"),
    ]
    claim, detector = (each["message"]["text"] for each in found["results"])
    assert claim.startswith("law:2 is refuted: A ; B == B ; A\n")
    assert "left only" in claim
    assert "expected only" in detector
    (location,) = found["results"][0]["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "laws/my%20laws.toml"},
        "region": {"startLine": 3, "endLine": 7},
    }
    assert found["invocations"][0]["exitCode"] == 1
    assert found["invocations"][0]["commandLine"] == "remora verify --quick"


def test_what_stands_nowhere_is_a_notification(report: dict[str, Any]) -> None:
    found = run(report, nowhere)
    assert found["results"] == []
    told = [each["message"]["text"] for each in found["invocations"][0]["toolExecutionNotifications"]]
    assert [text.partition(":")[0] for text in told] == ["law", "figure2"]


def test_what_is_open_is_a_warning_and_what_is_proved_is_nothing(report: dict[str, Any]) -> None:
    report["claims"][1]["standing"] = "proved"
    report["campaign"] = {}
    assert run(report)["results"] == []
    for standing in ("unknown", "error"):
        report["claims"][0] |= {"standing": standing, "reason": "the budget is used up"}
        (result,) = run(report)["results"]
        assert (result["ruleId"], result["level"]) == ("claim/open", "warning")
        assert "the budget is used up" in result["message"]["text"]
    report["claims"][0] |= {"standing": "proved", "dense_time": "refuted"}
    (result,) = run(report)["results"]
    assert "over dense time is refuted" in result["message"]["text"]


def test_every_other_failure_is_there(proofs: dict[str, Any]) -> None:
    proofs["canaries"][0] |= {"ok": False, "standing": "agreed"}
    proofs["errata"][0]["as_claimed"] = False
    proofs["errata"][0]["evidence"][0]["as_claimed"] = False
    proofs["detection"][0]["agree"] = False
    proofs["checks"][0]["ok"] = False
    proofs["campaign"] |= {"error": "no Java", "detectors": {"ring": {"cases": 9, "failures": 2}}}
    found = run(proofs)
    rules = {each["ruleId"] for each in found["results"]}
    assert rules == {"claim/refuted", "claim/false-not-refuted", "erratum/not-shown", "detector/wrong"}
    said = json.dumps(found, ensure_ascii=False)
    for text in ("2 of 9 random cases failed", "(fail ; fail)[60] - ok on examples/logins.csv", "no Java"):
        assert text in said
    assert "false of S = {p@0}" in said
    told = [each["message"]["text"] for each in found["invocations"][0]["toolExecutionNotifications"]]
    assert any(text.startswith("vacuous: ") for text in told)


def test_a_run_that_broke_down_was_not_successful(report: dict[str, Any]) -> None:
    for status, successful in ((0, True), (1, True), (2, False), (3, False), (4, False), (5, False)):
        report["verdict"]["exit_status"] = status
        assert run(report)["invocations"][0]["executionSuccessful"] is successful


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"2.1.0"', '"2.2.0"'),
        ('"startLine": 3', '"startLine": 0'),
        ('"endLine": 7', '"endLine": 2'),
        ('"ruleIndex": 0', '"ruleIndex": 1'),
        ('"level": "error"', '"level": "bad"'),
        ("my%20laws", "my laws"),
        ('"executionSuccessful"', '"successful"'),
    ],
)
def test_the_check_of_the_structure_complains_of_another_one(
    report: dict[str, Any], right: str, wrong: str
) -> None:
    text = report_sarif(report, Positions(somewhere, somewhere, somewhere))
    assert right in text
    read_sarif(text)
    with pytest.raises((AssertionError, KeyError, IndexError)):
        read_sarif(text.replace(right, wrong))


def test_a_report_with_one_section_or_an_empty_one_is_a_document(proofs: dict[str, Any]) -> None:
    for name in proofs:
        run({name: proofs[name]})
        run({**proofs, name: None})
