"""The lines of what is found in a block of rows, as text for people or as JSON Lines, made column by column."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow
from numpy.typing import NDArray
from pyarrow import compute

from detectors.carlson_lisper.blocks import Detected, Members
from remora.terminal.shown import shown
from semantics.arrow_arrays import integers, texts
from semantics.events import Value, quoted
from semantics.traces.instants import ReadReport
from semantics.traces.rows import Partition


@dataclass(frozen=True)
class DetectedLines:
    """How detections are written.

    Attributes:
        report: says how times are shown.
        patterns: the names of the patterns; a single one may be without.
        names: the event types.
        keys: the partitions.
        text: whether for people.
        ascii_only: whether other characters are escaped in JSON.
    """

    report: ReadReport
    patterns: Sequence[str]
    names: Sequence[str]
    keys: Sequence[Partition]
    text: bool
    ascii_only: bool

    def of(self, found: Detected) -> str:
        """The lines of some detections, as `remora.terminal.printing` writes each of them."""
        if not len(found):
            return ""
        starts, ends = self._times(found.starts), self._times(found.ends)
        patterns = _taken([self._pattern(each) for each in self.patterns], found.patterns)
        partitions: Any = ""
        if found.partitions is not None:
            used, places = np.unique(found.partitions, return_inverse=True)
            partitions = _taken([self._partition(self.keys[number]) for number in used.tolist()], places)
        members = "" if found.members is None else self._instances(found.members, len(found))
        if self.text:
            return _text(_joined(patterns, partitions, "[", starts, ", ", ends, "]", members, "\n"))
        return _text(_joined(patterns, '"start": ', starts, ', "end": ', ends, members, partitions, "}\n"))

    @cached_property
    def _json(self) -> Callable[[object], str]:
        return json.JSONEncoder(ensure_ascii=self.ascii_only).encode

    def _pattern(self, name: str) -> str:
        """What a line begins with."""
        if self.text:
            return f"{shown(name)}  " if name else ""
        return f'{{"pattern": {self._json(name)}, ' if name else "{"

    def _partition(self, key: Partition) -> str:
        if self.text:
            return "(none)  " if key is None else f"{shown(key)}  "
        return f', "partition": {self._json(key)}'

    def _value(self, value: Value) -> str:
        if self.text:
            return "" if value is None else f"({shown(value)})"
        return "null" if value is None else self._json(value)

    def _times(self, times: NDArray[np.int64]) -> Any:
        if self.report.clock is None:
            return integers(times).cast(pyarrow.string())
        used, places = np.unique(times, return_inverse=True)
        written = [str(self.report.shown(time)) for time in used.tolist()]
        return _taken(written if self.text else [f'"{time}"' for time in written], places)

    def _instances(self, members: Members, number: int) -> Any:
        """The occurrences of each instance."""
        rows, chosen = members.of, members.rows
        assert rows.values is not None  # instances are asked for with their values
        times = self._times(rows.times[chosen])
        used, places = np.unique(chosen, return_inverse=True)  # a row may be in many instances
        cells = _taken([self._value(each) for each in rows.values.of(used)], places)
        if self.text:
            events = _taken([shown(quoted(name)) for name in self.names], rows.types[chosen])
            occurrences = _joined("  ", events, cells, "@", times)
        else:
            events = _taken([self._json(name) for name in self.names], rows.types[chosen])
            occurrences = _joined('{"event": ', events, ', "time": ', times, ', "value": ', cells, "}")
        bounds = np.searchsorted(members.owners, np.arange(number + 1))
        lists = pyarrow.ListArray.from_arrays(integers(bounds).cast(pyarrow.int32()), occurrences)
        if self.text:
            return compute.binary_join(lists, texts([""])[0])
        return _joined(', "instance": [', compute.binary_join(lists, texts([", "])[0]), "]")


def _taken(given: Sequence[str], places: NDArray[np.integer]) -> Any:
    """For each place the text there."""
    return texts(given).take(integers(places))


def _joined(*parts: Any) -> Any:
    """Columns and texts, row by row one after the other."""
    kept = [texts([part])[0] if isinstance(part, str) else part for part in (*parts, "")]
    return compute.binary_join_element_wise(*kept)


def _text(lines: Any) -> str:
    """An array of texts as one."""
    _, offsets, data = lines.buffers()
    bounds = np.frombuffer(offsets, np.int32)[lines.offset : lines.offset + len(lines) + 1]
    return str(data.to_pybytes()[int(bounds[0]) : int(bounds[-1])], "utf-8")
