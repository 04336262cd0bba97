"""The report and the atlas in a real browser: they fit, need no pointer, and ask nothing of the network."""

import copy
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from laws.atlas.cells import LAWS
from remora.cli import main
from reports.html import page_html
from reports.report import report_page
from semantics.atlas.catalogue import SETTINGS
from tests.browser.conftest import Open, Page
from tests.reports.conftest import PROOF_SIDE, REPORT, THEOREMS

pytestmark = pytest.mark.browser

WHOLE = Path(__file__).parent.parent / "reports" / "whole.json"
SCRIPT = (Path(__file__).parent / "checkers.js").read_text("utf-8")


def ask(page: Page, function: str) -> Any:
    return page.evaluate(f"() => {{ {SCRIPT} return {function}(); }}")


def open_all(page: Page) -> int:
    """Open everything that opens, by clicking; how many were closed."""
    closed = 0
    while page.locator("details:not([open]) > summary:visible").count():
        page.locator("details:not([open]) > summary:visible").first.click()
        closed += 1
    return closed


def unfit(page: Page) -> list[str]:
    """Text that is cut, and that the page as a whole scrolls sideways."""
    wide, narrow = page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    return [*ask(page, "cutTexts"), *([f"{wide} px wide in a window of {narrow} px"] if wide > narrow else [])]


def violations(page: Page) -> list[str]:
    """What axe-core finds, experimental rules left out."""
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{violation['id']}: {node['html'][:120]}" for violation in found["violations"] for node in violation["nodes"]
    ]


def unreachable(page: Page) -> list[str]:
    """What can be used with a pointer and is not reached by Tab, or does not show that it has the focus."""
    names = ask(page, "interactive")
    page.evaluate("() => { document.activeElement?.blur(); scrollTo(0, 0); }")
    reached: dict[int, bool] = {}
    for _ in range(2 * len(names) + 2):  # twice around: the first Tab goes on from where the last click was
        page.keyboard.press("Tab")
        focused = ask(page, "focused")
        if focused is not None:
            reached.setdefault(*focused)
    missed = [f"not reached by Tab: {name}" for at, name in enumerate(names) if name and at not in reached]
    return missed + [f"no visible focus: {names[at]}" for at, seen in reached.items() if not seen]


@pytest.fixture(scope="module")
def report() -> str:
    claims = [*REPORT["claims"], *THEOREMS]
    return page_html(report_page(copy.deepcopy({**REPORT, **PROOF_SIDE, "claims": claims})))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_the_report_fits_with_everything_open_and_keeps_the_rules_of_accessibility(
    open_page: Open, report: str, width: int, scheme: str
) -> None:
    page = open_page(report, width=width, scheme=scheme)
    assert open_all(page) > 10
    assert unfit(page) == []
    assert violations(page) == []
    assert (page.said, page.asked) == ([], [])


def test_everything_in_the_report_is_reached_by_tab_and_shows_its_focus(open_page: Open, report: str) -> None:
    assert unreachable(open_page(report)) == []


@pytest.mark.parametrize("target", ["law-14"])
def test_a_link_to_what_is_folded_opens_it(open_page: Open, report: str, target: str) -> None:
    for page in (open_page(report, fragment=f"#{target}"), open_page(report)):
        if "#" not in page.url:
            page.evaluate("name => { location.hash = name }", target)
            page.wait_for_timeout(100)
        assert page.locator(f"#{target}").is_visible()
        assert page.eval_on_selector(f"#{target}", "one => one.open")


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("atlas")
    with pytest.raises(SystemExit) as end:
        main(["atlas", "--out", str(folder)])
    assert end.value.code in (None, 0)
    return Path(folder / "atlas.html").read_text("utf-8")


def test_the_report_links_to_the_atlas_beside_it(open_page: Open, atlas: str, tmp_path: Path) -> None:
    (tmp_path / "atlas.html").write_text(atlas, "utf-8")
    page = open_page(page_html(report_page(json.loads(WHOLE.read_text("utf-8")))))
    for folded in page.locator("details:has(a[href='atlas.html']) > summary").all():
        folded.click()
    page.click("a[href='atlas.html']")
    assert page.url.endswith("/atlas.html") and page.locator("#cells tbody tr").count() == len(SETTINGS)


@pytest.mark.parametrize("width", [360, 1280])
def test_the_atlas_fits_its_window_and_says_nothing_in_the_console(open_page: Open, atlas: str, width: int) -> None:
    page = open_page(atlas, width=width)
    assert (unfit(page), page.said, page.asked) == ([], [], [])
    if width == 1280:  # every law is in sight
        assert page.eval_on_selector("#cells", "table => table.scrollWidth <= table.parentElement.clientWidth")
    page.fill("input[name=where]", "5, !7")  # a few systems: the rules look at each cell
    assert violations(page) == []


@pytest.mark.parametrize("phrase", ["law 5 holds, 7 does not", "clock=points, 5, !7"])
def test_a_phrase_leaves_the_systems_in_which_the_laws_stand_and_fail(open_page: Open, atlas: str, phrase: str) -> None:
    page = open_page(atlas)
    page.fill("input[name=where]", phrase)
    rows = """rows => rows.filter((row) => row.checkVisibility()).map((row) =>
        [row.querySelector("th").textContent, row.cells[5].textContent, row.cells[7].textContent])"""
    shown = page.eval_on_selector_all("#cells tbody tr", rows)
    assert ["snoop-recent-points", "◐", "✕"] in shown
    assert all(fifth in "●◐○" and seventh == "✕" for _, fifth, seventh in shown)


def test_a_click_on_a_cell_shows_its_trace_or_its_proof_and_laws_can_be_put_in_another_order(
    open_page: Open, atlas: str
) -> None:
    page = open_page(atlas)
    row = page.locator("#cells tbody tr", has_text="snoop-recent-points")
    row.locator("button").nth(5).click()
    told = page.locator("#detail").inner_text()
    assert "Law 6 in snoop-recent-points" in told and "✕ refuted" in told and "on this trace" in told
    assert page.url.endswith("#law:6/snoop-recent-points")
    row.locator("button").nth(0).click()
    assert "● proved" in page.locator("#detail").inner_text()
    page.select_option("select[name=columns]", "shared")
    laws = page.locator("#cells thead").inner_text().split()
    named = [law.id.removeprefix("law:") for law in LAWS]
    assert sorted(laws[1:], key=named.index) == named != laws[1:]
