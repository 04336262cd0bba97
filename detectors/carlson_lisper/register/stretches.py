"""Stretches of a trace in compiled loops: blocks, buffers, and what a loop does not know yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from detectors.carlson_lisper.intervals import Detections, Letters, Times
from detectors.carlson_lisper.register.kernels import (
    CELL_MISSING,
    GAP_MISSING,
    LAST,
    WRONG_ORDER,
    PackedTable,
    busy,
    dense,
    merge,
    sparse,
)
from detectors.carlson_lisper.register.runs import FIRST
from detectors.carlson_lisper.register.table import State, Table
from detectors.carlson_lisper.register.walk import Walk
from semantics.carlson_lisper.occurrences import Time

BLOCK = 1 << 16
"""How many instants go through a loop at a time: its arrays stay in the processor's cache."""

SPARSE = 0.2
"""Up to this share of instants with events, those without are left out."""

MAX_REGISTERS = 255 - FIRST
"""With more registers than this, loops are not compiled: in their table, a slot is a byte."""

WORD = 8
"""How many bytes are looked at together for being zero."""


class Stretches:
    """Runs the compiled loops for the walks through one table."""

    def __init__(self, table: Table) -> None:
        """Prepare for a table."""
        self.packed = PackedTable(table)
        self._starts = np.empty(BLOCK, np.int64)
        self._ends = np.empty(BLOCK, np.int64)
        self._places = np.empty(BLOCK + 1, np.int64)
        self._kept: dict[int, Letters] = {
            kind().itemsize: np.empty(BLOCK + 1, kind) for kind in (np.uint8, np.uint16)
        }

    def chunk(self, walk: Walk, letters: Letters, first: Time) -> Iterator[Detections]:
        """What ends at the ticks from `first` on; the walk goes on to the last of them."""
        for begin in range(0, len(letters), BLOCK):
            block = _plain(letters[begin : begin + BLOCK])
            time = first + begin
            if np.count_nonzero(block) > SPARSE * len(block):
                yield from self._dense(walk, block, time)
            else:
                yield from self._sparse(walk, *self._busy(block), time)
                walk.wait(time + len(block) - 1 - walk.now)

    def events(self, walk: Walk, times: Times, letters: Letters) -> Iterator[Detections]:
        """What ends at some instants.

        Raises:
            ValueError: the times do not increase; the walk has gone on to the last one that does.
        """
        for begin in range(0, len(times), BLOCK):
            those = times[begin : begin + BLOCK]
            own = those if those.dtype == np.int64 and those.flags.carray else those.astype(np.int64)
            yield from self._sparse(walk, own, _plain(letters[begin : begin + BLOCK]), 0)

    def sparse(self, walk: Walk, columns: Sequence[Times]) -> Iterator[Detections]:
        """What ends in a stretch that is given by the sorted times of each event type."""
        flat = np.concatenate([np.append(np.asarray(column, np.int64), LAST) for column in columns])
        positions = np.cumsum([0, *[len(column) + 1 for column in columns[:-1]]])
        times, letters = self._places[:BLOCK], self._kept[np.uint16().itemsize][:BLOCK]
        found = BLOCK
        while found == BLOCK:
            found = merge(flat, positions, times, letters)
            yield from self._sparse(walk, times[:found], letters[:found], 0)

    def _busy(self, block: Letters) -> tuple[Times, Letters]:
        """The letters of a block with events, and their places; good until the next block."""
        if block.ctypes.data % WORD:
            block = block.copy()
        kept = self._kept[block.itemsize]
        width = WORD // block.itemsize
        words = block[: len(block) // width * width].view(np.uint64)
        found = busy(block, words, width, self._places, kept)
        return self._places[:found], kept[:found]

    def _dense(self, walk: Walk, letters: Letters, first: Time) -> Iterator[Detections]:
        place = 0
        walk.wait(first - 1 - walk.now)
        while place < len(letters):
            if walk.table.registers > MAX_REGISTERS:
                yield from self._step(walk, first + place, int(letters[place]))
                place += 1
                continue
            packed, state, slots = self._begin(walk)
            why, place, position, _, now, found = dense(
                letters,
                first,
                place,
                packed.words,
                packed.offsets,
                packed.size,
                slots,
                packed.position(state),
                self._starts,
                self._ends,
            )
            yield self._end(walk, position, slots, now, found)
            if why == CELL_MISSING:
                yield from self._step(walk, first + place, int(letters[place]))
                place += 1

    def _sparse(self, walk: Walk, times: Times, letters: Letters, base: Time) -> Iterator[Detections]:
        why = place = 0
        while place < len(times):
            if walk.table.registers > MAX_REGISTERS:
                yield from self._step(walk, base + int(times[place]), int(letters[place]))
                place += 1
                continue
            packed, state, slots = self._begin(walk)
            why, place, position, _, now, found = sparse(
                times,
                letters,
                base,
                place,
                packed.words,
                packed.offsets,
                packed.gaps,
                packed.size,
                packed.levels,
                slots,
                packed.position(state),
                int(state.resting),
                walk.now,
                self._starts,
                self._ends,
            )
            yield self._end(walk, position, slots, now, found)
            if why == CELL_MISSING:
                yield from self._step(walk, base + int(times[place]), int(letters[place]))
                place += 1
            elif why == GAP_MISSING:
                state = walk.state
                walk.wait(base + int(times[place]) - walk.now - 1)
                packed.note_gaps(state)
            elif why == WRONG_ORDER:
                raise ValueError(
                    f"time {base + int(times[place])} is not later than time {walk.now} of the instant before"
                )

    def _begin(self, walk: Walk) -> tuple[PackedTable, State, NDArray[np.int64]]:
        starts = walk.starts
        state = self.packed.refresh(walk.state)
        slots = np.full(self.packed.slots, -1, np.int64)
        slots[FIRST : FIRST + len(starts)] = starts
        return self.packed, state, slots

    def _end(self, walk: Walk, position: int, slots: NDArray[np.int64], now: Time, found: int) -> Detections:
        states = self.packed.state(position).states
        walk.place(states, tuple(slots[FIRST : FIRST + len(states)].tolist()), now)
        return Detections(self._starts[:found].copy(), self._ends[:found].copy())

    def _step(self, walk: Walk, time: Time, letter: int) -> Iterator[Detections]:
        """Do one instant in the plain way, which finds out what is missing."""
        state = walk.state
        start = walk.step(time, letter)
        self.packed.note_letter(state, letter)
        if start >= 0:
            yield Detections(np.array([start], np.int64), np.array([time], np.int64))


def _plain(letters: Letters) -> Letters:
    """Letters as an array of one of the few kinds for which loops are compiled."""
    kind = letters.dtype if letters.dtype in (np.uint8, np.uint16) else np.dtype(np.uint16)
    if letters.dtype == kind and letters.flags.carray:
        return letters
    return letters.astype(kind)  # the types of a register machine fit into 16 bits; further bits are ignored
