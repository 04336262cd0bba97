"""Printing of instances and intervals, as text for people or as JSON Lines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from remora.api.claiming.data import found_data, to_json
from remora.terminal.console import emit, emit_utf8, print_count, print_note, print_warning, takes_unicode
from remora.terminal.texts import counted, shown
from semantics.carlson_lisper.occurrences import Instance
from semantics.events import Interval
from semantics.traces.instants import ReadReport, unknown_events
from semantics.traces.rows import Partition

if TYPE_CHECKING:  # which bring NumPy
    from detectors.carlson_lisper.blocks import Detected
    from remora.terminal.results.detected_lines import DetectedLines
    from semantics.traces.text_tables import Keys


@contextmanager
def noting(
    report: ReadReport, asked: Collection[str] = (), more: Callable[[str], Iterable[str]] = lambda _: ()
) -> Iterator[None]:
    """Say in the end what was changed about a log when it was read, also if the reader of the results has gone.

    Args:
        asked: event types; it is said which of them never occur.
        more: what else there is to note of the trace, or the part of it that is named.
    """

    def note(place: str) -> None:
        for message in (*report.messages(), *more(place)):
            print_note(message)
        for message in unknown_events(asked, report.events, place) if asked else ():
            print_warning(message)

    try:
        yield
    except BrokenPipeError:
        note("the part that was read")
        raise
    note("the trace")


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
        self._lines: DetectedLines | None = None

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
        emit(line + "\n")
        if self.flush:
            self.flush_output()

    def print_detected(
        self, found: Detected, patterns: Sequence[str], names: Sequence[str], keys: Keys
    ) -> None:
        """Print what is found in a block of rows, in less time; but for `found` and more keys, blocks have the same.

        Args:
            patterns: the names of the patterns; a single one may be without.
            keys: the partitions, which become more.
        """
        if self._lines is None:
            from remora.terminal.results.detected_lines import DetectedLines

            self._lines = DetectedLines(self._report, patterns, names, keys, self.text, self._ascii_only)
        self.count += len(found)
        for text in self._lines.pieces(found):
            emit_utf8(text)
        if self.flush:
            self.flush_output()

    def flush_output(self) -> None:
        """Hand on all that was printed."""
        sys.stdout.flush()

    def finish(self) -> None:
        """Say how many there were, to people."""
        self.flush_output()
        if self.text:
            print_count(counted(self.count, "interval" if self.intervals else "instance"))
