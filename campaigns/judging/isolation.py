"""Isolation: work in a process of its own, for detectors that end, block or overfill their process."""

from __future__ import annotations

import os
import pickle
import select
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import Generic, NoReturn, TypeVar

from campaigns.judging.limits import MEMORY_LIMIT, limit_memory
from campaigns.judging.verdicts import Kind

GRACE = 1.0
"""How long the process may outlive its time, in seconds, before it is killed."""

Result = TypeVar("Result")

NESTED = 0.3
"""So many seconds earlier a process of a process is ended when the time for everything is up."""


class OutOfTime(Exception):
    """The time for everything was up before a process had ended; nothing is known of its work."""


_latest = [inf]


@contextmanager
def curfew(until: float) -> Iterator[None]:
    """End all processes that are waited for inside the block at a time on the clock of `time.monotonic`.

    Whoever waits gets `OutOfTime`, and so does whoever starts a process later.
    """
    before, _latest[0] = _latest[0], min(_latest[0], until)
    try:
        yield
    finally:
        _latest[0] = before


@dataclass(frozen=True)
class Lost:
    """A process that ended without a result.

    Attributes:
        kind: whether it was killed after its time, or ended by itself.
    """

    kind: Kind
    detail: str


def can_isolate() -> bool:
    """Whether processes can be forked here."""
    return hasattr(os, "fork")


class Child(Generic[Result]):
    """Work that goes on in a forked process, whose result is pickled: between a process and its own child.

    Args:
        memory: how many MiB more than this one has the process may take; None for any.
    """

    def __init__(self, work: Callable[[], Result], *, memory: int | None = MEMORY_LIMIT) -> None:
        self._reading, writing = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            os.close(self._reading)
            _work_and_exit(work, writing, memory)
        os.close(writing)

    def result(self, seconds: float) -> Result | Lost:
        """Wait so long, and a grace, for what the work returns; then the process is killed. To be called once.

        Raises:
            OutOfTime: it had to be killed because of a curfew.
        """
        try:
            answer = _read_all(self._reading, min(time.monotonic() + seconds + GRACE, _latest[0]))
        except BaseException:
            self.kill()
            raise
        os.close(self._reading)
        if answer is None:
            os.kill(self._process, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])
        self._process = 0
        if answer is None and time.monotonic() >= _latest[0]:
            raise OutOfTime
        if answer and status == 0:
            result: Result = pickle.loads(answer)
            return result
        if answer is None:
            return Lost(Kind.TIMEOUT, f"not finished after {seconds:g} seconds, and had to be killed")
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
    """What work returns, done in a forked process; where nothing forks, done here.

    Raises:
        OutOfTime: see `curfew`.
    """
    return Child(work).result(seconds) if can_isolate() else work()


def _work_and_exit(work: Callable[[], Result], writing: int, memory: int | None) -> NoReturn:
    """The child's part; it never returns into the code that the parent was running."""
    status = 1
    _latest[0] -= NESTED
    try:
        if memory is not None:
            limit_memory(memory)
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(work(), pipe)
        status = 0
    finally:
        os._exit(status)


def _read_all(reading: int, deadline: float) -> bytes | None:
    """Everything up to the end of a pipe; None if that does not come in time."""
    parts: list[bytes] = []
    while True:
        ready, _, _ = select.select([reading], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return None
        part = os.read(reading, 65536)
        if not part:
            return b"".join(parts)
        parts.append(part)
