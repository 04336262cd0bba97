"""Two reports compared: every change is found, the worst comes first, and nothing is made up."""

import copy
from typing import Any

import pytest

from laws.standings import Standing, weakest
from reports import comparison
from reports.comparison import LEAST, RATIO, compare, comparison_data, comparison_page
from reports.documents import complaint
from reports.markdown import page_markdown, page_text
from tests.reports.conftest import FAILURE, Change, at, place

SHARE = {"cases": 90, "failures": 0, "refused": 1, "vacuous": 0}


@pytest.fixture
def whole(proofs: dict[str, Any]) -> dict[str, Any]:
    detectors = {"figure2": dict(SHARE), "batch": {**SHARE, "refused": 9}}
    proofs["campaign"] |= {"detectors": detectors, "causes": [], "regressions": {"tried": 3, "failures": []}}
    proofs["verdict"]["exit_status"] = 0
    return proofs


def compared(report: dict[str, Any], *changes: Change) -> comparison.ReportComparison:
    new = copy.deepcopy(report)
    for change in changes:
        change(new)
    return compare(report, new)


def found(outcome: comparison.ReportComparison) -> list[tuple[str, str, str]]:
    return [(each.kind, each.part, each.name) for each in outcome.differences]


def test_a_report_compared_with_itself_has_not_changed(whole: dict[str, Any]) -> None:
    same = compared(whole)
    assert (same.differences, same.circumstances, same.worse) == ((), (), False)
    assert page_text(comparison_page(same)) == "✓ Nothing changed.\n"
    assert page_markdown(comparison_page(same)).startswith("## ✓ Nothing changed.\n")


def new(path: str, value: object) -> Change:
    return lambda report: place(report, path).append(value)


def gone(path: str, key: Any) -> Change:
    return lambda report: place(report, path).pop(key)


CAUSE = {"detector": "figure2", "relation": "law", "path": "seq", "kind": "wrong", "cases": 2, "first": 7}
REGRESSION = {**FAILURE, "regression": "01", "detector": "ring"}
LAW = {"id": "law:99", "statement": "A"}

CHANGES: list[tuple[Change, str, str, str]] = [
    (at("claims 0", standing="refuted"), "worse", "claim", "law:14"),
    (at("claims 2", standing="proved"), "worse", "claim", "lemma:5.1"),
    (at("claims 1", standing="agreed"), "better", "claim", "law:2"),
    (at("claims 2", dense_time="unknown"), "worse", "claim over dense time", "lemma:5.1"),
    (at("claims 0 obligations 0", standing="unknown"), "worse", "obligation", "law:14/ltr"),
    (gone("claims", 0), "removed", "claim", "law:14"),
    (new("claims", {**LAW, "standing": "agreed"}), "added", "claim", "law:99"),
    (new("claims", {**LAW, "standing": "refuted"}), "worse", "claim", "law:99"),
    (at("canaries 0", ok=False), "worse", "false claim", "canary:1"),
    (at("checks 0", ok=False), "worse", "check", "vacuous"),
    (gone("checks", 0), "removed", "check", "vacuous"),
    (at("errata 0", as_claimed=False), "worse", "erratum", "theorem-4.5-less"),
    (at("detection 0", agree=False), "worse", "detection", "(fail ; fail)[60] - ok on examples/logins.csv"),
    (at("campaign detectors figure2", failures=2), "worse", "detector", "figure2"),
    (at("campaign detectors batch", refused=90), "worse", "detector", "batch"),
    (gone("campaign detectors", "batch"), "removed", "detector", "batch"),
    (at("campaign detectors", ring=SHARE), "added", "detector", "ring"),
    (new("campaign causes", CAUSE), "worse", "cause of failures", "figure2: wrong at seq by the relation law"),
    (new("campaign regressions failures", REGRESSION), "worse", "stored regression", "01, ring"),
    (at("campaign", error="no Java"), "worse", "campaign", "campaign"),
    (at("verdict", exit_status=3), "worse", "verdict", "exit status"),
]


@pytest.mark.parametrize(("change", "kind", "part", "name"), CHANGES)
def test_a_change_is_found_and_so_is_its_opposite(
    whole: dict[str, Any], change: Change, kind: str, part: str, name: str
) -> None:
    there = compared(whole, change, lambda report: report.update(seconds=10**6))
    assert found(there) == [(kind, part, name)]  # a claim takes its obligations with it
    assert there.worse == (kind == "worse")
    changed = copy.deepcopy(whole)
    change(changed)
    back = {(part, name): kind for kind, part, name in found(compare(changed, whole))}
    opposite = {"worse": {"better", "removed"}, "better": {"worse"}, "removed": {"added"}, "added": {"removed"}}
    assert back[part, name] in opposite[kind]


def work(units: int, solver: str = "z3 5.4.0") -> Change:
    return at("claims 0 obligations 0 answers 0", rlimit=units, solver=solver)


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
    assert [kind for kind, _, _ in found(compared(whole, work(10**9, "z3 6.0.0")))] == ["more work"]
    assert found(compared(whole, work(10**9, "cvc5 1.4.2"))) == [], "of another solver"


def test_what_may_explain_differences_is_said_first(whole: dict[str, Any]) -> None:
    def otherwise(report: dict[str, Any]) -> None:
        report |= {"seed": 7, "remora": "0.2.0", "command": "remora verify --full"}
        report["environment"]["packages"] = {"z3-solver": "6.0.0", "cvc5": "1.4.2"}
        report["campaign"]["cases"] = 10
        report["claims"][0]["standing"] = "refuted"

    outcome = compared(whole, otherwise)
    assert outcome.circumstances == (
        ("version of Remora", "0.1.0", "0.2.0"),
        ("seed", "0", "7"),
        ("z3-solver", "5.4.0", "6.0.0"),
        ("campaign cases", "5000", "10"),
        ("cvc5", "not said", "1.4.2"),
    )
    for text in (page_text(comparison_page(outcome), whole=True), page_markdown(comparison_page(outcome))):
        assert text.index("campaign cases") < text.index("law:14")


def test_the_data_are_in_order_and_of_their_schema_and_say_the_exit_status(whole: dict[str, Any]) -> None:
    for changes, status in (((), 0), ([change for change, *_ in CHANGES], 1)):
        data = comparison_data(compared(whole, *changes))
        kinds = [each["kind"] for each in data["differences"]]
        assert kinds == sorted(kinds, key=comparison.KINDS.index), "the worst first"
        assert complaint("remora/comparison/1", data) is None
        assert data["exit_status"] == status


def test_the_order_of_standings_is_the_one_by_which_runs_are_judged() -> None:
    words = [Standing(word) for word in comparison.WORST_FIRST]
    assert set(words) == set(Standing)
    asked = [word for word in words if word is not Standing.COMPUTED]  # which weakens nothing
    assert all(weakest(asked[n:]) is word for n, word in enumerate(asked))
