"""Progress of long work: a live display on a terminal, one line per stage elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Protocol

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as RichProgress

from remora.console import message_console


class Advance(Protocol):
    """Tells how far a stage is."""

    def __call__(self, current: str, done: int | None = None) -> None:
        """Say what comes next; `done` pieces are finished, by default one more than at the last call."""


class Progress:
    """Shows the stages of a run with their pieces, the time used and an estimate of the rest.

    `expected` gives the usual share of each stage in the whole, from which the remaining time of the run is
    estimated. Where standard error is no terminal, a line per finished stage is all.
    """

    def __init__(self, *, quiet: bool = False, expected: dict[str, float] | None = None) -> None:
        """Prepare; nothing is shown before the first stage."""
        self._console = message_console()
        self._live = self._console.is_terminal and not quiet
        self._lines = not self._live and not quiet and expected is not None
        self._expected = expected or {}
        self._done: list[str] = []
        self._begin = time.monotonic()
        self._rich = RichProgress(
            TextColumn("{task.description:12}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[current]}"),
            console=self._console,
            disable=not self._live,
            transient=expected is None,
        )
        self.stages: list[tuple[str, float]] = []

    def __enter__(self) -> Progress:
        """Start showing."""
        self._rich.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop showing."""
        self._rich.stop()

    @contextmanager
    def stage(self, name: str, pieces: int) -> Iterator[Advance]:
        """One stage of so many pieces; yields the function to call before each piece."""
        task = self._rich.add_task(name, total=pieces, current="")
        begin = time.monotonic()
        started = 0

        def advance(current: str, done: int | None = None) -> None:
            nonlocal started
            finished = started if done is None else done
            rest = self._rest(name, finished / max(pieces, 1))
            self._rich.update(task, completed=finished, current=current + rest)
            started = finished + 1

        yield advance
        self._rich.update(task, completed=pieces, current="")
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
