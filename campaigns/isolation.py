"""The judgement of one case in a process of its own, for detectors that end or block their process."""

from __future__ import annotations

import os
import pickle
import select
import signal
import time
from typing import NoReturn

from campaigns.cases import Case
from campaigns.judge import TIME_LIMIT, Kind, Verdict, judge
from detectors.adapters import AnyFactory
from semantics.intervals import interval_denotation

GRACE = 1.0
"""How long the process may outlive the time limit, in seconds, before it is killed."""


def can_isolate() -> bool:
    """Whether processes can be forked here."""
    return hasattr(os, "fork")


def judge_isolated(case: Case, factory: AnyFactory, *, seconds: float = TIME_LIMIT) -> Verdict:
    """As `judge`, in a forked process; its loss is a verdict as well. Where nothing forks, as `judge`."""
    if not can_isolate():
        return judge(case, factory, seconds=seconds)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _judge_and_exit(case, factory, seconds, writing)
    os.close(writing)
    try:
        answer = _read_all(reading, time.monotonic() + seconds + GRACE)
    finally:
        os.close(reading)
    if answer is None:
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if answer and status == 0:
        verdict: Verdict = pickle.loads(answer)
        return verdict
    expected = tuple(interval_denotation(case.expression, case.trace).restricted())
    if answer is None:
        return Verdict(
            Kind.TIMEOUT, f"not finished after {seconds:g} seconds, and had to be killed", expected
        )
    how = f"signal {-status}" if status < 0 else f"exit status {status}"
    return Verdict(Kind.WORKER_LOST, f"the process of the detector ended with {how}", expected)


def _judge_and_exit(case: Case, factory: AnyFactory, seconds: float, writing: int) -> NoReturn:
    """The child's part; it never returns into the code that the parent was running."""
    status = 1
    try:
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(judge(case, factory, seconds=seconds), pipe)
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
