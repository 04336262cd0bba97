"""Timelines drawn as SVG and as text from one layout; a difference shows in shapes and words, not by colour alone."""

import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from reports.drawing.layout import Bar, Gap, Timeline, View, plain, stagger, view
from reports.drawing.svg import add, as_text, picture, sized

GUTTER = 16  # The most characters of a label beside its row; a longer one stands above it
MIN_WIDTH = 40  # The narrowest text that is drawn, in characters

_SIGNS = {"both": ("├", "─", "┤", "│"), "left": ("┣", "━", "┫", "┃"), "right": ("╠", "═", "╣", "║")}
"""By side how an interval begins, goes on and ends, and how a point is drawn."""

_OCCURRENCE = "●"
_BROKEN: Mapping[Gap, str] = {"compressed": "⋯", "left out": "╱"}


def to_text(timeline: Timeline, width: int = 80, *, wrapped: bool = True) -> str:
    """A timeline for the terminal, in lines of at most `width` characters (no less than `MIN_WIDTH`).

    Columns that do not fit are left out, and a note says how many. Sentences for another program are not wrapped.
    """
    width = max(width, MIN_WIDTH)
    words = width if wrapped else sys.maxsize
    events = {plain(item.event) for item in timeline.occurrences}
    labels = [*events, *map(timeline.label, timeline.bars), "time"]
    gutter = max((len(label) for label in labels if len(label) <= GUTTER), default=0) + 1
    last = max((len(str(timeline.shown(time))) for time in timeline.times[-1:]), default=1)
    room = width - gutter - last - 2
    shown = view(timeline, room / 2)
    pitch = max(1, min(6, int(room / max(shown.units, 1))))
    while True:
        where = {column.time: round(column.position * pitch) + 1 for column in shown.columns}
        ends = (where[bar.end] + len(str(bar)) for bar in shown.bars)
        if pitch == 1 or gutter + 3 + max(ends, default=0) <= width:
            break
        pitch -= 1  # so that what stands beside a bar has room

    def row(label: str, cells: Mapping[int, str], beside: str = "") -> Iterator[str]:
        if len(label) > GUTTER:
            yield from _wrap(label, width)
            label = ""
        line = [" "] * (max(cells, default=0) + 1)
        for position, character in cells.items():
            line[position] = character
        text = (label.ljust(gutter) + "".join(line)).rstrip()
        if beside and len(text) + 2 + len(beside) > width:
            yield text
            yield from (" " * (gutter + 1) + part for part in _wrap(beside, width - gutter - 1))
        else:
            yield f"{text}  {beside}".rstrip()

    lines = [part for text in (timeline.heading, *timeline.captions) for part in _wrap(text, words)]
    if shown.columns:
        lines.append("")
        for event, occurrences in shown.rows:
            lines += row(event, {where[item.time]: _OCCURRENCE for item in occurrences})
        lines += row("time", _axis(shown, where))
        places = [(where[column.time], where[column.time] + len(column.label)) for column in shown.columns]
        placed = stagger(places)
        for on in range(3):
            text = ""
            for (begin, _), column, line in zip(places, shown.columns, placed, strict=True):
                text = text.ljust(gutter + begin) + column.label if line == on else text
            lines += [text] if text else []
        lines += [*_unlabelled(placed), ""]
    for bar in shown.bars:
        begin, end = where[bar.start], where[bar.end]
        opening, going, closing, point = _SIGNS[bar.side]
        cells = {**dict.fromkeys(range(begin, end), going), end: closing, begin: opening if begin < end else point}
        cells |= {where[item.time]: _OCCURRENCE for item in bar.members if item.time in where}
        lines += row(timeline.label(bar), cells, str(bar))
    lines += [part for note in shown.notes for part in _wrap(f"({note})", words)]
    return "\n".join(lines).strip("\n") + "\n"


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent="  " if width > 20 else "")


