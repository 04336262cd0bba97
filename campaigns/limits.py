"""Limits of time and memory for code of others, which may never return, or never have enough."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

MEMORY_LIMIT = 2048
"""How much more memory than at its start a process that judges cases may take, in MiB."""


class TimeUp(BaseException):
    """The time is up. Not an `Exception`, so that a detector's own `except Exception` does not swallow it."""


def can_interrupt() -> bool:
    """Whether running Python code can be interrupted here: on a system with SIGALRM, in the main thread."""
    return hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread()


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeUp` inside the block when it takes longer; does nothing where `can_interrupt` is false.

    A call into C that never returns to the interpreter is not interrupted.
    """
    if not can_interrupt():
        yield
        return
    before = signal.signal(signal.SIGALRM, _raise)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _raise(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise TimeUp


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
