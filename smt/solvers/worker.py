"""A child process that answers one line of JSON with one line of JSON, for work that may block or crash."""

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

LOOK = 0.5  # How often one looks whether the process is still there, in seconds


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

    def start(self) -> subprocess.Popen[bytes]:
        """Start the process without waiting for it."""
        if self._owner != os.getpid():  # a fork: the process belongs to the parent
            self._process, self._owner = None, os.getpid()
        if self._process is None:
            pipe, none = subprocess.PIPE, subprocess.DEVNULL
            self._process = subprocess.Popen(
                self.command, stdin=pipe, stdout=pipe, stderr=none, bufsize=0, start_new_session=True
            )
        return self._process

    def ask(self, question: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Put a question and wait for its answer; `WorkerLost`, or an interrupt, ends the process; the next is new."""
        process = self.start()
        try:
            line = _exchange(process, json.dumps(question).encode() + b"\n", time.monotonic() + seconds)
            if line is None:
                raise WorkerLost(f"no answer within {seconds:g} seconds; its process was killed")
            answer = json.loads(line)
            if not isinstance(answer, dict):
                raise WorkerLost("its process answered something else")
        except (OSError, EOFError, ValueError) as error:
            status: int | None = None
            with suppress(subprocess.TimeoutExpired):
                status = process.wait(timeout=1)
            self.close()
            ended = (
                f"exit status {status}" if status is None or status >= 0 else f"signal {signal.Signals(-status).name}"
            )
            said = f"it talks nonsense ({error})" if status is None else ended
            raise WorkerLost(f"its process was lost: {said}") from error
        except BaseException:
            self.close()
            raise
        return answer

    def close(self) -> None:
        """End the process, whatever it is doing."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            kill_group(process.pid)
            process.wait()
            for stream in (process.stdin, process.stdout):
                with suppress(OSError):
                    stream.close()  # type: ignore[union-attr]

    def __del__(self) -> None:
        self.close()


def kill_group(leader: int) -> None:
    """End a process that leads a group of its own, with everything that it started and that is still in the group."""
    with suppress(ProcessLookupError):
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
            if selector.select(min(left, LOOK)):
                parts.append(os.read(process.stdout.fileno(), 1 << 16))
                if not parts[-1]:
                    raise EOFError
            elif process.poll() is not None:  # what it started may hold the pipe open
                raise EOFError
    return b"".join(parts)
