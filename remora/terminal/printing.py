"""Printing instances and intervals, as text for people or as JSON Lines."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from remora.api.data import instance_data, to_json
from remora.terminal.console import emit, print_note, takes_unicode
from semantics.carlson_lisper.occurrences import Instance, Time
from semantics.events import Interval
from semantics.traces.rows import Partition


class _RowPrinter:
    """Prints one line per result on standard output and counts them."""

    noun = "result"

    def __init__(self, *, text: bool, partitioned: bool, flush: bool = False) -> None:
        """Choose the form; `flush` hands every line on at once, for live streams."""
        self.text = text
        self.partitioned = partitioned
        self.flush = flush
        self.count = 0
        self._ascii_only = not takes_unicode(sys.stdout)

    def write(self, text: str, data: dict[str, Any], partition: Partition) -> None:
        """Print one line."""
        self.count += 1
        if self.text:
            key = "(none)" if partition is None else shown(partition)
            line = f"{key}  {text}" if self.partitioned else text
        else:
            row = {**data, "partition": partition} if self.partitioned else data
            line = to_json(row, ascii_only=self._ascii_only)
        emit(line + "\n")
        if self.flush:
            sys.stdout.flush()

    def flush_output(self) -> None:
        """Hand on all that was printed."""
        sys.stdout.flush()

    def finish(self) -> None:
        """Say how many there were, to people."""
        self.flush_output()
        if self.text:
            print_note(f"{self.count:,} {self.noun}{'' if self.count == 1 else 's'}")


class InstancePrinter(_RowPrinter):
    """Prints instances with their occurrences."""

    noun = "instance"

    def print(self, instance: Instance, partition: Partition) -> None:
        """Print one instance."""
        text = ""
        if self.text:
            occurrences = "  ".join(map(shown, instance.sorted_occurrences()))
            text = f"[{instance.start}, {instance.end}]  {occurrences}"
        self.write(text, {} if self.text else instance_data(instance), partition)


class IntervalPrinter(_RowPrinter):
    """Prints starts and ends."""

    noun = "interval"

    def print(self, interval: Interval, partition: Partition) -> None:
        """Print one interval."""
        self.write(
            f"[{interval.start}, {interval.end}]", {"start": interval.start, "end": interval.end}, partition
        )

    def print_all(self, intervals: Iterable[tuple[Time, Time]]) -> None:
        """Print many, of a trace that is not partitioned, in less time."""
        form = "[{}, {}]\n" if self.text else '{{"start": {}, "end": {}}}\n'
        lines = [form.format(start, end) for start, end in intervals]
        self.count += len(lines)
        emit("".join(lines))
        if self.flush:
            sys.stdout.flush()


def shown(value: object) -> str:
    """Text without control characters, which could drive a terminal."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in str(value))
