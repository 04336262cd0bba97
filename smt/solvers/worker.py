"""A child process that answers one line of JSON with one line of JSON, for work that may block or crash."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LOOK = 0.5
"""How often one looks whether the process is still there, in seconds."""


class WorkerLost(RuntimeError):
    """The process ended, or had to be killed, before it answered."""


class Worker:
    """A Python program in a process of its own: started when it is first asked, and again after it was lost.

    The process is in a session of its own, so that an interrupt from the keyboard reaches the one who asked and not
    the process; an interrupted question ends it, with all that it started. It is not shared between threads.
    """

    def __init__(self, program: Path, *arguments: str) -> None:
        """With the program's file, which reads questions from standard input until its end."""
        self.command = [sys.executable, "-P", str(program), *arguments]
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = os.getpid()

    @property
    def pid(self) -> int | None:
        """The process, if there is one."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start the process without waiting for it."""
        if self._owner != os.getpid():  # a fork: the process belongs to the parent
            self._process, self._owner = None, os.getpid()
        if self._process is None:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )

    def ask(self, question: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Put a question and wait for its answer.

        Raises:
            WorkerLost: there is no answer. The next question starts a new process.
            KeyboardInterrupt: the user interrupted it; the process is ended.
        """
        self.start()
        process = self._process
        assert process is not None
        try:
            line = _exchange(process, json.dumps(question).encode() + b"\n", time.monotonic() + seconds)
            if line is None:
                raise WorkerLost(f"no answer within {seconds:g} seconds; its process was killed")
            answer = json.loads(line)
        except (OSError, EOFError, ValueError) as error:
            raise WorkerLost(f"its process was lost: {self._ending(error)}") from error
        except BaseException:
            self.close()
            raise
        if not isinstance(answer, dict):
            self.close()
            raise WorkerLost("its process answered something else")
        return answer

    def close(self) -> None:
        """End the process, whatever it is doing."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            kill_group(process.pid)
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()

    def __del__(self) -> None:
        self.close()

    def _ending(self, error: Exception) -> str:
        """How the process ended, in words."""
        process = self._process
        status: int | None = None
        if process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = process.wait(timeout=1)
        self.close()
        if status is None:
            return f"it talks nonsense ({error})"
        return f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"


def kill_group(leader: int) -> None:
    """End a process that leads a group of its own, with everything that it started and that is still in the group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def _exchange(process: subprocess.Popen[bytes], question: bytes, deadline: float) -> bytes | None:
    """Write a line and read one; nothing after the deadline."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(question)
    parts: list[bytes] = []
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while not (parts and parts[-1].endswith(b"\n")):
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            if not selector.select(min(left, LOOK)):
                if process.poll() is not None:  # what it started may hold the pipe open
                    raise EOFError
                continue
            part = os.read(process.stdout.fileno(), 1 << 16)
            if not part:
                raise EOFError
            parts.append(part)
    return b"".join(parts)


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
        printed, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        hung = True
        kill_group(process.pid)
        printed, _ = process.communicate()
    finally:
        kill_group(process.pid)
        process.wait()
    return Ended(printed.strip(), process.returncode, hung)
