"""A limit of time for code of others, which may never return."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn


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
