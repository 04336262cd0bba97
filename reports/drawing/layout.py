"""Layout of a timeline, apart from how it is drawn: what happens when, and the part of it that there is room for."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from semantics.events import Time, in_ticks

Side: TypeAlias = Literal["left", "right", "both"]  # Which side has an interval

Gap: TypeAlias = Literal["none", "to scale", "compressed", "left out"]
"""Gap before a column: none before the first, else time to scale or not, or times left out."""

MAX_COLUMNS = 60  # The most distinct times that are drawn; a longer trace is drawn around its difference
MAX_BARS = 40  # The most intervals that are drawn; those that differ come first
SCALE_STEPS = 4  # Up to so many units between two times are drawn to scale
COMPRESSED = 2.0  # The width, in units, of a longer time, marked as not to scale, and of times that are left out


class Occurrence(Protocol):
    """Mark at a time, in the row of its event type; its text is shown."""

    @property
    def event(self) -> str:
        """The event type."""

    @property
    def time(self) -> Time:
        """When, in ticks."""


@dataclass(frozen=True, slots=True)
class Bar:
    """An interval from start to end, in ticks, that one side has or both, and whether it is part of a difference."""

    start: Time
    end: Time
    side: Side
    differs: bool
    members: tuple[Occurrence, ...] = ()  # of the instance; none where only the interval is known
    name: str = ""  # whose it is, in words, where the names of the two sides do not say it
    said: str = ""  # its text, where that does not follow from its members or its ends

    def __str__(self) -> str:
        members = f"{{{', '.join(map(str, self.members))}}}" if self.members else ""
        return plain(self.said or members or f"[{self.start}, {self.end}]")


@dataclass(frozen=True, slots=True)
class Timeline:
    """A trace, and what two sides make of it."""

    heading: str
    captions: tuple[str, ...]
    names: tuple[str, str]
    occurrences: tuple[Occurrence, ...]
    bars: tuple[Bar, ...]
    compares: bool = True  # whether the two sides are compared; otherwise that none differs says nothing
    types: tuple[str, ...] = ()  # event types that have a row also where none occurs
    shown: Callable[[Time], Time | str] = in_ticks

    @property
    def times(self) -> tuple[Time, ...]:
        """The distinct times, in ticks, at which something occurs, starts or ends; ascending."""
        found = {occurrence.time for occurrence in self.occurrences}
        return tuple(sorted(found.union(*({bar.start, bar.end} for bar in self.bars))))

    def label(self, bar: Bar) -> str:
        """Sides that have an interval, in words."""
        if bar.name or bar.side == "both":
            return bar.name or "both"
        return f"{self.names[0 if bar.side == 'left' else 1]} only"

    def differences(self) -> str:
        """The difference in one sentence."""
        parts = [f"{self.label(bar)}: {bar}" for bar in self.bars if bar.differs]
        return "; ".join(parts) or ("no interval differs" if self.compares else "")


class Column(NamedTuple):
    """A time of the axis, its place, what lies before it, and its label; a unit is the shortest time between two."""

    time: Time
    position: float
    gap: Gap
    label: str


class View(NamedTuple):
    """The part of a timeline that is drawn: columns, a row for each event type, bars; whether later times are not."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, tuple[Occurrence, ...]], ...]
    bars: tuple[Bar, ...]
    notes: tuple[str, ...]
    continues: bool

    @property
    def units(self) -> float:
        """The length of the axis in units."""
        return self.columns[-1].position if self.columns else 0.0


def compared_bars(left: Iterable[tuple[Any, ...]], right: Iterable[tuple[Any, ...]]) -> tuple[Bar, ...]:
    """The intervals of two sides, perhaps with what is said beside them, in order: those of one side alone differ."""
    ours, theirs = Counter(left), Counter(right)
    sides: Mapping[Side, Counter[Any]] = {"both": ours & theirs, "left": ours - theirs, "right": theirs - ours}
    found = ((side, one) for side, some in sides.items() for one in some.elements())
    return in_order(Bar(one[0], one[1], side, side != "both", said="".join(one[2:])) for side, one in found)


