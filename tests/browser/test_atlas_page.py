"""The page of the atlas in a real browser: it answers by filters, shows a cell by a click, and fits on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest

from laws.atlas.cells import LAWS
from remora.cli import main
from tests.browser.checkers import accessibility_violations, cut_texts, overlapping_texts, too_wide
from tests.browser.conftest import Open

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("atlas")
    with pytest.raises(SystemExit) as end:
        main(["atlas", "--out", str(folder)])
    assert end.value.code in (None, 0)
    return Path(folder / "atlas.html").read_text("utf-8")


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_fits_its_window_and_says_nothing_in_the_console(
    open_page: Open, atlas: str, width: int
) -> None:
    page = open_page(atlas, width=width)
    assert (too_wide(page), cut_texts(page), overlapping_texts(page)) == ([], [], [])
    assert (page.watch.said, page.watch.asked) == ([], [])


@pytest.mark.parametrize("phrase", ["holds 5 but not 7", "law 5 holds, 7 does not", "5, !7"])
def test_a_phrase_leaves_the_systems_in_which_the_laws_stand_and_fail(
    open_page: Open, atlas: str, phrase: str
) -> None:
    page = open_page(atlas)
    page.fill("input[name=laws]", phrase)
    shown = page.eval_on_selector_all(
        "#cells tbody tr",
        """rows => rows.filter((row) => row.checkVisibility()).map((row) =>
            [row.querySelector("th").textContent, row.cells[5].textContent, row.cells[7].textContent])""",
    )
    assert ["snoop-recent-points", "◐", "✕"] in shown
    assert all(fifth in "●◐○" and seventh == "✕" for _, fifth, seventh in shown)
    assert len(shown) < 171


def test_a_click_on_a_cell_shows_its_trace_or_its_proof(open_page: Open, atlas: str) -> None:
    page = open_page(atlas)
    row = page.locator("#cells tbody tr", has_text="snoop-recent-points")
    row.locator("button").nth(5).click()
    told = page.locator("#detail").inner_text()
    assert "Law 6 in snoop-recent-points" in told and "✕ refuted" in told and "on this trace" in told
    row.locator("button").nth(0).click()
    assert "● proved" in page.locator("#detail").inner_text()


def test_laws_can_be_put_in_the_order_of_where_they_stand(open_page: Open, atlas: str) -> None:
    page = open_page(atlas)
    page.select_option("select[name=columns]", "shared")
    laws = page.locator("#cells thead").inner_text().split()
    named = [law.id.removeprefix("law:") for law in LAWS]
    assert sorted(laws[1:], key=named.index) == named != laws[1:]


def test_the_page_can_be_used_without_seeing_it(open_page: Open, atlas: str) -> None:
    page = open_page(atlas)
    page.fill("input[name=laws]", "5, !7")  # a few systems: the rules look at each cell
    assert accessibility_violations(page) == []
