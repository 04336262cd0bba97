"""Ctrl-C ends the command at any moment, with one line and a status of its own; each test starts processes."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")

ROOT = Path(__file__).parents[3]

PATIENCE = 60
"""After so many seconds a command is taken for one that goes on, whatever the machine is busy with."""

WORK = """
import os, signal, sys, threading, time
import click
from remora.terminal import interrupts, subcommands
from remora.cli import main
from smt.solvers import interruption

HARD = "(declare-const a Int)(declare-const b Int)(declare-const c Int)(assert (and (< 1 a) (< 1 b) (< 1 c)" \\
    "(= (* a a a a a) (+ (* b b b b b) (* c c c c c)))))(check-sat)"

class Interrupting:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)

def breaks():
    stopped = threading.Event()
    with interruption.stopped_by(stopped.set):
        stopped.wait()
    raise OSError

@click.command()
def work():
{body}

subcommands.LazyGroup.get_command = lambda *_: work
sys.argv = ["remora", "laws"]
main()
"""


def started(*command: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # whoever started the tests
    )


@contextmanager
def at_work(body: str) -> Iterator["subprocess.Popen[str]"]:
    """A command that says a word when it has begun its work, and that is at work a moment later."""
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    with started(sys.executable, "-c", WORK.format(body=indented)) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "begun\n"
            yield process
        finally:
            with_all_that_it_started(process)


def with_all_that_it_started(process: "subprocess.Popen[str]") -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    """The exit status and what was said."""
    _, said = process.communicate(timeout=PATIENCE)
    return process.returncode, said


LOOP = "while True: time.sleep(0.01)"
Z3 = "from smt.solvers.z3_solver import Z3; Z3(600).check(HARD, rlimit=0)"
CVC5 = "from smt.solvers.cvc5_solver import CVC5; CVC5(600).check(HARD, rlimit=0)"
IN_A_THREAD = (
    "thread = threading.Thread(target=lambda: Z3(600).check(HARD, rlimit=0)); thread.start(); thread.join()"
)

BODIES = {
    "python": LOOP,
    "z3": Z3,
    "z3, by a loop that takes an unknown for an answer": (
        "from smt.solvers.z3_solver import Z3\nwhile True: Z3(600).check(HARD, rlimit=0)"
    ),
    "z3, in a thread": f"from smt.solvers.z3_solver import Z3\n{IN_A_THREAD}",
    "cvc5": CVC5,
    "code that catches everything": (
        "while True:\n    try: time.sleep(0.01)\n    except BaseException: pass"
    ),
    "clearing up without end": f"try: time.sleep(1000)\nfinally:\n    {LOOP}",
    "a thread that breaks down": f"threading.Thread(target=breaks).start()\n{LOOP}",
    "a thread that does not end": "threading.Thread(target=time.sleep, args=(1000,)).start()",
}


@pytest.mark.parametrize("work", BODIES.values(), ids=BODIES.keys())
def test_an_interrupt_ends_whatever_is_being_done(work: str) -> None:
    if work == CVC5:
        pytest.importorskip("cvc5")
    with at_work(f"print('begun', flush=True)\n{work}") as process:
        time.sleep(0.4)
        process.send_signal(signal.SIGINT)
        assert ended(process) == (130, "error: interrupted\n")


WEAK = (
    "import weakref\nclass Thing: pass\nthing = Thing()\n"
    "kept = weakref.ref(thing, lambda _: (os.kill(os.getpid(), signal.SIGINT), time.sleep(0.2)))\ndel thing"
)
"""The signal arrives in a callback of C code."""


@pytest.mark.parametrize("lost", ["Interrupting()", WEAK], ids=["in a finaliser", "in a callback"])
def test_an_exception_that_is_raised_where_none_can_be_is_raised_again_and_not_printed(lost: str) -> None:
    with at_work(f"print('begun', flush=True)\n{lost}\n{LOOP}") as process:
        assert ended(process) == (130, "error: interrupted\n")


def test_a_second_interrupt_does_not_wait_for_the_end_in_order() -> None:
    body = (
        "interrupts.GRACE = 1000\nprint('begun', flush=True)\ntry: time.sleep(1000)\n"
        "finally:\n    print('clearing up', flush=True)\n    time.sleep(1000)"
    )
    with at_work(body) as process:
        time.sleep(0.4)
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        assert process.stdout.readline() == "clearing up\n"
        process.send_signal(signal.SIGINT)
        assert ended(process) == (130, "error: interrupted\n")


def test_a_request_to_terminate_ends_the_command_with_what_it_started(tmp_path: Path) -> None:
    checker = tmp_path / "checker"
    checker.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 1000\n")
    checker.chmod(0o755)
    body = (
        "from pathlib import Path\nfrom smt import certificates\n"
        "certificates.check_binding = lambda *_: ()\nprint('begun', flush=True)\n"
        f"certificates.run_checker(Path({str(checker)!r}), Path('c'), Path('p'), timeout_seconds=600)"
    )
    with at_work(body) as process:
        while not (tmp_path / "pid").is_file() or not (tmp_path / "pid").read_text().strip():
            time.sleep(0.05)
        process.terminate()
        assert ended(process) == (143, "error: terminated\n")
    end = time.monotonic() + 20  # until somebody has taken note that it has ended, it is there
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < end:
            os.kill(int((tmp_path / "pid").read_text()), 0)
            time.sleep(0.05)


def test_a_fork_is_ended_by_a_signal_and_its_owner_is_not() -> None:
    body = (
        "child = os.fork()\nif child == 0:\n    while True: time.sleep(0.01)\n"
        "time.sleep(0.2)\nos.kill(child, signal.SIGINT)\n"
        "print('begun', flush=True)\n_, status = os.waitpid(child, 0)\n"
        "time.sleep(0.3)\nsys.exit(os.WTERMSIG(status))"
    )
    with at_work(body) as process:
        assert ended(process) == (signal.SIGINT, "")


def test_a_key_at_the_terminal_ends_what_works_in_other_processes_without_a_word_of_theirs() -> None:
    with started(sys.executable, "-c", POOL) as process:
        assert process.stdout is not None
        try:
            assert [process.stdout.readline() for _ in range(2)] == ["working\n"] * 2
            os.killpg(process.pid, signal.SIGINT)
            assert ended(process) == (130, "error: interrupted\n")
        finally:
            with_all_that_it_started(process)


POOL = """
import sys, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
import click
from remora.terminal import subcommands
from remora.cli import main
from remora.terminal.interrupts import kept_from_children

