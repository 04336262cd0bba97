"""Numbers of instances of an ambiguous pattern, by the automaton of its marked words.

A trace with the occurrences of one instance marked is a word, and the automaton is deterministic: it reads an instance
in one way, however many ways there are to derive it. So it is run from each start with all choices of marks, and runs
that meet in a state are counted together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from semantics.automata import Budget
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.languages import Languages, Track
from semantics.carlson_lisper.occurrences import Time, Value

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
        self._columns: dict[int, list[int]] = {}  # by what occurs, one for each choice of marks
        for present, _, column in sorted(zip(track.present, track.marked, self._automaton.columns, strict=True)):
            self._columns.setdefault(present, []).append(column)
        self._runs: Counter[int] = Counter()
        self._last: Time = -1

    def step(self, time: Time, values: Mapping[str, Value]) -> int:
        """How many instances end at a time, later than the one before."""
        (empty,) = self._columns[0]
        for _ in range(self._last + 1, time):
            before, self._runs = self._runs, self._moved(self._runs, empty)
            if before == self._runs:
                break
        self._last = time
        present = sum(bit for name, bit in self._bits.items() if name in values)
        runs = self._runs + Counter([self._automaton.initial])
        self._runs = Counter()
        for column in self._columns[present]:
            self._runs.update(self._moved(runs, column))
        return sum(number for state, number in self._runs.items() if self._automaton.accepting[state])

    def _moved(self, runs: Counter[int], column: int) -> Counter[int]:
        moved: Counter[int] = Counter()
        for state, number in runs.items():
            after = self._automaton.rows[state][column]
            if after:
                moved[after] += number
        return moved
