"""Cards: how a value shows itself, as text for a terminal and as HTML for a notebook.

A value says what is on its card; that the same things are in the text and in the HTML is then no accident. Everything
is escaped. The colours are read on white and on black paper alike, because a page cannot know which of the two a
notebook has: its theme need not be that of the system.
"""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from reports.drawing.layout import Timeline, plain
from reports.drawing.timeline import STYLE as TIMELINE_STYLE
from reports.drawing.timeline import to_svg, to_text
from reports.sections.standings import Tone, standing

if TYPE_CHECKING:
    from jinja2 import Template

ROWS = 60
"""A table shows so many rows; a note says how many there are more."""

WIDEST = 100
"""Text is laid out in at most so many columns, however wide the terminal."""


@dataclass(frozen=True)
class Mark:
    """A verdict in one symbol and a few words.

    Attributes:
        symbol: the symbol, so that nothing is said by colour alone.
        words: the verdict.
        tone: how it is coloured.
    """

    symbol: str
    words: str
    tone: Tone


@dataclass(frozen=True)
class Table:
    """A table of texts.

    Attributes:
        columns: the headings.
        rows: the cells.
        right: the headings of columns whose cells stand on the right: numbers.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[str] = frozenset()

    @property
    def shown(self) -> tuple[tuple[str, ...], ...]:
        """The rows that are shown, without control characters."""
        return tuple(tuple(map(plain, row)) for row in self.rows[:ROWS])

    @property
    def rest(self) -> str:
        """How many rows are not shown, in words; "" if none."""
        more = len(self.rows) - ROWS
        return f"{more:,} more {'row' if more == 1 else 'rows'}" if more > 0 else ""


@dataclass(frozen=True)
class Card:
    """What is shown of a value, from top to bottom.

    Attributes:
        heading: what it is about, such as a pattern; it stands in the type of code.
        mark: the verdict, if there is one.
        lines: sentences.
        facts: labels, each with what is said of it.
        blocks: tables and drawings, in order.
        code: preformatted text, or "".
        notes: what the reader should know besides.
    """

    heading: str
    mark: Mark | None = None
    lines: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    blocks: tuple[Table | Timeline, ...] = ()
    code: str = ""
    notes: tuple[str, ...] = ()

    @property
    def drawings(self) -> tuple[Timeline, ...]:
        """The drawings among the blocks."""
        return tuple(block for block in self.blocks if isinstance(block, Timeline))


class Shown(ABC):
    """A value with a card; a mixin for frozen dataclasses, which are to be declared with `repr=False`."""

    @abstractmethod
    def card(self) -> Card:
        """What is shown of it."""

    def __str__(self) -> str:
        """The card as text."""
        return card_text(self.card())

    def __repr__(self) -> str:
        """The card as text: what a REPL prints of a value is for the person before it."""
        return str(self)

    def _repr_html_(self) -> str:
        """The card as HTML, which a notebook shows."""
        return card_html(self.card())

    def _repr_svg_(self) -> str | None:
        """The first drawing by itself, if there is one, for where HTML is not shown."""
        drawings = self.card().drawings
        return standalone_svg(drawings[0]) if drawings else None


def standing_mark(word: str) -> Mark:
    """The mark of the standing of a claim."""
    known = standing(word)
    return Mark(known.symbol, known.word, known.tone)


# ------------------------------------------------------------------------------------------------------------- text


def card_text(card: Card) -> str:
    """A card as text, without a line break at the end."""
    width = min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST)
    parts: list[str] = []
    top = [plain(card.heading)] if card.heading else []
    if card.mark is not None:
        top.append(f"{card.mark.symbol} {plain(card.mark.words)}")
    top += map(plain, card.lines)
    label_width = max((len(label) for label, _ in card.facts), default=0)
    top += [f"{label:{label_width}}  {plain(said)}".rstrip() for label, said in card.facts]
    if top:
        parts.append("\n".join(top))
    for block in card.blocks:
        text = _table_text(block) if isinstance(block, Table) else to_text(block, width)
        parts.append(text.rstrip("\n"))
    if card.code:
        parts.append(card.code.rstrip("\n"))
    if card.notes:
        parts.append("\n".join(f"note: {plain(note)}" for note in card.notes))
    return "\n\n".join(parts)


def _table_text(table: Table) -> str:
    rows = [table.columns, *table.shown]
    widths = [max(len(row[number]) for row in rows) for number in range(len(table.columns))]

    def line(row: Sequence[str]) -> str:
        cells = (
            cell.rjust(width) if heading in table.right else cell.ljust(width)
            for cell, width, heading in zip(row, widths, table.columns, strict=True)
        )
        return "  ".join(cells).rstrip()

    return "\n".join([*map(line, rows), *([f"({table.rest})"] if table.rest else [])])


# ------------------------------------------------------------------------------------------------------------- HTML

STYLE = """
.remora-card { margin: .2em 0 .6em; font-size: 13px; line-height: 1.45; color: inherit; overflow-x: auto;
  --quiet: color-mix(in srgb, currentColor 68%, transparent); --paper: #fff;
  --timeline-left: #3a80c8; --timeline-right: #c2661d }
.remora-card .heading, .remora-card pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono",
  monospace; font-size: 13px; background: none; color: inherit }
