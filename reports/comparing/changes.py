"""Changes from one report to another, as values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

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
