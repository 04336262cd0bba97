"""What a detector prints never gets into standard output, where programs read results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from campaigns.judging.isolation import isolated
from remora.terminal.aside import Aside, output_aside
from tests.remora.conftest import Process

PRINTING = """
import os
from detectors.carlson_lisper.source.figure2 import Figure2

print("imported")

class Printing(Figure2):
    def __init__(self, expression):
        print("made")
        super().__init__(expression)

    def step(self, time, occurrences):
        print("debug", time)
        return super().step(time, occurrences)

class Writing(Printing):
    def step(self, time, occurrences):
        os.write(1, b"written")
        return super().step(time, occurrences)

class Wrong(Writing):
    def step(self, time, occurrences):
        super().step(time, occurrences)
"""


@pytest.fixture
def printing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "printing.py").write_text(PRINTING)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_json_of_a_gate_stands_alone_whatever_a_detector_prints(process: Process, printing: Path) -> None:
    run = process("gate", "--detector", "printing:Wrong", "--cases", "3", "--format", "json")
    document = json.loads(run.stdout)
    assert document["detectors"] == ["printing:Wrong"]
    assert document["failures"]
    assert b"debug" in run.stderr


def test_rows_of_a_detection_stand_alone(process: Process, printing: Path, logins: Path) -> None:
    run = process("detect", "fail ; ok", logins, "--detector", "printing:Printing", "--format", "jsonl")
    assert run.returncode == 0
    assert [json.loads(line)["end"] for line in run.stdout.splitlines()] == [9, 80]


def test_a_detector_behind_a_screen_is_the_same_detector(capsys: pytest.CaptureFixture[str]) -> None:
    class Talking:
        limit = 3

        def __init__(self, name: str) -> None:
            print("made", name)

        def step(self, time: int, occurrences: object) -> int:
            print("stepped")
            return time

        def snapshot(self) -> str:
            print("stored")
            return "state"

    detector = Aside(Talking, "it")
    assert (detector.step(4, {}), detector.snapshot(), detector.limit) == (4, "state", 3)
    assert hasattr(detector, "snapshot")
    assert not hasattr(detector, "restore")
    out, err = capsys.readouterr()
    assert (out, err) == ("", "made it\nstepped\nstored\n")


def test_results_are_let_through_and_nothing_else(capfd: pytest.CaptureFixture[str]) -> None:
    print("before")
    with output_aside() as lifted:
        print("aside")
        isolated(lambda: print("aside in another process", flush=True), seconds=5)
        with lifted():
            print("a result")
        print("aside again")
    print("after")
    out, err = capfd.readouterr()
    assert out == "before\na result\nafter\n"
    assert err == "aside\naside in another process\naside again\n"


def test_output_below_python_is_put_aside_too() -> None:
    program = (
        "import os, sys\n"
        "from remora.terminal.aside import output_aside\n"
        "with output_aside() as lifted:\n"
        "    os.write(1, b'below')\n"
        "    with lifted():\n"
        "        print('result')\n"
        "os.write(1, b'back')\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, env={**os.environ})
    assert run.stdout == b"result\nback"
    assert run.stderr == b"below"
