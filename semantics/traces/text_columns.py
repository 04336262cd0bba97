"""CSV and JSON Lines by columns: blocks of text, in which kernels find the rows."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from semantics.arrow_arrays import large_texts
from semantics.compiled import AVAILABLE
from semantics.traces.columns import (
    NOWHERE,
    Clocked,
    Columns,
    Rows,
    Unusual,
    Values,
    clocked_by,
    require_columns,
)
from semantics.traces.lines import decompressed
from semantics.traces.rows import event_of

BLOCK = 1 << 22
"""How many bytes of text are read at a time."""

FOUND_ROWS = 1 << 12
"""The cells of so many rows are found before these are taken."""

LONGEST_ROW = 1 << 20
"""A row of text that is longer is not read here, in bytes."""


class _Table:
    """Texts and their numbers."""

    def __init__(self, known: Sequence[bytes] = ()) -> None:
        """The texts that have the first numbers."""
        from semantics.traces import scanning

        self.known = len(known)
        self._make(max(1024, 4 * len(known)), max(1 << 14, 2 * sum(map(len, known))))
        text, offsets = np.frombuffer(b"".join(known), np.uint8), np.cumsum([0, *map(len, known)])
        scanning.refill(text, offsets, self.known, self.slots, self.offsets, self.text)

    def _make(self, slots: int, size: int) -> None:
        places = 1 << (slots - 1).bit_length()
        self.slots = np.full(places, -1, np.int64)
        self.offsets = np.zeros(places // 2 + 1, np.int64)
        self.text = np.zeros(size, np.uint8)
        self.counts = np.zeros(places // 2, np.int64)

    def grow_if_full(self) -> None:
        """Make room for as many texts again, if there may be none for one more."""
        from semantics.traces import scanning

        text, offsets, counts = self.text, self.offsets, self.counts
        if 2 * self.known + 2 <= len(self.slots) and offsets[self.known] + scanning.LONGEST <= len(text):
            return
        self._make(2 * len(self.slots), 2 * len(text) + scanning.LONGEST)
        scanning.refill(text, offsets, self.known, self.slots, self.offsets, self.text)
        self.counts[: len(counts)] = counts

    def texts(self, begin: int) -> list[str]:
        """The texts from a number on."""
        offsets = self.offsets[begin : self.known + 1].tolist()
        data = self.text[offsets[0] : offsets[-1]].tobytes()
        return [data[first - offsets[0] : last - offsets[0]].decode() for first, last in pairwise(offsets)]


@dataclass(frozen=True)
class _Layout:
    """Where the cells of text are.

    Attributes:
        clocked: how times are counted.
        places: of CSV; see `scanning.scan_csv`.
        delimiter: of CSV, as a byte.
        keys: of JSON Lines, in their order.
        roles: of these; see `scanning.scan_json`.
    """

    clocked: Clocked
    places: Sequence[int] = ()
    delimiter: int = 0
    keys: Sequence[bytes] = ()
    roles: Sequence[int] = ()


class _Text:
    """Reads blocks of text."""

    def __init__(self, columns: Columns, layout: _Layout) -> None:
        from semantics.traces import scanning

        self._columns, self._layout, self._scanning = columns, layout, scanning
        self._events = _Table([name.encode() for name in columns.events])
        self._parts = _Table()
        self._keys: list[int] = []
        self._bounds = np.full((FOUND_ROWS, 9), -1, np.int64)
        self._bounds[:, 8] = scanning.NOTHING
        clocked = layout.clocked
        kind = scanning.ISO if clocked.dated else scanning.TICKS
        self._clock = scanning.Clocked(kind, *clocked[1:])
        self._known_names = self._events.known
        self._last, self._rounded, self._missing = -1, 0, 0
        self._json = (
            np.frombuffer(b"".join(layout.keys), np.uint8),
            np.cumsum([0, *map(len, layout.keys)]),
            np.array(layout.roles, np.int64),
        )

    def block(self, block: bytes) -> tuple[Rows, int, int]:
        """The rows of whole lines, the time of the last row, and how many bytes were read.

        Raises:
            Unusual: a row is to be read otherwise.
            UnicodeDecodeError: this is not UTF-8.
        """
        if b"\0" in block:
            raise Unusual
        if not block.isascii():
            block.decode()
        scanning, layout = self._scanning, self._layout
        cells = np.frombuffer(block, np.uint8)
        least = max(len(block) // 8, 16)  # a row of an event type that is asked for is hardly shorter
        times, types, parts, ends = (np.empty(least, np.int64) for _ in range(4))
        values, kinds = (
            np.empty(len(block) if self._columns.values else 0, np.uint8),
            np.empty(least, np.uint8),
        )
        meta = np.array([0, 0, 0, 0, self._last, self._rounded, self._missing], np.int64)
        place = 0
        while place < len(block):
            if layout.keys:
                why, found, after = scanning.scan_json(
                    cells, place, *self._json, layout.clocked.dated, self._bounds
                )
            else:
                places = np.array(layout.places, np.int64)
                why, found, after = scanning.scan_csv(cells, place, places, layout.delimiter, self._bounds)
            if why != scanning.END:
                raise Unusual
            place = after
            if not found:
                break
            taken = 0
            while taken < found:
                meta[1], meta[2] = self._events.known, self._parts.known
                why, more = scanning.take(
                    cells,
                    self._bounds[taken:],
                    found - taken,
                    len(self._columns.events),
                    self._clock,
                    *(self._events.slots, self._events.offsets, self._events.text, self._events.counts),
                    *(self._parts.slots, self._parts.offsets, self._parts.text),
                    *(times, types, parts, values, ends, kinds, meta),
                )
                self._events.known, self._parts.known = int(meta[1]), int(meta[2])
                taken += more
                if why == scanning.UNUSUAL:
                    raise Unusual
                if why == scanning.FULL:
                    self._events.grow_if_full()
                    self._parts.grow_if_full()
                    if meta[0] >= len(times):
                        times, types, parts, ends, kinds = (
                            np.concatenate([each, each]) for each in (times, types, parts, ends, kinds)
                        )
        count, size = int(meta[0]), int(meta[3])
        self._last, self._rounded, self._missing = int(meta[4]), int(meta[5]), int(meta[6])
        self._tell()
        rows = Rows(
            times[:count].copy(),
            types[:count].copy(),
            None
            if self._columns.reading.partition_by is None
            else np.array(self._keys, np.int64)[parts[:count]],
            _values(values[:size], ends[:count], kinds[:count]) if self._columns.values else None,
        )
        return rows, self._last, place

    def _tell(self) -> None:
        """Say in the report what was read, and number the partitions."""
        columns, report = self._columns, self._columns.report
        names = [*columns.events, *self._events.texts(len(columns.events))]
        for name in names[self._known_names :]:
            event_of(name, NOWHERE, 0)
        self._known_names = len(names)
        counts = self._events.counts[: len(names)].tolist()
        report.events = Counter({name: count for name, count in zip(names, counts, strict=True) if count})
        report.rows, report.rounded = sum(counts), self._rounded
        if columns.reading.partition_by is None:
            return
        report.without_partition = self._missing
        for text in self._parts.texts(len(self._keys)):
            cell = json.loads(text) if text and self._layout.keys else text or None
            self._keys.append(columns.number_of(cell))


def _values(text: NDArray[np.uint8], ends: NDArray[np.int64], kinds: NDArray[np.uint8]) -> Values:
    from semantics.traces.scanning import JSON, NOTHING

    return Values(large_texts(text.copy(), np.append(np.int64(0), ends), kinds == NOTHING), kinds == JSON)


def text_rows(columns: Columns) -> Iterator[tuple[Rows, int]]:
    """The rows of blocks of text, with the time of the last row of each."""
    if not AVAILABLE:  # then reading by rows is faster
        raise Unusual
    with Path(columns.path).open("rb") as file, closing(decompressed(file)) as stream:
        head = stream.readline(LONGEST_ROW)
        if not head.endswith(b"\n"):
            raise Unusual
        head = head.removeprefix(b"\xef\xbb\xbf")
        if columns.format == "csv":
            first = stream.readline(LONGEST_ROW)
            layout, rest = _csv_layout(head, first, columns), first
        else:
            layout, rest = _json_layout(head, columns), head
        text, more = _Text(columns, layout), b"more"
        while more:
            more = stream.read(BLOCK)
            block = rest + more
            if not block:
                return
            if not more and not block.endswith(b"\n"):
                block += b"\n"
            rows, last, read = text.block(block[: block.rfind(b"\n") + 1])
            rest = block[read:]
            if len(rest) > LONGEST_ROW or (rest and not more):
                raise Unusual
            yield rows, last


def _csv_layout(head: bytes, first: bytes, columns: Columns) -> _Layout:
    """Where cells are, by the header and the first row.

    Raises:
        Unusual: they are not where they are looked for here.
    """
    reading = columns.reading
    delimiter = reading.delimiter or ","
    (names,) = csv.reader([head.decode()], strict=True, delimiter=delimiter)
    require_columns(names, reading)
    cells = next(csv.reader([first.decode()], strict=True, delimiter=delimiter), [])
    if len(delimiter.encode()) > 1 or len(cells) != len(names):
        raise Unusual
    places = {name: place for place, name in enumerate(names)}
    return _Layout(
        clocked_by(cells[places[reading.time]], reading, columns.report),
        (
            len(names),
            places[reading.time],
            places[reading.event],
            places.get(reading.partition_by or "", -1) if reading.partition_by is not None else -1,
            places.get(reading.value, -1) if columns.values else -1,
        ),
        ord(delimiter),
    )


def _json_layout(head: bytes, columns: Columns) -> _Layout:
    """Which members rows have, by the first one.

    Raises:
        Unusual: they are not where they are looked for here.
    """
    reading = columns.reading
    try:
        members: list[tuple[str, object]] = json.loads(head, object_pairs_hook=lambda pairs: pairs)
        cells = dict(members)
    except (ValueError, TypeError, RecursionError) as error:
        raise Unusual from error
    names = [name for name, _ in members]
    require_columns(names, reading)
    if reading.delimiter is not None:
        raise Unusual
    roles = {reading.time: 0, reading.event: 1}
    if columns.values:
        roles.setdefault(reading.value, 3)
    if reading.partition_by is not None:
        roles[reading.partition_by] = 2
    return _Layout(
        clocked_by(cells[reading.time], reading, columns.report),
        keys=[name.encode() for name in names],
        roles=[roles.get(name, -1) for name in names],
    )
