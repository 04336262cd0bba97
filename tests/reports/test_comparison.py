"""Two reports compared: every change is found, the worst comes first, and nothing is made up."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from laws.standings import Standing, weakest
from reports.comparison import (
    KINDS,
    LEAST,
    RATIO,
    WORST_FIRST,
    ReportComparison,
    compare,
    comparison_data,
    comparison_page,
)
from reports.documents import complaint
from reports.markdown import page_markdown, page_text
from tests.reports.conftest import FAILURE

Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def whole(proofs: dict[str, Any]) -> dict[str, Any]:
    """A report in which everything that is compared occurs."""
    proofs["campaign"] |= {
        "detectors": {
            "figure2": {"cases": 90, "failures": 0, "refused": 1, "vacuous": 0},
            "batch": {"cases": 90, "failures": 0, "refused": 9, "vacuous": 0},
        },
        "causes": [],
        "regressions": {"tried": 3, "failures": []},
    }
    proofs["verdict"]["exit_status"] = 0
    return proofs


def compared(report: dict[str, Any], *changes: Change) -> ReportComparison:
    new = copy.deepcopy(report)
    for change in changes:
        change(new)
    return compare(report, new)


def found(comparison: ReportComparison) -> list[tuple[str, str, str]]:
    return [(each.kind, each.part, each.name) for each in comparison.differences]


def test_a_report_compared_with_itself_has_not_changed(whole: dict[str, Any]) -> None:
    same = compared(whole)
    assert (same.differences, same.circumstances, same.worse) == ((), (), False)
    assert page_text(comparison_page(same)) == "✓ Nothing changed.\n"
    assert page_markdown(comparison_page(same)).startswith("## ✓ Nothing changed.\n")


def share(report: dict[str, Any], name: str, **values: int) -> None:
    report["campaign"]["detectors"][name] |= values


CHANGES: list[tuple[str, Change, tuple[str, str, str]]] = [
    ("a claim", lambda r: r["claims"][0].update(standing="refuted"), ("worse", "claim", "law:14")),
    ("a proof", lambda r: r["claims"][2].update(standing="proved"), ("worse", "claim", "lemma:5.1")),
    ("a refuted one", lambda r: r["claims"][1].update(standing="agreed"), ("better", "claim", "law:2")),
    (
        "dense time",
        lambda r: r["claims"][2].update(dense_time="unknown"),
        ("worse", "claim over dense time", "lemma:5.1"),
    ),
    (
        "an obligation",
        lambda r: r["claims"][0]["obligations"][0].update(standing="unknown"),
        ("worse", "obligation", "law:14/ltr"),
    ),
    ("a claim that went", lambda r: r["claims"].pop(0), ("removed", "claim", "law:14")),
    (
        "a new claim",
        lambda r: r["claims"].append({"id": "law:99", "statement": "A", "standing": "agreed"}),
        ("added", "claim", "law:99"),
    ),
    (
        "a new claim that is false",
        lambda r: r["claims"].append({"id": "law:99", "statement": "A", "standing": "refuted"}),
        ("worse", "claim", "law:99"),
    ),
    ("a canary", lambda r: r["canaries"][0].update(ok=False), ("worse", "false claim", "canary:1")),
    ("a check", lambda r: r["checks"][0].update(ok=False), ("worse", "check", "vacuous")),
    ("a check that went", lambda r: r["checks"].pop(), ("removed", "check", "vacuous")),
    ("an erratum", lambda r: r["errata"][0].update(as_claimed=False), ("worse", "erratum", "theorem-4.5-less")),
    (
        "a detection",
        lambda r: r["detection"][0].update(agree=False),
        ("worse", "detection", "(fail ; fail)[60] - ok on examples/logins.csv"),
    ),
    ("a detector", lambda r: share(r, "figure2", failures=2), ("worse", "detector", "figure2")),
    ("a detector that takes nothing", lambda r: share(r, "batch", refused=90), ("worse", "detector", "batch")),
    ("a detector that went", lambda r: r["campaign"]["detectors"].pop("batch"), ("removed", "detector", "batch")),
    (
        "a new detector",
        lambda r: r["campaign"]["detectors"].update(ring={"cases": 5, "failures": 0, "refused": 0, "vacuous": 0}),
        ("added", "detector", "ring"),
    ),
    (
        "a cause",
        lambda r: r["campaign"]["causes"].append(
            {"detector": "figure2", "relation": "law", "path": "seq", "kind": "wrong", "cases": 2, "first": 7}
        ),
        ("worse", "cause of failures", "figure2: wrong at seq by the relation law"),
    ),
    (
        "a regression",
        lambda r: r["campaign"]["regressions"]["failures"].append({**FAILURE, "regression": "01", "detector": "ring"}),
        ("worse", "stored regression", "01, ring"),
    ),
    ("the campaign", lambda r: r["campaign"].update(error="no Java"), ("worse", "campaign", "campaign")),
    ("the verdict", lambda r: r["verdict"].update(exit_status=3), ("worse", "verdict", "exit status")),
]  # fmt: skip


@pytest.mark.parametrize(("change", "expected"), [(c, e) for _, c, e in CHANGES], ids=[n for n, _, _ in CHANGES])
def test_a_change_is_found_and_so_is_its_opposite(
    whole: dict[str, Any], change: Change, expected: tuple[str, str, str]
) -> None:
    there = compared(whole, change, lambda report: report.update(seconds=report["seconds"] * 100))
    assert found(there) == [expected]  # a claim takes its obligations with it
    assert there.worse == ("worse" in {kind for kind, _, _ in found(there)})
    new = copy.deepcopy(whole)
    change(new)
    back = {(part, name): kind for kind, part, name in found(compare(new, whole))}
    opposite = {"worse": {"better", "removed"}, "better": {"worse"}, "removed": {"added"}, "added": {"removed"}}
    assert back[expected[1:]] in opposite[expected[0]]


def work(units: int) -> Change:
    def change(report: dict[str, Any]) -> None:
        report["claims"][0]["obligations"][0]["answers"][0]["rlimit"] = units

    return change


def test_work_counts_from_a_factor_and_a_difference_on(whole: dict[str, Any]) -> None:
    work(LEAST * 4)(whole)
    name = ("obligation", "law:14/ltr, z3")
    assert found(compared(whole, work(int(LEAST * 4 * RATIO)))) == [("more work", *name)]
    assert found(compared(whole, work(int(LEAST * 4 / RATIO)))) == [("less work", *name)]
    assert found(compared(whole, work(int(LEAST * 4 * RATIO) - 1))) == []
    work(10)(whole)
    assert found(compared(whole, work(LEAST + 9))) == []
    more = compared(whole, work(LEAST + 10))
    assert found(more) == [("more work", *name)]
    assert not more.worse
    assert more.differences[0].about == f"{(LEAST + 10) / 10:.2f} times the work"
    for text in (page_text(comparison_page(more), whole=True), page_markdown(comparison_page(more))):
        assert "times the work" in text
    assert f"factor of 1.5 and by {LEAST:,} units" in page_markdown(comparison_page(more))


def test_the_work_of_another_version_of_a_solver_is_compared_and_that_of_another_solver_is_not(
    whole: dict[str, Any],
) -> None:
    def other(name: str) -> Change:
        def change(report: dict[str, Any]) -> None:
            report["claims"][0]["obligations"][0]["answers"][0] |= {"rlimit": 10**9, "solver": name}

        return change

    assert [kind for kind, _, _ in found(compared(whole, other("z3 6.0.0")))] == ["more work"]
    assert found(compared(whole, other("cvc5 1.4.2"))) == []


def test_what_may_explain_differences_is_said_first(whole: dict[str, Any]) -> None:
    def otherwise(report: dict[str, Any]) -> None:
        report |= {"seed": 7, "remora": "0.2.0", "command": "remora verify --full"}
        report["environment"]["packages"] = {"z3-solver": "6.0.0", "cvc5": "1.4.2"}
        report["campaign"]["cases"] = 10
        report["claims"][0]["standing"] = "refuted"

    comparison = compared(whole, otherwise)
    assert comparison.circumstances == (
        ("version of Remora", "0.1.0", "0.2.0"),
        ("seed", "0", "7"),
        ("z3-solver", "5.4.0", "6.0.0"),
        ("campaign cases", "5000", "10"),
        ("cvc5", "not said", "1.4.2"),
    )
    for text in (page_text(comparison_page(comparison), whole=True), page_markdown(comparison_page(comparison))):
        assert text.index("campaign cases") < text.index("law:14")


def test_the_data_are_in_order_and_of_their_schema_and_say_the_exit_status(whole: dict[str, Any]) -> None:
    for changes, status in (((), 0), ([c for _, c, _ in CHANGES], 1)):
        data = comparison_data(compared(whole, *changes))
        kinds = [each["kind"] for each in data["differences"]]
        assert kinds == sorted(kinds, key=KINDS.index), "the worst first"
        assert complaint("remora/comparison/1", data) is None
        assert data["exit_status"] == status


def test_the_order_of_standings_is_the_one_by_which_runs_are_judged() -> None:
    words = [Standing(word) for word in WORST_FIRST]
    assert set(words) == set(Standing)
    asked = [word for word in words if word is not Standing.COMPUTED]  # which weakens nothing
    assert all(weakest(asked[n:]) is word for n, word in enumerate(asked))
