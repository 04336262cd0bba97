"""Printing of derived rows, one a line: as text for people or as JSON Lines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from remora.terminal.console import emit, print_count, print_note, print_warning, takes_unicode
from remora.terminal.options import is_live, wants_text
from remora.terminal.texts import counted, shown, to_json
from semantics.traces.instants import ReadReport, unknown_events
from semantics.traces.rows import Partition


class RowPrinter:
    """Prints rows, and counts them; of a log that is live each line is handed on at once."""

    def __init__(self, form: str | None, log: str, *, partitioned: bool) -> None:
        self._text, self._live, self._partitioned = wants_text(form), is_live(log), partitioned
        self._ascii_only = not takes_unicode(sys.stdout)
        self.count = 0

    def print(self, row: dict[str, Any], text: str, partition: Partition) -> None:
        """Print a row, or the text that people read of it."""
        self.count += 1
        if not self._text:
            last = {"partition": partition} if self._partitioned else {}
            text = to_json({**row, **last}, ascii_only=self._ascii_only)
        elif self._partitioned:
            text = f"{'(none)' if partition is None else shown(partition)}  {text}"
        emit(f"{text}\n")
        if self._live:
            sys.stdout.flush()

    def finish(self, noun: str, less: int = 0) -> None:
        """Say how many there were, to people; `less` rows withdraw another one."""
        sys.stdout.flush()
        if self._text:
            print_count(counted(self.count - 2 * less, noun) + (f", {less:,} withdrawn" if less else ""))


@contextmanager
def noting(
    report: ReadReport, asked: Collection[str] = (), more: Callable[[str], Iterable[str]] = lambda _: ()
) -> Iterator[None]:
    """Say in the end what was changed about a log when it was read, also if the reader of the results has gone."""

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
