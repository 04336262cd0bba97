"""The standings of a claim as a reader meets them: a symbol, a tone and what each says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

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
