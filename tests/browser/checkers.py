"""Checkers of a page, which list complaints; `test_checkers.py` shows each of them something wrong."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

Page: TypeAlias = Any
"""A page of playwright, which is installed for these tests only."""

_SCRIPT = (Path(__file__).parent / "checkers.js").read_text("utf-8")


def _ask(page: Page, function: str) -> Any:
    return page.evaluate(f"() => {{ {_SCRIPT} return {function}(); }}")


class Watch:
    """Listens to a page from its beginning: what it says in the console, and what it asks of the network."""

    def __init__(self, page: Page) -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        page.on("request", self._request)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning", "assert"):
            self.said.append(f"{message.type}: {message.text}")

    def _request(self, request: Any) -> None:
        if not request.url.startswith(("file:", "data:")) or not request.is_navigation_request():
            self.asked.append(request.url)


def open_all(page: Page) -> int:
    """Open everything that opens, by clicking; how many were closed."""
    closed = 0
    while page.locator("details:not([open]) > summary:visible").count():
        page.locator("details:not([open]) > summary:visible").first.click()
        closed += 1
    return closed


def cut_texts(page: Page) -> list[str]:
    """Text that is not shown in full, and to which nothing scrolls."""
    return list(_ask(page, "cutTexts"))


def overlapping_texts(page: Page) -> list[str]:
    """Pairs of texts of a drawing that lie on each other."""
    return list(_ask(page, "overlappingTexts"))


def too_wide(page: Page) -> list[str]:
    """That the page as a whole scrolls sideways."""
    wide, narrow = page.evaluate(
        "() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    )
    return [f"the page is {wide} px wide in a window of {narrow} px"] if wide > narrow else []


def accessibility_violations(page: Page) -> list[str]:
    """What axe-core finds, experimental rules left out: rule, element, reason."""
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{violation['id']}: {node['html'][:120]}: {node['failureSummary']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


def unreachable(page: Page) -> list[str]:
    """What can be used with a pointer and is not reached by Tab, or does not show that it has the focus."""
    names = _ask(page, "interactive")
    page.evaluate("() => { document.activeElement?.blur(); scrollTo(0, 0); }")
    reached: dict[int, bool] = {}
    # Twice around: the first Tab goes on from where the last click was.
    for _ in range(2 * len(names) + 2):
        page.keyboard.press("Tab")
        focused = _ask(page, "focused")
        if focused is not None:
            reached.setdefault(*focused)
    complaints = [
        f"not reached by Tab: {name}" for at, name in enumerate(names) if name and at not in reached
    ]
    return complaints + [
        f"no visible focus: {names[at]}" for at, seen in reached.items() if not seen and at < len(names)
    ]
