"""Ctrl-C ends the command soon, whoever keeps the exception to himself: with one line, and a status of its own.

Python turns the signal into KeyboardInterrupt, which is how the work ends in order. It is not enough. What is raised in
a finaliser or a callback of C code is printed and forgotten; the bindings of Z3 do much in both. A solver at work
returns nothing for a minute. So a thread of its own learns of the signal first. It stops the solvers, has the exception
raised again where it was lost, and after `GRACE` seconds, or at a second signal, ends the process itself.
"""

from __future__ import annotations

import _thread
import atexit
import os
import select
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

from smt.solvers import interruption

GRACE = 1.5
"""How long the work may take to end in order, in seconds."""

AGAIN = 0.1
"""After how many seconds the exception is raised again where it was lost."""

WORDS: Mapping[int, str] = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
"""The signals that end the command, and what it then says."""


class _Watch:
    """What is known of the signals of this process."""

    def __init__(self) -> None:
        self.number: int | None = None
        self.raised = False
        self.finished = False
        self.going_on: Callable[[], str] | None = None
        self._raised_again = 0
        self._said = False
        self._speaking = threading.Lock()

    @property
    def status(self) -> int:
        """The exit status, as shells count it."""
        return 128 + (self.number or signal.SIGINT)

    @property
    def on_its_way(self) -> bool:
        """Whether the main thread has been told, and need not be told again."""
        return self.raised or interruption.raised()

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Raise the exception, unless it would be lost here; then it is raised a little later."""
        self.number = self.number or number
        if self.on_its_way or self.finished or _is_lost_in(frame):
            return
        self.raised = True
        raise KeyboardInterrupt

    def lost(self, unraisable: Any) -> None:
        """Take note of an exception that was raised where none can be; after a signal the command says what matters."""
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            self.raised = False
        elif self.number is None:
            sys.__unraisablehook__(unraisable)

    def lost_in_thread(self, ending: Any) -> None:
        """Say nothing of a thread that broke down because what it waited for was stopped."""
        if self.number is None and not issubclass(ending.exc_type, KeyboardInterrupt):
            threading.__excepthook__(ending)

    def look(self, arrivals: int) -> None:
        """Wait for the numbers of signals at a pipe's end, for as long as the process lives."""
        deadline: float | None = None
        while True:
            wait = None if deadline is None else max(0.0, min(AGAIN, deadline - time.monotonic()))
            numbers = os.read(arrivals, 64) if select.select([arrivals], [], [], wait)[0] else b""
            for number in filter(WORDS.__contains__, numbers):
                if self._raised_again:
                    self._raised_again -= 1
                    continue
                self.number = self.number or number
                if deadline is not None or self.finished:
                    self.end()
                deadline = time.monotonic() + GRACE
                interruption.announce()
            if deadline is None or numbers:
                continue
            if time.monotonic() > deadline:
                self.end()
            if not self.on_its_way and not self.finished:
                self._raised_again += 1
                _thread.interrupt_main(signal.Signals(self.number or signal.SIGINT))

    def say(self) -> None:
        """Say what happened to the command; whoever comes first does."""
        with self._speaking, suppress(OSError):
            if not self._said:
                self._said = True
                # A terminal shows ^C, and a display of progress may have hidden the cursor.
                before = "\x1b[?25h\n" if os.isatty(2) else ""
                os.write(2, f"{before}error: {self.words()}\n".encode())

    def words(self) -> str:
        """What happened to the command, and which one goes on from there."""
        said = WORDS[self.number or signal.SIGINT]
        return said if self.going_on is None else f"{said}\n  {self.going_on()}"

    def end(self) -> NoReturn:
        """End the process now, and what it has started."""
        interruption.announce()
        self.say()
        os._exit(self.status)


_watch = _Watch()


def take_signals() -> None:
    """Begin to watch for the signals; meant for a process that is the command, from its main thread.

    A signal that whoever started the process had it ignore stays ignored. Children that are forks of this process are
    ended by a signal as any other program.
    """
    if os.name != "posix":
        return
    arrivals, announced = os.pipe()
    os.set_blocking(announced, False)
    for number in WORDS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _watch.handle)
    signal.set_wakeup_fd(announced, warn_on_full_buffer=False)
    sys.unraisablehook = _watch.lost
    threading.excepthook = _watch.lost_in_thread
    os.register_at_fork(after_in_child=_leave_signals)
    interruption.watch()
    threading.Thread(target=_watch.look, args=(arrivals,), name="signals", daemon=True).start()


def goes_on(told: Callable[[], str] | None) -> None:
    """Have an interrupted command say how to go on.

    Args:
        told: says it, when it is known how far the command is; None where there is nothing to say.
    """
    _watch.going_on = told


def again(*, kept: bool = False) -> str:
    """That the same command begins again, or goes on where what it did is kept."""
    command = shlex.join(["remora", *sys.argv[1:]])
    return f"go on with: {command}" if kept else f"nothing of it is kept; again with: {command}"


def words() -> str:
    """What an interrupted command says."""
    return _watch.words()


def finish(status: int) -> NoReturn:
    """End the process with a status: there is nothing left that a signal could interrupt.

    Python would take apart what it has loaded, object by object, which takes longer than to detect in a small log.
    """
    _watch.finished = True
    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads that are still at work
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(status)


@contextmanager
def kept_from_children() -> Iterator[None]:
    """Processes that are started inside the block do not get the signals; they are ended when the command is.

    A key that is pressed at a terminal reaches every process that was started there, and each would say so.
    """
    if os.name != "posix":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, WORDS)  # a new process begins with what is blocked here
    try:
        with interruption.stopped_by(_end_children):
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_children() -> None:
    import multiprocessing  # light commands do without it

    for child in multiprocessing.active_children():
        child.kill()


def arrived() -> bool:
    """Whether a signal that ends the command has come."""
    return _watch.number is not None


def end_in_order() -> NoReturn:
    """End the process after its work has ended in order, with what it printed and what ended it.

    Python would now wait for threads that are still at work. And where the exception went through code that a text was
    compiled to, as that of a data class is, Python would end by the signal and not with a status.
    """
    _watch.raised = True
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    _watch.say()
    with suppress(Exception):
        atexit._run_exitfuncs()
    os._exit(_watch.status)


def _leave_signals() -> None:
    signal.set_wakeup_fd(-1)
    for number in WORDS:
        if signal.getsignal(number) == _watch.handle:
            signal.signal(number, signal.SIG_DFL)


def _is_lost_in(frame: FrameType | None) -> bool:
    """Whether an exception that is raised here is lost, or leaves behind what cannot be finalised."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if frame.f_code.co_name == "__del__" or module.partition(".")[0] == "z3":
            return True
        frame = frame.f_back
    return False
