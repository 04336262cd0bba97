"""The runs of an automaton from every start, as far as they can still matter: the states of a register machine.

The automaton of D(E) (`detectors.carlson_lisper.register.language`) is run from every start. A run is a start
time and the state p
that the automaton is in; D(p) is the set of continuations with which the interval from that start is detected. Of the
runs those are kept for which D(p) has a word other than the empty one. A machine state is the tuple of their automaton
states in the order of their starts, and the starts are what the registers hold.

*Nothing is lost* (Thm 4.5): a run is dropped when no continuation makes its start the greatest one for some end, so
the greatest start for each end is that of a run that was kept, or of the one that begins with the instant itself.

*Nothing is kept in vain*: for every run that is kept there is a continuation after which its start is the answer. So
no detector that stores starts can store fewer, and two machine states never behave alike.

*At most one run accepts at a time*: of two words of D(E) with one end, the shorter would be a proper suffix of the
longer. For the same reason the continuations of two runs that are kept at one time are disjoint, so their states are
different, and there are finitely many machine states: at most one for each ordered choice of distinct states of the
automaton. The number of registers is at most the number of its states.

(Dropping only runs whose language is included in that of one later run is sound too, and needs up to thirty times as
many machine states: a run may be made superfluous by several later runs together, and by runs that are still to begin.)
"""

from __future__ import annotations

from dataclasses import dataclass

from semantics.automata.automata import Automaton

NOW = 0
"""The slot of the time of the current instant."""

NEVER = 1
"""The slot that stands for no start at all."""

FIRST = 2
"""The slot of the earliest start that is stored; the others follow in the order of their starts."""

States = tuple[int, ...]
"""A machine state: the automaton's states of the runs that are kept, in the order of their starts."""


@dataclass(frozen=True)
class Transition:
    """What a letter does.

    Attributes:
        states: the machine state after it.
        sources: per run after it, the slot that holds its start: that of a run before, or `NOW`.
        detected: the slot that holds the start of the detection, or `NEVER`.
    """

    states: States
    sources: tuple[int, ...]
    detected: int


class Runs:
    """The transitions between machine states, computed on demand and not remembered.

    Attributes:
        columns: per letter, the column of the automaton's table.
        width: the number of columns.
        empty: the column of the letter without events.
        most: the greatest number of starts that can be stored, as far as the automaton's size alone says.
    """

    def __init__(self, automaton: Automaton) -> None:
        """Run an automaton of the language of latest starts, on a plain track.

        Raises:
            ValueError: a word begins or ends with a letter without events, which no interval of an instance does.
        """
        self._rows = automaton.rows
        self._accepting = automaton.accepting
        first: dict[tuple[int, ...], int] = {}
        # States with equal rows differ in the empty continuation alone, and that one has been reported.
        same = [first.setdefault(row, state) for state, row in enumerate(automaton.rows)]
        self._kept = [state if any(automaton.rows[state]) else 0 for state in same]
        self._beginning = automaton.rows[automaton.initial]
        self.columns = automaton.columns
        self.width = len(automaton.rows[0])
        self.empty = automaton.columns[0]
        self.most = len({self._kept[state] for row in self._rows for state in row} - {0})
        if self._beginning[self.empty] or any(self._accepting[row[self.empty]] for row in self._rows):
            raise ValueError("a word of an interval language begins and ends with an event")

    def advance(self, states: States, column: int) -> Transition:
        """What a letter of a column does in a machine state."""
        after: list[int] = []
        sources: list[int] = []
        detected = NEVER
        begun = ((FIRST + number, self._rows[state][column]) for number, state in enumerate(states))
        for slot, reached in (*begun, (NOW, self._beginning[column])):
            if self._accepting[reached]:
                detected = slot
            kept = self._kept[reached]
            if kept:
                after.append(kept)
                sources.append(slot)
        return Transition(tuple(after), tuple(sources), detected)

    def possible(self, states: States) -> bool:
        """Whether these can be the states of runs that are kept at one time, as far as is easily seen."""
        known = range(1, len(self._rows))
        return len(set(states)) == len(states) and all(s in known and self._kept[s] == s for s in states)


@dataclass(frozen=True)
class Size:
    """How large a register machine can become, whatever the trace.

    Attributes:
        states: the number of machine states, as far as they were looked at.
        registers: the greatest number of starts that are stored at one time.
        exact: whether these are all states, and there is a trace on which so many starts are stored. Otherwise
            there are more states, and `registers` is an upper bound.
    """

    states: int
    registers: int
    exact: bool


def size(runs: Runs, limit: int) -> Size:
    """How large a register machine can become; at most so many of its states are looked at."""
    found: set[States] = {()}
    pending: list[States] = [()]
    while pending:
        states = pending.pop()
        for column in range(runs.width):
            after = runs.advance(states, column).states
            if after not in found:
                if len(found) >= limit:
                    return Size(len(found), runs.most, False)
                found.add(after)
                pending.append(after)
    return Size(len(found), max(map(len, found)), True)
