"""Programs that are run to their end, or for as long as they may."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from smt.solvers import interruption
from smt.solvers.worker import kill_group


@dataclass(frozen=True)
class Ended:
    """How a program ended.

    Attributes:
        printed: what it printed, on either channel.
        hung: whether it had to be stopped after its time.
    """

    printed: str
    status: int
    hung: bool


def ran(command: Sequence[str | Path], *, seconds: float) -> Ended:
    """Run a program without input; after its time it is stopped, with all that it started.

    Raises:
        OSError: it cannot be started.
        KeyboardInterrupt: the user interrupted it; the program is stopped.
    """
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,  # a script is stopped with all that it started
    )
    hung = False
    try:
        with interruption.stopped_by(partial(kill_group, process.pid)):
            printed, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        hung = True
        kill_group(process.pid)
        printed, _ = process.communicate()
    finally:
        kill_group(process.pid)
        process.wait()
    interruption.check()
    return Ended(printed.strip(), process.returncode, hung)