.remora-card .heading { font-weight: 600; overflow-wrap: anywhere }
.remora-card p { margin: .15em 0; max-width: 75ch }
.remora-card .mark { font-weight: 600; display: inline-block; padding-left: .55em; border-left: 4px solid }
.remora-card .mark.good { border-color: #2e9153 } .remora-card .mark.bounded { border-color: #3a80c8 }
.remora-card .mark.open { border-color: #b07d12 } .remora-card .mark.bad { border-color: #d4483b }
.remora-card .mark.failed { border-color: #a5419c }
.remora-card .note { color: var(--quiet) }
.remora-card table { border-collapse: collapse; margin: .5em 0; font-size: 13px }
div.remora-card table.rows th, div.remora-card table.rows td { text-align: left;
  padding: .15em .9em .15em 0; border: 0; vertical-align: top;
  background: none; color: inherit; font-variant-numeric: tabular-nums; white-space: pre-wrap }
div.remora-card table.rows tr { background: none }
div.remora-card table.rows thead th { border-bottom: 1px solid var(--quiet); font-weight: 600 }
div.remora-card table.rows th.right, div.remora-card table.rows td.right { text-align: right }
div.remora-card table.rows.facts th { font-weight: 400; color: var(--quiet) }
.remora-card pre { margin: .5em 0; white-space: pre-wrap }
.remora-card svg { display: block; margin: .6em 0; max-width: 100%; height: auto }
.remora-card svg.timeline { color-scheme: normal; color: inherit }
"""

_TEMPLATE = """<div class="remora-card"><style>{{ style | safe }}</style>
{%- if card.heading %}<p class="heading">{{ card.heading | plain }}</p>{% endif %}
{%- if card.mark %}<p class="mark {{ card.mark.tone }}">{{ card.mark.symbol }} {{ card.mark.words | plain }}</p>
{%- endif %}
{%- for line in card.lines %}<p>{{ line | plain }}</p>{% endfor %}
{%- if card.facts %}<table class="rows facts"><tbody>
{%- for label, said in card.facts %}<tr><th scope="row">{{ label }}</th><td>{{ said | plain }}</td></tr>{% endfor -%}
</tbody></table>{% endif %}
{%- for table, drawing in blocks %}{{ drawing | safe }}
{%- if table %}<table class="rows"><thead><tr>
{%- for name in table.columns %}<th scope="col"{% if name in table.right %} class="right"{% endif %}>
{{- name }}</th>{% endfor %}</tr></thead><tbody>
{%- for row in table.shown %}<tr>
{%- for cell in row %}<td{% if table.columns[loop.index0] in table.right %} class="right"{% endif %}>
{{- cell }}</td>{% endfor %}</tr>{% endfor %}</tbody></table>
{%- if table.rest %}<p class="note">{{ table.rest }}</p>{% endif %}{% endif %}{% endfor %}
{%- if card.code %}<pre>{{ card.code }}</pre>{% endif %}
{%- for note in card.notes %}<p class="note">{{ note | plain }}</p>{% endfor %}</div>"""


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined)
    environment.filters["plain"] = plain
    return environment.from_string(_TEMPLATE)


def card_html(card: Card) -> str:
    """A card as an HTML element with its own style; every text in it is escaped."""
    blocks = [
        (block, "") if isinstance(block, Table) else (None, to_svg(block, style=False))
        for block in card.blocks
    ]
    style = " ".join(((TIMELINE_STYLE if card.drawings else "") + STYLE).split())
    return _template().render(card=card, blocks=blocks, style=style)


_ON_ANY_PAPER = (
    "svg.timeline { color: #777; --timeline-left: #3a80c8; --timeline-right: #c2661d; --paper: #fff }"
)


def standalone_svg(timeline: Timeline) -> str:
    """A timeline as an SVG document by itself, to be read on light and dark paper alike."""
    return to_svg(timeline).replace("</style>", f"{_ON_ANY_PAPER}</style>", 1)
