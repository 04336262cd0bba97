"""Blocks of text as columns: the kernel with the tables and arrays that it fills."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from semantics.native import address, loaded
from semantics.traces import scanning
from semantics.traces.columns import NOWHERE, Clocked, Columns, Rows, Unusual, Values
from semantics.traces.rows import event_of

Integers = NDArray[np.int64]


class _Table:
    """Texts and their numbers."""

    def __init__(self, known: Sequence[bytes] = ()) -> None:
        """The texts that have the first numbers."""
        self.names: list[str] = []
        self.known = 0
        self._make(max(1024, 4 * len(known)), max(1 << 14, 2 * sum(map(len, known))))
        self._fill(b"".join(known), np.cumsum([0, *map(len, known)]))

    def _make(self, slots: int, size: int) -> None:
        places = 1 << (slots - 1).bit_length()
        self.slots = np.full(places, -1, np.int64)
        self.offsets = np.zeros(places // 2 + 1, np.int64)
        self.words = np.zeros(places // 2, np.int64)
        self.counts = np.zeros(places // 2, np.int64)
        self.text = np.zeros(size, np.uint8)

    def _fill(self, text: bytes, offsets: Integers) -> None:
        """Add texts, none of which is there."""
        insert = loaded(scanning.INSERT)
        arrays = (self.slots, self.offsets, self.words, self.text)
        insert(text, address(offsets), len(offsets) - 1, len(self.slots) - 1, *map(address, arrays))
        self.known = len(offsets) - 1

    def grow_if_full(self) -> None:
        """Make room for as many texts again, if there may be none for one more."""
        text, offsets, counts = self.text, self.offsets, self.counts
        if 2 * self.known + 2 < len(self.slots) and offsets[self.known] + scanning.LONGEST <= len(text):
            return
        self._make(2 * len(self.slots), 2 * len(text) + scanning.LONGEST)
        self._fill(text.tobytes(), offsets[: self.known + 1])
        self.counts[: len(counts)] = counts

    def told(self) -> list[str]:
        """The texts by their numbers, a list that grows."""
        offsets = self.offsets[len(self.names) : self.known + 1].tolist()
        data = self.text[offsets[0] : offsets[-1]].tobytes()
        self.names += [data[a - offsets[0] : b - offsets[0]].decode() for a, b in pairwise(offsets)]
        return self.names


@dataclass(frozen=True)
class Layout:
    """Where the cells of text are.

    Attributes:
        clocked: how times are counted.
        roles: of the cells in their order, as in `scanning`.
        delimiter: of CSV, as a byte; 0 in JSON.
        keys: of JSON Lines, in their order.
    """

    clocked: Clocked
    roles: Sequence[int]
    delimiter: int = 0
    keys: Sequence[bytes] = ()


@dataclass(frozen=True)
class Found:
    """What a block of text has.

    Attributes:
        rows: of the event types that are asked for; partitions have the numbers of the table `parts`.
        first: the time of the first row of all; -1 if there is none.
        last: the time of the last one.
        names: all event types, by their numbers.
        counts: how many rows have each.
        parts: the partitions, by their numbers.
        known: how many of these there are.
        rounded: how many times were rounded.
        missing: how many rows have no partition.
        disorder: how many rows have a time before that of the row before.
    """

    rows: Rows
    first: int
    last: int
    names: Sequence[str]
    counts: Integers
    parts: Sequence[str]
    known: int
    rounded: int
    missing: int
    disorder: int


class Scanner:
    """Finds the rows in blocks of text; each thread has one."""

    def __init__(self, columns: Columns, layout: Layout) -> None:
        self._columns, self._scan = columns, loaded(scanning.SCAN)
        self._events = _Table([name.encode() for name in columns.events])
        self._parts = _Table()
        clocked = layout.clocked
        self._settings = scanning.Settings(
            in_json=bool(layout.keys),
            width=len(layout.roles),
            delimiter=layout.delimiter,
            asked=len(columns.events),
            kind=scanning.ISO if clocked.dated else scanning.TICKS,
            factor=clocked.factor,
            divisor=clocked.divisor,
            zone=len(clocked.offsets.ahead),
            sorts=columns.reading.sort,
            rounds=clocked.rounds,
        )
        self._layout = (
            np.array(layout.roles, np.int64),
            np.frombuffer(scanning.LITERALS + b"".join(layout.keys), np.uint8),
            np.cumsum([len(scanning.LITERALS), *map(len, layout.keys)], dtype=np.int64),
            *clocked.offsets,
        )
        self._bounds = np.full(9, -1, np.int64)
        self._bounds[8] = scanning.NOTHING
        self._make_room(1 << 12)

    def _make_room(self, rows: int) -> None:
        """Make room for so many rows."""
        self._out = tuple(np.empty(rows, np.int64) for _ in range(4))
        self._kinds = np.empty(rows, np.uint8)

    def __call__(self, block: bytes) -> Found:
        """The rows of whole lines.

        Raises:
            Unusual: a row is to be read otherwise.
            UnicodeDecodeError: this is not UTF-8.
            InputError: an event type is none.
        """
        if b"\0" in block:
            raise Unusual
        if not block.isascii():
            block.decode()
        events, parts = self._events, self._parts
        values = np.empty(len(block) if self._columns.values else 0, np.uint8)
        state = np.zeros(len(scanning.State._fields), np.int64)
        told = scanning.State._make(range(len(state)))
        state[told.first] = -1
        why = scanning.FULL
        while why == scanning.FULL:
            state[told.events], state[told.parts] = events.known, parts.known
            times, types, partitions, ends = self._out
            settings = self._settings._replace(
                rows=len(times),
                event_mask=len(events.slots) - 1,
                event_room=len(events.text),
                part_mask=len(parts.slots) - 1,
                part_room=len(parts.text),
            )
            arrays = (
                *(*self._layout, np.array(settings, np.int64)),
                *(events.slots, events.offsets, events.words, events.text, events.counts),
                *(parts.slots, parts.offsets, parts.words, parts.text),
                *(times, types, partitions, values, ends, self._kinds, self._bounds, state),
            )
            why = self._scan(block, len(block), *map(address, arrays))
            events.known, parts.known = int(state[told.events]), int(state[told.parts])
            if why == scanning.UNUSUAL:
                raise Unusual
            if why == scanning.FULL:
                events.grow_if_full()
                parts.grow_if_full()
                if state[told.found] == len(times):
                    self._out = tuple(np.concatenate([each, each]) for each in self._out)
                    self._kinds = np.concatenate([self._kinds, self._kinds])
        count, size = int(state[told.found]), int(state[told.size])
        before = len(events.names)
        for name in events.told()[before:]:
            event_of(name, NOWHERE, 0)
        counts, events.counts[:] = events.counts[: events.known].copy(), 0
        partitioned = self._columns.reading.partition_by is not None
        rows = Rows(
            times[:count].copy(),
            types[:count].copy(),
            partitions[:count].copy() if partitioned else None,
            _values(values[:size], ends[:count], self._kinds[:count]) if self._columns.values else None,
        )
        return Found(
            rows,
            *(int(state[told.first]), int(state[told.last])),
            *(events.names, counts),
            *(parts.told(), parts.known),
            *(int(state[told.rounded]), int(state[told.missing]), int(state[told.disorder])),
        )


def _values(text: NDArray[np.uint8], ends: Integers, kinds: NDArray[np.uint8]) -> Values:
    from semantics.arrow_arrays import large_texts

    bounds = np.append(np.int64(0), ends)
    return Values(large_texts(text.copy(), bounds, kinds == scanning.NOTHING), kinds == scanning.JSON)
