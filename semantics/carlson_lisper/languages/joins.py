"""The language of { s ∪ t | s ∈ S, t ∈ T, condition }: two runs side by side, and how their intervals lie.

A machine reads the instants of the union's interval and keeps the possible runs of the two operands' automata, each
pair with the class of the arrangement so far (`semantics.carlson_lisper.languages.arrangements`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from semantics.automata.automata import Budget, grouped
from semantics.carlson_lisper.languages.arrangements import BEFORE, COMPLETE, DEAD, STAY, join_shape
from semantics.carlson_lisper.languages.letters import Track
from semantics.carlson_lisper.languages.operands import Antichains, Operand
from semantics.carlson_lisper.operators import Comprehension

RunPair: TypeAlias = tuple[int, int, int]
"""Where the parts of a union may be: the class of their arrangement and the states of their automata."""


class JoinMachine:
    """The words that { s ∪ t | s ∈ S, t ∈ T, condition } spans.

    A state is the set of possible runs and whether one of them has just been completed.
    """

    def __init__(
        self,
        comprehension: Comprehension,
        operands: Mapping[str, Operand],
        track: Track,
        budget: Budget,
        opening: tuple[bool, bool] | None = None,
    ) -> None:
        """Prepare for one comprehension over two streams.

        With an opening, only for those words at whose first letter the instances begin that it says.
        """
        (first, one), (second, two) = comprehension.ranges
        self.shape = join_shape(comprehension.condition, first, second)
        self.first, self.second = operands[one].automaton, operands[two].automaton
        self.antichains = Antichains((self.first, self.second), budget)
        self.budget = budget
        left, right = self.first.columns, self.second.columns
        signatures = [
            (
                tuple(sorted({(left[a], right[b]) for a, b in track.splits[letter]})),
                left[letter],
                right[letter],
                track.unmarked[letter],
            )
            for letter in range(len(left))
        ]
        self.classes: Sequence[Sequence[int]] = grouped(signatures)
        self.seen = [signatures[letters[0]] for letters in self.classes]
        self._steps: dict[tuple[RunPair, int], tuple[frozenset[RunPair], bool]] = {}
        self.opening = opening
        start = self.shape.initial
        empty = start == DEAD or not (self.first.initial and self.second.initial)
        self.initial: tuple[frozenset[RunPair], bool] | None = (
            None if empty else (frozenset({(start, 0, 0)}), False)
        )

    def step(
        self, state: tuple[frozenset[RunPair], bool], group: int
    ) -> tuple[frozenset[RunPair], bool] | None:
        """The possible runs after one more instant."""
        runs: set[RunPair] = set()
        completed = False
        steps = self._steps
        self.budget.spend(len(state[0]) // 4)
        for run in state[0]:
            found = steps.get((run, group))
            if found is None:
                found = steps[run, group] = self._advance(run, group)
            runs |= found[0]
            completed = completed or found[1]
        if not runs and not completed:
            return None
        return self.antichains.reduced(frozenset(runs)), completed

    def accepting(self, state: tuple[frozenset[RunPair], bool]) -> bool:
        """Whether some run has just been completed."""
        return state[1]

    def openings(self) -> list[tuple[bool, bool]]:
        """Which of the two instances can begin at the first letter."""
        if self.initial is None:
            return []
        return [(option.first, option.second) for option in self.shape.options[self.shape.initial]]

    def _advance(self, run: RunPair, group: int) -> tuple[frozenset[RunPair], bool]:
        number, p, q = run
        status, other_status = self.shape.statuses[number]
        p = self.first.initial if status == BEFORE else p
        q = self.second.initial if other_status == BEFORE else q
        both, one, two, unmarked = self.seen[group]
        found: set[RunPair] = set()
        completed = False
        for option in self.shape.options[number]:
            if number == self.shape.initial and self.opening not in (None, (option.first, option.second)):
                continue
            if option.first and option.second:
                pairs: Sequence[tuple[int, int]] = both
            elif option.first or option.second:
                pairs = ((one, two),)
            else:
                pairs = ((0, 0),) if unmarked else ()
            for column, other_column in pairs:
                after = self.first.rows[p][column] if option.first else 0
                other_after = self.second.rows[q][other_column] if option.second else 0
                if (option.first and not after) or (option.second and not other_after):
                    continue
                for ends, other_ends, target in option.endings:
                    if (ends and not self.first.accepting[after]) or (
                        other_ends and not self.second.accepting[other_after]
                    ):
                        continue
                    if target == COMPLETE:
                        completed = True
                        continue
                    going = 0 if ends else after
                    other_going = 0 if other_ends else other_after
                    if (going and not any(self.first.rows[going])) or (
                        other_going and not any(self.second.rows[other_going])
                    ):
                        continue
                    found.add((number if target == STAY else target, going, other_going))
        return frozenset(found), completed
