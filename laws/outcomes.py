"""Outcomes of testing a claim, and what refutes one."""

from dataclasses import dataclass
from typing import Protocol

from laws.standings import Standing


class Refutation(Protocol):
    """A concrete counterexample that was replayed."""

    def summary(self) -> str:
        """The counterexample in words."""


@dataclass(frozen=True)
class TestOutcome:
    """Outcome of finitely many cases of a claim; never a proof."""

    __test__ = False  # no class of tests

    method: str  # `exhaustive`, `streams` (random streams) or `expressions` (random expressions on random traces)
    standing: Standing  # tested or refuted; error if a failure could not be replayed
    cases: int
    bound: str  # what the cases range over, in words
    counterexample: Refutation | None = None  # the smallest failure found, replayed
