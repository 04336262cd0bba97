"""Numbers of instances of an ambiguous pattern, and instances that are drawn, by the automaton of its marked words.

A trace with the occurrences of one instance marked is a word, and the automaton is deterministic: it reads an instance
in one way, however many ways there are to derive it. So it is run from each start with all choices of marks, and runs
that meet in a state are counted together. A run that is chosen backwards is an instance that is drawn.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

from detectors.carlson_lisper.enumeration.draws import chosen
from detectors.carlson_lisper.enumeration.steps import Now
from semantics.automata import Budget
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.languages import Languages, Track
from semantics.carlson_lisper.occurrences import Occurrence, Time

MAX_STEPS: Final = 400_000  # So many transitions may be computed for the automaton: a second or two


class Marked:
    """Runs over the instants of a trace, by the state in which they are.

    Their number grows with the states and, at an instant, with the subsets of what occurs; `LimitExceeded` where the
    automaton is too large.
    """

    def __init__(self, pattern: Expression) -> None:
        track = Track(sorted(identifiers(pattern)), marks=True)
        self._automaton = Languages(track, Budget(MAX_STEPS)).language(pattern)
        self._bits = {name: 1 << bit for bit, name in enumerate(track.names)}
        self._columns: dict[int, dict[int, int]] = {}  # by what occurs, for each choice of marks
        for present, marks, column in sorted(zip(track.present, track.marked, self._automaton.columns, strict=True)):
            self._columns.setdefault(present, {})[marks] = column
        self.past: list[tuple[Now, Counter[int]]] | None = None  # each instant, and the runs after it, for `draw`
        self._runs: Counter[int] = Counter()
        self._last: Time = -1

    def step(self, now: Now) -> int:
        """How many instances end at an instant, later than the one before."""
        empty = self._columns[0][0]
        for _ in range(self._last + 1, now.time):
            before, self._runs = self._runs, self._moved(self._runs, empty)
            if before == self._runs:
                break
        self._last = now.time
        runs = self._runs + Counter([self._automaton.initial])
        self._runs = Counter()
        for column in self._choices(now).values():
            self._runs.update(self._moved(runs, column))
        if self.past is not None:
            self.past.append((now, self._runs))
        return sum(self._complete().values())

    def draw(self, random: Random) -> list[Occurrence]:
        """The occurrences of an instance that ends at the last instant, each instance with the same chance.

        A run is chosen backwards: what it may have been before, as often as there are runs to there.
        """
        assert self.past is not None
        initial, rows = self._automaton.initial, self._automaton.rows
        found, state = list[Occurrence](), chosen(self._complete(), random)
        for place in reversed(range(len(self.past))):
            now, before = self.past[place][0], {0: (initial, 1)}  # no run is in the state 0, from which it begins here
            if place:
                last, runs = self.past[place - 1]
                gap = now.time - last.time - 1
                before |= {each: (self._waited(each, gap), number) for each, number in runs.items()}
            ways = {
                (each, marks): number
                for each, (after, number) in before.items()
                for marks, column in self._choices(now).items()
                if rows[after][column] == state
            }
            state, marks = chosen(ways, random)
            found += [Occurrence(name, now.told, now.values[name]) for name, bit in self._bits.items() if bit & marks]
            if not state:
                break
        return found

    def _complete(self) -> dict[int, int]:
        return {state: number for state, number in self._runs.items() if self._automaton.accepting[state]}

    def _choices(self, now: Now) -> dict[int, int]:
        return self._columns[sum(bit for name, bit in self._bits.items() if name in now.values)]

    def _waited(self, state: int, ticks: int) -> int:
        empty, before = self._columns[0][0], -1
        while ticks and state != before:
            before, state, ticks = state, self._automaton.rows[state][empty], ticks - 1
        return state

    def _moved(self, runs: Counter[int], column: int) -> Counter[int]:
        moved: Counter[int] = Counter()
        for state, number in runs.items():
            after = self._automaton.rows[state][column]
            if after:
                moved[after] += number
        return moved
