"""Progress of long work: a live display on a terminal, and next to nothing elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from types import TracebackType
from typing import Protocol

from rich.progress import (
    BarColumn,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as RichProgress
from rich.text import Text

from remora.console import message_console

DELAY = 0.5
"""After so many seconds something is shown: what is done sooner does not flicker."""


class Advance(Protocol):
    """Tells how far a stage is."""

    def __call__(self, current: str, done: int | None = None) -> None:
        """Say what comes next; `done` pieces are finished, by default one more than at the last call."""


class _Count(ProgressColumn):
    """How many pieces are done, where it is known how many there are."""

    def render(self, task: Task) -> Text:
        """`1,300 of 14,000`, or nothing."""
        if task.total is None:
            return Text("")
        return Text(f"{task.completed:,.0f} of {task.total:,.0f}", style="progress.download")


class _Remaining(TimeRemainingColumn):
    """The time that the stage still takes, where it can be told."""

    def render(self, task: Task) -> Text:
        """`0:00:12 left`, or nothing."""
        if task.total is None or task.finished or task.time_remaining is None:
            return Text("")
        return super().render(task).append(" left")


class Progress:
    """Shows the stages of a run with their pieces, the time used and an estimate of the rest.

    `expected` gives the usual share of each stage in the whole, from which the remaining time of the run is
    estimated. Where standard error is no terminal, a line per finished stage of such a run is all, and nothing of a
    shorter one; whoever colours what is not a terminal (FORCE_COLOR) does not want it to move.
    """

    def __init__(self, *, quiet: bool = False, expected: dict[str, float] | None = None) -> None:
        """Prepare; nothing is shown before the first stage."""
        self._console = message_console()
        self._live = sys.stderr.isatty() and not self._console.is_dumb_terminal and not quiet
        self._lines = not self._live and not quiet and expected is not None
        self._expected = expected or {}
        self._done: list[str] = []
        self._begin = time.monotonic()
        self._rich = RichProgress(
            TextColumn("{task.description:12}", markup=False),
            BarColumn(bar_width=24),
            _Count(),
            TimeElapsedColumn(),
            _Remaining(),
            TextColumn("{task.fields[current]}", markup=False),
            console=self._console,
            disable=not self._live,
            transient=expected is None,
            # What is printed meanwhile goes above the display, unless it goes elsewhere altogether.
            redirect_stdout=sys.stdout.isatty(),
        )
        self._start = Timer(DELAY, self._rich.start)
        self._start.daemon = True
        self.stages: list[tuple[str, float]] = []

    def __enter__(self) -> Progress:
        """Start showing, soon."""
        if self._live:
            self._start.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop showing."""
        self.hide()

    def hide(self) -> None:
        """Show nothing from now on: what the command prints says how far it is."""
        if self._live:
            self._live = False
            self._start.cancel()
            self._start.join()
            self._rich.stop()

    @contextmanager
    def stage(self, name: str, pieces: int | None) -> Iterator[Advance]:
        """One stage of so many pieces, or of nobody knows how many; yields the function to call before each piece."""
        task = self._rich.add_task(name, total=pieces, current="")
        begin = time.monotonic()
        started = 0

        def advance(current: str, done: int | None = None) -> None:
            nonlocal started
            finished = started if done is None else done
            rest = self._rest(name, finished / max(pieces or 0, 1))
            self._rich.update(task, completed=finished, current=current + rest)
            started = finished + 1

        yield advance
        self._rich.update(
            task, completed=started if pieces is None else pieces, total=pieces or started, current=""
        )
        seconds = time.monotonic() - begin
        self._done.append(name)
        self.stages.append((name, seconds))
        if self._lines:
            self._console.print(f"{name}: {seconds:.1f} s{self._rest(name, 1.0)}")

    def _rest(self, name: str, fraction: float) -> str:
        """An estimate of the remaining time of the whole run, in words."""
        total = sum(self._expected.values())
        if not total or name not in self._expected:
            return ""
        done = sum(share for stage, share in self._expected.items() if stage in self._done and stage != name)
        done += self._expected[name] * fraction
        if done <= 0 or done >= total:
            return ""
        elapsed = time.monotonic() - self._begin
        return f"   about {elapsed * (total - done) / done:.0f} s to go"


@contextmanager
def waiting(for_what: str) -> Iterator[Progress]:
    """Show that something goes on, and for how long it has, where nobody knows how much there is to do."""
    with Progress() as progress, progress.stage(for_what, None):
        yield progress
