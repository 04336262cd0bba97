"""Stability of proofs: variants of each obligation, and how many of them a solver still proves.

A proof that is lost when assertions change places, names change or another seed is used was luck, and the next version
of the solver or the next harmless edit may lose it. Asked are a share of proved variants and a work that stays near
that of the obligation as it is written. An obligation below that is unstable, which is not refuted: as it is written it
is proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from types import MappingProxyType
from typing import Literal

from smt.audit.variants import variants as variants_of
from smt.obligations import Obligation
from smt.solvers.questions import KnownWork, Maker, Outcome, Pool, pools
from smt.solvers.solver import Question

Finding = Literal["stable", "unstable", "unproved", "contradiction", "error"]
"""What the variants of an obligation amount to, for one solver."""

SUCCESS = 0.95
"""The least share of variants with a proof."""

MEDIAN_RATIO = 2.0
"""The greatest median of the proved variants' work, in multiples of that of the obligation as it is written."""

NEGLIGIBLE = {"z3": 2_000, "cvc5": 500}
"""Work up to this counts as this in ratios, by solver; what takes next to nothing may take twice that."""

FACTOR, FLOORS = 10, {"z3": 100_000, "cvc5": 20_000}
"""A variant may take so many times the work of the obligation, and so much besides, by solver, in its own units."""

FIRST = {"z3": 20_000_000, "cvc5": 2_000_000}
"""What may be spent on an obligation as it is written, by solver."""


@dataclass(frozen=True)
class Stability:
    """What one solver made of the variants of one obligation.

    Attributes:
        original: what came of the obligation as it is written; its work is only known if it is a proof.
        outcomes: what came of the variants, in the order of their numbers; none if there is no proof to begin with.
    """

    id: str
    solver: str
    original: Outcome
    outcomes: tuple[Outcome, ...]

    @property
    def success(self) -> float:
        """The share of variants with a proof."""
        return sum(outcome.proved for outcome in self.outcomes) / max(1, len(self.outcomes))

    @property
    def lost(self) -> tuple[int, ...]:
        """The numbers of the variants without a proof."""
        return tuple(number for number, outcome in enumerate(self.outcomes) if not outcome.proved)

    @property
    def ratios(self) -> tuple[float, ...]:
        """The work of each proved variant, in multiples of that of the obligation, ascending."""
        least = NEGLIGIBLE.get(self.solver.split()[0], 1)
        work = max(least, self.original.work)
        return tuple(sorted(max(least, outcome.work) / work for outcome in self.outcomes if outcome.proved))

    @property
    def median_ratio(self) -> float | None:
        """The median of the ratios; None if no variant is proved."""
        return median(self.ratios) if self.ratios else None

    @property
    def finding(self) -> Finding:
        """What this amounts to."""
        said = {self.original.status, *(outcome.status for outcome in self.outcomes)}
        if {"sat", "unsat"} <= said:
            return "contradiction"
        if "error" in said:
            return "error"
        if not self.original.proved:
            return "unproved"
        passed = self.success >= SUCCESS and (self.median_ratio or 0.0) <= MEDIAN_RATIO
        return "stable" if passed and self.outcomes else "unstable"


def stability(
    obligations: Iterable[Obligation],
    solvers: Sequence[Maker],
    *,
    variants: int = 20,
    seed: int = 0,
    known: KnownWork = MappingProxyType({}),
    workers: int = 2,
) -> tuple[Stability, ...]:
    """Ask solvers for proofs of variants of obligations; one row per solver and obligation, in that order.

    What comes out depends on the seed, the obligations and the solvers' versions, and not on the machine, as long as no
    solver's time limit is reached.

    Args:
        obligations: with the assumptions under which they were proved.
        solvers: makers of the solvers, each of which is asked everything.
        known: the work of proofs that are known, so that they need not be made again.

    Raises:
        ValueError: `variants` is less than one.
    """
    if variants < 1:
        raise ValueError("an obligation's stability takes at least one variant")
    asked = list(obligations)
    with pools(solvers, workers) as made:
        return tuple(row for pool in made for row in _stability(asked, pool, variants, seed, known))


def _stability(
    obligations: Sequence[Obligation], pool: Pool, variants: int, seed: int, known: KnownWork
) -> list[Stability]:
    originals = _originals(obligations, pool, known)
    questions = [
        [
            Question(variant.text, FACTOR * original.work + _of(FLOORS, pool), variant.seed)
            for variant in variants_of(obligation.text, obligation.id, variants, seed)
        ]
        if original.proved
        else []
        for obligation, original in zip(obligations, originals, strict=True)
    ]
    outcomes = pool.ask_groups(questions)
    return [
        Stability(obligation.id, pool.name, original, tuple(several))
        for obligation, original, several in zip(obligations, originals, outcomes, strict=True)
    ]


def _originals(obligations: Sequence[Obligation], pool: Pool, known: KnownWork) -> list[Outcome]:
    """What came of the obligations as they are written."""
    first = _of(FIRST, pool)
    works = [known.get((obligation.id, pool.name)) for obligation in obligations]
    unknown = [o for o, work in zip(obligations, works, strict=True) if work is None]
    answers = iter(pool.ask_all(Question(obligation.text, first) for obligation in unknown))
    return [next(answers) if work is None else Outcome("unsat", work) for work in works]


def _of(budgets: Mapping[str, int], pool: Pool) -> int:
    """What a solver may spend; one that is not listed as much as any."""
    return budgets.get(pool.family, max(budgets.values()))
