"""Walk through the states of a register machine, one instant at a time."""

from __future__ import annotations

from detectors.carlson_lisper.register.runs import FIRST, NEVER, NOW, States
from detectors.carlson_lisper.register.table import State, Table
from semantics.carlson_lisper.occurrences import Time


class Walk:
    """Where a register machine stands, and how it goes on.

    Attributes:
        table: the states that were visited, and how often they were forgotten because there were too many.
    """

    def __init__(self, table: Table, types: int) -> None:
        """Stand at the beginning of a trace over so many event types."""
        self.table = table
        self._columns = table.runs.columns
        self._mask = (1 << types) - 1
        self._now: Time = -1
        self._state = table.state(())
        self._slots: dict[int, Time] = {NEVER: -1}

    def step(self, time: Time, letter: int) -> Time:
        """The greatest start of an instance of the expression that ends at this instant, or -1.

        Raises:
            ValueError: the time is not later than that of the instant before.
        """
        gap = time - self._now - 1
        if gap > 0:
            if not self._state.resting:
                self.wait(gap)
        elif gap:
            raise ValueError(f"time {time} is not later than time {self._now} of the instant before")
        column = self._columns[letter & self._mask]
        cell = self._state.cells[column]
        if cell is None:
            cell = self.table.cell(self._state, column)
        self._now = time
        slots = self._slots
        slots[NOW] = time
        self._state, detected, moves, _ = cell
        start = slots[detected]
        for slot, source in moves:
            slots[slot] = slots[source]
        return start

    def wait(self, gap: int) -> None:
        """Let so many instants without events pass, in about as many table accesses as the number has bits."""
        self._now += gap
        slots, state = self._slots, self._state
        while gap > 0 and not state.resting:
            level = gap.bit_length() - 1
            known = state.gaps
            state, _, moves, _ = known[level] if level < len(known) else self.table.gap(state, level)
            for slot, source in moves:
                slots[slot] = slots[source]
            gap -= 1 << level
        self._state = state

    @property
    def now(self) -> Time:
        """The last instant that was read, or -1."""
        return self._now

    @property
    def state(self) -> State:
        """The machine state."""
        return self._state

    @property
    def starts(self) -> tuple[Time, ...]:
        """The starts that are stored, in ascending order, in ticks."""
        return tuple([self._slots[FIRST + number] for number in range(len(self._state.states))])

    def place(self, states: States, starts: tuple[Time, ...], now: Time) -> None:
        """Stand somewhere else."""
        self._state = self.table.state(states)
        self._slots = {NEVER: -1, **dict(enumerate(starts, FIRST))}
        self._now = now
