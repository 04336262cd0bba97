"""The report in a real browser: everything opens, works, fits, and can be used without a mouse and on paper."""

from __future__ import annotations

import re

import pytest

from reports.writing.html import render_html
from tests.browser.checkers import (
    Page,
    accessibility_violations,
    cut_texts,
    open_all,
    overlapping_texts,
    too_wide,
    unreachable,
)
from tests.browser.conftest import Open
from tests.browser.everything import full_report

pytestmark = pytest.mark.browser

WIDTHS = (360, 768, 880, 1280)
"""A phone, a tablet, the narrowest page with tables of full width, a desktop; in CSS pixels."""


def shown(page: Page, selector: str) -> list[str]:
    """The ids of the elements that are shown."""
    return list(
        page.eval_on_selector_all(
            selector, "all => all.filter((one) => one.checkVisibility()).map((one) => one.id)"
        )
    )


def test_every_section_of_the_contents_is_there_and_the_verdict_comes_first(open_page: Open) -> None:
    page = open_page()
    names = page.eval_on_selector_all("nav a", "all => all.map((one) => one.hash.slice(1))")
    assert len(names) == 17
    tops = [page.locator(f"#{name}").bounding_box()["y"] for name in names]
    assert tops == sorted(tops)
    assert page.locator("#verdict").bounding_box()["y"] < tops[0]


def test_everything_that_opens_opens_by_a_click_and_says_something(open_page: Open) -> None:
    page = open_page()
    assert open_all(page) > 20
    empty = page.eval_on_selector_all(
        "details",
        "all => all.filter((one) => !one.open || one.getBoundingClientRect().height"
        " <= one.querySelector('summary').getBoundingClientRect().height).length",
    )
    assert empty == 0


def test_nothing_is_said_in_the_console_and_nothing_asked_of_the_network(open_page: Open) -> None:
    page = open_page()
    open_all(page)
    for button in page.locator("button:visible").all():
        button.click()
    page.fill("#claims ~ form input", "law")
    assert (page.watch.said, page.watch.asked) == ([], [])


@pytest.mark.parametrize("width", WIDTHS)
def test_no_text_is_cut_and_the_page_does_not_scroll_sideways(width: int, open_page: Open) -> None:
    page = open_page(width=width)
    assert (cut_texts(page), too_wide(page)) == ([], [])
    open_all(page)
    assert (cut_texts(page), too_wide(page)) == ([], [])
    assert overlapping_texts(page) == []


@pytest.mark.parametrize("width", (360, 1280))
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_rules_of_accessibility_are_kept(scheme: str, width: int, open_page: Open) -> None:
    page = open_page(scheme=scheme, width=width)
    open_all(page)
    assert accessibility_violations(page) == []


