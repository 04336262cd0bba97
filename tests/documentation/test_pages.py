"""Every page of the documentation does what it says: its commands, scripts, files, links and numbers."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from smt.solvers.portfolio import is_installed
from tests.copies import ROOT
from tests.documentation.pages import FOLDER, blocks, carried_out, pages
from tests.documentation.reading import objections
from tests.documentation.spark_pages import needs_spark

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")

PAGES = {page.relative_to(ROOT).as_posix(): page for page in pages()}

DEAR = (
    "docs/profiles.md",
    *(f"docs/howto/{name}.md" for name in ("add-a-detector", "judge-a-program", "judge-your-detector")),
)
"""The pages that take a quarter of a minute each; what they do, the tests of their commands do as well."""


@pytest.mark.parametrize("name", PAGES)
def test_links_commands_and_data_of_a_page_are_right(name: str) -> None:
    assert not objections(PAGES[name], MAKEFILE)


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=name, marks=pytest.mark.long if name in DEAR else ())
        for name, page in PAGES.items()
        if re.search(r"(?<!-->\n)^```(console|bash|python|diff)$", page.read_text("utf-8"), re.MULTILINE)
    ],
)
def test_a_page_does_what_it_says(page: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    text = page.read_text("utf-8")
    if needs_spark(text):
        request.getfixturevalue("in_spark")
    if not is_installed() and "agreed" in text:
        pytest.skip("without cvc5 nothing is agreed")
    found = list(carried_out(blocks(text), tmp_path))
    assert not found, "\n\n".join(found)


@pytest.mark.long
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    if any(importlib.util.find_spec(name) is None for name in ("sphinx", "myst_parser", "furo")):
        pytest.skip("the tools of the documentation are not installed")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(FOLDER), str(tmp_path)]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stderr
    assert all((tmp_path / page.relative_to(FOLDER)).with_suffix(".html").exists() for page in FOLDER.rglob("*.md"))
