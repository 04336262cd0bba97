"""The table of a register machine: states and transitions as they are visited, and what gaps without events do.

Of the possible machine states a trace visits few, so a state exists when it was reached. The table is bounded: when it
is full it is forgotten and started anew with the state at hand, as often as need be; that costs time and nothing else.
"""

from __future__ import annotations

from typing import NamedTuple

from detectors.carlson_lisper.register.runs import FIRST, Runs, States

MAX_STATES = 10_000
"""By default, a table has at most so many states."""

MAX_CELLS = 2**20
"""A table has at most so many cells, one per state and column."""

Moves = tuple[tuple[int, int], ...]
"""Which slot is set to what another slot holds: pairs (slot, other slot), to be carried out in this order."""


class State:
    """A machine state.

    Attributes:
        number: its number in the table.
        states: the automaton's states of the runs that are kept, in the order of their starts.
        cells: per column, what its letters do; None as long as nobody knows.
        resting: whether a gap without events changes nothing.
        gaps: at place k, what 2ᵏ instants without events do, as far as it is known. No more is needed when the last
            one leads to a state that rests.
    """

    __slots__ = ("cells", "gaps", "number", "resting", "states")

    def __init__(self, number: int, states: States, width: int, resting: bool) -> None:
        """A state of which only this is known."""
        self.number = number
        self.states = states
        self.cells: list[Cell | None] = [None] * width
        self.resting = resting
        self.gaps: list[Cell] = []


class Cell(NamedTuple):
    """A transition.

    Attributes:
        after: the state that it leads to.
        detected: the slot that holds the start of the detection.
        moves: what happens to the registers.
        sources: the same as slots, one for each start that is stored afterwards.
    """

    after: State
    detected: int
    moves: Moves
    sources: tuple[int, ...]


class Table:
    """The states that were visited, and their transitions.

    Attributes:
        registers: the greatest number of starts that any state so far stores.
        forgotten: how often the table was started anew because it was full.
    """

    def __init__(self, runs: Runs, max_states: int = MAX_STATES) -> None:
        """An empty table."""
        self.runs = runs
        self.capacity = max(2, min(max_states, MAX_CELLS // runs.width))
        self.registers = 0
        self.forgotten = 0
        self.states: list[State] = []
        self._by_states: dict[States, State] = {}

    def state(self, states: States) -> State:
        """The state of a tuple; the table is forgotten first if there is no room for it."""
        known = self._by_states.get(states)
        if known is None:
            if len(self.states) >= self.capacity:
                self._forget()
            empty = self.runs.advance(states, self.runs.empty)
            known = State(len(self.states), states, self.runs.width, empty.states == states)
            self.states.append(known)
            self._by_states[states] = known
            self.registers = max(self.registers, len(states))
        return known

    def cell(self, state: State, column: int) -> Cell:
        """What a letter of a column does."""
        known = state.cells[column]
        if known is None:
            transition = self.runs.advance(state.states, column)
            after = self.state(transition.states)
            known = state.cells[column] = _cell(after, transition.detected, transition.sources)
        return known

    def gap(self, state: State, level: int) -> Cell:
        """What 2ᵏ instants without events do, or fewer if the state rests after fewer, for k = level."""
        gaps = state.gaps
        while len(gaps) <= level and not (gaps and gaps[-1].after.resting):
            if gaps:
                half = gaps[-1]
                gaps.append(_composed(half, self.gap(half.after, len(gaps) - 1)))
            else:
                gaps.append(self.cell(state, self.runs.empty))
        return gaps[min(level, len(gaps) - 1)]

    def _forget(self) -> None:
        """Start anew; the states so far stay right, and know nothing of each other any more."""
        self.forgotten += 1
        for state in self.states:
            state.cells = [None] * self.runs.width
            state.gaps = []
        self.states = []
        self._by_states = {}


def _cell(after: State, detected: int, sources: tuple[int, ...]) -> Cell:
    # A run keeps its place or moves towards the front, so no slot is overwritten that is still to be read.
    moves = tuple((slot, source) for slot, source in enumerate(sources, FIRST) if slot != source)
    return Cell(after, detected, moves, sources)


def _composed(first: Cell, second: Cell) -> Cell:
    """What two gaps do, one after the other."""
    sources = tuple(first.sources[source - FIRST] for source in second.sources)
    return _cell(second.after, second.detected, sources)
