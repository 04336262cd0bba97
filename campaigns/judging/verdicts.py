"""Verdicts: how a detector can fail a case, what came of one case, and what failures have in common."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from laws.standings import Standing
from semantics.events import Interval

TIME_LIMIT = 5.0
"""How long a detector may take for one case, in seconds of the processor; they usually take less than a millisecond."""

MEANING = "meaning"  # In the place of a relation: the detector was judged by the semantics


class Kind(StrEnum):
    """The ways in which a case can fail."""

    MISSING = "missing detection"
    SPURIOUS = "spurious detection"
    WRONG_START = "wrong start"
    WRONG_END = "wrong end"
    NOT_AN_INSTANCE = "not an instance"
    STORAGE = "storage bound exceeded"
    PROTOCOL = "protocol broken"
    RELATION = "relation violated"
    CRASH = "crash"
    MEMORY = "out of memory"
    TIMEOUT = "timeout"
    WORKER_LOST = "worker lost"
    DISAGREEMENT = "judges disagree"


BLOCKING = frozenset({Kind.TIMEOUT, Kind.WORKER_LOST, Kind.MEMORY})
"""Failures after which nothing more is tried on the case: it costs too much."""


def standing_of(kinds: Iterable[Kind]) -> Standing:
    """The standing of a detector after cases that it failed in these ways; one that was not finished says nothing."""
    found = set(kinds)
    if Kind.DISAGREEMENT in found:
        return Standing.DISAGREEMENT
    if found - {Kind.TIMEOUT}:
        return Standing.REFUTED
    return Standing.UNKNOWN if found else Standing.TESTED


@dataclass(frozen=True)
class Verdict:
    """The judgement of one case."""

    kind: Kind | None  # how the detector failed; None if it did not
    detail: str  # the first failure in one sentence
    expected: tuple[Interval, ...]  # the intervals that had to be reported, by end, in ticks
    detected: tuple[Any, ...] = ()  # what was reported, in its order; each has a `start` and an `end`, in ticks
    literal: bool = False  # whether the list of all instances was used as well
    refusal: str = ""  # why the detector does not take the case, which is then neither passed nor failed
    fed: Any = None  # the case with what was chosen beside it, such as where snapshots were restored, if it failed

    @property
    def ok(self) -> bool:
        """Whether the detector passed."""
        return self.kind is None and not self.refusal

    @property
    def refused(self) -> bool:
        """Whether the detector did not take the case: it is beyond a limit that the detector states."""
        return bool(self.refusal)

    @property
    def vacuous(self) -> bool:
        """Whether there was nothing to detect."""
        return not self.expected


@dataclass(frozen=True)
class Fault:
    """One judgement, by the meaning or a relation, that a detector failed.

    The path is that of the smallest part that fails in the same way on the same trace: its operators, such as
    `neg(seq, event)`.
    """

    detector: str
    relation: str
    kind: Kind
    detail: str
    path: str

    @property
    def cause(self) -> Cause:
        """The cause, equal for failures that probably have one reason."""
        return Cause(self.detector, self.relation, self.path, self.kind)


@dataclass(frozen=True, order=True)
class Cause:
    """Cause of failures: those with equal causes probably have one reason; see `Fault`."""

    detector: str
    relation: str
    path: str
    kind: Kind

    def __str__(self) -> str:
        by = "" if self.relation == MEANING else f" by the relation {self.relation}"
        return f"{self.detector}: {self.kind} at {self.path}{by}"
