"""Blocks of text as columns: the kernel with the tables and arrays that it fills."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semantics.events import TraceForm
from semantics.native import address, loaded
from semantics.traces import scanning
from semantics.traces.columns import Clocked, Columns, Rows, Unusual, Values
from semantics.traces.formats import Frame, Records, csv_rows, json_rows
from semantics.traces.instants import ReadReport
from semantics.traces.lines import text_of
from semantics.traces.rows import NOWHERE, Row, event_of
from semantics.traces.text_tables import Bytes, Integers, TextTable, texts_between

MOST_ODD, APART = 256, 1 << 11
"""So many rows at most are read by the reader of rows, and one more for so many bytes that were read."""


@dataclass(frozen=True)
class Layout:
    """Where the cells of text are.

    Attributes:
        clocked: how times are counted.
        roles: of the cells in their order, as in `scanning`.
        delimiter: of CSV, as a byte; 0 in JSON.
        keys: of JSON Lines, in their order.
        befores: of JSON Lines, what stands before each value in the first row.
        header: the line of CSV that is one; "" where there is none.
    """

    clocked: Clocked
    roles: Sequence[int]
    delimiter: int = 0
    keys: Sequence[bytes] = ()
    befores: Sequence[bytes] = ()
    header: str = ""


@dataclass(frozen=True)
class Found:
    """What a block of text has.

    Attributes:
        rows: of the event types that are asked for; partitions have the numbers of the table `parts`.
        first: the time of the first row of all; -1 if there is none.
        last: the time of the last one.
        names: all event types, by their numbers.
        counts: how many rows have each.
        parts: the bytes of the partitions by their numbers, one after the other, and where each begins and ends.
        rounded: how many times were rounded.
        missing: how many rows have no partition.
        disorder: how many rows have a time before that of the row before.
        lines: how many lines there are.
        lines: how many lines there are, if rows that cannot be read are left out; otherwise nobody asks.
    """

    rows: Rows
    first: int
    last: int
    names: Sequence[str]
    counts: Integers
    parts: tuple[Bytes, Integers]
    rounded: int
    missing: int
    disorder: int
    lines: int
    bad: Sequence[tuple[int, str]]


class Scanner:
    """Finds the rows in blocks of text; each thread has one.

    Where the kernel stops, the reader of rows reads on up to a row that can be read, and puts it to the kernel as plain
    text. That takes as long as a hundred other rows, so these have to be few.
    """

    def __init__(self, columns: Columns, layout: Layout) -> None:
        self._columns, self._scan, self._layout = columns, loaded(scanning.SCAN), layout
        self._events = TextTable([name.encode() for name in columns.events])
        self._parts = TextTable()
        self._names: list[str] = []
        clocked = layout.clocked
        settings = scanning.Settings(
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
        keys = np.frombuffer(scanning.LITERALS + b"".join(layout.keys), np.uint8)
        places = np.append(
            np.cumsum([len(scanning.LITERALS), *map(len, layout.keys)], dtype=np.int64),
            np.array([_usual(before) for before in layout.befores], np.int64).reshape(-1),
        )
        self._how = (np.array(layout.roles, np.int64), keys, places, *clocked.offsets), settings
        roles = [scanning.TIME, scanning.EVENT]
        roles += [scanning.PARTITION] * (columns.reading.partition_by is not None)
        roles += [scanning.VALUE] * columns.values
        plain = settings._replace(in_json=False, width=len(roles), delimiter=ord(","), kind=scanning.TICKS)
        self._plainly = (
            (np.array(roles, np.int64), keys, places, *clocked.offsets),
            plain._replace(factor=1, divisor=1),
        )
        self._form = TraceForm(
            intervals=False, attributes=("value",) * columns.values, types=frozenset(columns.events)
        )
        self._bounds = np.full(scanning.KINDS + 4, -1, np.int64)
        self._bounds[scanning.KINDS :] = scanning.NOTHING
        self._spare = np.empty(scanning.LONGEST, np.uint8)
        self._texts = np.empty(0, np.uint8)
        self._out = tuple(np.empty(1 << 12, np.int64) for _ in range(4))
        self._kinds = np.empty(1 << 12, np.uint8)
        self._read = self._odd = 0

    def __call__(self, block: bytes) -> Found:
        """The rows of whole lines.

        Raises:
            Unusual: a row is to be read otherwise.
            InputError: an event type is none.
        """
        state = np.zeros(len(scanning.State._fields), np.int64)
        told = scanning.State._make(range(len(state)))
        state[told.first] = -1
        self._make_room(len(block))
        self._read += len(block)
        bad: list[tuple[int, str]] = []
        place = end = 0
        while place < len(block):
            if place >= end:
                end = self._end_of_text(block, place)
            if place < end:
                self._scan_into(state, block, end, self._how)
                place = int(state[told.place])
            if place < len(block):
                place = state[told.place] = self._read_row(block, place, state, bad)
        events, parts = self._events, self._parts
        count, size = int(state[told.found]), int(state[told.size])
        before = len(self._names)
        self._names += texts_between(events.text, events.offsets[before : events.known + 1])
        for name in self._names[before:]:
            event_of(name, NOWHERE, 0)
        counts, events.counts[:] = events.counts[: events.known].copy(), 0
        partitioned = self._columns.reading.partition_by is not None
        times, types, partitions, ends = (each[:count] for each in self._out)
        rows = Rows(
            times.copy(),
            types.copy(),
            partitions.copy() if partitioned else None,
            _values(self._texts[:size], ends, self._kinds[:count]) if self._columns.values else None,
        )
        return Found(
            rows,
            *(int(state[told.first]), int(state[told.last])),
            *(self._names, counts),
            (parts.text, parts.offsets[: parts.known + 1]),
            *(int(state[told.rounded]), int(state[told.missing]), int(state[told.disorder])),
            *(block.count(b"\n") if self._columns.reading.skip_bad else 0, bad),
        )

    def _make_room(self, size: int) -> None:
        """Make room for so many bytes of values."""
        if self._columns.values and len(self._texts) < size:
            more = np.empty(2 * size, np.uint8)
            more[: len(self._texts)] = self._texts
            self._texts = more

    def _end_of_text(self, block: bytes, place: int) -> int:
        """Where the first line from a place on begins that is no text, or the block ends.

        Raises:
            Unusual: there is such a line, and it is to be refused.
        """
        end = block.find(b"\0", place)
        end = len(block) if end < 0 else end
        if not block.isascii():
            try:
                block[place:end].decode()
            except UnicodeDecodeError as error:
                end = place + error.start
        if end == len(block):
            return end
        if not self._columns.reading.skip_bad:
            raise Unusual
        return block.rfind(b"\n", 0, end) + 1

    def _scan_into(
        self, state: Integers, block: bytes, size: int, how: tuple[tuple[Any, ...], scanning.Settings]
    ) -> bool:
        """Let the kernel read the first bytes of a block; whether it came to their end."""
        events, parts = self._events, self._parts
        told = scanning.State._make(range(len(state)))
        layout, settings = how
        why = scanning.FULL
        while why == scanning.FULL:
            state[told.events], state[told.parts] = events.known, parts.known
            times, types, partitions, ends = self._out
            settings = settings._replace(
                rows=len(times),
                event_mask=len(events.slots) - 1,
                event_room=len(events.text),
                part_mask=len(parts.slots) - 1,
                part_room=len(parts.text),
            )
            arrays = (
                *(*layout, np.array(settings, np.int64)),
                *(events.slots, events.offsets, events.words, events.text, events.counts),
                *(parts.slots, parts.offsets, parts.words, parts.text),
                *(times, types, partitions, self._texts, ends, self._kinds),
                *(self._spare, self._bounds, state),
            )
            why = self._scan(block, size, *map(address, arrays))
            events.known, parts.known = int(state[told.events]), int(state[told.parts])
            if why == scanning.FULL:
                events.grow_if_full()
                parts.grow_if_full()
                if state[told.found] == len(times):
                    self._out = tuple(np.concatenate([each, each]) for each in self._out)
                    self._kinds = np.concatenate([self._kinds, self._kinds])
        return why == scanning.END

    def _read_row(self, block: bytes, place: int, state: Integers, bad: list[tuple[int, str]]) -> int:
        """Read on by the reader of rows from a place, up to the end of a row that can be read; the place after it.

        Raises:
            Unusual: it would refuse the trace, or there are many such rows.
            InputError: likewise.
        """
        self._odd += 1
        if self._odd > MOST_ODD + self._read // APART:
            raise Unusual
        columns, report, header = self._columns, ReadReport(), self._layout.header
        in_json, before = bool(self._layout.keys), int(bool(header))
        frame = Frame(NOWHERE, columns.reading, self._form, report)
        stream = io.BytesIO(block)
        stream.seek(place)
        sizes: list[int] = []

        def lines() -> Iterator[str]:
            if header:
                yield header
            for line in stream:
                sizes.append(len(line))
                yield text_of(line, NOWHERE, len(sizes) + before, frame.bad)

        records = Records(lines())
        found = json_rows(records, frame, read=True) if in_json else csv_rows(records, frame)
        row = next(found, None)
        if not in_json and records.is_cut:
            raise Unusual
        lines_before = block.count(b"\n", 0, place) - before
        first, reason = report.first_bad or (0, "")
        bad += [
            (lines_before + number, reason if number == first else "")
            for number in report.bad
            if number <= records.read  # a record that is not closed may have looked at more
        ]
        state[scanning.ROUNDED] += report.rounded
        after = place + sum(sizes[: records.read - before])
        if row is not None:
            if (report.clock is None) != (columns.report.clock is None):  # times of two kinds
                raise Unusual
            self._put(row, state, len(block) - after)
        return after

    def _put(self, row: Row, state: Integers, rest: int) -> None:
        """Put a row to the kernel as plain text; so many bytes of the block come after it.

        Raises:
            Unusual: the kernel does not take it.
        """
        columns, cells, value = self._columns, [str(row.time), row.event], row.value
        if columns.reading.partition_by is not None:
            key = row.partition
            cells.append(
                "" if key is None else json.dumps(key, ensure_ascii=False) if self._layout.keys else str(key)
            )
        is_text = value is None or isinstance(value, str)
        if columns.values:
            cells.append(str(value or "") if is_text else json.dumps(value))
        line = (",".join('"' + cell.replace('"', '""') + '"' for cell in cells) + "\n").encode()
        found, size = int(state[scanning.FOUND]), int(state[scanning.SIZE])
        self._make_room(size + len(line) + rest)
        state[scanning.PLACE] = 0
        if not self._scan_into(state, line, len(line), self._plainly):
            raise Unusual
        if state[scanning.FOUND] > found and columns.values:
            if not is_text:
                self._kinds[found] = scanning.JSON
            elif value == "":
                self._kinds[found] = scanning.TEXT


def _usual(before: bytes) -> list[int]:
    """What stands before a value, as `scanning.USUAL_ITEMS` says."""
    length = len(before) if before.isascii() and len(before) <= scanning.USUAL else 0
    masks = (b"\xff" * length).ljust(scanning.USUAL, b"\0")
    words, wanted = (
        np.frombuffer(before[:length].ljust(scanning.USUAL, b"\0"), "<i8"),
        np.frombuffer(masks, "<i8"),
    )
    return [length, *np.stack([words, wanted], 1).reshape(-1).tolist()]


def _values(text: NDArray[np.uint8], ends: Integers, kinds: NDArray[np.uint8]) -> Values:
    from semantics.arrow_arrays import large_texts

    bounds = np.append(np.int64(0), ends)
    return Values(large_texts(text.copy(), bounds, kinds == scanning.NOTHING), kinds == scanning.JSON)
