"""A real browser. These tests need Chromium and the packages of the group `browser`; nothing is downloaded.

They run only when they are asked for: `pytest -m browser tests/browser`, or `make browser`.
"""

import importlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
# Without the last ones the browser itself asks the network for things that no page wants.
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")

Page: TypeAlias = Any
"""A page of playwright, which is installed for these tests only."""

Open = Callable[..., Page]
"""Opens a page: `(html, width=1280, scheme="light", fragment="")`; `page.said` and `page.asked` are what it did."""


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
        pytest.fail("no Chromium: install it (Debian: apt-get install chromium) or name it in REMORA_CHROMIUM")
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


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Open]:
    contexts = []

    def open_(html: str, width: int = 1280, scheme: str = "light", fragment: str = "") -> Page:
        file = tmp_path / "page.html"
        file.write_text(html, "utf-8")
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.said, page.asked = [], []
        noisy = ("error", "warning", "assert")
        page.on("console", lambda message: page.said.append(message.text) if message.type in noisy else None)
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("request", lambda request: None if request.is_navigation_request() else page.asked.append(request.url))
        page.goto(file.as_uri() + fragment)
        return page

    yield open_
    for context in contexts:
        context.close()
