"""The report as one HTML file that needs no network."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from jinja2 import ChainableUndefined, Environment, FileSystemLoader
from markupsafe import Markup, escape

from reports import systems
from reports.drawing.graphs import GRAPH_STYLE
from reports.drawing.plots import PLOT_STYLE, SIGNS
from reports.drawing.timeline import STYLE, Timeline, to_svg, to_text
from reports.results.report import report_of
from reports.sections import (
    axioms,
    claim_context,
    claims,
    costs,
    errata,
    glance,
    power,
    stability,
    standings,
    throughput,
    versions,
)

TEMPLATES = Path(__file__).parents[1] / "templates"

DRAWN = 3
"""How many refuted neighbours of a claim are drawn; the others are told in words."""

SECTIONS = (
    axioms,
    claim_context,
    claims,
    costs,
    errata,
    glance,
    power,
    stability,
    standings,
    throughput,
    versions,
)
"""What the templates call: the functions and constants of these modules, by their names."""

_TEXT_WIDTH = 72


def render_html(document: Mapping[str, Any]) -> str:
    """One self-contained HTML page; a section that the document lacks is left out."""
    return (
        _environment()
        .get_template("report.html.jinja")
        .render(report=report_of(document), document=document, system_sections=systems.sections(document))
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=ChainableUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "count": count,
        "duration": duration,
        "formula": formula,
        "slug": slug,
        "symbol": symbol,
        "typeset": typeset,
    }
    environment.globals |= {
        **{
            name: value
            for module in SECTIONS
            for name, value in vars(module).items()
            if _is_of(module, name, value)
        },
        "TIMELINE_STYLE": Markup(STYLE),
        "DRAWN": DRAWN,
        "GRAPH_STYLE": Markup(GRAPH_STYLE),
        "PLOT_STYLE": Markup(PLOT_STYLE),
        "SIGNS": SIGNS,
        "counterexample": _drawing(systems.counterexample_timeline),
        "drawing": _drawing(lambda timeline: timeline),
        "failure": _drawing(systems.failure_timeline),
        "in_words": systems.in_words,
        "is_drawn": systems.is_drawn,
        "svg": Markup,
        **systems.in_templates(),
    }
    return environment


def _drawing(timeline: Callable[[Any], Timeline]) -> Callable[[Any], dict[str, Any]]:
    def draw(record: Any) -> dict[str, Any]:
        drawn = timeline(record)
        return {
            "heading": drawn.heading,
            "captions": drawn.captions,
            "svg": Markup(to_svg(drawn, style=False, words=False)),
            "text": to_text(drawn, _TEXT_WIDTH),
        }

    return draw


def _is_of(module: ModuleType, name: str, value: object) -> bool:
    return name.isupper() or getattr(value, "__module__", "") == module.__name__


# ---------------------------------------------------------------------------------------------------- filters


def duration(seconds: object) -> str:
    """A duration for people: `4 ms`, `1.25 s`, `1 min 1 s`; what is no number is shown as it is."""
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not math.isfinite(seconds):
        return "" if seconds is None else str(seconds)
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms" if seconds >= 0.0005 or not seconds else "< 1 ms"
    if seconds < 9.995:
        return f"{seconds:.2f} s"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def count(number: object) -> str:
    """A number with its digits in groups of three, by narrow spaces that do not break."""
    if isinstance(number, bool) or not isinstance(number, int | float):
        return "" if number is None else str(number)
    return f"{number:,}".replace(",", "\u202f")


def slug(text: object) -> str:
    """A text as part of an element's `id`."""
    return re.sub(r"[^A-Za-z0-9]+", "-", str(text)).strip("-")


def symbol(text: object) -> str:
    """A sign as the source writes it: `∨` for `|`, `≡`, `⊆`, `≅` for the relations; both forms parse."""
    shown = {"|": "∨", "==": "≡", "<=": "⊆", "~=": "≅"}
    return shown.get(str(text), str(text))


_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|==|<=|~=|[A-Za-z_]\w*|\d+|\s+|.', re.DOTALL)


def formula(text: object) -> Markup:
    """A statement typeset: an equation in the signs of the source, any other text as `typeset` has it."""
    if not systems.is_equation(str(text)):
        return typeset(text)
    parts = []
    for token in _TOKEN.findall(str(text)):
        if token[0].isalpha() and token not in ("min", "max"):
            parts.append(Markup("<var>{}</var>").format(token))
        elif token in ("==", "<=", "~=", "≡", "⊆", "≅"):
            parts.append(Markup('<span class="relation">{}</span>').format(symbol(token)))
        else:
            parts.append(escape(symbol(token)))
    return Markup('<span class="formula">{}</span>').format(Markup("").join(parts))


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