def _axis(shown: View, where: Mapping[int, int]) -> dict[int, str]:
    end = where[shown.columns[-1].time]
    cells = dict.fromkeys(range(where[shown.columns[0].time], end), "─")
    before = 0
    for column in shown.columns:
        position = where[column.time]
        if column.gap in _BROKEN:
            cells[(before + position) // 2] = _BROKEN[column.gap]
        cells[position] = "┼"
        before = position
    return {**cells, end + 1: _BROKEN["left out"] if shown.continues else "→"}


def _unlabelled(placed: list[int | None]) -> list[str]:
    return [f"({placed.count(None)} of {len(placed)} times have no room for a label)"] if None in placed else []


STYLE = "\n" + Path(__file__).with_suffix(".css").read_text("utf-8")
"""How a timeline looks; a page that holds several drawings states it once."""

_STANDALONE = "svg.timeline { color-scheme: light dark; color: CanvasText }"

_CHARACTER = 7.9  # an upper bound on the advance of the monospaced fonts of STYLE at 13px
_LINE, _ROW = 18, 24
_MIN_DRAWING, _MAX_AXIS, _MAX_WORDS, _MAX_UNITS = 270, 620, 540, 60
_LEAST_SCALE = 0.8


def to_svg(timeline: Timeline, *, style: bool = True, words: bool = True) -> str:
    """A timeline as an SVG element at its natural size; it scales, and follows a light or a dark scheme.

    With `style` it carries `STYLE` itself, to stand alone; without `words` a page writes heading and captions.
    """
    return as_text(_Drawing(timeline, style=style, words=words).root)


class _Drawing:
    """Draws from top to bottom; `y` is the lower edge of what has been drawn."""

    def __init__(self, timeline: Timeline, *, style: bool, words: bool) -> None:
        written = (timeline.heading, *timeline.captions) if words else ()
        self.view, self.shown = view(timeline, _MAX_UNITS), timeline.shown
        shown = self.view
        labels = [*(event for event, _ in shown.rows), *map(timeline.label, shown.bars), "time"]
        self.gutter = max(len(label) for label in labels if len(label) <= GUTTER) * _CHARACTER + 18
        tail = max(28, max((len(column.label) for column in shown.columns), default=1) * _CHARACTER / 2 + 8)
        units = max(shown.units, 1)
        longest = max(map(len, [*written, *labels]), default=0) * _CHARACTER + 8
        narrow = (_MIN_DRAWING - self.gutter - tail) / units
        self.pitch = max(13.0, min(64.0, max(30.0, narrow), (_MAX_AXIS - self.gutter) / units))
        self.where = {column.time: self.gutter + column.position * self.pitch for column in shown.columns}
        beside = max((self.where[bar.end] + len(str(bar)) * _CHARACTER + 14 for bar in shown.bars), default=0.0)
        axis = self.gutter + shown.units * self.pitch + tail
        self.width = max(_MIN_DRAWING, min(_MAX_WORDS, longest), axis, min(beside, _MAX_AXIS))
        self.y, difference = 0.0, timeline.differences()
        described = [f"Difference: {difference}"] if timeline.compares else [difference] if difference else []
        said = ". ".join([*timeline.captions, *described, *shown.notes]) + "."
        self.root = picture("timeline", timeline.heading or "Timeline", said)
        if style:
            add(self.root, "style", STYLE + _STANDALONE)
        self._lines(written[:1], "heading")
        self._lines(written[1:], "")
        if shown.columns:
            self._trace()
        for bar in shown.bars:
            self._bar(bar, timeline.label(bar))
        self._lines([f"({note})" for note in shown.notes], "quiet")
        sized(self.root, self.width, self.y + 6)
        if not words:  # in a page, which may be narrower; what would become too small to read is scrolled instead
            self.root.set("style", f"min-width: {_LEAST_SCALE * self.width:.0f}px")

    def _text(self, x: float, y: float, text: str, class_: str = "", anchor: str = "start") -> None:
        add(self.root, "text", text, x=x, y=y, class_=class_, text_anchor=anchor)

    def _lines(self, texts: Iterable[str], class_: str, x: float = 0.0) -> None:
        for text in texts:
            for part in _wrap(text, int((self.width - x) / _CHARACTER)):
                self.y += _LINE
                self._text(x, self.y - 4, part, class_)

    def _label(self, label: str, class_: str = "") -> float:
        """Write a label in the gutter, or above the row when it is long; give the middle of the row."""
        if len(label) > GUTTER:
            self._lines([label], class_)
            label = ""
        self.y += _ROW
        self._text(0.0, self.y - 7, label, class_)
        return self.y - 11.5

    def _trace(self) -> None:
        top = self.y + 8
        self.y += 6
        grid = add(self.root, "g", class_="grid")
        for event, occurrences in self.view.rows:
            middle = self._label(event)
            for item in occurrences:
                dot = add(self.root, "circle", cx=self.where[item.time], cy=middle, r=4.5)
                add(dot, "title", plain(str(item).replace(f"@{item.time}", f"@{self.shown(item.time)}")))
        self._axis()
        for x in self.where.values():
            add(grid, "line", x1=x, y1=top, x2=x, y2=self.y)
        self.y += 8

    def _axis(self) -> None:
        middle = self._label("time")
        columns = self.view.columns
        before = self.where[columns[0].time] - 20
        for column in columns:
            x = self.where[column.time]
            add(self.root, "line", x1=x, y1=middle - 4, x2=x, y2=middle + 4)
            self._segment(column.gap, before, x, middle)
            before = x
        self._segment("left out" if self.view.continues else "to scale", before, before + 20, middle)
        halves = [len(column.label) * _CHARACTER / 2 + 3 for column in columns]
        # A long label of an early time would begin left of the drawing.
        places = [max(self.where[c.time], half) for c, half in zip(columns, halves, strict=True)]
        placed = stagger([(x - half, x + half) for x, half in zip(places, halves, strict=True)])
        for column, x, line in zip(columns, places, placed, strict=True):
            if line:
                add(self.root, "line", x1=x, y1=middle + 4, x2=x, y2=middle + 8 + line * 15, class_="grid")
            if line is not None:
                self._text(x, middle + 20 + line * 15, column.label, "", "middle")
        self.y = middle + 24 + max((line for line in placed if line is not None), default=0) * 15
        self._lines(_unlabelled(placed), "quiet")

    def _segment(self, gap: Gap, begin: float, end: float, y: float) -> None:
        """A piece of the axis, broken where it is not to scale and where times are left out."""
        middle, around = (begin + end) / 2, 10.0 if gap in _BROKEN else 0.0
        for x1, x2 in ((begin, middle - around), (middle + around, end)) if gap != "none" else ():
            if x1 < x2:
                add(self.root, "line", x1=x1, y1=y, x2=x2, y2=y)
        if gap in _BROKEN:
            self._text(middle, y + 4.5, _BROKEN[gap], anchor="middle")

    def _bar(self, bar: Bar, label: str) -> None:
        middle = self._label(label, "differs" if bar.differs else "quiet")
        begin, end = self.where[bar.start], self.where[bar.end]
        group = add(self.root, "g")
        begins, ends = map(self.shown, (bar.start, bar.end))
        add(group, "title", f"{label}: {bar}, from {begins} to {ends}")
        if bar.side == "both":
            add(group, "line", x1=begin, y1=middle, x2=end, y2=middle, class_="both")
            for x in (begin, end):
                add(group, "line", x1=x, y1=middle - 5, x2=x, y2=middle + 5, class_="both")
        else:
            add(group, "rect", x=begin - 6, y=middle - 6, width=end - begin + 12, height=12.0, rx=3, class_=bar.side)
        for item in bar.members:
            if item.time in self.where:
                class_ = "on-left" if bar.side == "left" else "member"
                add(group, "circle", cx=self.where[item.time], cy=middle, r=3.0, class_=class_)
        length = len(str(bar)) * _CHARACTER + 14
        if end + length <= self.width:
            self._text(end + 14, middle + 4.5, str(bar), "quiet")
        else:
            self._lines([str(bar)], "quiet", max(self.gutter, self.width - length))
            self.y += 5
