"""Every page of the documentation does what it says: its commands, scripts, files, links and numbers."""

from pathlib import Path

import pytest

from smt.solvers.back_ends import is_installed
from tests.documentation.carrying_out import carried_out, checkout
from tests.documentation.pages import ROOT, blocks, name_of, pages
from tests.documentation.reading import objections

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def has_commands(page: Path) -> bool:
    run = [block for block in blocks(page.read_text("utf-8")) if "not run" not in block.remarks]
    return any(block.language in ("console", "bash", "python", "diff") for block in run)


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_links_commands_and_data_of_a_page_are_right(page: Path) -> None:
    found = objections(page, MAKEFILE)
    assert not found, "\n".join(found)


FIRST = ROOT / "README.md"
"""What everybody reads, carried out with the slow tests; the other pages are carried out with those that are long."""


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.slow if page == FIRST else pytest.mark.long, id=name_of(page))
        for page in pages()
        if has_commands(page)
    ],
)
def test_a_page_does_what_it_says(page: Path, tmp_path: Path) -> None:
    text = page.read_text("utf-8")
    if not is_installed() and "agreed" in text:
        pytest.skip("without cvc5 nothing is agreed")
    found = list(carried_out(blocks(text), checkout(tmp_path), slow=page != FIRST))
    assert not found, "\n\n".join(found)
