"""What pipes, closed outputs and encodings make of the command; processes where the streams of one are asked about."""

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from remora.cli import main

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


def next_end(running: "subprocess.Popen[bytes]") -> int:
    assert running.stdout is not None
    end: int = json.loads(running.stdout.readline())["end"]
    return end


def shell(script: str, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run a script of bash in which `$1`, `$2`… are the arguments and `remora` is the command."""
    start = f"remora() {{ '{sys.executable}' -m remora \"$@\"; }}\n"
    command = ["bash", "-c", start + script, "bash", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_a_detection_is_printed_as_soon_as_a_row_of_a_later_time_is_there() -> None:
    with live("detect", "a ; b", "-") as running:
        assert running.stdin is not None
        for rows, end in ((b"time,event\n1,a\n2,b\n3,c\n", 2), (b"4,a\n5,b\n6,c\n", 5)):
            running.stdin.write(rows)
            assert next_end(running) == end
        assert running.poll() is None


@POSIX
@pytest.mark.parametrize("command", ["laws list --format json", "detect a -"])
def test_a_reader_that_has_gone_is_no_error_message_and_no_success(command: str) -> None:
    script = f"(echo time,event; echo 1,a) | (sleep 0.1; remora {command}) | sleep 0; echo ${{PIPESTATUS[1]}}"
    ended = shell(script)
    assert (ended.stdout, ended.stderr) == ("141\n", "")


@POSIX
def test_a_note_is_printed_also_when_the_reader_of_the_results_has_gone(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("time,event\n2,a\n1,a\n")
    ended = shell(f"(sleep 0.1; remora detect a {tmp_path / 't.csv'} --sort) | sleep 0")
    assert ended.stderr == "note: sorted 1 row out of order (--sort)\n"


@pytest.mark.long
@POSIX
def test_output_that_cannot_be_written_or_is_closed() -> None:
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


@POSIX
def test_a_state_does_not_go_on_where_the_output_is_closed(logins: Path, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    ended = shell('remora detect "fail" "$1" --state "$2" >&-', logins, state)
    assert (ended.returncode, state.exists()) == (2, False)
    assert "what is not printed would be lost" in ended.stderr


@POSIX
def test_bytes_that_are_no_text_in_an_argument_are_shown_not_crashed_on() -> None:
    ended = shell("remora detect fail $'f\\xffil'")
    assert (ended.returncode, "\\udcff" in ended.stderr) == (2, True)


def encoded(monkeypatch: pytest.MonkeyPatch, encoding: str, *arguments: str | Path) -> str:
    """What a command prints to a terminal or a pipe of an encoding."""
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding))
    with pytest.raises(SystemExit):
        main([str(argument) for argument in arguments])
    return written.getvalue().decode(encoding)


def test_a_terminal_without_the_signs_of_mathematics_gets_similar_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "all s in S' (s in S)\n" in encoded(monkeypatch, "cp1252", "laws", "show", "rem")
    refuted = encoded(monkeypatch, "cp1252", "prove", "A ; B == B ; A", "--no-canaries")
    assert refuted.isascii()
    assert "x refuted" in refuted
    assert "+-----+>" in refuted


@pytest.mark.parametrize("encoding", ["ascii", "utf-16"])
def test_json_means_the_same_in_every_encoding(monkeypatch: pytest.MonkeyPatch, encoding: str, tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    trace.write_text('{"time": 1, "event": "a", "value": "Größe ∞ 😀"}\n', encoding="utf-8")
    row = encoded(monkeypatch, encoding, "detect", "a", trace)
    assert json.loads(row)["instance"][0]["value"] == "Größe ∞ 😀"
    claims = json.loads(encoded(monkeypatch, encoding, "laws", "list", "--format", "json"))
    assert "∪" in claims["definitions"][0]["text"]
