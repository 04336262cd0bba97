"""Changes from one report to another, as values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")

Kind: TypeAlias = Literal[
    "worse", "removed", "less covered", "more work", "added", "better", "more covered", "less work"
]
"""How something changed."""

KINDS: Mapping[Kind, str] = {
    "worse": "Worse",
    "removed": "Removed",
    "less covered": "Not met any more",
    "more work": "More work",
    "added": "Added",
    "better": "Better",
    "more covered": "Met now",
    "less work": "Less work",
}
"""The kinds, the most important one first, with their titles."""


@dataclass(frozen=True)
class Difference:
    """What is otherwise in one place.

    Attributes:
        part: the section of the report, such as `claim`.
        name: what changed, such as the id of a claim.
        old: how it was; "" for what was added.
        new: how it is; "" for what was removed.
    """

    kind: Kind
    part: str
    name: str
    old: str
    new: str
    about: str = ""


def pairs(before: Mapping[str, T], after: Mapping[str, T]) -> Iterator[tuple[str, T | None, T | None]]:
    """What was and what is by name, in the order of the new report; what was removed comes last."""
    for name in dict.fromkeys([*after, *before]):
        yield name, before.get(name), after.get(name)


class State(NamedTuple):
    """How something stands: its rank, the better the greater, in words; what it is, and why it stands so."""

    rank: float
    words: str
    about: str = ""
    reason: str = ""


def changed(
    part: str, before: Mapping[str, State], after: Mapping[str, State], *, bad: int
) -> Iterator[Difference]:
    """What was removed, what was added (worse, if its rank is below `bad`), and what changed its rank."""
    for name, was, now in pairs(before, after):
        if now is None and was is not None:
            yield Difference("removed", part, name, was.words, "", was.about)
        elif was is None and now is not None:
            yield Difference("worse" if now.rank < bad else "added", part, name, "", now.words, now.about)
        elif was is not None and now is not None and was.rank != now.rank:
            kind: Kind = "worse" if now.rank < was.rank else "better"
            about = "; ".join(filter(None, (now.about, now.reason)))
            yield Difference(kind, part, name, was.words, now.words, about)
