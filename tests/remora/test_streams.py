"""What pipes, terminals, interrupts and encodings make of the command; each test starts processes."""

import contextlib
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.remora.conftest import Process

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and file descriptors of POSIX")


@contextlib.contextmanager
def live(*arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
    command = [sys.executable, "-m", "remora", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0) as running:
        try:
            yield running
        finally:
            running.kill()


def feed(running: "subprocess.Popen[bytes]", text: bytes) -> None:
    assert running.stdin is not None
    running.stdin.write(text)


def next_line(running: "subprocess.Popen[bytes]") -> bytes:
    assert running.stdout is not None
    return running.stdout.readline()


def shell(script: str, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run a script of bash in which `$1`, `$2`… are the arguments and `remora` is the command."""
    start = f"remora() {{ '{sys.executable}' -m remora \"$@\"; }}\n"
    command = ["bash", "-c", start + script, "bash", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


# ------------------------------------------------------------------------------------------------ live streams


@pytest.mark.parametrize(
    ("header", "row"), [(b"time,event\n", b"%d,%s\n"), (b"", b'{"time": %d, "event": "%s"}\n')], ids=["csv", "jsonl"]
)
def test_a_detection_is_printed_as_soon_as_a_row_of_a_later_time_is_there(header: bytes, row: bytes) -> None:
    with live("detect", "a ; b", "-") as running:
        feed(running, header + row % (1, b"a") + row % (2, b"b"))
        feed(running, row % (3, b"c"))
        assert json.loads(next_line(running))["end"] == 2
        feed(running, row % (4, b"a") + row % (5, b"b"))
        feed(running, row % (9, b"c"))
        assert json.loads(next_line(running))["end"] == 5
        assert running.poll() is None


@POSIX
def test_a_named_pipe_is_as_live_as_standard_input(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with live("detect", "a", str(pipe)) as running, pipe.open("wb", buffering=0) as rows:
        rows.write(b"time,event\n1,a\n2,b\n")
        assert json.loads(next_line(running))["end"] == 1
        assert running.poll() is None


# ------------------------------------------------------------------------------------------- readers that go


@POSIX
@pytest.mark.parametrize("command", ["laws list --format json", "prove 2 --no-canaries", "detect a -", "--help"])
def test_a_reader_that_has_gone_is_no_error_message_and_no_success(command: str) -> None:
    script = f"(echo time,event; echo 1,a) | remora {command} | sleep 0; echo ${{PIPESTATUS[1]}}"
    ended = shell("exec 3>&1; " + script.replace(f"remora {command} |", f"(sleep 0.1; remora {command}) |"))
    assert (ended.stdout, ended.stderr.replace("1 proved; no canaries\n", "")) == ("141\n", "")


@POSIX
@pytest.mark.parametrize("command", ["detect", "eval"])
def test_a_note_is_printed_whether_or_not_the_reader_of_the_results_has_gone(tmp_path: Path, command: str) -> None:
    (tmp_path / "t.csv").write_text("time,event\n2,a\n1,a\n")
    for reader in ("sleep 0", "cat > /dev/null"):
        ended = shell(f"(sleep 0.1; remora {command} a {tmp_path / 't.csv'} --sort) | {reader}")
        assert ended.stderr == "note: sorted all rows by time: 1 row was out of order (--sort)\n"


@pytest.mark.long
@POSIX
def test_output_that_cannot_be_written_or_is_closed(tmp_path: Path) -> None:
    if Path("/dev/full").exists():
        for command in ("laws", "equiv a a --format json"):
            ended = shell(f"remora {command} > /dev/full")
            assert ended.returncode == 5, command
            assert ended.stderr.count("\n") == 1, command
            assert "No space left on device" in ended.stderr
        assert shell("remora xyzzy 2> /dev/full").returncode == 5
    ended = shell("remora equiv a b >&-")
    assert (ended.returncode, "Traceback" in ended.stderr) == (1, False)
    assert shell("remora detect a - <&-").returncode == 2


# -------------------------------------------------------------------------------------------------- encodings


def test_a_terminal_without_the_signs_of_mathematics_gets_similar_ones(process: Process) -> None:
    env = {"PYTHONIOENCODING": "cp1252"}
    assert b"all s in S' (s in S)\n" in process("laws", "show", "rem", env=env).stdout
    refuted = process("prove", "A ; B == B ; A", "--no-canaries", env=env)
    assert (refuted.returncode, refuted.stdout.isascii()) == (1, True)
    assert b"x refuted" in refuted.stdout
    assert b"+-----+>" in refuted.stdout


@pytest.mark.parametrize("encoding", ["ascii", "utf-16"])
def test_json_means_the_same_in_every_encoding(process: Process, encoding: str, tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    trace.write_text('{"time": 1, "event": "a", "value": "Größe ∞ 😀"}\n', encoding="utf-8")
    ended = process("detect", "a", trace, env={"PYTHONIOENCODING": encoding})
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert json.loads(ended.stdout.decode(encoding))["instance"][0]["value"] == "Größe ∞ 😀"
    claims = process("laws", "list", "--format", "json", env={"PYTHONIOENCODING": encoding})
    assert "∪" in json.loads(claims.stdout.decode(encoding))["definitions"][0]["text"]


@POSIX
def test_bytes_that_are_no_text_in_an_argument_are_shown_not_crashed_on(logins: Path) -> None:
    for script in ("remora detect $'f\\xffil' \"$1\"", "remora detect fail $'f\\xffil'"):
        ended = shell(script, logins)
        assert (ended.returncode, "\\udcff" in ended.stderr) == (2, True)


# -------------------------------------------------------------------------------------------------- terminals


def on_terminal(script: str, columns: int, env: dict[str, str]) -> str:
    """What a command writes to a terminal of so many columns."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    settings = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "CI")}
    command = [sys.executable, "-m", "remora", *script.split()]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, env={**settings, "TERM": "xterm", **env}
    ) as running:
        os.close(theirs)
        written = b""
        with contextlib.suppress(OSError):  # how Linux says that the other end has gone
            while part := os.read(ours, 65536):
                written += part
        os.close(ours)
        assert running.wait(60) == 0
    return written.decode().replace("\r\n", "\n")


@POSIX
def test_what_is_noted_of_a_log_is_noted_too_when_the_reader_of_the_answers_has_gone(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_text("event a()\nevent never()\nb() <- x: a()\nc() <- y: never()\n")
    (tmp_path / "a.csv").write_text("time,event\noops,a\n" + "".join(f"{n},a\n" for n in range(5_000)))
    with live("detect", str(tmp_path / "a.rules"), str(tmp_path / "a.csv"), "--skip-bad") as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read().decode().splitlines()[:2] == [
            "note: left out 1 row that cannot be read (--skip-bad), line 2; the first: the time 'oops' is not a number",
            "warning: never never occurs in the part that was read",
        ]


@POSIX
def test_a_terminal_gets_colour_unless_it_asks_for_none() -> None:
    assert "\x1b[32m" in on_terminal("prove 2 --no-canaries", 80, {})
    assert "\x1b[32m" not in on_terminal("prove 2 --no-canaries", 80, {"NO_COLOR": "1"})


@POSIX
def test_a_long_statement_is_wrapped_below_itself_where_there_is_room_and_no_cell_is_cut() -> None:
    wide = on_terminal("laws", 90, {"NO_COLOR": "1"}).splitlines()
    assert max(map(len, wide[8:])) <= 90
    number = next(n for n, line in enumerate(wide) if line.startswith("theorem:4.6.dis "))
    below = list(itertools.takewhile(lambda line: line.startswith(" "), wide[number + 1 :]))
    shown = " ".join([wide[number], *(line.strip() for line in below)])
    assert 0 < len(below) <= 2
    assert shown.endswith("rem(S, S') and rem(T, T') and rem(dis(S', T'), U) imply rem(dis(S, T), U)")
    narrow = on_terminal("laws", 40, {"NO_COLOR": "1"})
    assert "rem(S, S') and rem(T, T') and rem(dis(S', T'), U) imply rem(dis(S, T), U)" in " ".join(narrow.split())
    assert "…" not in narrow.replace("{e_0, e_1, …}", "").replace("μ[j ← …]", "")  # as statements are written


# ----------------------------------------------------------------------------------------------------- states


def test_a_state_does_not_go_on_where_the_output_is_closed(logins: Path, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    ended = shell('remora detect "fail" "$1" --state "$2" >&-', logins, state)
    assert (ended.returncode, state.exists()) == (2, False)
    assert "what is not printed would be lost" in ended.stderr


def test_a_state_that_cannot_be_stored_is_found_out_before_anything_is_detected(logins: Path) -> None:
    ended = shell('remora detect "fail" "$1" --state /proc/state.json', logins)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("error: /proc/state.json: no state can be stored there")
