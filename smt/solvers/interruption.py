"""The wish of the user that everything ends, for work that Python's own KeyboardInterrupt does not reach.

Python raises KeyboardInterrupt in the main thread, between two of its instructions. While Z3 searches there are none;
what is raised in a finaliser or a callback is lost; and the work may be in another thread. So what searches says here
how it is stopped, and asks after each question whether it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, current_thread, main_thread

Stop = Callable[[], object]
"""Makes work that goes on in another thread end soon; called at most a few times, from any thread."""

_announced = Event()
_watched = Event()
_raised = Event()
_lock = Lock()
_running: list[Stop] = []


def watch() -> None:
    """Say that someone sees to it that `announce` is called; then no solver needs to look for signals itself."""
    _watched.set()


def watched() -> bool:
    """Whether someone sees to it that `announce` is called when the user interrupts the work."""
    return _watched.is_set()


def announce() -> None:
    """Stop everything that is running; nothing new begins."""
    _announced.set()
    with _lock:  # what is being stopped does not go away meanwhile
        for stop in _running:
            with suppress(Exception):
                stop()


def check() -> None:
    """Raise if the work is to end.

    Raises:
        KeyboardInterrupt: it is.
    """
    if _announced.is_set():
        if current_thread() is main_thread():
            _raised.set()
        raise KeyboardInterrupt


def raised() -> bool:
    """Whether `check` has raised in the main thread, which is then on its way to the end."""
    return _raised.is_set()


@contextmanager
def stopped_by(stop: Stop) -> Iterator[None]:
    """Inside the block, `announce` calls `stop`.

    Raises:
        KeyboardInterrupt: the work is to end, and has not begun.
    """
    with _lock:
        _running.append(stop)
    try:
        check()
        yield
    finally:
        with _lock:
            _running.remove(stop)