@click.command()
def work():
    with kept_from_children(), ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(exec, ["import os, time; os.write(1, b'working' + bytes([10])); time.sleep(1000)"] * 50))

if __name__ == "__main__":
    subcommands.LazyGroup.get_command = lambda *_: work
    sys.argv = ["remora", "laws"]
    main()
"""
"""Work in processes that are started anew."""


def test_an_interrupt_that_is_ignored_by_whoever_started_the_command_stays_ignored() -> None:
    with subprocess.Popen(
        ["sh", "-c", f"trap '' INT; exec {sys.executable} -m remora detect a -"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b"time,event\n1,a\n2,b\n")
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.communicate(b"3,a\n4,b\n", timeout=PATIENCE)[1] == b""
        assert process.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "moment"),
    [
        *((("prove",), moment) for moment in (0.0, 0.5, 1.2)),
        *((("prove", "A ; B == B ; A"), moment) for moment in (0.2, 0.8)),
    ],
)
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="sees from Linux that Python has started")
def test_proofs_can_be_interrupted_at_any_moment(arguments: tuple[str, ...], moment: float) -> None:
    with started(sys.executable, "-m", "remora", *arguments) as process:
        threads = Path(f"/proc/{process.pid}/task")
        while process.poll() is None and len(list(threads.iterdir())) < 2:
            time.sleep(0.01)
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            status, said = ended(process)
            assert (status, said.splitlines()[0]) == (130, "error: interrupted")
            command = shlex.join(["remora", *arguments])
            assert said.splitlines()[1:] in ([], [f"  nothing of it is kept; again with: {command}"])
        with_all_that_it_started(process)
