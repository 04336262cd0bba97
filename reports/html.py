"""Reports and the atlas as HTML files that need no network."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from reports.drawing.svg import GRAPH_STYLE, graph
from reports.drawing.timeline import STYLE, to_svg, to_text
from reports.page import Page, counted, in_order, standing
from semantics.atlas.catalogue import DIMENSIONS
from semantics.atlas.phrases import TOKEN, WORDS

TEMPLATES = Path(__file__).parent / "templates"


def page_html(page: Page) -> str:
    """One self-contained HTML page."""
    return environment().get_template("report.html.jinja").render(page=page).lstrip()


def atlas_page(document: str, implications: Sequence[tuple[str, str]], evidence: Mapping[str, Any]) -> str:
    """The page of an atlas (`remora/atlas/1`), with implications between laws in numbers, and evidence of the cells."""
    data = json.loads(document)
    shown = {"atlas": data, "embedded": _embedded(data), "evidence": _embedded(evidence), "dimensions": DIMENSIONS}
    shown |= {"words": dict(WORDS), "token": TOKEN}
    implied = Markup(graph(implications, "Which laws imply which"))
    template = environment().get_template("atlas.html.jinja")
    return template.render(**shown, implied=implied, graph_style=GRAPH_STYLE)


def _embedded(data: Mapping[str, Any]) -> Markup:
    """Data as JSON in which nothing can be taken for markup."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


@cache
def environment() -> Environment:
    """The templates, in which every text is escaped."""
    found = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    found.filters |= {"slug": slug, "svg": Markup, "to_svg": to_svg, "to_text": to_text, "typeset": typeset}
    found.globals |= {"STYLES": Markup(STYLE + GRAPH_STYLE)}
    found.globals |= {"counted": counted, "in_order": in_order, "standing": standing}
    return found


def slug(text: object) -> str:
    """A text as part of an element's `id`."""
    return re.sub(r"[^A-Za-z0-9]+", "-", str(text)).strip("-").lower()


_SIGNS = re.compile(r"`([^`]+)`|((?<!\w)[A-Za-z]'*|[)\]⟧])_([A-Za-z0-9τ∞]'*)(?!\w)")


def typeset(text: object) -> Markup:
    """A text with `code` as code, and a letter or a bracket with its subscript, as in A_τ, the way it is printed."""
    plain, *signs = _SIGNS.split(str(text))
    shown = escape(plain)
    for code, base, subscript, after in zip(*[iter(signs)] * 4, strict=True):
        sign = Markup("<code>{}</code>").format(code) if code else Markup("{}<sub>{}</sub>").format(base, subscript)
        shown += sign + after
    return shown
