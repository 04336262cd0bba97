"""What the report says beside its records: numbers at a glance, engines, neighbours, power, costs, throughput."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from reports.results.claims import Claim
from reports.results.report import Report, report_of
from reports.results.runs import Campaign, FailedCase, Power, Regressions, Share
from reports.sections.claim_context import engines, near_claims, needed
from reports.sections.claims import network
from reports.sections.costs import costs_by_engine
from reports.sections.glance import figures
from reports.sections.power import checks_of, found_of, mutants, power_plot
from reports.sections.throughput import comparisons, growth_in_words, growths, wrong_subjects
from reports.writing.html import render_html
from tests.browser.everything import full_report, throughput
from tests.reports.conftest import obligation
from tests.reports.test_html import Page


@pytest.fixture
def everything() -> dict[str, Any]:
    return full_report()


def claim(*obligations: dict[str, Any]) -> Claim:
    (found,) = report_of({"claims": [{"obligations": obligations}]}).claims
    return found


# ------------------------------------------------------------------------------------------------------- at a glance


def test_the_numbers_at_a_glance_lead_to_their_sections_and_say_what_is_wrong(
    everything: dict[str, Any],
) -> None:
    found = {figure.section: figure for figure in figures(report_of(everything))}
    assert (found["solvers"].number, found["solvers"].label) == ("579", "proofs by one engine")
    assert (found["power"].number, found["power"].ok) == ("2 of 3", False)
    assert (found["campaign"].ok, found["canaries"].ok, found["errata"].ok) == (False, True, True)
    assert found["campaign"].label == "random cases, 2 detectors, 1 failures"
    ids = Page(render_html(everything)).ids()
    assert found.keys() <= set(ids)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"regressions": Regressions(2, (FailedCase(),))}, "no failures, 1 of stored regressions"),
        ({"detectors": {"x": Share(cases=3, refused=3)}}, "no failures"),
    ],
)
def test_a_campaign_without_a_failed_case_can_be_wrong(changed: dict[str, Any], said: str) -> None:
    (right,) = figures(Report(campaign=Campaign(cases=3)))
    (wrong,) = figures(Report(campaign=replace(Campaign(cases=3), **changed)))
    assert right.ok and not wrong.ok and wrong.label.endswith(said)


def test_a_report_that_lacks_a_section_has_no_number_for_it() -> None:
    assert figures(Report()) == []
    assert [figure.section for figure in figures(Report(canaries=(Claim(),)))] == ["canaries"]
    assert not figures(Report(canaries=(Claim(),)))[0].ok


# ------------------------------------------------------------------------------------------------------ the catalogue


def test_the_engines_of_a_claim_are_those_that_answered() -> None:
    assert engines(claim(obligation("law:1", "⊆"))) == ["z3"]
    both = obligation("law:1", "⊇")
    both["answers"][1]["status"] = "sat"
    assert engines(claim(obligation("law:1", "⊆"), both)) == ["z3", "cvc5"]
    assert engines(Claim()) == []


def test_neighbours_belong_to_their_claim_and_to_nobody_where_the_report_lacks_it(
    proofs: dict[str, Any],
) -> None:
    report = report_of(proofs)
    near = near_claims(report.neighbours, network(report.claims))
    assert near["law:14"].counts.refuted == 42
    assert [item["id"] for item in near["law:14"].examples] == ["law:14~1"]
    assert [item.id for item in near["law:14"].true] == ["law:14~10"]
    assert [item["id"] for item in near[""].examples] == ["theorem:4.5~5"]
    assert not near[""].counts


def test_the_axioms_of_a_claim_stand_in_the_claim(proofs: dict[str, Any]) -> None:
    needs = {"law:14": ("join-start",), "lemma:5.1": (), "lemma:5.3": ("interval",)}
    assert needed(report_of(proofs).axioms) == needs
    said = Page(render_html(proofs)).words
    for text in ("join-start", "none", "interval"):
        assert f"Axioms needed{text}" in said


# --------------------------------------------------------------------------------------------------------------- power


def test_wrong_detectors_that_nothing_found_come_first_then_the_hardest(everything: dict[str, Any]) -> None:
    listed = mutants(report_of(everything))
    assert [(one.name, one.case) for one in listed] == [
        ("label-less", None),
        ("con-earlier", 198),
        ("seq-overlap", 8),
    ]
    assert listed[1].what == "the earlier"
    assert found_of(report_of(everything)) == {"figure2": (2, 3)}
    assert found_of(report_of({"power": {**everything["power"], "altered": {}}})) == {}


def test_a_check_that_failed_is_not_folded_away(everything: dict[str, Any]) -> None:
    shown, folded = checks_of(report_of(everything).checks)
    assert [check.id for check in folded] == ["mutant:con-earlier"]
    assert "mutant:label-less" in [check.id for check in shown]


def test_the_curve_of_power_ends_with_what_was_found_and_is_also_given_in_numbers(
    everything: dict[str, Any],
) -> None:
    assert "2 of 3 are found, the last after 199 cases." in power_plot(report_of(everything).power)
    assert power_plot(Power()) == ""
    assert "<svg" in power_plot(Power(curve=((1, 1),)))
    html = render_html(everything)
    assert "NOT ALL FOUND" in html
    assert '<td class="number">199</td><td class="number">2</td>' in html


# --------------------------------------------------------------------------------------------------------------- costs


def test_costs_are_apart_for_each_engine_and_only_of_proofs_whose_size_is_known() -> None:
    sized = {**obligation("law:1", "⊆"), "size": 900}
    dear = {**obligation("law:1", "⊇"), "size": 800}
    dear["answers"] = [{"solver": "z3 5.4.0", "status": "unsat", "rlimit": 90_000, "seconds": 1.0}]
    (z3,) = costs_by_engine([claim(sized, dear, obligation("law:1", "other"))])
    assert [(row.id, row.size, row.work) for row in z3.rows] == [
        ("law:1/⊇", 800, 90_000),
        ("law:1/⊆", 900, 7706),
    ]
    assert "the dearest is law:1/⊇" in z3.plot
    assert costs_by_engine([claim(obligation("law:1", "⊆"))]) == []


# ---------------------------------------------------------------------------------------------------------- throughput


def test_what_was_measured_is_drawn_fastest_first_and_what_was_not_is_said() -> None:
    report = {"throughput": throughput()}
    (one,) = comparisons(report["throughput"])
    assert [row["name"] for row in one.rows] == ["register-machine columns", "duckdb asof"]
    assert [row["name"] for row in one.others] == ["reelay monitor"]
    assert "duckdb asof (DuckDB): 1.5, from 1.5 to 1.5" in one.plot
    said = Page(render_html(report)).words
    assert "reelay is not installed" in said
    assert "every answer is right" in said


def test_what_is_quadratic_is_said_to_grow() -> None:
    report = {"throughput": throughput()}
    (one,) = growths(report["throughput"])
    assert one.verdict == "grows 8.2 times; 1,000,000 instants would take about 85 s"
    assert one.verdict in Page(render_html(report)).words
    assert growth_in_words(1.1, "") == "flat"


def test_a_wrong_answer_is_loud_and_has_no_speed() -> None:
    report = {"throughput": copy.deepcopy(throughput())}
    report["throughput"]["results"][0]["subjects"][1]["status"] = "wrong"
    assert wrong_subjects(report["throughput"]) == ["duckdb asof"]
    assert [row["name"] for row in comparisons(report["throughput"])[0].rows] == ["register-machine columns"]
    assert "WRONG OR FAILED duckdb asof." in Page(render_html(report)).words
