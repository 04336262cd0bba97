"""Each checker is shown a page with the fault that it looks for, and complains; the same page without it is fine."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser import checkers
from tests.browser.conftest import Open

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
<style>body {{ background: #fff; color: #222 }} {style}</style></head>
<body><main><h1>A page</h1>{body}</main><script>{script}</script></body></html>"""


def page_with(body: str = "", style: str = "", script: str = "") -> str:
    return PAGE.format(body=body, style=style, script=script)


FAULTS: list[tuple[str, Callable[[checkers.Page], list[str]], dict[str, str], dict[str, str]]] = [
    (
        "text that its box hides",
        checkers.cut_texts,
        {
            "body": "<p class='box'>a text of several words</p>",
            "style": ".box { width: 5ch; overflow: hidden; white-space: nowrap }",
        },
        {"style": ".box { width: 5ch; overflow: auto; white-space: nowrap }"},
    ),
    (
        "text beyond the window",
        checkers.cut_texts,
        {"body": f"<p>{'x' * 400}</p>"},
        {"style": "p { overflow-wrap: anywhere }"},
    ),
    (
        "text beyond the edge of a drawing",
        checkers.cut_texts,
        {"body": "<svg width='60' height='20'><text x='40' y='15'>a long text</text></svg>"},
        {"body": "<svg width='160' height='20'><text x='40' y='15'>a long text</text></svg>"},
    ),
    (
        "text that is cut in a cell",
        checkers.cut_texts,
        {
            "body": "<table><tr><th class='box'>a text of several words</th></tr></table>",
            "style": "table { table-layout: fixed; width: 40px } th { overflow: hidden; white-space: nowrap }",
        },
        {"style": ""},
    ),
    (
        "texts of a drawing on each other",
        checkers.overlapping_texts,
        {
            "body": "<svg width='200' height='40'><text x='5' y='20'>one</text><text x='9' y='22'>two</text></svg>"
        },
        {
            "body": "<svg width='200' height='40'><text x='5' y='20'>one</text><text x='90' y='22'>two</text></svg>"
        },
    ),
    (
        "a page that scrolls sideways",
        checkers.too_wide,
        {"body": "<p class='wide'>a</p>", "style": ".wide { width: 3000px }"},
        {"style": ""},
    ),
    (
        "low contrast",
        checkers.accessibility_violations,
        {"body": "<p class='pale'>pale</p>", "style": ".pale { color: #bbb }"},
        {"style": ""},
    ),
    (
        "a field without a label",
        checkers.accessibility_violations,
        {"body": "<input>"},
        {"body": "<label>Name <input></label>"},
    ),
    (
        "a button that Tab leaves out",
        checkers.unreachable,
        {"body": "<button tabindex='-1'>one</button><button>two</button>"},
        {"body": "<button>one</button><button>two</button>"},
    ),
    (
        "a link that does not show its focus",
        checkers.unreachable,
        {"body": "<a href='#x' id='x'>link</a>", "style": "a:focus { outline: none }"},
        {"style": ""},
    ),
]


@pytest.mark.parametrize(
    ("checker", "fault", "repair"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS]
)
def test_a_checker_complains_of_its_fault_and_of_nothing_else(
    checker: Callable[[checkers.Page], list[str]],
    fault: dict[str, str],
    repair: dict[str, str],
    open_page: Open,
) -> None:
    assert checker(open_page(page_with(**fault)))
    assert checker(open_page(page_with(**{**fault, **repair}))) == []


@pytest.mark.parametrize("script", ["console.error('a')", "console.warn('a')", "throw new Error('a')"])
def test_what_a_page_says_in_the_console_is_heard(script: str, open_page: Open) -> None:
    assert open_page(page_with(script=script)).watch.said
    assert open_page(page_with(script="console.log('a')")).watch.said == []


def test_what_a_page_asks_of_the_network_is_seen(open_page: Open) -> None:
    assert open_page(page_with("<img src='http://127.0.0.1:9/picture.png' alt='a'>")).watch.asked
    assert open_page(page_with("<img src='other.png' alt='a'>")).watch.asked
    assert open_page(page_with("<p>a</p>")).watch.asked == []
