"""The spread of costs: the least stable first, and a plot that stays small."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from reports.results.audits import Stability
from reports.results.report import report_of
from reports.sections.stability import WORST, spread_plot, spreads
from reports.writing.html import render_html

NAMESPACE = "{http://www.w3.org/2000/svg}"


def row(
    name: str, success: int = 20, median: int | None = 100, worst: int | None = 150, solver: str = "z3"
) -> dict[str, Any]:
    return {"id": name, "solver": solver, "success": success, "median": median, "worst": worst}


def study(*rows: dict[str, Any]) -> dict[str, Any]:
    return {"variants": 20, "rows": list(rows), "unstable": [], "ok": True}


def stability(*rows: dict[str, Any]) -> Stability:
    return report_of({"stability": study(*rows)}).stability


def test_what_fails_in_some_variants_comes_first_then_what_varies_most() -> None:
    found = spreads(
        stability(row("calm", worst=101), row("fails", 19), row("wild", worst=900), row("worse", 3))
    )
    assert [one.id for one in found] == ["worse", "fails", "wild", "calm"]


def test_a_row_without_numbers_is_listed_and_not_drawn() -> None:
    found = stability(row("a", 0, None, None), row("b", 20, 0, 5))
    assert [one.ratio for one in spreads(found)] == [None, None]
    assert spread_plot(found) == ""


def test_each_solver_has_its_own_shape_and_what_fails_has_a_ring() -> None:
    svg = spread_plot(stability(row("a"), row("b", 19, solver="cvc5")))
    paths = list(ElementTree.fromstring(svg).iter(f"{NAMESPACE}path"))
    assert [path.get("class") for path in paths] == ["dots series-0", "dots series-1", "ring"]
    assert paths[2].findtext(f"{NAMESPACE}title") == "b, cvc5"


@given(
    st.lists(
        st.tuples(st.integers(1, 10**9), st.integers(1, 10**6), st.sampled_from("xyzw")),
        min_size=1,
        max_size=40,
    )
)
def test_every_mark_lies_within_the_plot(data: list[tuple[int, int, str]]) -> None:
    rows = [row(str(n), 20, median, median * by, s) for n, (median, by, s) in enumerate(data)]
    root = ElementTree.fromstring(spread_plot(stability(*rows)))
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for path in root.iter(f"{NAMESPACE}path"):
        for mark in path.get("d", "").split("M")[1:]:
            x, y = mark.replace("m", " ").replace("h", " ").split()[:2]
            assert 0 <= float(x) <= width
            assert 0 <= float(y.partition("-")[0] or y) <= height


def test_a_thousand_rows_make_a_short_table_and_a_small_plot() -> None:
    many = study(*(row(f"law:{number}/⊆", median=number + 1, worst=2 * number + 2) for number in range(1000)))
    html = render_html({"stability": many})
    assert html.count('<th role="rowheader"') == WORST
    assert f"The other {1000 - WORST} rows" in html
    assert len(spread_plot(report_of({"stability": many}).stability)) < 30_000


def test_a_study_that_is_not_ok_is_loud(proofs: dict[str, Any]) -> None:
    assert "NOT STABLE" in render_html({"stability": proofs["stability"]})
    assert "NOT STABLE" not in render_html({"stability": study(row("a"))})
    assert "19 of 20" in render_html({"stability": proofs["stability"]})
