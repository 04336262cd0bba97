"""Errata of the source as a reader meets them: by kind, with what each kind says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from reports.results.audits import Erratum

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "false as printed": "What is printed does not hold.",
        "vacuous": "What is printed says nothing.",
        "wrong law number": "A proof cites a law from which the step does not follow.",
        "superfluous": "A proof cites more than the step needs.",
        "gap": "A proof needs a step, or a hypothesis, that is not printed.",
        "misprint": "Typed wrong, or without a sense as typed; what is meant is clear.",
        "scope": "It holds under a condition that is not printed, or further than is printed.",
        "confirmed": "A statement that was in doubt, and is right.",
    }
)
"""The kinds, gravest first, and what each says."""

CONFIRMED = "confirmed"


@dataclass(frozen=True, slots=True)
class Group:
    """The entries of one kind.

    Attributes:
        meaning: what it says; empty for a kind that is not known here.
    """

    kind: str
    meaning: str
    entries: tuple[Erratum, ...]


def errata_groups(entries: Iterable[Erratum]) -> list[Group]:
    """The entries by kind, in the order of `KINDS`, unknown kinds last."""
    by_kind: dict[str, list[Erratum]] = {}
    for entry in entries:
        by_kind.setdefault(entry.kind, []).append(entry)
    order = [*KINDS, *sorted(by_kind.keys() - KINDS.keys())]
    return [Group(kind, KINDS.get(kind, ""), tuple(by_kind[kind])) for kind in order if kind in by_kind]


def counted(entries: Iterable[Erratum]) -> str:
    """How many errata there are, and how many statements that were in doubt and are right, in words."""
    found = [entry.kind == CONFIRMED for entry in entries]
    wrong, right = found.count(False), found.count(True)
    return f"{wrong} {'erratum' if wrong == 1 else 'errata'}, {right} in doubt and right"


def not_shown(entries: Iterable[Erratum]) -> list[Erratum]:
    """The entries whose evidence does not come out as claimed, or that have none."""
    return [entry for entry in entries if not entry.as_claimed]
