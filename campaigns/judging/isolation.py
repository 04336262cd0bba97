"""Processes in which code of others runs: limits of time and memory, isolation, work shared out in rounds."""

from __future__ import annotations

import os
import pickle
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice, takewhile
from math import inf
from pathlib import Path
from types import FrameType
from typing import Generic, TypeAlias, TypeVar

from campaigns.imports import crash_text
from campaigns.judging.verdicts import Kind
from detectors.protocol import ProcessSlow
from semantics.errors import LimitExceeded

Result = TypeVar("Result")

MEMORY_LIMIT = 2048  # How much more memory than at its start a process that judges cases may take, in MiB
WAITING = 3  # So many times as long it may take by the clock, where a machine has other work or what is judged sleeps
SHORTEST = 0.001  # The time is not looked at more often than after so many seconds


class TimeUp(BaseException):
    """The time is up. Not an `Exception`, so that a detector's own `except Exception` does not swallow it."""


class Failed(Exception):
    """Failure that a wrapper around a detector found; no exception of the detector's own."""

    def __init__(self, kind: Kind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


class Deadline:
    """An end after so many seconds of the processor in this thread, or `WAITING` times as many by the clock.

    A machine that has other work must not make a detector fail; what sleeps or waits for ever must come to an end.
    """

    def __init__(self, seconds: float) -> None:
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


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeUp` inside the block when it takes longer than a `Deadline`; only in the main thread, with SIGALRM."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return
    deadline = Deadline(seconds)

    def look(_signal: int, _frame: FrameType | None) -> None:
        left = deadline.left
        if left <= 0:
            raise TimeUp
        signal.setitimer(signal.ITIMER_REAL, max(left, SHORTEST))

    def look_again(ignored: sys.UnraisableHookArgs) -> None:  # raised in a destructor, which Python ignores
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


def ended(run: Callable[[], object], seconds: float) -> tuple[Kind | None, str]:
    """How code under test fails to come to an end, and the words; no kind if it refuses, and no words if it ends."""
    try:
        with time_limit(seconds):
            run()
    except TimeUp:
        return Kind.TIMEOUT, f"not finished after {seconds:g} seconds"
    except ProcessSlow as error:
        return Kind.TIMEOUT, str(error)
    except MemoryError:
        return Kind.MEMORY, "it asked for more memory than it may have"
    except Failed as found:
        return found.kind, str(found)
    except LimitExceeded as error:
        return None, error.reason or "it does not say why"
    except (Exception, SystemExit) as error:  # whatever a detector raises is a result
        return Kind.CRASH, crash_text(error)
    return None, ""


def limit_memory(more: int) -> None:
    """Let this process take so many MiB more address space, on Linux; then it gets a `MemoryError`."""
    sizes = Path("/proc/self/statm")
    if not sizes.is_file():
        return
    import resource  # only systems that have it

    now = int(sizes.read_text().split()[0]) * resource.getpagesize()
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    asked = now + more * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (asked if most == resource.RLIM_INFINITY else min(asked, most), most))


GRACE = 1.0  # How long the process may outlive its time, in seconds, before it is killed
NESTED = 0.3  # So many seconds earlier a process of a process is ended when the time for everything is up


class OutOfTime(Exception):
    """The time for everything was up before a process had ended."""


_latest = [inf]


@contextmanager
def curfew(until: float) -> Iterator[None]:
    """End at a time whoever waits for a process inside the block, or starts one later, by `OutOfTime`."""
    before, _latest[0] = _latest[0], min(_latest[0], until)
    try:
        yield
    finally:
        _latest[0] = before


@dataclass(frozen=True)
class Lost:
    """A process that ended without a result: killed after its time, or by itself."""

    kind: Kind
    detail: str


def can_isolate() -> bool:
    """Whether processes can be forked here."""
    return hasattr(os, "fork")


class Child(Generic[Result]):
    """Work in a forked process with so many MiB more memory, or any; its result comes pickled from our own child."""

    def __init__(self, work: Callable[[], Result], *, memory: int | None = MEMORY_LIMIT) -> None:
        self._reading, writing = os.pipe()
        self._process = os.fork()
        if self._process == 0:  # the child, which never returns into the code that the parent was running
            status = 1
            try:
                os.close(self._reading)
                _latest[0] -= NESTED
                if memory is not None:
                    limit_memory(memory)
                with os.fdopen(writing, "wb") as pipe:
                    pickle.dump(work(), pipe)
                status = 0
            finally:
                os._exit(status)
        os.close(writing)

    def result(self, seconds: float) -> Result | Lost:
        """The result within so many seconds and a grace, else it is killed; `OutOfTime` at a curfew; call it once."""
        deadline, answer = min(time.monotonic() + seconds + GRACE, _latest[0]), b""
        try:
            while ready := select.select([self._reading], [], [], max(0.0, deadline - time.monotonic()))[0]:
                part = os.read(self._reading, 65536)
                answer += part
                if not part:
                    break
        except BaseException:
            self.kill()
            raise
        os.close(self._reading)
        if not ready:
            os.kill(self._process, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])
        self._process = 0
        if not ready and time.monotonic() >= _latest[0]:
            raise OutOfTime
        if not ready:
            return Lost(Kind.TIMEOUT, f"not finished after {seconds:g} seconds, and had to be killed")
        if answer and status == 0:
            result: Result = pickle.loads(answer)
            return result
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        return Lost(Kind.WORKER_LOST, f"its process ended with {how}")

    def kill(self) -> None:
        """End the process if nobody has waited for it."""
        if self._process:
            os.close(self._reading)
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
            self._process = 0


def isolated(work: Callable[[], Result], *, seconds: float) -> Result | Lost:
    """The result of work in a forked process; where nothing forks, in this one; `OutOfTime` at a curfew."""
    return Child(work).result(seconds) if can_isolate() else work()


Work: TypeAlias = "Callable[[Sequence[int], bool], Iterable[Result]]"
"""Gives one result for each number, one after the other; told whether detectors run in processes of their own."""

ROUND = 1.0  # A round takes about so many seconds: then there is something to show, and the time is looked at
GROWTH = 4  # A round has at most so many times as many pieces as the one before


def rounds(
    work: Work[Result], numbers: Iterable[int], *, until: float, seconds: float, processes: int | None = None
) -> Iterator[list[Result]]:
    """The results of work in processes, round by round, until the numbers end, the time, or there is a curfew.

    If a process is lost, its pieces are done again one by one, each with the detectors in processes of their own. At
    least one piece is done; `until` is on the clock of `time.monotonic`, and a piece should take so many `seconds`.
    """
    side_by_side = (processes or processors()) if can_isolate() else 1
    pending, share, first = iter(numbers), 1, True

    def done(part: Sequence[int], until: float, apart: bool = False) -> list[tuple[int, Result]]:
        found = []
        for number, result in zip(part, work(part, apart), strict=True):
            found.append((number, result))
            if time.monotonic() >= until:
                break
        return found

    while batch := list(islice(pending, share * side_by_side)):
        begin = time.monotonic()
        if begin >= until and not first:
            return
        end = begin if first else until
        found, running = dict[int, Result](), list[tuple[list[int], Child[list[tuple[int, Result]]]]]()
        try:
            for part in filter(None, (batch[place::side_by_side] for place in range(side_by_side))):
                if can_isolate():
                    running.append((part, Child(partial(done, part, end))))
                else:
                    found.update(done(part, end))
            for part, child in running:
                results = child.result(ROUND * GROWTH + 2 * seconds)
                if not isinstance(results, Lost):
                    found.update(results)
                    continue
                for number in part:
                    found.update(done([number], end, apart=True))
                    if time.monotonic() >= end:
                        break
        except OutOfTime:
            pass
        finally:
            for _, child in running:
                child.kill()
        yield [found[number] for number in takewhile(found.__contains__, batch)]
        if len(found) < len(batch):
            return
        taken = max(time.monotonic() - begin, 1e-3)
        least = 2 * share if taken < 2 * ROUND else 1  # most of a round may be the start of what is judged
        share = max(least, min(share * GROWTH, int(share * ROUND / taken)))
        first = False


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
