"""Sections that systems add to a report: one entry of the contents for a part, texts as they are, folded ones."""

from __future__ import annotations

import pytest

from reports import systems
from reports.systems import Section
from reports.writing import html, markdown

SECTIONS = [
    Section("Kept", "Rules", columns=("Store",), rows=(("A",),)),
    Section("A plan", "Rules", folded=True, text="σ[a < b]\n  └─ ⋈"),
    Section("Alone"),
]


@pytest.fixture(autouse=True)
def of_some_system(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (systems, markdown):
        monkeypatch.setattr(module, "sections", lambda document: SECTIONS)


def test_sections_of_one_part_have_one_entry_in_the_contents_and_a_folded_one_opens_by_a_click() -> None:
    page = html.render_html({})
    contents = page[page.index("<nav") : page.index("</nav>")]
    assert '<a href="#system-Kept">Rules</a>' in contents
    assert '<a href="#system-Alone">Alone</a>' in contents
    assert "system-A-plan" not in contents
    assert '<details><summary id="system-A-plan">A plan</summary>' in page
    assert '<h2 id="system-Kept">Kept</h2>' in page


def test_a_text_keeps_its_lines_and_spaces_and_is_no_markup() -> None:
    assert "σ[a &lt; b]\n  └─ ⋈</pre>" in html.render_html({})
    assert "```\nσ[a < b]\n  └─ ⋈\n```" in markdown.render_markdown({})
