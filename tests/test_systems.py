"""A system takes part in every room by one entry of the registry: a toy is read, evaluated, proved, judged, shown."""

from pathlib import Path

import pytest

from campaigns.engine.campaign import examined, run_locally
from campaigns.engine.settings import Settings
from campaigns.judging.regressions import store, stored_regressions
from laws.claims import every_claim, find, laws_of
from laws.standings import Standing
from proofs.proving import prove_claims
from reports.html import page_html
from reports.markdown import page_markdown
from reports.report import report_page
from semantics.errors import InputError
from semantics.events import Event
from semantics.systems import SYSTEMS
from smt.solvers.portfolio import Portfolio
from tests.campaigns.written import cause_of
from tests.reports.conftest import REPORT
from tests.smt.fakes import z3
from tests.toy import DETECTORS, TOY, parse, times

TRACE = [Event("a", 1, 1), Event("b", 1, 1), Event("b", 4, 4)]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SYSTEMS, "toy", TOY)


def test_its_text_parses_and_is_evaluated() -> None:
    expression = parse("(a then (b or c))")
    assert parse(str(expression)) == expression
    assert times(expression, TRACE) == {4}
    with pytest.raises(InputError, match="begins no expression"):
        parse("(a then")


def test_its_laws_are_proved_and_its_false_claims_refuted() -> None:
    claims = find(["toy:1", "toy:2", "toy:false"])
    assert all(claim in every_claim() for claim in claims[:2])
    with Portfolio([z3()]) as portfolio:
        results = prove_claims(claims, portfolio)
    assert [result.standing for result in results] == [Standing.PROVED, Standing.PROVED, Standing.REFUTED]
    assert results[2].reason == "they differ on y@0, x@1"
    assert [next(laws_of("toy").check(claim, examples=1, seed_number=0)).standing for claim in claims] == [
        Standing.TESTED,
        Standing.TESTED,
        Standing.REFUTED,
    ]


@pytest.mark.slow
def test_a_campaign_finds_its_mutant_and_makes_the_case_small(tmp_path: Path) -> None:
    settings = Settings(detectors=("steps", "mutant:lax"), system="toy")
    rows = list(run_locally(settings, 0, 200))
    failed = [(row.case, failure) for row in rows for failure in row.failures]
    assert {failure["detector"] for _, failure in failed} == {"mutant:lax"}
    number, failure = failed[0]
    found = examined(settings, number, cause_of(failure), failure["detail"])
    assert found.reproduced
    assert found.minimised is not None
    assert len(found.minimised.case.trace) <= 2
    store(tmp_path, [found.regression])
    (kept,) = stored_regressions(tmp_path)
    assert kept.case.text == found.minimised.case.text
    assert kept.verdict(lambda e: DETECTORS["steps"](e)).ok


def test_the_report_has_its_section_and_escapes_it() -> None:
    report = {**REPORT, "toy": [{"statement": "x < y", "standing": "proved"}]}
    page, text = page_html(report_page(report)), page_markdown(report_page(report))
    assert "The toy &lt;algebra&gt;" in page
    assert "x &lt; y" in page
    assert "<summary>The toy &lt;algebra&gt;</summary>" in text
    assert "| `x < y` | proved |" in text
