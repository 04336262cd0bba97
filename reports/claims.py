"""Claims and their obligations as a reader meets them: what rests on what, and what the engines said at which cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from reports.standings import in_order

Record: TypeAlias = Mapping[str, Any]
"""Plain data of a report."""

CARRIES_NOT_OVER = "does not carry over"
"""What stands in the place of a standing over dense time for a claim that is not one about dense time."""

FEW = 4
"""Up to so many obligations are shown as soon as their claim is opened."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine said to an obligation, and what it cost.

    Attributes:
        engine: its name and version.
        strategy: how it searched; empty if that is not recorded.
        status: what it said; empty if that is not recorded.
        seconds: wall-clock time.
        work: its own count of work; counts of different engines cannot be compared.
        reason: why there is no answer.
    """

    engine: str
    strategy: str
    status: str
    seconds: Any
    work: Any
    reason: str


def answers(obligation: Record) -> list[Answer]:
    """The answers to an obligation; one made of its own fields, where answers are not recorded one by one."""
    recorded = obligation.get("answers")
    if recorded:
        return [
            Answer(
                str(item.get("solver") or "engine"),
                str(item.get("strategy") or ""),
                str(item.get("status") or ""),
                item.get("seconds"),
                item.get("rlimit"),
                str(item.get("reason") or ""),
            )
            for item in recorded
        ]
    own = [obligation.get(key) for key in ("solver", "seconds", "rlimit", "reason")]
    if not any(own):
        return []
    return [Answer(str(own[0] or "engine"), "", "", own[1], own[2], str(own[3] or ""))]


@dataclass(frozen=True, slots=True)
class Obligations:
    """The obligations of a claim over one kind of time.

    Attributes:
        title: how many there are, and over which time.
        items: the obligations.
        standings: how many have which standing.
        engines: for each engine its name, the seconds and the work of all its answers.
        shown: whether they are few, or something in them is not proved, and are shown at once.
    """

    title: str
    items: Sequence[Record]
    standings: Mapping[str, int]
    engines: Sequence[tuple[str, float, int]]
    shown: bool


_TIMES = {"int": "integer time", "real": "dense time"}


def obligation_groups(items: Iterable[Record], proved: Iterable[str]) -> list[Obligations]:
    """Obligations by the kind of their time.

    Args:
        items: the obligations.
        proved: the standings of what is proved.
    """
    by_time: dict[str, list[Record]] = {}
    for item in items:
        by_time.setdefault(str(item.get("time") or ""), []).append(item)
    several = len(by_time) > 1
    unbounded = set(proved)
    groups = []
    for time, found in by_time.items():
        over = f" over {_TIMES.get(time, time)}" if time and (several or time != "int") else ""
        standings = Counter(str(item.get("standing") or "unknown") for item in found)
        groups.append(
            Obligations(
                f"{len(found)} {'obligation' if len(found) == 1 else 'obligations'}{over}",
                found,
                standings,
                _costs(found),
                len(found) <= FEW or bool(standings.keys() - unbounded),
            )
        )
    return groups


def _costs(items: Iterable[Record]) -> list[tuple[str, float, int]]:
    costs: dict[str, tuple[float, int]] = {}
    for answer in (answer for item in items for answer in answers(item)):
        seconds, work = costs.get(answer.engine, (0.0, 0))
        costs[answer.engine] = (seconds + _number(answer.seconds), work + int(_number(answer.work)))
    return [(engine, *cost) for engine, cost in costs.items()]


def _number(value: object) -> float:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else 0


# ------------------------------------------------------------------------------------------------ what rests on what


@dataclass(frozen=True, slots=True)
class Network:
    """Which claims a report has, and what rests on what.

    Attributes:
        ids: the ids of the claims, in their order.
        users: for each claim those whose proofs use it.
    """

    ids: tuple[str, ...]
    users: Mapping[str, tuple[str, ...]]

    def target(self, name: object) -> str:
        """The claim that a name leads to: itself, its first part, or the claim that it is a part or neighbour of.

        Returns:
            The id; "" if the report has no such claim.
        """
        text = str(name)
        if text in self.ids:
            return text
        parts = (claim for claim in self.ids if claim.startswith(f"{text}."))
        whole = (claim for claim in self.ids if text.startswith((f"{claim}/", f"{claim}~")))
        return next(parts, "") or next(whole, "")


def network(claims: Iterable[Record]) -> Network:
    """The network of the claims of a report."""
    listed = list(claims)
    ids = tuple(str(claim.get("id")) for claim in listed)
    users: dict[str, list[str]] = {}
    for claim in listed:
        for name in claim.get("rests_on") or ():
            for used in ids:
                if used == name or (str(name) not in ids and used.startswith(f"{name}.")):
                    users.setdefault(used, []).append(str(claim.get("id")))
    return Network(ids, {used: tuple(found) for used, found in users.items()})


def dense_counts(claims: Iterable[Record]) -> list[tuple[int, str]]:
    """How many claims have which standing over dense time, in the order of standings, or are not claims about it."""
    found = Counter(str(claim["dense_time"]) for claim in claims if claim.get("dense_time"))
    several = {CARRIES_NOT_OVER: "do not carry over"}
    return [
        (found[each.word], several.get(each.word, each.word) if found[each.word] > 1 else each.word)
        for each in in_order(found)
    ]


# -------------------------------------------------------------------------------------------------------- certificates


def certificate_counts(claims: Iterable[Record]) -> dict[str, int]:
    """How many obligations have a certificate that was accepted, rejected, or not checked."""
    found: Counter[str] = Counter()
    for claim in claims:
        for item in claim.get("obligations") or ():
            if item.get("certificate"):
                found[certificate_state(item["certificate"])] += 1
    return dict(found)


def certificate_state(certificate: Record) -> str:
    """`accepted`, `rejected` or `not checked`."""
    checked = certificate.get("checked")
    return "accepted" if checked is True else "rejected" if checked is False else "not checked"
