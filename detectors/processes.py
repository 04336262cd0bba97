"""Detectors that are programs: processes that read cases, a line of JSON each, and answer each by a line.

What a program takes, and how its answers are compared, is declared: a `Form`. A process that ends, does not answer in
time, or answers something else is a `ProcessFailed` that names the case; the next case starts it again.
"""

from __future__ import annotations

import json
import os
import selectors
import shlex
import signal
import subprocess
import tempfile
import time
import tomllib
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import IO, Annotated, Any, Literal, cast

import msgspec

from detectors.protocol import COMMAND, ProcessFailed, ProcessSlow
from semantics.errors import InputError

LONGEST_ANSWER = 1 << 26  # An answer has fewer bytes
SHOWN = 200  # So many characters of what a program said are shown
SAID = 1 << 20  # So many bytes of standard error are kept
PARTING = 1.0  # So many seconds a process has to end after its input has


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


class Program(msgspec.Struct, frozen=True):
    """Program: its form, the folder in which it runs, and when the files that its command names were changed."""

    form: Form
    folder: str
    changed: tuple[int, ...] = ()

    def files(self) -> list[Path]:
        """The files that the command names."""
        return [path for word in shlex.split(self.form.command) if (path := Path(self.folder, word)).is_file()]

    def texts(self) -> Iterator[str]:
        """The texts of these: scripts, not what is compiled."""
        for path in self.files():
            with suppress(OSError, UnicodeDecodeError):
                if path.stat().st_size < SAID:
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
    """A running program, which is started when it is asked for something, and again after it failed."""

    def __init__(self, program: Program) -> None:
        self._program, self._numbers = program, count(1)
        self._running: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None
        self._read, self._searched = bytearray(), 0

    def next_case(self) -> int:
        """The number of another case."""
        return next(self._numbers)

    def started(self) -> int:
        """The number of the process that runs, which is started for that; another one knows nothing of its cases."""
        return self._started().pid

    def ask(self, case: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a case, whose number is given to it; `ProcessFailed` where there is none."""
        number = self.next_case()
        answer = self.tell([{"case": number, **case}], number)[-1]
        if answer.get("case") != number:
            raise self._failed(number, f"answered case {shown(answer.get('case'))}")
        if "error" in answer:
            raise ProcessFailed(f"the program says of case {number}: {shown(answer['error'])}")
        return answer

    def tell(self, lines: Sequence[object], case: int, until: str = "case") -> list[dict[str, Any]]:
        """The answers to lines, up to one that has a member; `ProcessFailed` where that does not come in time."""
        given = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode("utf-8", "replace")
        answers: list[dict[str, Any]] = []
        try:
            for line in self._exchanged(memoryview(given), time.monotonic() + self._program.form.seconds, case):
                try:
                    answer = json.loads(line)
                except (ValueError, RecursionError):
                    answer = None
                if not isinstance(answer, dict):
                    raise self._failed(case, f"answered no object of JSON: {shown(line.decode('utf-8', 'replace'))}")
                answers.append(answer)
                if until in answer or "error" in answer:
                    return answers
        except BaseException:  # the time may be up at any line of this: what it says later would answer another case
            self.end(0.0)
            raise
        raise AssertionError("an exchange ends with an answer or fails")

    def _exchanged(self, given: memoryview, until: float, case: int) -> Iterator[bytes]:
        """The lines that come while others are given, so that neither side waits for the other for ever."""
        process = self._started()
        source, sink = cast(IO[bytes], process.stdout), cast(IO[bytes], process.stdin)
        with selectors.DefaultSelector() as ready:
            ready.register(source, selectors.EVENT_READ)
            ready.register(sink, selectors.EVENT_WRITE)
            while True:
                while (end := self._read.find(b"\n", self._searched)) >= 0:
                    line, self._searched = bytes(self._read[:end]), 0
                    del self._read[: end + 1]
                    yield line
                self._searched = len(self._read)
                if self._searched > LONGEST_ANSWER:
                    raise self._failed(case, f"gave more than {LONGEST_ANSWER:,} bytes without an end of line")
                keys = ready.select(max(0.0, until - time.monotonic()))
                if not keys:
                    seconds = self._program.form.seconds
                    raise ProcessSlow(*self._failed(case, f"did not answer within {seconds:g} seconds").args)
                for key, _ in keys:
                    if key.fileobj is source:
                        read = os.read(source.fileno(), 1 << 16)
                        if not read:
                            raise self._failed(case, f"ended{self._how()}")
                        self._read += read
                    elif given:
                        with suppress(BlockingIOError, BrokenPipeError):
                            given = given[os.write(sink.fileno(), given[: 1 << 16]) :]
                            continue
                        ready.unregister(sink)  # it has ended, which reading finds out
                    else:
                        ready.unregister(sink)

    def _started(self) -> subprocess.Popen[bytes]:
        if self._running is None:
            self._said, self._read, self._searched = tempfile.TemporaryFile("a+b"), bytearray(), 0  # noqa: SIM115
            command, folder = shlex.split(self._program.form.command), self._program.folder
            try:
                with _any_memory():
                    self._running = subprocess.Popen(
                        [_found(command[0], folder), *command[1:]],
                        cwd=folder,
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        stderr=self._said,
                        bufsize=0,
                        start_new_session=True,
                    )
            except OSError as error:
                reason = f"the program cannot be started: {error.strerror or error}"
                raise InputError(reason, place=command[0], remedy="Name a program that can be run.") from None
            os.set_blocking(cast(IO[bytes], self._running.stdin).fileno(), False)
            self._at_exit = weakref.finalize(self, _ended, self._running, os.getpid(), PARTING)
        elif self._said and self._said.tell() > SAID:
            self._said.truncate(0)
        return self._running

    def _how(self) -> str:
        """How the process ended, in words, with the last of what it said."""
        process, words = cast("subprocess.Popen[bytes]", self._running), ""
        with suppress(subprocess.TimeoutExpired):
            status = process.wait(PARTING)
            words = f" by {signal.Signals(-status).name}" if status < 0 else f" with status {status}"
        return words

    def _failed(self, case: int, how: str) -> ProcessFailed:
        """What a program did in place of an answer, with the last line that it wrote to standard error."""
        lines: list[str] = []
        if self._said:
            self._said.seek(0, os.SEEK_END)
            self._said.seek(max(0, self._said.tell() - 4 * SHOWN))
            lines = self._said.read().decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return ProcessFailed(f"the program {how} (case {case})" + (f"; it says: {shown(last)}" if last else ""))

    def end(self, seconds: float = PARTING) -> None:
        """End the process, which has so many seconds for it."""
        if self._running is not None:
            self._at_exit.detach()  # another process may have its number later
            _ended(self._running, os.getpid(), seconds)
        self._running = None


def _ended(process: subprocess.Popen[bytes], owner: int, seconds: float) -> None:
    """End a process of this process, and what it started; one that a fork knows of is its parent's."""
    if owner != os.getpid():
        return
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            cast(IO[bytes], pipe).close()
    try:
        process.wait(seconds or 1e-3)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _found(word: str, folder: str) -> str:
    """The path of a program in the folder, or else its name, which is looked for as usual."""
    path = Path(folder, word)
    return str(path) if "/" in word and path.exists() else word


@contextmanager
def _any_memory() -> Iterator[None]:
    """Let what starts take the memory that it may; a process that judges has limited its own."""
    try:
        import resource
    except ImportError:  # a system without such limits
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def shown(value: object) -> str:
    """A value from outside, on one line, cut off where it is long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def process_of(program: Program) -> Process:
    """The process of a program that belongs to this process; a fork has its own."""
    return _process_of(program, os.getpid())


@cache
def _process_of(program: Program, owner: int) -> Process:
    return Process(program)
