"""A real browser. These tests need Chromium and the packages of the group `browser`; nothing is downloaded.

They run only when they are asked for: `pytest -m browser tests/browser`, or `make browser`.
"""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reports.writing.html import render_html
from tests.browser.checkers import Page, Watch
from tests.browser.everything import full_report

NAMES = ("chromium", "chromium-browser", "google-chrome")
# Without the last ones the browser itself asks the network for things that no page wants.
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")

Open = Callable[..., Page]
"""Opens a report: `(html=None, width=1280, height=900, scheme="light", fragment="")`."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "browser" in str(config.option.markexpr):
        return
    left_out = [item for item in items if item.get_closest_marker("browser")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def chromium() -> str:
    """Where Chromium is: REMORA_CHROMIUM, or the first of `NAMES` on PATH."""
    wanted = os.environ.get("REMORA_CHROMIUM")
    found = next(filter(None, map(shutil.which, [wanted] if wanted else NAMES)), None)
    if found is None:
        pytest.fail(
            f"no Chromium: {f'REMORA_CHROMIUM is {wanted}' if wanted else ', '.join(NAMES) + ' are not on PATH'}."
            " Install it (Debian: apt-get install chromium) or name it in REMORA_CHROMIUM.",
            pytrace=False,
        )
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    try:
        sync_api = importlib.import_module("playwright.sync_api")
    except ModuleNotFoundError:
        pytest.fail("playwright is not installed: pip install --group browser", pytrace=False)
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        yield running
        running.close()


@pytest.fixture(scope="session")
def page_of_everything() -> str:
    return render_html(full_report())


@pytest.fixture
def open_page(browser: Any, page_of_everything: str, tmp_path: Path) -> Iterator[Open]:
    contexts = []

    def open_(
        html: str | None = None,
        width: int = 1280,
        height: int = 900,
        scheme: str = "light",
        fragment: str = "",
    ) -> Page:
        file = tmp_path / "report.html"
        file.write_text(html or page_of_everything, "utf-8")
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
        )
        contexts.append(context)
        page = context.new_page()
        page.watch = Watch(page)
        page.goto(file.as_uri() + fragment)
        return page

    yield open_
    for context in contexts:
        context.close()
