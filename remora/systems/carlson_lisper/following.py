"""Progress of a detection through a long trace file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from remora.systems.carlson_lisper.printing import ResultPrinter
from semantics.traces.files import format_of
from semantics.traces.instants import Instant, ReadReport
from semantics.traces.reading import Format

LONG = 1 << 20
"""A file of fewer bytes is read before anybody looks."""

_OFTEN = 1 << 14
"""After so many instants the display is told how far it is."""

_SAMPLES, _SAMPLE = 8, 1 << 14


class Follower:
    """Tells a display how far a detection is; where there is none, it does nothing."""

    def __init__(self, advance: Callable[[str, int], None] | None, hide: Callable[[], None]) -> None:
        """With what shows the number of rows, and what ends the display."""
        self._advance = advance
        self._hide = hide

    def rows(self, number: int) -> None:
        """So many rows have been read."""
        if self._advance is not None:
            self._advance("", number)

    def printing(self) -> None:
        """From now on results say how far the detection is, if they are seen at the terminal."""
        if self._advance is not None and sys.stdout.isatty():
            self._hide()

    def through(
        self, instants: Iterator[Instant], report: ReadReport, printer: ResultPrinter
    ) -> Iterable[Instant]:
        """The same instants; what is read and printed is looked at on the way."""
        return instants if self._advance is None else self._watched(instants, report, printer)

    def _watched(
        self, instants: Iterator[Instant], report: ReadReport, printer: ResultPrinter
    ) -> Iterator[Instant]:
        for number, instant in enumerate(instants):
            if printer.count:
                self.printing()
            if number % _OFTEN == 0:
                self.rows(report.rows)
            yield instant


@contextmanager
def following(trace: str, format: Format | None) -> Iterator[Follower]:
    """Show the progress through a long file, if standard error is a terminal; a stream has no end to be near."""
    path = Path(trace)
    if not sys.stderr.isatty() or trace == "-" or not path.is_file() or path.stat().st_size < LONG:
        yield Follower(None, lambda: None)
        return
    from remora.terminal.progress import Progress

    with Progress() as progress, progress.stage("rows", _about_rows(path, format)) as advance:
        yield Follower(advance, progress.hide)


def _about_rows(path: Path, format: Format | None) -> int | None:
    if (format or format_of(path)) != "parquet":
        return about_lines(path)
    from semantics.traces.tables import parquet_file

    with suppress(Exception), parquet_file(str(path)) as found:  # whatever is wrong with it, its reader says
        return int(found.metadata.num_rows)
    return None


def about_lines(path: Path) -> int:
    """About how many lines a text file has, by samples from all over it: rows grow longer as time goes by."""
    size, lines, taken = path.stat().st_size, 0, 0
    with path.open("rb") as file:
        for number in range(_SAMPLES):
            file.seek(size * number // _SAMPLES)
            sample = file.read(_SAMPLE)
            lines, taken = lines + sample.count(b"\n"), taken + len(sample)
    return size * lines // max(taken, 1)
