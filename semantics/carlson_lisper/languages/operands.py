"""Operands of the languages of operators: their own languages, and sets of possible runs of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from semantics.automata.automata import Automaton, Budget
from semantics.automata.inclusion import Inclusion


@dataclass(frozen=True)
class Operand:
    """A stream that an operator takes, as languages.

    Attributes:
        automaton: its language on the track at hand.
        plain: its language on the plain track, which is what a quantified instance is an element of.
    """

    automaton: Automaton
    plain: Automaton


class Antichains:
    """Sets of possible runs without those that others make superfluous."""

    def __init__(self, automata: Sequence[Automaton], budget: Budget) -> None:
        """Compare runs of these automata, whose states follow the class in a run."""
        self.within = [
            Inclusion(automaton, automaton, budget, ((column, column) for column in automaton.columns))
            for automaton in automata
        ]
        self.budget = budget
        self._known: dict[frozenset[tuple[int, ...]], frozenset[tuple[int, ...]]] = {}

    def reduced(self, runs: frozenset[Any]) -> frozenset[Any]:
        """The runs none of which accepts only what another one accepts."""
        if len(runs) < 2:
            return runs
        known = self._known.get(runs)
        if known is None:
            self.budget.spend(len(runs) * len(runs) // 8)
            kept: list[tuple[int, ...]] = []
            for run in sorted(runs):
                if any(self.covered(run, other) for other in kept):
                    continue
                kept = [other for other in kept if not self.covered(other, run)]
                kept.append(run)
            known = self._known[runs] = frozenset(kept)
        return known

    def covered(self, run: tuple[int, ...], other: tuple[int, ...]) -> bool:
        """Whether a run accepts only what another one accepts."""
        if run[0] != other[0]:
            return False
        return all(within(one, two) for within, one, two in zip(self.within, run[1:], other[1:], strict=True))
