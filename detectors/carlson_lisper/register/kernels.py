"""The table of a register machine as one array, and the compiled loops over it.

A cell is one or more words. The first word says, from its lowest bits on: the slot of the detection's start, the slots
whose contents the first three registers take over, a byte each; whether the next state rests, one bit; and where that
state's cells begin in the array. Further words name eight more slots each. A negative word is a cell not known yet.

After the columns of the letters, a state has a column for gaps of 1, 2, 4, … instants without events.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.carlson_lisper.fast.compiled import compiled
from detectors.carlson_lisper.intervals import Letters, Times
from detectors.carlson_lisper.register.runs import FIRST, NEVER, NOW
from detectors.carlson_lisper.register.table import Cell, State, Table

Words = NDArray[np.int64]
"""Words of cells, or the contents of slots."""

IN_FIRST_WORD, IN_OTHER_WORDS = 3, 8
"""How many registers a word of a cell tells of."""

LAST = 2**63 - 1
"""Later than every time."""

DONE, CELL_MISSING, GAP_MISSING, WRONG_ORDER = range(4)
"""Why a loop ended."""


class PackedTable:
    """The array of a table, which grows with it.

    Attributes:
        words: the cells, state by state.
        offsets: per letter, how many words after the beginning of a state its cell is.
        gaps: how many words after the beginning of a state the cell of a gap of one instant is.
        size: how many words a cell has.
        levels: how many columns for gaps there are.
    """

    def __init__(self, table: Table) -> None:
        """Copy what a table knows."""
        self.table = table
        self.levels = 1
        self._capacity = 16
        self._allocate()

    @property
    def slots(self) -> int:
        """How many slots there are, used or not."""
        return FIRST + IN_FIRST_WORD + IN_OTHER_WORDS * (self.size - 1)

    @property
    def registers(self) -> int:
        """How many starts can be stored."""
        return self.slots - FIRST

    def position(self, state: State) -> int:
        """Where the cells of a state begin."""
        return state.number * self._stride

    def state(self, position: int) -> State:
        """The state whose cells begin there."""
        return self.table.states[position // self._stride]

    def note_letter(self, state: State, letter: int) -> None:
        """Take over what a letter does in a state, unless the table forgot it meanwhile."""
        column = self.table.runs.columns[letter & (len(self.offsets) - 1)]
        cell = state.cells[column]
        if cell is not None and self._current(state):
            self._write(state, column, cell)

    def note_gaps(self, state: State) -> None:
        """Take over what is known of gaps in a state, unless the table forgot it meanwhile."""
        if len(state.gaps) > self.levels:
            self.levels = len(state.gaps)
            self._generation = -1
        if self._current(state):
            for column, cell in self._gap_cells(state):
                self._write(state, column, cell)

    def refresh(self, state: State) -> State:
        """Follow the table where it has grown or was forgotten; the same state in the table as it is now."""
        if not self._listed(state):
            state = self.table.state(state.states)
        if self._stale():
            self._allocate()
        return state

    def _current(self, state: State) -> bool:
        return self._listed(state) and not self._stale()

    def _listed(self, state: State) -> bool:
        states = self.table.states
        return state.number < len(states) and states[state.number] is state

    def _stale(self) -> bool:
        table = self.table
        return (
            self._generation != table.forgotten
            or len(table.states) > self._capacity
            or table.registers > self.registers
        )

    def _gap_cells(self, state: State) -> tuple[tuple[int, Cell], ...]:
        width, known = self.table.runs.width, len(state.gaps)
        levels = self.levels if known and state.gaps[-1].after.resting else known
        return tuple((width + level, state.gaps[min(level, known - 1)]) for level in range(levels))

    def _allocate(self) -> None:
        table, runs = self.table, self.table.runs
        while self._capacity < len(table.states):
            self._capacity = min(2 * self._capacity, max(16, table.capacity))
        self.levels = max(self.levels, *(len(state.gaps) for state in table.states))
        beyond = max(0, table.registers - IN_FIRST_WORD)
        self.size = 1 + -(-beyond // IN_OTHER_WORDS)
        self.gaps = runs.width * self.size
        self.offsets = np.array(runs.columns, np.int64) * self.size
        self._stride = (runs.width + self.levels) * self.size
        self._generation = table.forgotten
        self.words = np.full(self._capacity * self._stride, -1, np.int64)
        for state in table.states:
            for column, cell in enumerate(state.cells):
                if cell is not None:
                    self._write(state, column, cell)
            for column, cell in self._gap_cells(state):
                self._write(state, column, cell)

    def _write(self, state: State, column: int, cell: Cell) -> None:
        sources = [*cell.sources, *[NEVER] * (self.registers - len(cell.sources))]
        begin = self.position(state) + column * self.size
        for index in range(1, self.size):
            part = sources[IN_FIRST_WORD + IN_OTHER_WORDS * (index - 1) :][:IN_OTHER_WORDS]
            self.words[begin + index] = int.from_bytes(part, "little", signed=True)
        first = int.from_bytes([cell.detected, *sources[:IN_FIRST_WORD]], "little")
        self.words[begin] = self.position(cell.after) << 33 | cell.after.resting << 32 | first


@compiled
def detect(word: int, now: int, slots: Words, starts: Times, ends: Times, found: int) -> int:
    """Write down what a cell with this first word detects now; how many detections are written then.

    It is always written, and counted if it is one: so there is no branch to mispredict.
    """
    slots[NOW] = now
    starts[found] = slots[word & 255]
    ends[found] = now
    return found + ((word & 255) != NEVER)


@compiled
def move(word: int, slots: Words) -> None:
    """Carry out what the first word of a cell says of the first three registers."""
    slots[FIRST] = slots[(word >> 8) & 255]
    slots[FIRST + 1] = slots[(word >> 16) & 255]
    slots[FIRST + 2] = slots[(word >> 24) & 255]


@compiled
def move_others(words: Words, cell: int, size: int, slots: Words) -> None:
    """Carry out what a cell of more than one word says of the registers after the third."""
    slot = FIRST + IN_FIRST_WORD
    for index in range(1, size):
        word = words[cell + index]
        for _ in range(IN_OTHER_WORDS):
            slots[slot] = slots[word & 255]
            word >>= 8
            slot += 1


@compiled
def dense(
    letters: Letters,
    first: int,
    place: int,
    words: Words,
    offsets: Words,
    size: int,
    slots: Words,
    state: int,
    starts: Times,
    ends: Times,
) -> tuple[int, int, int, int, int, int]:
    """Go through letters at neighbouring ticks from a place on.

    Nothing in it depends on the letters but which cell is looked at, so there is no branch to mispredict.

    Returns:
        Why it ended; the place of the letter that it did not read; where the state's cells begin; 1 if the state
        rests; the last instant that the state knows of; how many detections were written.
    """
    mask = len(offsets) - 1
    found = 0
    rests = 0
    for index in range(place, len(letters)):
        cell = state + offsets[letters[index] & mask]
        word = words[cell]
        now = first + index
        if word < 0:
            return CELL_MISSING, index, state, rests, now - 1, found
        found = detect(word, now, slots, starts, ends, found)
        move(word, slots)
        if size > 1:
            move_others(words, cell, size, slots)
        state = word >> 33
        rests = (word >> 32) & 1
    return DONE, len(letters), state, rests, first + len(letters) - 1, found


@compiled
def sparse(
    times: Times,
    letters: Letters,
    base: int,
    place: int,
    words: Words,
    offsets: Words,
    gaps: int,
    size: int,
    levels: int,
    slots: Words,
    state: int,
    rests: int,
    now: int,
    starts: Times,
    ends: Times,
) -> tuple[int, int, int, int, int, int]:
    """Go through letters at increasing times after a base from a place on; returns what `dense` does."""
    mask = len(offsets) - 1
    found = 0
    for index in range(place, len(times)):
        time = base + times[index]
        gap = time - now - 1
        if gap < 0:
            return WRONG_ORDER, index, state, rests, now, found
        while gap > 0 and rests == 0:
            level = 0
            while level < levels - 1 and gap >> (level + 1) > 0:
                level += 1
            cell = state + gaps + level * size
            word = words[cell]
            if word < 0 or (gap >> (level + 1) > 0 and (word >> 32) & 1 == 0):
                return GAP_MISSING, index, state, rests, now, found
            move(word, slots)
            if size > 1:
                move_others(words, cell, size, slots)
            state = word >> 33
            rests = (word >> 32) & 1
            passed = min(gap, 1 << level)
            now += passed
            gap -= passed
        cell = state + offsets[letters[index] & mask]
        word = words[cell]
        if word < 0:
            return CELL_MISSING, index, state, rests, time - 1, found
        now = time
        found = detect(word, now, slots, starts, ends, found)
        move(word, slots)
        if size > 1:
            move_others(words, cell, size, slots)
        state = word >> 33
        rests = (word >> 32) & 1
    return DONE, len(times), state, rests, now, found


@compiled
def busy(letters: Letters, words: NDArray[np.uint64], width: int, places: Times, kept: Letters) -> int:
    """Copy the letters that are not zero, with their places; how many they are.

    Args:
        letters: what is looked through.
        words: the same array as words, but for a rest that is shorter than one.
        width: how many letters a word has.
        places: where the places go.
        kept: where the letters go.
    """
    found = 0
    for index in range(len(words)):
        if words[index] != 0:
            for place in range(index * width, (index + 1) * width):
                places[found] = place
                kept[found] = letters[place]
                found += letters[place] != 0
    for place in range(len(words) * width, len(letters)):
        places[found] = place
        kept[found] = letters[place]
        found += letters[place] != 0
    return found


@compiled
def merge(columns: Times, positions: NDArray[np.int64], times: Times, letters: Letters) -> int:
    """Merge sorted columns of times until they or the room for instants end; how many instants there are.

    Args:
        columns: the columns one after the other, each followed by `LAST`.
        positions: per column, the place of its next time; moved on.
        times: where the times go.
        letters: where the letters go; bit `i` says that column `i` has the time.
    """
    for found in range(len(times)):
        now = LAST
        for column in range(len(positions)):
            now = min(now, columns[positions[column]])
        if now == LAST:
            return found
        letter = 0
        for column in range(len(positions)):
            hit = int(columns[positions[column]] == now)
            letter |= hit << column
            positions[column] += hit
        times[found] = now
        letters[found] = letter
    return len(times)
