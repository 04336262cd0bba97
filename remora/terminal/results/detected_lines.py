"""The lines of what is found in a block of rows, as text for people or as JSON Lines, made column by column."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from detectors.carlson_lisper.blocks import Detected, Members
from remora.terminal.results.line_kernel import CHOSEN, JOIN, NUMBER
from remora.terminal.texts import shown
from semantics.events import Value, quoted
from semantics.native import AVAILABLE, is_compiled, run
from semantics.traces.instants import ReadReport
from semantics.traces.rows import Partition
from semantics.traces.text_tables import Keys

Integers: TypeAlias = NDArray[np.int64]

_DIGITS: Final = 19
"""A number has at most so many digits."""

MANY: Final = 1 << 17
"""After so many rows it is worth while to compile what joins them."""

STEP: Final = 1 << 15
"""So many lines a text has at most."""

PIECE: Final = 1 << 26
"""So many bytes the values in a text have together."""


@dataclass(frozen=True)
class _Texts:
    """A text for each row.

    Attributes:
        bounds: where each begins, and the end of the last one.
        chosen: of each row the number of its text.
    """

    data: NDArray[np.uint8]
    bounds: Integers
    chosen: NDArray[np.integer]


@dataclass(frozen=True)
class DetectedLines:
    """How detections are written.

    Attributes:
        ascii_only: whether other characters are escaped in JSON.
    """

    report: ReadReport
    patterns: Sequence[str]
    names: Sequence[str]
    keys: Keys
    text: bool
    ascii_only: bool

    def pieces(self, found: Detected) -> Iterator[bytes]:
        """The lines of some detections in UTF-8, of so many at a time that the text is short.

        Many may have one long value; and what is short stays in the processor's cache until it is written.
        """
        step = STEP
        if found.members is not None and found.members.of.values is not None:
            size = found.members.of.values.longest * len(found.members.rows)
            step = max(1, min(step, len(found) * PIECE // max(size, 1)))
        for begin in range(0, len(found), step):
            yield self.of(found.between(begin, begin + step))

    def of(self, found: Detected) -> bytes:
        """The lines of some detections, as `remora.terminal.results.printing` writes each of them."""
        starts, ends = self._times(found.starts), self._times(found.ends)
        patterns = _taken([self._pattern(each) for each in self.patterns], found.patterns)
        partitions: Sequence[str | _Texts] = ()
        if found.partitions is not None:
            partitions = self._partitions(found.partitions)
        members = "" if found.members is None else self._instances(found.members, len(found))
        parts: Sequence[str | Integers | _Texts]
        if self.text:
            parts = (patterns, *partitions, "[", starts, ", ", ends, "]", members, "\n")
        else:
            parts = (patterns, '"start": ', starts, ', "end": ', ends, members, *partitions, "}\n")
        self._counted[0] += len(found)
        return self._joined(*parts)[0].tobytes()

    @cached_property
    def _json(self) -> Callable[[object], str]:
        return json.JSONEncoder(ensure_ascii=self.ascii_only).encode

    @cached_property
    def _of_text(self) -> Callable[[str], str]:
        return json.encoder.encode_basestring_ascii if self.ascii_only else json.encoder.encode_basestring

    @cached_property
    def _counted(self) -> list[int]:
        return [0]

    def _joined(self, *parts: str | Integers | _Texts) -> tuple[NDArray[np.uint8], Integers]:
        """Texts and columns, row by row one after the other; and where each row ends."""
        if AVAILABLE and (self._counted[0] >= MANY or is_compiled(JOIN)):
            return _joined(*parts)
        rows = _number_of_rows(parts)
        columns = [[part] * rows if isinstance(part, str) else _cells(part) for part in parts]
        lines = [*map(str.encode, map("".join, zip(*columns, strict=True)))]
        ends = np.cumsum(np.fromiter(map(len, lines), np.int64, rows))
        return np.frombuffer(b"".join(lines), np.uint8), ends

    def _pattern(self, name: str) -> str:
        """What a line begins with."""
        if self.text:
            return f"{shown(name)}  " if name else ""
        return f'{{"pattern": {self._json(name)}, ' if name else "{"

    @cached_property
    def _plain(self) -> list[int]:
        """How many bytes of the partitions are written as they are; -1 where some are not."""
        return [0]

    def _partitions(self, numbers: Integers) -> tuple[str | _Texts, ...]:
        """The partitions of some rows: the bytes that were read, where none of them is to be escaped."""
        texts, plain = self.keys.texts, self._plain
        if texts is not None and plain[0] >= 0:
            text, bounds = texts
            new = text[plain[0] : bounds[-1]]
            highest = ord("~") if self.text or self.ascii_only else 255
            odd = (new < ord(" ")) | (new == ord('"')) | (new == ord("\\")) | (new > highest)
            plain[0] = -1 if odd.any() else int(bounds[-1])
        if texts is None or plain[0] < 0:
            used, places = np.unique(numbers, return_inverse=True)
            return (_taken([self._partition(self.keys[number]) for number in used.tolist()], places),)
        written = _Texts(*texts, numbers)
        return (written, "  ") if self.text else (', "partition": "', written, '"')

    def _partition(self, key: Partition) -> str:
        if self.text:
            return "(none)  " if key is None else f"{shown(key)}  "
        return f', "partition": {self._of_text(key) if type(key) is str else self._json(key)}'

    def _value(self, value: Value) -> str:
        if self.text:
            return "" if value is None else f"({shown(value)})"
        return "null" if value is None else self._json(value)

    def _times(self, times: Integers) -> Integers | _Texts:
        if self.report.clock is None:
            return times
        used, places = np.unique(times, return_inverse=True)
        written = [str(self.report.shown(time)) for time in used.tolist()]
        return _taken(written if self.text else [f'"{time}"' for time in written], places)

    def _instances(self, members: Members, number: int) -> _Texts:
        rows, chosen = members.of, members.rows
        assert rows.values is not None  # instances are asked for with their values
        times = self._times(rows.times[chosen])
        used, places = np.unique(chosen, return_inverse=True)  # a row may be in many instances
        cells = _taken([self._value(each) for each in rows.values.of(used)], places)
        if self.text:
            events = _taken([shown(quoted(name)) for name in self.names], rows.types[chosen])
            data, ends = self._joined("  ", events, cells, "@", times)
        else:
            events = _taken([self._json(name) for name in self.names], rows.types[chosen])
            first = np.diff(members.owners, prepend=-1) > 0
            begin, end = (
                _taken([", ", ', "instance": ['], first),
                _taken(["}", "}]"], np.append(first[1:], True)),
            )
            data, ends = self._joined(
                begin, '{"event": ', events, ', "time": ', times, ', "value": ', cells, end
            )
        bounds = np.searchsorted(members.owners, np.arange(number + 1))
        return _Texts(data, np.append(np.int64(0), ends)[bounds], np.arange(number))


def _taken(given: Sequence[str], places: NDArray[np.integer] | NDArray[np.bool_]) -> _Texts:
    """For each place the text there."""
    return _chosen([text.encode() for text in given], places)


def _chosen(cells: Sequence[bytes], places: NDArray[np.integer] | NDArray[np.bool_]) -> _Texts:
    bounds = np.cumsum([0, *map(len, cells)], dtype=np.int64)
    return _Texts(np.frombuffer(b"".join(cells), np.uint8), bounds, places.astype(np.int64))


def _number_of_rows(parts: Sequence[str | Integers | _Texts]) -> int:
    return max(
        len(part.chosen if isinstance(part, _Texts) else part) for part in parts if type(part) is not str
    )


def _cells(part: Integers | _Texts) -> list[str]:
    if isinstance(part, np.ndarray):
        return [*map(str, part.tolist())]
    used, places = np.unique(part.chosen, return_inverse=True)
    data, begins = part.data.tobytes(), part.bounds[used].tolist()
    texts = [
        data[begin:end].decode() for begin, end in zip(begins, part.bounds[used + 1].tolist(), strict=True)
    ]
    return [*map(texts.__getitem__, places.tolist())]


def _joined(*parts: str | Integers | _Texts) -> tuple[NDArray[np.uint8], Integers]:
    """Texts and columns, row by row one after the other; and where each row ends."""
    rows = _number_of_rows(parts)
    cells = np.empty((len(parts), rows), np.int64)
    kinds: list[int] = []
    texts, ends, number, size = [b""], [np.zeros(1, np.int64)], 0, 0
    for part, column in zip(parts, cells, strict=True):
        if isinstance(part, np.ndarray):
            kinds.append(NUMBER)
            column[:] = part
            size += rows * _DIGITS
            continue
        if isinstance(part, str):
            kinds.append(number)
            part = _taken([part], np.zeros(1, np.int64))
            size += rows * len(part.data)
        else:
            kinds.append(CHOSEN)
            np.add(part.chosen, number, out=column)
            size += int(np.diff(part.bounds)[part.chosen].sum())
        texts.append(part.data[part.bounds[0] : part.bounds[-1]].tobytes())
        ends.append(part.bounds[1:] - part.bounds[0] + ends[-1][-1])
        number += len(part.bounds) - 1
    out, of_rows = np.empty(size, np.uint8), np.empty(rows, np.int64)
    text = np.frombuffer(b"".join(texts), np.uint8)
    given = (np.array(kinds, np.int64), cells.reshape(-1), np.concatenate(ends), text, out, of_rows)
    written = run(JOIN, rows, len(parts), *given)
    return out[:written], of_rows