def test_dark_is_dark(open_page: Open) -> None:
    colours = [
        open_page(scheme=scheme).evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert [sum(int(part) for part in colour[4:-1].split(",")) > 382 for colour in colours] == [True, False]


def test_everything_is_reached_by_tab_and_shows_its_focus(open_page: Open) -> None:
    page = open_page()
    assert unreachable(page) == []
    open_all(page)
    assert unreachable(page) == []


def test_a_section_opens_and_closes_with_the_keyboard(open_page: Open) -> None:
    page = open_page()
    summary = page.locator("#claim-law-14 summary").first
    summary.focus()
    for opened in (True, False):
        page.keyboard.press("Enter")
        assert page.locator("#claim-law-14 details").first.evaluate("one => one.open") is opened


# ------------------------------------------------------------------------------------------------ search, filter, order


def test_a_search_shows_what_holds_all_words_and_announces_how_many(open_page: Open) -> None:
    page = open_page()
    claims = [claim["id"] for claim in full_report()["claims"]]
    everyone = shown(page, "#claims-table [data-item]")
    said = page.locator("form[data-for=claims-table] output")
    assert len(everyone) == len(claims)
    assert said.text_content() == f"{len(claims)} of {len(claims)} claims"
    assert said.get_attribute("aria-live") == "polite"
    page.fill("form[data-for=claims-table] input", "conjunction RIGHT")
    assert shown(page, "#claims-table [data-item]") == ["claim-lemma-5-3"]
    assert said.text_content() == f"1 of {len(claims)} claims"
    page.fill("form[data-for=claims-table] input", "no such word")
    assert said.text_content() == f"0 of {len(claims)} claims"
    page.fill("form[data-for=claims-table] input", "")
    assert shown(page, "#claims-table [data-item]") == everyone


def test_filters_hold_together_with_the_search(open_page: Open) -> None:
    page = open_page()
    page.select_option("form[data-for=claims-table] [name=standing]", "refuted")
    assert shown(page, "#claims-table [data-item]") == [
        "claim-law-2",
        "claim-lemma-5-5-queue-of-the-generated-loops",
    ]
    page.select_option("form[data-for=claims-table] [name=kind]", "lemma")
    assert len(shown(page, "#claims-table [data-item]")) == 1
    page.select_option("form[data-for=errata-list] [name=kind]", "confirmed")
    assert shown(page, "#errata-list [data-item]") == ["erratum-six"]
    assert page.locator("#errata-list [data-group]:visible").count() == 1
    assert page.locator("form[data-for=errata-list] output").text_content() == "1 of 2 entries"


def test_the_dearest_claims_come_first_when_asked_and_the_order_comes_back(open_page: Open) -> None:
    page = open_page()
    before = shown(page, "#claims-table [data-item]")
    page.select_option("form[data-for=claims-table] [name=sort]", "dearest")
    costs = page.eval_on_selector_all(
        "#claims-table [data-item]", "all => all.map((one) => +one.dataset.sort)"
    )
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > costs[-1]
    page.select_option("form[data-for=claims-table] [name=sort]", "")
    assert shown(page, "#claims-table [data-item]") == before


def test_one_button_opens_and_closes_all_claims(open_page: Open) -> None:
    page = open_page()
    button = page.locator("form[data-for=claims-table] [name=toggle]")
    details = "#claims-table .more > td > details"
    for opened in (True, False):
        button.click()
        assert set(page.eval_on_selector_all(details, "all => all.map((one) => one.open)")) == {opened}


def test_a_command_can_be_copied(open_page: Open) -> None:
    page = open_page()
    button = page.locator(".copyable button").first
    button.click()
    page.wait_for_function("one => one.textContent !== 'Copy'", arg=button.element_handle())
    assert button.text_content() in ("Copied", "Selected")


# -------------------------------------------------------------------------------------------------------------- links


def test_a_link_to_a_claim_opens_it_also_when_a_filter_hides_it(open_page: Open) -> None:
    page = open_page(fragment="#claim-law-14")
    assert page.locator("#claim-law-14 details").first.evaluate("one => one.open")
    assert 0 <= page.locator("#claim-law-14").bounding_box()["y"] < 900
    page.fill("form[data-for=claims-table] input", "no such word")
    page.evaluate("location.hash = 'claim-lemma-5-3'")
    page.wait_for_function("document.querySelector('#claim-lemma-5-3 details').open")
    assert page.locator("#claim-lemma-5-3").is_visible()
    assert 0 <= page.locator("#claim-lemma-5-3").bounding_box()["y"] < 900


def test_every_link_within_the_page_leads_somewhere_that_is_shown(open_page: Open) -> None:
    page = open_page()
    for name in set(page.eval_on_selector_all("a[href^='#']", "all => all.map((one) => one.hash.slice(1))")):
        page.evaluate("name => { location.hash = name; }", name)
        assert page.locator(f"[id='{name}']").is_visible(), name


# -------------------------------------------------------------------------------------------------------------- paper


def test_paper_shows_what_is_open_and_of_the_rest_its_first_line(open_page: Open) -> None:
    page = open_page(width=718)  # the text width of A4 with the usual margins
    law = page.locator("#claim-law-14")
    note = page.locator(".paper")
    assert not note.is_visible()
    page.emulate_media(media="print")
    assert note.is_visible()
    assert "report.json" in (note.text_content() or "")
    assert law.locator("tr").first.is_visible()
    assert not law.locator(".more").is_visible()
    assert not page.locator(".evidence").first.is_visible()
    assert not page.locator("nav, form.filter, .copyable button").filter(visible=True).count()
    assert (cut_texts(page), too_wide(page), overlapping_texts(page)) == ([], [], [])
    assert page.pdf(format="A4").startswith(b"%PDF")
    law.locator("details").first.evaluate("one => { one.open = true }")
    assert law.locator(".obligations").first.is_visible()
    open_all(page)
    assert (cut_texts(page), too_wide(page), overlapping_texts(page)) == ([], [], [])


def test_a_whole_verification_takes_no_more_than_a_few_sheets_of_paper(open_page: Open) -> None:
    report = full_report()
    report["claims"] = [
        {**claim, "id": f"law:{number}-{claim['id']}", "counterexample": None}
        for number in range(10)
        for claim in report["claims"]
    ]
    assert len(report["claims"]) > 50
    shorter = {**full_report(), "claims": []}
    pages = []
    for shown_report in (report, shorter):
        page = open_page(render_html(shown_report))
        pages.append(len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(format="A4"))))
    assert pages[0] - pages[1] <= 4


def test_paper_is_white_in_a_dark_scheme_too(open_page: Open) -> None:
    page = open_page(scheme="dark")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_without_scripts_everything_can_be_read(page_of_everything: str, open_page: Open) -> None:
    page = open_page(page_of_everything.replace("<script>", "<script type='text/plain'>"))
    assert not page.locator("form.filter").filter(visible=True).count()
    assert len(shown(page, "#claims-table [data-item]")) == len(full_report()["claims"])
    assert cut_texts(page) == []
