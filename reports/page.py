"""Pages: what a run found, before it is rendered in any format; the standings of claims as a reader meets them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias

from reports.drawing.layout import Timeline

Outcome: TypeAlias = Literal["passed", "failure", "error", "skipped"]
"""Failure: something is wrong. Error: it is not known whether something is wrong. Skipped: it was not run."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of texts; without headings its rows are facts: a name, and what is said of it.

    Attributes:
        right: the headings of columns of numbers.
        code: the headings of columns whose cells are code.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[str, ...] = ()
    code: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Code:
    """A text whose lines and spaces stay, such as a command."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Graphic:
    """An SVG element that this package made, for HTML alone."""

    svg: str


Block: TypeAlias = str | Table | Code | Timeline | Graphic
"""A piece of a page; a text is a paragraph."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Something that was judged: a claim, a detector, a check, an erratum.

    Attributes:
        group: entries of one group stand together, such as all laws.
        standing: a standing, or `as claimed`, `not as claimed`, `skipped`.
        statement: what is claimed or what it is.
        said: how it came out, in a sentence.
        outcome: whether that is as it should be.
        message: what is wrong, in one line; empty where nothing is.
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
    """A section of a page: sentences, entries, and other blocks.

    Attributes:
        folded: whether it opens by a click.
    """

    title: str
    folded: bool = True
    sentences: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    blocks: tuple[Block, ...] = ()

    @property
    def groups(self) -> Mapping[str, tuple[Entry, ...]]:
        """The entries by their groups."""
        found: dict[str, tuple[Entry, ...]] = {}
        for entry in self.entries:
            found[entry.group] = (*found.get(entry.group, ()), entry)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Everything that is shown of a run.

    Attributes:
        name: the command that was run.
        summary: the verdict in a sentence or two.
        meaning: what its exit status says.
        problems: what is not as it should be, and warnings.
        properties: versions, seed and the like.
    """

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
    def failed(self) -> Iterator[Entry]:
        """The entries that are wrong or not known, in the order of the sections."""
        return (
            entry for section in self.sections for entry in section.entries if entry.outcome in ("failure", "error")
        )


Tone: TypeAlias = Literal["good", "bounded", "open", "bad", "failed"]
"""How a standing is coloured; the symbol and the word say the same."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One standing: its word, symbol and tone, whether it is an unbounded result, and its meaning."""

    word: str
    symbol: str
    tone: Tone
    unbounded: bool
    meaning: str


_ALL = (
    Standing(
        "kernel-checked", "◈", "good", True, "Rocq's kernel checked its proof, in this run or as it is on record."
    ),
    Standing("certified", "◆", "good", True, "An independent checker accepted a certificate bound to the obligation."),
    Standing("agreed", "◉", "good", True, "Two solvers proved it."),
    Standing("proved", "●", "good", True, "One solver proved it."),
    Standing("computed", "▣", "good", True, "Decided by evaluation; no solver was asked."),
    Standing(
        "tested",
        "◐",
        "bounded",
        False,
        "No counterexample among the cases that were tried; their number and bound are always given.",
    ),
    Standing("unknown", "○", "open", False, "No answer, with the solver's reason; a timeout is unknown."),
    Standing("refuted", "✕", "bad", False, "False, by a concrete trace that the executable semantics replayed."),
    Standing("disagreement", "≠", "failed", False, "Two engines contradict each other; neither answer counts."),
    Standing("error", "!", "failed", False, "The infrastructure failed; nothing was learned about the claim."),
)
_MARKS = (
    Standing("as claimed", "✓", "good", False, "It came out as it must."),
    Standing("not as claimed", "✕", "bad", False, "It did not come out as it must."),
    Standing("skipped", "–", "open", False, "It was not looked at."),
)

STANDINGS: Mapping[str, Standing] = MappingProxyType({standing.word: standing for standing in _ALL})
"""The standings by word, from the strongest result to no result."""


def standing(word: object) -> Standing:
    """The standing of that word; one for a word that is none, which says so."""
    text = str(word)
    marks = {mark.word: mark for mark in _MARKS}
    unknown = Standing(text, "?", "open", False, "A standing this version does not know.")
    return STANDINGS.get(text) or marks.get(text) or unknown


def in_order(words: Iterable[str]) -> list[Standing]:
    """The standings of some words, each once, in the order of `STANDINGS`, unknown words last."""
    found = set(words)
    return [standing(word) for word in [*STANDINGS, *sorted(found - STANDINGS.keys())] if word in found]


VERDICTS: Mapping[int, tuple[str, Tone, str]] = MappingProxyType(
    {
        0: ("✓", "good", "All as claimed"),
        1: ("✕", "bad", "Something is refuted, or a detector is wrong"),
        2: ("!", "failed", "Bad input or usage"),
        3: ("○", "open", "Inconclusive"),
        4: ("≠", "failed", "Engines disagree"),
        5: ("!", "failed", "The infrastructure failed"),
    }
)
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
