"""Pages as one HTML file that needs no network."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from reports.drawing.layout import Timeline
from reports.drawing.svg import GRAPH_STYLE
from reports.drawing.timeline import STYLE, to_svg, to_text
from reports.page import Block, Page, counted, in_order, standing

TEMPLATES = Path(__file__).parent / "templates"

_TEXT_WIDTH = 72


def page_html(page: Page) -> str:
    """One self-contained HTML page."""
    return environment().get_template("report.html.jinja").render(page=page, failed=list(page.failed)).lstrip()


@cache
def environment() -> Environment:
    """The templates, in which every text is escaped."""
    found = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    found.filters |= {"drawn": _drawn, "kind": _kind, "slug": slug, "svg": Markup, "typeset": typeset}
    found.globals |= {
        "STYLES": Markup(STYLE + GRAPH_STYLE),
        "counted": counted,
        "in_order": in_order,
        "standing": standing,
    }
    return found


def _kind(block: Block) -> str:
    return type(block).__name__


def _drawn(timeline: Timeline) -> Mapping[str, Any]:
    svg = Markup(to_svg(timeline, style=False, words=False))
    return {"svg": svg, "text": to_text(timeline, _TEXT_WIDTH)}


def slug(text: object) -> str:
    """A text as part of an element's `id`."""
    return re.sub(r"[^A-Za-z0-9]+", "-", str(text)).strip("-").lower()


_SIGNS = re.compile(r"`([^`]+)`|((?<!\w)[A-Za-z]'*|[)\]⟧])_([A-Za-z0-9τ∞]'*)(?!\w)")


def typeset(text: object) -> Markup:
    """A text with `code` as code, and a letter or a bracket with its subscript, as in A_τ, the way it is printed."""
    shown, parts, end = str(text), [], 0
    for sign in _SIGNS.finditer(shown):
        code, base, subscript = sign.groups()
        parts.append(escape(shown[end : sign.start()]))
        if code:
            parts.append(Markup("<code>{}</code>").format(code))
        else:
            parts.append(Markup("{}<sub>{}</sub>").format(base, subscript))
        end = sign.end()
    return Markup("").join([*parts, escape(shown[end:])])
