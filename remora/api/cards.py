"""Cards: how a value shows itself, as text for a terminal and as HTML for a notebook.

Everything is escaped. The colours are read on white and on black paper alike: a page cannot know which a notebook has.
"""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.drawing.layout import Timeline, plain
from reports.drawing.timeline import STYLE as TIMELINE_STYLE, to_svg, to_text
from reports.page import Standing, Table
from semantics.errors import InputError
from semantics.events import Time

if TYPE_CHECKING:
    from jinja2 import Template

    from semantics.clock import Clock

ROWS = 60  # A table shows so many rows; a note says how many there are more
WIDEST = 100  # Text is laid out in at most so many columns, however wide the terminal


@dataclass(frozen=True)
class Card:
    """Card of a value, from top to bottom; the word of its mark may be a verdict, facts have labels."""

    heading: str
    mark: Standing | None = None
    lines: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    blocks: tuple[Table | Timeline, ...] = ()
    code: str = ""
    notes: tuple[str, ...] = ()

    @property
    def drawing(self) -> Timeline | None:
        """The first drawing among the blocks."""
        return next((block for block in self.blocks if isinstance(block, Timeline)), None)


class Shown(ABC):
    """A value with a card; a mixin for frozen dataclasses, which are to be declared with `repr=False`."""

    @abstractmethod
    def card(self) -> Card:
        """Card of the value."""

    def __str__(self) -> str:
        return card_text(self.card())

    def __repr__(self) -> str:
        """The card as text: what a REPL prints of a value is for the person before it."""
        return str(self)

    def _repr_html_(self) -> str:
        return card_html(self.card())

    def _repr_svg_(self) -> str | None:
        """The first drawing by itself, if there is one, for where HTML is not shown."""
        drawing = self.card().drawing
        return None if drawing is None else standalone_svg(drawing)


class Tabular(Shown):
    """Result with a table."""

    @abstractmethod
    def to_arrow(self) -> Any:
        """A PyArrow table with a row for each."""

    def to_pandas(self) -> Any:
        """Pandas data frame of the result; InputError where pandas is not installed."""
        _required("pandas")
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Polars data frame of the result; InputError where Polars is not installed."""
        return _required("polars").from_arrow(self.to_arrow())


def _required(library: str) -> Any:
    try:
        return import_module(library)
    except ImportError:
        remedy = f"python -m pip install {library}, or use `to_arrow` or `rows`."
        raise InputError(f"{library} is not installed", remedy=remedy) from None


def times_column(times: Sequence[Time], clock: Clock | None) -> Any:
    """Times as an Arrow column: ticks, or timestamps where there is a clock."""
    import pyarrow

    if clock is None:
        return pyarrow.array(times, pyarrow.int64())
    kind = pyarrow.timestamp("ns", tz=str(clock.zone or "UTC"))
    return pyarrow.array([int(time * clock.tick * 10**9) for time in times], pyarrow.int64()).cast(kind)


def card_text(card: Card) -> str:
    """A card as text, without a line break at the end."""
    width = min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST)
    top = [plain(card.heading)] if card.heading else []
    top += [] if card.mark is None else [f"{card.mark.symbol} {plain(card.mark.word)}"]
    top += map(plain, card.lines)
    label_width = max((len(label) for label, _ in card.facts), default=0)
    top += [f"{label:{label_width}}  {plain(said)}".rstrip() for label, said in card.facts]
    blocks = [_table_text(block) if isinstance(block, Table) else to_text(block, width) for block in card.blocks]
    notes = [f"note: {plain(note)}" for note in card.notes]
    parts = ["\n".join(top), *(text.rstrip("\n") for text in (*blocks, card.code)), "\n".join(notes)]
    return "\n\n".join(filter(None, parts))


def _shown(table: Table) -> tuple[list[tuple[str, ...]], str]:
    """The rows that are shown, without control characters, and how many are not, in words."""
    more = len(table.rows) - ROWS
    rest = f"{more:,} more {'row' if more == 1 else 'rows'}" if more > 0 else ""
    return [tuple(map(plain, row)) for row in table.rows[:ROWS]], rest


def _table_text(table: Table) -> str:
    shown, rest = _shown(table)
    columns = []
    for heading, *cells in zip(table.columns, *shown, strict=True):
        width, side = max(map(len, (heading, *cells))), ">" if heading in table.right else "<"
        columns.append([f"{cell:{side}{width}}" for cell in (heading, *cells)])
    lines = ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]
    return "\n".join([*lines, *([f"({rest})"] if rest else [])])


@cache
def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined)
    environment.filters["plain"] = plain
    return environment.from_string(_file("card.html.jinja"))


def card_html(card: Card) -> str:
    """A card as an HTML element with its own style; every text in it is escaped."""
    blocks: list[tuple[Table | None, object]] = []
    for block in card.blocks:
        blocks.append((block, _shown(block)) if isinstance(block, Table) else (None, to_svg(block, style=False)))
    style = " ".join(((TIMELINE_STYLE if card.drawing else "") + _file("card.css")).split())
    return _template().render(card=card, blocks=blocks, style=style)


_ON_ANY_PAPER = "svg.timeline { color: #777; --timeline-left: #3a80c8; --timeline-right: #c2661d; --paper: #fff }"


def standalone_svg(timeline: Timeline) -> str:
    """A timeline as an SVG document by itself, to be read on light and dark paper alike."""
    return to_svg(timeline).replace("</style>", f"{_ON_ANY_PAPER}</style>", 1)
