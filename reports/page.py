"""Pages: what a run found, before it is rendered in any format; the standings of claims as a reader meets them."""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from reports.drawing.layout import Timeline

Outcome: TypeAlias = Literal["passed", "failure", "error", "skipped"]
"""Failure: something is wrong. Error: it is not known whether something is wrong. Skipped: it was not run."""


class Table(NamedTuple):
    """A table of texts, with the headings of columns of numbers and of code; without headings its rows are facts."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[str, ...] = ()
    code: tuple[str, ...] = ()


class Code(NamedTuple):
    """A text whose lines and spaces stay, such as a command."""

    text: str
    language: str = ""


class Graphic(NamedTuple):
    """An SVG element that this package made, for HTML alone."""

    svg: str


Block: TypeAlias = str | Table | Code | Timeline | Graphic  # A piece of a page; a text is a paragraph


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Something that was judged, in words: a claim, a detector, a check, an erratum.

    Entries of one `group` stand together. The `standing` is one of `STANDINGS`, or `as claimed`, `not as claimed`,
    `skipped`; `outcome` says whether that is as it should be, and `message`, in one line, what is wrong.
    """

    name: str
    group: str
    standing: str
    statement: str = ""
    said: str = ""
    outcome: Outcome = "passed"
    message: str = ""
    blocks: tuple[Block, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of a page: sentences, entries, and other blocks; one that is folded opens by a click.

    A page `beside` it in the folder of the report is linked to.
    """

    title: str
    folded: bool = True
    sentences: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    blocks: tuple[Block, ...] = ()
    beside: str = ""

    @property
    def groups(self) -> Mapping[str, tuple[Entry, ...]]:
        """The entries by their groups."""
        found: dict[str, tuple[Entry, ...]] = {}
        for entry in self.entries:
            found[entry.group] = (*found.get(entry.group, ()), entry)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Everything that is shown of the run of a command, its `name`: the verdict in a `summary`, and what that means."""

    name: str
    summary: str
    symbol: str
    tone: Tone
    meaning: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    command: str = ""
    sections: tuple[Section, ...]

    @property
    def failed(self) -> list[Entry]:
        """The entries that are wrong or not known, in the order of the sections."""
        entries = [entry for section in self.sections for entry in section.entries]
        return [entry for entry in entries if entry.outcome in ("failure", "error")]


Tone: TypeAlias = Literal["good", "bounded", "open", "bad", "failed"]
"""How a standing is coloured; the symbol and the word say the same."""


class Standing(NamedTuple):
    """A standing of a claim, or how something else came out."""

    word: str
    symbol: str
    tone: Tone
    meaning: str


_STATED = tomllib.loads(Path(__file__).with_name("standings.toml").read_text("utf-8"))
_MARKS = {word: Standing(word, *told) for word, told in _STATED["marks"].items()}

STANDINGS: Mapping[str, Standing] = {word: Standing(word, *told) for word, told in _STATED["standings"].items()}
"""The standings by word, from the strongest result to no result."""


def standing(word: object) -> Standing:
    """The standing of that word; one for a word that is none, which says so."""
    unknown = Standing(str(word), "?", "open", "A standing this version does not know.")
    return {**STANDINGS, **_MARKS}.get(str(word), unknown)


def in_order(words: Iterable[str]) -> list[Standing]:
    """The standings of some words, each once, in the order of `STANDINGS`, unknown words last."""
    found = set(words)
    return [standing(word) for word in [*STANDINGS, *sorted(found - STANDINGS.keys())] if word in found]


VERDICTS: Mapping[int, tuple[str, Tone, str]] = {
    int(status): (symbol, tone, meaning) for status, (symbol, tone, meaning) in _STATED["verdicts"].items()
}
"""By exit status a symbol, a tone and the meaning."""

NO_VERDICT: tuple[str, Tone, str] = ("○", "open", "No verdict was recorded")


def counted(entries: tuple[Entry, ...]) -> str:
    """How many entries have which standing, such as `23 agreed, 1 unknown`."""
    found = Counter(entry.standing for entry in entries)
    known = [each.word for each in in_order(found)]
    return ", ".join(f"{found[word]:,} {word}" for word in known)


def badge(word: str) -> str:
    """A standing with its symbol."""
    return f"{standing(word).symbol} {word}"


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
