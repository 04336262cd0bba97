"""Progress of long work: a live display on a terminal; elsewhere a line for each stage of a run of minutes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, TypeAlias

from remora.terminal.console import message_console

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

DELAY = 0.5  # After so many seconds something is shown: what is done sooner does not flicker

Tell: TypeAlias = Callable[[str], None]  # Reports what goes on

Advance: TypeAlias = Callable[..., None]
"""Tells what comes next, and how many pieces are finished: by default one more than at the last call."""


def unheard(current: str) -> None:
    """Ignore what goes on."""


def _display(*, transient: bool) -> RichProgress:
    from rich import progress  # which takes longer to load than a small log to read

    return progress.Progress(
        progress.TextColumn("{task.description:12}", markup=False),
        progress.BarColumn(bar_width=24),
        progress.MofNCompleteColumn(" of "),
        progress.TimeElapsedColumn(),
        progress.TimeRemainingColumn(),
        progress.TextColumn("{task.fields[current]}", markup=False),
        console=message_console(),
        transient=transient,
        # What is printed meanwhile goes above the display, unless it goes elsewhere altogether.
        redirect_stdout=sys.stdout.isatty(),
    )


class Progress:
    """Shows the stages of a run with their pieces, the time used and an estimate of the rest.

    Where standard error is no terminal, a run whose stages are `listed` prints a line for each that is over, and other
    runs nothing, with FORCE_COLOR too. `stages` has what is over, with the seconds that it took.
    """

    def __init__(self, *, quiet: bool = False, listed: bool = False) -> None:
        live = sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown") and not quiet
        self._listed = listed and not quiet and not live
        self._rich = _display(transient=not listed) if live else None
        self._start: Timer | None = None
        self.stages: list[tuple[str, float]] = []

    def __enter__(self) -> Progress:
        if self._rich is not None:
            self._start = Timer(DELAY, self._rich.start)
            self._start.daemon = True
            self._start.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.hide()

    def hide(self) -> None:
        """Show nothing from now on: what the command prints says how far it is."""
        if self._rich is not None and self._start is not None:
            self._start.cancel()
            self._start.join()
            self._rich.stop()
            self._rich = None

    @contextmanager
    def stage(self, name: str, pieces: int | None) -> Iterator[Advance]:
        """One stage of so many pieces, or of nobody knows how many; yields the function to call before each piece."""
        begin, started, display = time.monotonic(), 0, self._rich
        task = None if display is None else display.add_task(name, total=pieces, current="")

        def advance(current: str, done: int | None = None) -> None:
            nonlocal started
            finished = started if done is None else done
            if display is not None and task is not None:
                display.update(task, completed=finished, current=current)
            started = finished + 1

        yield advance
        advance("", pieces or started)
        self.stages.append((name, time.monotonic() - begin))
        if self._listed:
            sys.stderr.write(f"{name}: {self.stages[-1][1]:.1f} s\n")


@contextmanager
def waiting(for_what: str) -> Iterator[Tell]:
    """Show that something goes on, and for how long it has, where nobody knows how much there is to do."""
    with Progress() as progress, progress.stage(for_what, None) as advance:
        yield lambda current: advance(current, 0)