def in_order(bars: Iterable[Bar]) -> tuple[Bar, ...]:
    """The bars that differ, by side, and then the others; each by end, start and text."""
    return tuple(sorted(bars, key=lambda bar: (not bar.differs, bar.side, bar.end, bar.start, str(bar))))


def plain(text: object) -> str:
    """A text on one line without control characters, which neither a terminal nor XML may be handed."""
    escaped = (each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in str(text))
    return "".join(escaped)


def view(timeline: Timeline, units: float) -> View:
    """The part of a timeline that an axis of so many units can show, around its difference; two times at least."""
    times = timeline.times
    by_interest = _by_interest(timeline, times)
    limit = min(len(times), MAX_COLUMNS)
    columns = _columns(timeline, times, by_interest[:limit])
    while limit > 2 and columns[-1].position > units:
        limit -= 1
        columns = _columns(timeline, times, by_interest[:limit])
    shown = {column.time for column in columns}
    drawn = [each for each in timeline.occurrences if each.time in shown]
    types = sorted({plain(name) for name in (*timeline.types, *(each.event for each in drawn))})
    rows = tuple((name, tuple(one for one in drawn if plain(one.event) == name)) for name in types)
    bars = tuple([bar for bar in timeline.bars if {bar.start, bar.end} <= shown][:MAX_BARS])
    notes, differs = [], any(bar.differs for bar in timeline.bars)
    if any(column.gap == "compressed" for column in columns):
        notes.append("⋯ time not to scale")
    if len(columns) < len(times):
        where = " far from what differs" if timeline.compares and differs else ""
        notes.append(f"╱ left out: {len(times) - len(columns)} of {len(times)} times{where}")
    if len(bars) < len(timeline.bars):
        notes.append(f"left out: {len(timeline.bars) - len(bars)} of {len(timeline.bars)} intervals, equal ones first")
    if timeline.compares and not differs:
        notes.append("no interval differs")
    return View(columns, rows, bars, tuple(notes), bool(columns) and columns[-1].time != times[-1])


def _by_interest(timeline: Timeline, times: Sequence[Time]) -> list[Time]:
    """The times: first the ends of what differs, then its members, then what is nearest to them."""
    differing = [bar for bar in timeline.bars if bar.differs] or list(timeline.bars)
    focus = [time for bar in differing for time in (bar.start, bar.end)]
    focus += [occurrence.time for bar in differing for occurrence in bar.members]
    index = {time: number for number, time in enumerate(times)}
    centres = sorted({index[time] for time in focus})[:MAX_BARS] or [0]
    nearest = sorted(times, key=lambda time: min(abs(index[time] - centre) for centre in centres))
    return list(dict.fromkeys([*focus, *nearest]))


def _columns(timeline: Timeline, times: Sequence[Time], some: Iterable[Time]) -> tuple[Column, ...]:
    chosen, following = sorted(some), set(pairwise(times))
    unit = min((max(1, after - before) for before, after in pairwise(chosen)), default=1)  # 1 in a tick
    columns: list[Column] = []
    for time in chosen:
        position, gap = 0.0, "none" if time == times[0] else "left out"
        if columns:
            before, position = columns[-1].time, columns[-1].position + COMPRESSED
            if (before, time) in following:
                gap = "compressed"
                if time - before <= SCALE_STEPS * unit:
                    gap, position = "to scale", columns[-1].position + max(1, time - before) / unit
        columns.append(Column(time, position, gap, str(timeline.shown(time))))  # type: ignore[arg-type]
    return tuple(columns)


def stagger(labels: Sequence[tuple[float, float]], lines: int = 3) -> list[int | None]:
    """The first line that is free for each label, given by begin and end, ascending; None where none is."""
    ends = [float("-inf")] * lines
    placed: list[int | None] = []
    for begin, end in labels:
        line = next((number for number, taken in enumerate(ends) if taken < begin), None)
        if line is not None:
            ends[line] = end
        placed.append(line)
    return placed
