"""Progress of long work: a live display on a terminal; elsewhere a line for each stage of a run of minutes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Timer
from types import TracebackType
from typing import Protocol

from rich.progress import BarColumn, ProgressColumn, Task, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress
from rich.text import Text

from remora.terminal.console import message_console
from remora.terminal.waits import Current, Tell

DELAY = 0.5
"""After so many seconds something is shown: what is done sooner does not flicker."""

_NEARLY = 0.95
"""As far as a stage can be that has taken its usual time and is not over."""


class Advance(Protocol):
    """Tells how far a stage is."""

    def __call__(self, current: Current, done: int | None = None) -> None:
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


class _Said(ProgressColumn):
    """What goes on in a stage, and how long the whole run still takes, each asked for when it is shown."""

    def __init__(self, rest: Callable[[Task], str]) -> None:
        super().__init__()
        self._rest = rest

    def render(self, task: Task) -> Text:
        """`law:14   about 40 s to go`; a stage that is over says nothing any more."""
        if task.finished:
            return Text("")
        current: Current = task.fields["current"]
        said = current() if callable(current) else current
        return Text("   ".join(filter(None, (said, self._rest(task)))))


class Progress:
    """Shows the stages of a run with their pieces, the time used and an estimate of the rest.

    Where standard error is no terminal, a run whose usual times are given prints a line for each stage that is over,
    and other runs nothing; whoever colours what is not a terminal (FORCE_COLOR) does not want it to move either.
    """

    def __init__(self, *, quiet: bool = False, expected: Mapping[str, float] | None = None) -> None:
        """Prepare; nothing is shown before the first stage.

        Args:
            expected: the usual share of each stage in the whole, from which the remaining time of the run is estimated.
        """
        console = message_console()
        self._live = sys.stderr.isatty() and not console.is_dumb_terminal and not quiet
        self._expected, self._quiet = expected or {}, quiet
        self._begin = time.monotonic()
        self._ends: Callable[[], str] | None = None
        self._rich = RichProgress(
            TextColumn("{task.description:12}", markup=False),
            BarColumn(bar_width=24),
            _Count(),
            TimeElapsedColumn(),
            _Remaining(),
            _Said(self._rest),
            console=console,
            disable=not self._live,
            transient=expected is None,
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
        task = self._rich.add_task(name, total=pieces, current="")
        begin = time.monotonic()
        started = 0

        def advance(current: Current, done: int | None = None) -> None:
            nonlocal started
            finished = started if done is None else done
            self._rich.update(task, completed=finished, current=current)
            started = finished + 1

        yield advance
        self._rich.update(
            task, completed=started if pieces is None else pieces, total=pieces or started, current=""
        )
        seconds = time.monotonic() - begin
        self.stages.append((name, seconds))
        if self._expected and not self._live and not self._quiet:
            message_console().print(Text(f"{name}: {seconds:.1f} s"))

    def _rest(self, task: Task) -> str:
        """In words, how long the whole run still takes at most, or about."""
        if self._ends is not None:
            return self._ends()
        if task.description not in self._expected:
            return ""
        over = {name for name, _ in self.stages}
        before = sum(share for stage, share in self._expected.items() if stage in over)
        elapsed, here = time.monotonic() - self._begin, task.elapsed or 0.0
        pace = (elapsed - here) / before if before else 1.0
        share = self._expected[task.description]
        # A stage that does not say how far it is gets on as it usually does.
        usual = min(here / (share * pace), _NEARLY) if share * pace > 0 else 0.0
        done = before + share * max(task.percentage / 100, usual)
        total = sum(self._expected.values())
        if not 0 < done < total:
            return ""
        return f"about {elapsed * (total - done) / done:.0f} s to go"


class Waiting:
    """What is shown where nobody knows how much there is to do: for how long it has been, and what ends it."""

    def __init__(self, progress: Progress, advance: Advance) -> None:
        self._progress = progress
        self._advance = advance

    @property
    def tell(self) -> Tell:
        """Says what goes on now."""
        return lambda current: self._advance(current, 0)

    def hide(self) -> None:
        """Show nothing from now on."""
        self._progress.hide()


@contextmanager
def waiting(for_what: str) -> Iterator[Waiting]:
    """Show that something goes on, and for how long it has, where nobody knows how much there is to do."""
    with Progress() as progress, progress.stage(for_what, None) as advance:
        yield Waiting(progress, advance)
