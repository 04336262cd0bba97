"""Limits of time and memory for code of others."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

MEMORY_LIMIT = 2048
"""How much more memory than at its start a process that judges cases may take, in MiB."""

WAITING = 3
"""Where a machine has other work, or what is judged sleeps, it may take so many times as long by the clock."""

SHORTEST = 0.001
"""The time is not looked at more often than after so many seconds."""


class TimeUp(BaseException):
    """The time is up. Not an `Exception`, so that a detector's own `except Exception` does not swallow it."""


class Deadline:
    """An end of the time that this thread may take: by the processor, and at the latest by the clock.

    A machine that has other work must not make a detector fail, so what counts is the time of the processor. That
    does not pass while a detector sleeps or waits for ever, so there is an end by the clock as well.
    """

    def __init__(self, seconds: float) -> None:
        """After so many seconds of the processor, or `WAITING` times as many by the clock."""
        self._seconds = seconds
        self._begin, self._used = time.monotonic(), time.thread_time()

    @property
    def left(self) -> float:
        """After how many seconds it makes sense to look again; not more than 0 when the time is up."""
        passed = time.monotonic() - self._begin
        if passed < self._seconds:  # the processor's time is not more
            return self._seconds - passed
        used = time.thread_time() - self._used
        return min(self._seconds - used, WAITING * self._seconds - passed)


def can_interrupt() -> bool:
    """Whether running Python code can be interrupted here: on a system with SIGALRM, in the main thread."""
    return hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread()


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeUp` inside the block when it takes longer; does nothing where `can_interrupt` is false.

    The seconds are those of a `Deadline`. A call into C that never returns to the interpreter is not interrupted.
    """
    if not can_interrupt():
        yield
        return
    deadline = Deadline(seconds)

    def look(_signal: int, _frame: FrameType | None) -> None:
        left = deadline.left
        if left <= 0:
            raise TimeUp
        signal.setitimer(signal.ITIMER_REAL, max(left, SHORTEST))

    def look_again(ignored: sys.UnraisableHookArgs) -> None:
        """What is raised in a destructor, or in a callback of the garbage collector, is ignored there."""
        if ignored.exc_type is TimeUp:
            signal.setitimer(signal.ITIMER_REAL, SHORTEST)
        else:
            hook(ignored)

    before, hook = signal.signal(signal.SIGALRM, look), sys.unraisablehook
    try:
        sys.unraisablehook = look_again
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.unraisablehook = hook
        signal.signal(signal.SIGALRM, before)


def limit_memory(more: int) -> None:
    """Let this process take so many MiB more address space than it has now; then it gets a `MemoryError`.

    Does nothing where the size of a process cannot be found out or limited, which is everywhere but on Linux.
    """
    sizes = Path("/proc/self/statm")
    if not sizes.is_file():
        return
    import resource  # only systems that have it

    now = int(sizes.read_text().split()[0]) * resource.getpagesize()
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    asked = now + more * 2**20
    resource.setrlimit(
        resource.RLIMIT_AS, (asked if most == resource.RLIM_INFINITY else min(asked, most), most)
    )
