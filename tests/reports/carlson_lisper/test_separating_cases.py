"""This algebra side by side with others: our answer is computed, theirs compared, and nothing becomes markup."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from reports.carlson_lisper.separating_cases import separating_cases
from reports.writing.html import render_html
from reports.writing.markdown import render_markdown

RUN = {"standing": "run", "version": "1.2", "detail": "", "note": "", "source": None}
CITED = {
    "standing": "cited",
    "version": None,
    "detail": "",
    "source": "A Manual, section 3",
    "intervals": None,
}

REPORT: dict[str, Any] = {
    "side_by_side": [
        {
            "id": "inner sequence", "title": "A sequence within a sequence", "about": "A comes before B.",
            "expression": "B;(A;C)",
            "trace": [{"event": event, "time": time, "value": None} for time, event in enumerate("ABC", 1)],
            "readings": [
                {**RUN, "engine": "one", "query": "q1", "intervals": [[2, 3]], "ends": [3]},
                {**RUN, "engine": "one", "query": "q2", "intervals": [], "ends": []},
                {**RUN, "engine": "ends", "query": "q3", "intervals": None, "ends": [3]},
                {**CITED, "engine": "cited", "query": "q4", "note": "It says so.", "ends": []},
                {**CITED, "engine": "cannot", "query": "", "note": "There is no such query.", "ends": None},
                {
                    **RUN, "engine": "absent", "query": "q5", "standing": "not run", "version": None,
                    "detail": "absent is not installed", "intervals": None, "ends": None,
                },
            ],
        },
    ],
}  # fmt: skip


@pytest.fixture
def report() -> dict[str, Any]:
    return copy.deepcopy(REPORT)


def test_each_answer_is_compared_with_ours(report: dict[str, Any]) -> None:
    (case,) = separating_cases(report)
    assert case.answer == "no match"
    assert [(row.answer, row.verdict, row.standing) for row in case.rows] == [
        ("[2, 3]", "another answer", "run, version 1.2"),
        ("no match", "the same", "run, version 1.2"),
        ("a match that ends at 3", "another answer", "run, version 1.2"),
        ("no match", "the same", "cited"),
        ("", "left open", "cited"),
        ("", "not run", "not run: absent is not installed"),
    ]


def test_our_answer_is_computed_and_not_read(report: dict[str, Any]) -> None:
    report["side_by_side"][0] |= {"expression": "A;(B;C)", "answer": "no match"}
    (case,) = separating_cases(report)
    assert case.answer == "[1, 3]"
    assert [row.verdict for row in case.rows][:4] == [
        "another answer",
        "another answer",
        "the same",
        "another answer",
    ]


def test_what_others_match_is_drawn_with_their_names(report: dict[str, Any]) -> None:
    (case,) = separating_cases(report)
    assert [(bar.start, bar.end, bar.side, bar.name) for bar in case.timeline.bars] == [
        (2, 3, "right", "one")
    ]


def test_the_summary_names_who_answers_otherwise(report: dict[str, Any]) -> None:
    text = render_markdown(report)
    row = next(line for line in text.splitlines() if "B;(A;C)" in line)
    assert "no match | one: \\[2, 3\\], with another query the same; ends: a match that ends at 3 |" in row
    assert "cannot" not in row
    assert "Side by side" not in render_markdown({})


@pytest.mark.parametrize("key", ["title", "about", "id"])
def test_nothing_in_a_case_becomes_markup(report: dict[str, Any], key: str) -> None:
    report["side_by_side"][0][key] = "<script>x</script>"
    assert "<script>x" not in render_html(report)


@pytest.mark.parametrize("key", ["engine", "query", "note", "source", "detail"])
def test_nothing_in_a_reading_becomes_markup(report: dict[str, Any], key: str) -> None:
    for reading in report["side_by_side"][0]["readings"]:
        reading[key] = "<script>x</script>"
    assert "<script>x" not in render_html(report)
    assert "<script>" not in render_markdown(report)
