"""What can change from one report to another, as values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

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
        kind: how it changed.
        part: the section of the report, such as `claim`.
        name: what changed, such as the id of a claim.
        old: how it was; "" for what was added.
        new: how it is; "" for what was removed.
        about: what it is, in one line.
    """

    kind: Kind
    part: str
    name: str
    old: str
    new: str
    about: str = ""


def by_id(rows: Iterable[Mapping[str, Any]] | None) -> dict[str, Mapping[str, Any]]:
    """Records by their id."""
    return {str(row.get("id")): row for row in rows or ()}


def pairs(
    before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[str, Mapping[str, Any] | None, Mapping[str, Any] | None]]:
    """What was and what is by name, in the order of the new report; what was removed comes last."""
    for name in dict.fromkeys([*after, *before]):
        yield name, before.get(name), after.get(name)
