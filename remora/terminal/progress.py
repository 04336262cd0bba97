"""Progress of long work: a live display on a terminal; elsewhere a line for each stage of a run of minutes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from types import TracebackType
from typing import Protocol

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as RichProgress
from rich.text import Text

from remora.terminal.console import message_console
from remora.terminal.waits import Current, Tell

DELAY = 0.5
"""After so many seconds something is shown: what is done sooner does not flicker."""


class Advance(Protocol):
    """Tells how far a stage is."""

    def __call__(self, current: Current, done: int | None = None) -> None:
        """Say what comes next; `done` pieces are finished, by default one more than at the last call."""


class _Said(ProgressColumn):
    """What goes on in a stage, and when the run is over at the latest, each asked for when it is shown."""

    def __init__(self, ends: Callable[[], str]) -> None:
        super().__init__()
        self._ends = ends

    def render(self, task: Task) -> Text:
        """`law:14   at most 40 s to go`; a stage that is over says nothing any more."""
        current: Current = "" if task.finished else task.fields["current"]
        said = current() if callable(current) else current
        return Text("" if task.finished else "   ".join(filter(None, (said, self._ends()))))


class Progress:
    """Shows the stages of a run with their pieces, the time used and an estimate of the rest.

    Where standard error is no terminal, a run whose stages are listed prints a line for each that is over, and other
    runs nothing; whoever colours what is not a terminal (FORCE_COLOR) does not want it to move either.

    Attributes:
        stages: what is over, with the seconds that it took.
    """

    def __init__(self, *, quiet: bool = False, listed: bool = False) -> None:
        """Prepare; nothing is shown before the first stage."""
        console = message_console()
        self._live = sys.stderr.isatty() and not console.is_dumb_terminal and not quiet
        self._listed = listed and not quiet
        self._ends: Callable[[], str] = lambda: ""
        self._rich = RichProgress(
            TextColumn("{task.description:12}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(" of "),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            _Said(lambda: self._ends()),
            console=console,
            disable=not self._live,
            transient=not listed,
            # What is printed meanwhile goes above the display, unless it goes elsewhere altogether.
            redirect_stdout=sys.stdout.isatty(),
        )
        self._start = Timer(DELAY, self._rich.start)
        self._start.daemon = True
        self.stages: list[tuple[str, float]] = []

    def __enter__(self) -> Progress:
        if self._live:
            self._start.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hide()

    def hide(self) -> None:
        """Show nothing from now on: what the command prints says how far it is."""
        if self._live:
            self._live = False
            self._start.cancel()
            self._start.join()
            self._rich.stop()

    def ends(self, words: Callable[[], str]) -> None:
        """Have the display say in these words when the run is over at the latest."""
        self._ends = words

    @contextmanager
    def stage(self, name: str, pieces: int | None) -> Iterator[Advance]:
        """One stage of so many pieces, or of nobody knows how many; yields the function to call before each piece."""
        task, begin, started = self._rich.add_task(name, total=pieces, current=""), time.monotonic(), 0

        def advance(current: Current, done: int | None = None) -> None:
            nonlocal started
            finished = started if done is None else done
            self._rich.update(task, completed=finished, current=current)
            started = finished + 1

        yield advance
        whole = pieces or started
        self._rich.update(task, completed=whole, total=whole, current="")
        seconds = time.monotonic() - begin
        self.stages.append((name, seconds))
        if self._listed and not self._live:
            message_console().print(Text(f"{name}: {seconds:.1f} s"))


@contextmanager
def waiting(for_what: str) -> Iterator[Tell]:
    """Show that something goes on, and for how long it has, where nobody knows how much there is to do."""
    with Progress() as progress, progress.stage(for_what, None) as advance:
        yield lambda current: advance(current, 0)
