"""Interrupt handling: Ctrl-C ends the process even where a library swallows KeyboardInterrupt or does not return.

The first signal raises KeyboardInterrupt, by which work ends in order. A thread ends the process
`GRACE` seconds later, or at a second signal.
"""

import os
import select
import shlex
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import NoReturn

GRACE = 1.5  # How long work may take to end in order, in seconds

WORDS = {int(signal.SIGINT): "interrupted", int(signal.SIGTERM): "terminated"}
"""The signals that end the command, and what it then says."""


class _Watch:
    number: int = signal.SIGINT
    arrived = False
    said = False
    advice: Callable[[], str] | None = None


def take_signals() -> None:
    """Watch for the signals, in a process that is the command; forks of it are ended by them as any other program."""
    if os.name != "posix":
        return
    arrivals, announced = os.pipe()
    os.set_blocking(announced, False)
    for number in WORDS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _raise)
    signal.set_wakeup_fd(announced, warn_on_full_buffer=False)
    sys.unraisablehook = lambda lost: None if _Watch.arrived else sys.__unraisablehook__(lost)
    threading.excepthook = lambda lost: None if _Watch.arrived else threading.__excepthook__(lost)
    os.register_at_fork(after_in_child=_leave_signals)
    threading.Thread(target=_look, args=(arrivals,), name="signals", daemon=True).start()


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _look(arrivals: int) -> None:
    while not _Watch.arrived:
        for number in filter(WORDS.__contains__, os.read(arrivals, 64)):
            _Watch.number, _Watch.arrived = number, True
    select.select([arrivals], [], [], GRACE)
    os._exit(interrupted())


def _leave_signals() -> None:
    signal.set_wakeup_fd(-1)
    for number in WORDS:
        if signal.getsignal(number) is _raise:
            signal.signal(number, signal.SIG_DFL)


def interrupted() -> int:
    """Say once what happened to the command and what goes on from there, end what it started; the exit status."""
    from multiprocessing import active_children  # light commands do without it

    for child in active_children():
        child.kill()
    if not _Watch.said:
        _Watch.said = True
        advice = f"\n  {_Watch.advice()}" if _Watch.advice else ""
        shown = "\x1b[?25h\n" if sys.stderr.isatty() else ""  # the cursor, which a display of progress hides
        with suppress(OSError):
            sys.stderr.write(f"{shown}error: {WORDS[_Watch.number]}{advice}\n")
            sys.stderr.flush()
    return 128 + _Watch.number


def goes_on(told: Callable[[], str] | None) -> None:
    """Have an interrupted command say in these words how to go on; None where there is nothing to say."""
    _Watch.advice, _Watch.said = told, False


def again(*, kept: bool = False) -> str:
    """Advice to type the command again, or to go on where its work is kept."""
    command = shlex.join(["remora", *sys.argv[1:]])
    return f"go on with: {command}" if kept else f"nothing of it is kept; again with: {command}"


def arrived() -> bool:
    """Whether a signal that ends the command has come."""
    return _Watch.arrived
