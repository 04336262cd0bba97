"""Each checker is shown a page with the fault that it looks for, and complains; the same page without it is fine."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser import checkers
from tests.browser.checkers import Page
from tests.browser.conftest import Open

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
<style>body {{ background: #fff; color: #222 }} {style}</style></head>
<body><main><h1>A page</h1>{body}</main><script>{script}</script></body></html>"""


def page_with(body: str = "", style: str = "", script: str = "") -> str:
    return PAGE.format(body=body, style=style, script=script)


SEVERAL = "<p class='box'>a text of several words</p>"
CELL = "<table><tr><th class='box'>a text of several words</th></tr></table>"
NARROW = "table { table-layout: fixed; width: 40px } th { overflow: hidden; white-space: nowrap }"
DRAWN = "<svg width='{}' height='40'><text x='40' y='15'>a long text</text></svg>"
TWO_TEXTS = "<svg width='200' height='40'><text x='5' y='20'>one</text><text x='{}' y='22'>two</text></svg>"

FAULTS: dict[str, tuple[Callable[[Page], list[str]], tuple[str, ...], tuple[str, ...]]] = {
    "text that its box hides": (
        checkers.cut_texts,
        (SEVERAL, ".box { width: 5ch; overflow: hidden; white-space: nowrap }"),
        (SEVERAL, ".box { width: 5ch; overflow: auto; white-space: nowrap }"),
    ),
    "text beyond the window": (
        checkers.cut_texts,
        (f"<p>{'x' * 400}</p>",),
        (f"<p>{'x' * 400}</p>", "p { overflow-wrap: anywhere }"),
    ),
    "text beyond the edge of a drawing": (checkers.cut_texts, (DRAWN.format(60),), (DRAWN.format(160),)),
    "text that is cut in a cell": (checkers.cut_texts, (CELL, NARROW), (CELL,)),
    "texts of a drawing on each other": (
        checkers.overlapping_texts,
        (TWO_TEXTS.format(9),),
        (TWO_TEXTS.format(90),),
    ),
    "a page that scrolls sideways": (checkers.too_wide, (SEVERAL, ".box { width: 3000px }"), (SEVERAL,)),
    "low contrast": (checkers.accessibility_violations, (SEVERAL, ".box { color: #bbb }"), (SEVERAL,)),
    "a field without a label": (
        checkers.accessibility_violations,
        ("<input>",),
        ("<label>Name <input></label>",),
    ),
    "a button that Tab leaves out": (
        checkers.unreachable,
        ("<button tabindex='-1'>one</button><button>two</button>",),
        ("<button>one</button><button>two</button>",),
    ),
    "a link that does not show its focus": (
        checkers.unreachable,
        ("<a href='#x' id='x'>link</a>", "a:focus { outline: none }"),
        ("<a href='#x' id='x'>link</a>",),
    ),
}
"""By what is wrong: who complains, and the body and style of a page that is wrong and of one that is not."""


@pytest.mark.parametrize(("checker", "wrong", "right"), FAULTS.values(), ids=FAULTS)
def test_a_checker_complains_of_its_fault_and_of_nothing_else(
    checker: Callable[[Page], list[str]], wrong: tuple[str, ...], right: tuple[str, ...], open_page: Open
) -> None:
    assert checker(open_page(page_with(*wrong)))
    assert checker(open_page(page_with(*right))) == []


@pytest.mark.parametrize("script", ["console.error('a')", "console.warn('a')", "throw new Error('a')"])
def test_what_a_page_says_in_the_console_is_heard(script: str, open_page: Open) -> None:
    assert open_page(page_with(script=script)).watch.said
    assert open_page(page_with(script="console.log('a')")).watch.said == []


def test_what_a_page_asks_of_the_network_is_seen(open_page: Open) -> None:
    assert open_page(page_with("<img src='http://127.0.0.1:9/picture.png' alt='a'>")).watch.asked
    assert open_page(page_with("<img src='other.png' alt='a'>")).watch.asked
    assert open_page(page_with("<p>a</p>")).watch.asked == []
