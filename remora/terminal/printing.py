"""Printing of instances and intervals, as text for people or as JSON Lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise, repeat
from operator import add
from typing import TYPE_CHECKING, Any

from remora.api.cards import counted
from remora.api.data import found_data, to_json
from remora.terminal.console import emit, print_note, takes_unicode
from semantics.carlson_lisper.occurrences import Instance
from semantics.events import Interval, quoted
from semantics.traces.instants import ReadReport
from semantics.traces.rows import Partition

if TYPE_CHECKING:  # which bring NumPy
    import numpy as np
    from numpy.typing import NDArray

    from detectors.carlson_lisper.blocks import Detected, Members


class ResultPrinter:
    """Prints one line per instance or interval on standard output and counts them."""

    def __init__(
        self, report: ReadReport, *, intervals: bool, text: bool, partitioned: bool, flush: bool = False
    ) -> None:
        """Choose the form; `flush` hands every line on at once, for live streams.

        The report says how times are shown, as soon as some have been read.
        """
        self._report = report
        self.intervals = intervals
        self.text = text
        self.partitioned = partitioned
        self.flush = flush
        self.count = 0
        self._ascii_only = not takes_unicode(sys.stdout)

    def print(self, found: Instance | Interval, partition: Partition, pattern: str | None = None) -> None:
        """Print an instance with its occurrences, or an interval, and the name of its pattern where one is given."""
        self.count += 1
        if self.text:
            members = found.sorted_occurrences() if isinstance(found, Instance) else ()
            time = self._report.shown
            line = f"[{time(found.start)}, {time(found.end)}]"
            line = "  ".join((line, *(shown(member.text(time(member.time))) for member in members)))
            if self.partitioned:
                line = f"{'(none)' if partition is None else shown(partition)}  {line}"
            if pattern is not None:
                line = f"{shown(pattern)}  {line}"
        else:
            row = found_data(found, self._report.shown) | (
                {"partition": partition} if self.partitioned else {}
            )
            if pattern is not None:
                row = {"pattern": pattern, **row}
            line = to_json(row, ascii_only=self._ascii_only)
        self._emit(line + "\n")

    def print_detected(
        self, found: Detected, patterns: Sequence[str], names: Sequence[str], keys: Sequence[Partition]
    ) -> None:
        """Print what is found in a block of rows, in less time.

        Args:
            found: the detections.
            patterns: the names of the patterns; a single one may be without.
            names: the event types.
            keys: the partitions.
        """
        import numpy as np

        of_pattern = [self._label(each) for each in patterns]
        heads: Iterable[str] = repeat(of_pattern[0])
        if len(patterns) > 1:
            heads = [of_pattern[number] for number in found.patterns.tolist()]
        tails: Iterable[str] = repeat("" if self.text else "}")
        if found.partitions is not None:
            used, places = np.unique(found.partitions, return_inverse=True)
            cells = [self._partition(keys[number]) for number in used.tolist()]
            of_row = [cells[place] for place in places.tolist()]
            if self.text:
                heads = list(map(add, heads, of_row))
            else:
                tails = of_row
        members = repeat("") if found.members is None else self._members(found.members, len(found), names)
        form = "{}[{}, {}]{}{}\n" if self.text else '{}"start": {}, "end": {}{}{}\n'
        lines = list(
            map(form.format, heads, self._times(found.starts), self._times(found.ends), members, tails)
        )
        self.count += len(lines)
        self._emit("".join(lines))

    def _label(self, pattern: str) -> str:
        """What a line begins with."""
        if not pattern:
            return "" if self.text else "{"
        return f"{shown(pattern)}  " if self.text else f'{{"pattern": {self._json(pattern)}, '

    def _partition(self, key: Partition) -> str:
        if self.text:
            return "(none)  " if key is None else f"{shown(key)}  "
        return f', "partition": {self._json(key)}}}'

    def _json(self, value: object) -> str:
        return json.dumps(value, ensure_ascii=self._ascii_only)

    def _times(self, times: NDArray[np.int64]) -> list[Any]:
        """Times as they are printed; each that occurs is made into text once."""
        if self._report.clock is None:
            ticks: list[int] = times.tolist()
            return ticks
        import numpy as np

        used, places = np.unique(times, return_inverse=True)
        written = str if self.text else self._json
        texts = [written(self._report.shown(time)) for time in used.tolist()]
        return [texts[place] for place in places.tolist()]

    def _members(self, members: Members, number: int, names: Sequence[str]) -> list[str]:
        """The occurrences of each instance."""
        import numpy as np

        rows = members.of
        types, times = rows.types[members.rows].tolist(), self._times(rows.times[members.rows])
        values = repeat(None) if rows.values is None else rows.values.of(members.rows)
        if self.text:
            events = [shown(quoted(name)) for name in names]
            texts = [
                f"  {events[type_]}{'' if value is None else f'({shown(value)})'}@{time}"
                for type_, time, value in zip(types, times, values, strict=False)
            ]
        else:
            events = [f'{{"event": {self._json(name)}, "time": ' for name in names]
            texts = [
                f'{events[type_]}{time}, "value": {"null" if value is None else self._json(value)}}}'
                for type_, time, value in zip(types, times, values, strict=False)
            ]
        bounds = np.searchsorted(members.owners, np.arange(number + 1)).tolist()
        joined = [("" if self.text else ", ").join(texts[first:last]) for first, last in pairwise(bounds)]
        return joined if self.text else [f', "instance": [{each}]' for each in joined]

    def _emit(self, text: str) -> None:
        emit(text)
        if self.flush:
            self.flush_output()

    def flush_output(self) -> None:
        """Hand on all that was printed."""
        sys.stdout.flush()

    def finish(self) -> None:
        """Say how many there were, to people."""
        self.flush_output()
        if self.text:
            print_note(counted(self.count, "interval" if self.intervals else "instance"))


def shown(value: object) -> str:
    """Text without control characters, which could drive a terminal."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in str(value))
