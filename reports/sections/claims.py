"""Claims and their obligations as a reader meets them: what rests on what, and what the engines said at which cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reports.results.claims import Claim, Obligation
from reports.sections.standings import in_order, standing

CARRIES_NOT_OVER = "does not carry over"
"""What stands in the place of a standing over dense time for a claim that is not one about dense time."""

NOT_CLAIMED = "not claimed"
"""The same for a reader."""

FEW = 4
"""Up to so many obligations are shown as soon as their claim is opened."""


@dataclass(frozen=True, slots=True)
class Obligations:
    """The obligations of a claim over one kind of time.

    Attributes:
        engines: for each engine its name, the seconds and the work of all its answers.
        shown: whether they are few, or something in them is not proved, and are shown at once.
    """

    title: str
    items: Sequence[Obligation]
    standings: Mapping[str, int]
    engines: Sequence[tuple[str, float, int]]
    shown: bool


_TIMES = {"int": "integer time", "real": "dense time"}


def obligation_groups(items: Iterable[Obligation]) -> list[Obligations]:
    """Obligations by the kind of their time."""
    by_time: dict[str, list[Obligation]] = {}
    for item in items:
        by_time.setdefault(item.time, []).append(item)
    several = len(by_time) > 1
    groups = []
    for time, found in by_time.items():
        over = f" over {_TIMES.get(time, time)}" if time and (several or time != "int") else ""
        standings = Counter(item.standing for item in found)
        groups.append(
            Obligations(
                f"{len(found)} {'obligation' if len(found) == 1 else 'obligations'}{over}",
                found,
                standings,
                _costs(found),
                len(found) <= FEW or not all(standing(word).unbounded for word in standings),
            )
        )
    return groups


def _costs(items: Iterable[Obligation]) -> list[tuple[str, float, int]]:
    costs: dict[str, tuple[float, int]] = {}
    for answer in (answer for item in items for answer in item.answers):
        seconds, work = costs.get(answer.solver, (0.0, 0))
        costs[answer.solver] = (seconds + answer.seconds, work + answer.rlimit)
    return [(engine, *cost) for engine, cost in costs.items()]


# ------------------------------------------------------------------------------------------------ what rests on what


@dataclass(frozen=True, slots=True)
class Network:
    """Which claims a report has, and what rests on what.

    Attributes:
        users: for each claim those whose proofs use it.
    """

    ids: tuple[str, ...]
    users: Mapping[str, tuple[str, ...]]

    def target(self, name: str) -> str:
        """The claim that a name leads to: itself, its first part, or the claim that it is a part or neighbour of.

        Returns:
            The id; "" if the report has no such claim.
        """
        if name in self.ids:
            return name
        parts = (claim for claim in self.ids if claim.startswith(f"{name}."))
        whole = (claim for claim in self.ids if name.startswith((f"{claim}/", f"{claim}~")))
        return next(parts, "") or next(whole, "")


def network(claims: Sequence[Claim]) -> Network:
    """The network of the claims of a report."""
    ids = tuple(claim.id for claim in claims)
    users: dict[str, list[str]] = {}
    for claim in claims:
        for name in claim.rests_on:
            for used in ids:
                if used == name or (name not in ids and used.startswith(f"{name}.")):
                    users.setdefault(used, []).append(claim.id)
    return Network(ids, {used: tuple(found) for used, found in users.items()})


def dense_counts(claims: Iterable[Claim]) -> list[tuple[int, str]]:
    """How many claims have which standing over dense time, in the order of standings, or are not claims about it."""
    found = Counter(claim.dense_time for claim in claims if claim.dense_time)
    return [
        (found[each.word], NOT_CLAIMED if each.word == CARRIES_NOT_OVER else each.word)
        for each in in_order(found)
    ]


def certificate_counts(claims: Iterable[Claim]) -> Counter[str]:
    """How many obligations have a certificate that was accepted, rejected, or not checked."""
    items = (item for claim in claims for item in claim.obligations if item.certificate)
    return Counter(item.certificate.state for item in items)
