"""Detectors that are programs: processes that read cases, a line of JSON each, and answer each by a line.

What a program takes, and how its answers are compared, is declared: a `Form`. A process that ends, does not answer in
time, or answers something else is a `ProcessFailed` that names the case; the next case starts it again.
"""

from __future__ import annotations

import json
import os
import resource
import selectors
import shlex
import signal
import subprocess
import time
import tomllib
import weakref
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fcntl import ioctl
from functools import cache
from itertools import count
from pathlib import Path
from termios import FIONREAD
from typing import IO, Annotated, Any, Literal, cast

import msgspec

from detectors.protocol import COMMAND, ProcessFailed, ProcessSlow
from semantics.errors import InputError

LONGEST_ANSWER = 1 << 28  # An answer has fewer bytes
SHOWN = 200  # So many characters of what a program said are shown
SAID = 4 * SHOWN  # So many bytes of standard error are kept
SCRIPT = 1 << 20  # A script has fewer bytes
PARTING = 1.0  # So many seconds a process has to end after its input has
LOOK = 0.2  # So often it is looked whether a silent process has ended, in seconds: others may keep its pipes open


class Form(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Form of a program: what it takes, and how its answers are compared.

    Attributes:
        command: the program and its arguments, without a shell.
        input: a case a line, or an event a line.
        operators: those it takes, as `;`; the temporal restriction is `[t]`.
        longest: the greatest bound it takes, in ticks.
        latest: the greatest time it takes, in ticks.
        ties: whether it takes several events at one time.
        matches: one match for each end, or all instances.
        compared: what is compared of each match: starts and ends, ends alone, instances; or the first match alone.
        seconds: how long a case may take.
    """

    command: Annotated[str, msgspec.Meta(min_length=1)]
    input: Literal["cases", "events"] = "cases"
    operators: tuple[Literal["|", "+", "-", ";", "[t]"], ...] = ("|", "+", "-", ";", "[t]")
    longest: Annotated[int, msgspec.Meta(ge=0)] | None = None
    latest: Annotated[int, msgspec.Meta(ge=0)] | None = None
    ties: bool = True
    matches: Literal["one", "all"] = "one"
    compared: Literal["intervals", "ends", "instances", "first"] = "intervals"
    seconds: Annotated[float, msgspec.Meta(gt=0)] = 5.0

    def left_out(self) -> list[str]:
        """What is not asked or not compared, in a few words each."""
        without = " ".join(one for one in Form(command=self.command).operators if one not in self.operators)
        said = {
            "starts of matches": self.compared == "ends",
            "matches after the first": self.compared == "first",
            f"patterns with {without}": without,
            "several events at one time": not self.ties,
            f"bounds above {self.longest}": self.longest is not None,
            f"times above {self.latest}": self.latest is not None,
        }
        return [words for words, left in said.items() if left]


class Program(msgspec.Struct, frozen=True):
    """Program: its form, the folder in which it runs, and when the files that its command names were changed."""

    form: Form
    folder: str
    changed: tuple[int, ...] = ()

    def files(self) -> list[Path]:
        """The files that the command names."""
        words = [Path(self.folder, word) for word in shlex.split(self.form.command)]
        return [path for path in words if os.path.isfile(path)]  # noqa: PTH113 (a script may be too long for a name)

    def texts(self) -> Iterator[str]:
        """The texts of these: scripts, not what is compiled."""
        for path in self.files():
            with suppress(OSError, UnicodeDecodeError):
                if path.stat().st_size < SCRIPT:
                    yield path.read_text(encoding="utf-8")


def program(name: str, search_path: Sequence[str] = ()) -> Program:
    """The program of a name, `command: ./mine --flag` or the path of a form, which is looked for in the folders.

    A command runs in the first folder, or the current one; that of a form where the form is.

    Raises:
        InputError: there is no such form or program, or it declares what there is not.
    """
    if name.startswith(COMMAND):
        command, folder = name.removeprefix(COMMAND).strip(), Path(next(iter(search_path), "."))
        found, place = Form(command=command) if command else None, name
    else:
        paths = [Path(one, name) for one in (*search_path, ".")]
        path = next((one for one in paths if one.is_file()), None)
        if path is None:
            raise InputError("there is no such form of a detector", place=name, remedy="Name a file of TOML.")
        folder, place = path.parent, str(path)
        try:
            found = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Form)
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            raise InputError(f"this declares no detector: {error}", place=place, remedy=REMEDY) from None
    try:
        words = shlex.split(found.command) if found else []
    except ValueError as error:
        raise InputError(f"the command cannot be read: {error}", place=place, remedy="Close its quotes.") from None
    if found is None or not words:
        raise InputError("no command is named", place=place, remedy="Name the program: 'command: ./mydetector'.")
    named = Program(found, str(folder.resolve()))
    return msgspec.structs.replace(named, changed=tuple(path.stat().st_mtime_ns for path in named.files()))


REMEDY = "docs/howto/judge-a-program.md says what a program reads and writes, and what a form declares."


class Process:
    """A running program, which is started when it is asked for something, and again after it failed.

    One that ends with status 0 after an answer, and has read nothing of the next case, is started again for that. It
    is in a group of its own, which an interrupt from the keyboard does not reach; a fork starts another one.
    """

    def __init__(self, command: Sequence[str], folder: str = ".", seconds: float = 5.0) -> None:
        """With a command, the folder in which it runs, and how long it may take for an answer."""
        self._command, self._folder, self._seconds = command, folder, seconds
        self._numbers, self._owner = count(1), os.getpid()
        self._running: subprocess.Popen[bytes] | None = None
        self._read, self._searched, self._said, self._answered = bytearray(), 0, b"", False

    def next_case(self) -> int:
        """The number of another case."""
        return next(self._numbers)

    def started(self) -> int:
        """The number of the process that runs, which is started for that; another one knows nothing of its cases."""
        return self._started().pid

    def ask(self, case: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a case, whose number is given to it; `ProcessFailed` where there is none."""
        number = self.next_case()
        (answer,) = self.tell([{"case": number, **case}], number)
        if "error" in answer:
            raise ProcessFailed(f"the program says of case {number}: {shown(answer['error'])}")
        if repr(answer.get("case")) != repr(number):
            found = f"case {shown(answer['case'])}" if "case" in answer else f"no case: {shown(answer)}"
            raise self.failed(number, f"answered {found}")
        return answer

    def tell(
        self, lines: Sequence[object], case: int = 0, until: str = "", *, fresh: bool = True, seconds: float = 0.0
    ) -> list[dict[str, Any]]:
        """The answers to lines: one, or those up to one that has a member; `ProcessFailed` where they do not come.

        A `fresh` process knows all that it needs to answer.
        """
        seconds = seconds or self._seconds
        given = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode("utf-8", "replace")
        answers: list[dict[str, Any]] = []
        try:
            for line in self._exchanged(given, seconds, time.monotonic() + seconds, case, fresh):
                try:
                    answer = json.loads(line)
                except (ValueError, RecursionError):
                    answer = None
                if not isinstance(answer, dict):
                    raise self.failed(case, f"answered no object of JSON: {shown(line)}")
                answers.append(answer)
                if not until or until in answer or "error" in answer:
                    if self._read:
                        both = shown(line + b" " + self._read)
                        raise self.failed(case, f"wrote more than an answer: {both}")
                    self._answered = True
                    return answers
        except BaseException:  # the time may be up at any line of this: what it says later would answer another case
            self.end(0.0)
            raise
        raise AssertionError("an exchange ends with an answer or fails")

    def _exchanged(self, whole: bytes, seconds: float, until: float, case: int, fresh: bool) -> Iterator[bytes]:
        """The lines that come while others are given, so that neither side waits for the other for ever."""
        process, given, fresh = self._started(), memoryview(whole), fresh and self._answered
        source, sink, aside = (cast(IO[bytes], pipe) for pipe in (process.stdout, process.stdin, process.stderr))
        with selectors.DefaultSelector() as ready:
            ready.register(source, selectors.EVENT_READ)
            ready.register(sink, selectors.EVENT_WRITE)
            ready.register(aside, selectors.EVENT_READ)
            while True:
                while (end := self._read.find(b"\n", self._searched)) >= 0:
                    line, self._searched, fresh = bytes(self._read[:end]), 0, False
                    del self._read[: end + 1]
                    yield line
                self._searched = len(self._read)
                if self._searched > LONGEST_ANSWER:
                    raise self.failed(case, f"gave more than {LONGEST_ANSWER:,} bytes without an end of line")
                left = until - time.monotonic()
                if left <= 0:
                    slow = f"did not answer within {seconds:g} seconds"
                    slow += f"; it wrote, without an end of line: {shown(self._read)}" if self._read else ""
                    raise ProcessSlow(*self.failed(case, slow).args)
                ended = process.poll() is not None
                keys = ready.select(0.0 if ended else min(left, LOOK))
                ended &= not any(key.fileobj is source for key, _ in keys)
                for key, _ in keys:
                    if key.fileobj is source:
                        read = os.read(source.fileno(), 1 << 16)
                        ended |= not read
                        self._read += read
                    elif key.fileobj is sink and given:
                        with suppress(BlockingIOError, BrokenPipeError):
                            given = given[os.write(sink.fileno(), given[: 1 << 16]) :]
                            continue
                        ready.unregister(sink)  # it has ended, which reading finds out
                    elif key.fileobj is sink or not self._listened():
                        ready.unregister(key.fileobj)
                if ended:
                    break
            how, unread = self._how(), array("i", [0])
            ioctl(sink.fileno(), FIONREAD, unread)
        if fresh and how == " with status 0" and not self._read and len(whole) - len(given) == unread[0]:
            self.end(0.0)
            yield from self._exchanged(whole, seconds, until, case, fresh=False)
        raise self.failed(case, f"ended{how}")

    def _listened(self) -> bool:
        """Keep the end of what has come on standard error; whether more may come."""
        with suppress(BlockingIOError):
            read = os.read(cast(IO[bytes], cast("subprocess.Popen[bytes]", self._running).stderr).fileno(), 1 << 16)
            self._said = (self._said + read)[-SAID:]
            return bool(read)
        return True

    def _started(self) -> subprocess.Popen[bytes]:
        if self._running is None or self._owner != os.getpid():
            self._owner = os.getpid()
            self._read, self._searched, self._said, self._answered = bytearray(), 0, b"", False
            self._guard, word = _guard(), self._command[0]
            path = Path(self._folder, word)  # that of the folder, or else the name, which is looked for as usual
            try:
                with _any_memory():
                    self._running = subprocess.Popen(
                        [str(path) if "/" in word and path.exists() else word, *self._command[1:]],
                        cwd=self._folder,
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE,
                        bufsize=0,
                        process_group=self._guard.pid,
                    )
            except (OSError, ValueError) as error:
                with self._guard:
                    self._guard.kill()
                reason = f"the program cannot be started: {getattr(error, 'strerror', None) or error}"
                raise InputError(reason, place=word, remedy="Name a program that can be run.") from None
            for pipe in (self._running.stdin, self._running.stderr):
                os.set_blocking(cast(IO[bytes], pipe).fileno(), False)
            self._at_exit = weakref.finalize(self, _ended, self._running, self._guard, os.getpid(), PARTING)
        return self._running

    def _how(self) -> str:
        """How the process ended, in words."""
        process, words = cast("subprocess.Popen[bytes]", self._running), ""
        with suppress(subprocess.TimeoutExpired):
            status = process.wait(PARTING)
            words = f" by {signal.Signals(-status).name}" if status < 0 else f" with status {status}"
        return words

    def failed(self, case: int, how: str) -> ProcessFailed:
        """What a program did in place of an answer, with the last line it wrote to standard error; it is ended."""
        if self._running is not None:
            self._listened()
        lines = self._said.decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        self.end(0.0)
        where = f" (case {case})" if case else ""
        return ProcessFailed(f"the program {how}{where}" + (f"; it says: {shown(last)}" if last else ""))

    def end(self, seconds: float = PARTING) -> None:
        """End the process, which has so many seconds for it."""
        if self._running is not None and self._owner == os.getpid():
            self._at_exit.detach()  # another process may have its number later
            _ended(self._running, self._guard, self._owner, seconds)
        self._running = None


def _guard() -> subprocess.Popen[bytes]:
    """A process with a group of its own, which it ends when its input does: when this process has ended, somehow."""
    script, none = f"trap '' INT TERM HUP; read -r _; sleep {PARTING:g}; kill -KILL 0", subprocess.DEVNULL
    command, given = ["/bin/sh", "-c", script], subprocess.PIPE
    return subprocess.Popen(command, stdin=given, stdout=none, stderr=none, bufsize=0, process_group=0)


def _ended(process: subprocess.Popen[bytes], guard: subprocess.Popen[bytes], owner: int, seconds: float) -> None:
    """End a process of this process, and all in the group of its guard; one that a fork knows of is its parent's."""
    if owner != os.getpid():
        return
    with guard:
        for pipe in (process.stdin, process.stdout, process.stderr):
            cast(IO[bytes], pipe).close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds or 1e-3)
        kill_group(guard.pid)
        process.wait()


def kill_group(leader: int) -> None:
    """End a process that leads a group of its own, with everything that it started and that is still in the group."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


@contextmanager
def _any_memory() -> Iterator[None]:
    """Let what starts take the memory that it may; a process that judges has limited its own."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def shown(value: object) -> str:
    """A value from outside, on one line, cut off where it is long."""
    if isinstance(value, bytes | bytearray):
        value = value[: 4 * SHOWN].decode("utf-8", "replace")
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


@cache
def process_of(program: Program) -> Process:
    """The process of a program."""
    return Process(shlex.split(program.form.command), program.folder, program.form.seconds)
