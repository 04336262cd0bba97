"""That a stream which is killed goes on from its checkpoint: nothing lost, nothing repeated."""

import json
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from semantics.carlson_lisper.syntax import parse
from tests.streaming.keyed import Arrival, answer_of, expected, lines_in, put

PATTERN = "(a ; (b + c))[9] - (c ; a)"
LATENESS = 4
PATIENCE = 300.0
"""Seconds for a micro-batch to appear on a busy machine; it takes one."""


def batches() -> list[list[Arrival]]:
    random = Random(13)
    rows = {Arrival(f"k{random.randrange(4)}", random.randrange(90), random.choice("abcx")) for _ in range(160)}
    arrivals = sorted(sorted(rows), key=lambda event: event.time + random.randrange(3 * LATENESS))
    return [arrivals[place : place + 56] for place in range(0, len(arrivals), 56)]


def killed(command: list[str], out: Path, *, more: int, delay: float) -> int:
    """Run until so many more micro-batches are written, and a little longer, then kill all processes of it."""
    before = len(list(out.glob("batch=*")))
    process = subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE)
    end = time.monotonic() + PATIENCE
    while process.poll() is None and len(list(out.glob("batch=*"))) < before + more:
        assert time.monotonic() < end, "no micro-batch came"
        time.sleep(0.02)
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGKILL)
    _, words = process.communicate()
    assert process.returncode == -signal.SIGKILL, words
    return len(list(out.glob("batch=*")))


def micro_batches(out: Path, arrivals: list[list[Arrival]]) -> list[list[Arrival]]:
    """The files as Spark put them into micro-batches.

    Spark notes the files of a micro-batch before the micro-batch itself. Where it is killed between the two, the
    next run takes those files together with the next ones, and what is late depends on that.
    """
    logged = sorted((out / ".checkpoint" / "offsets").glob("[0-9]*"), key=lambda path: int(path.name))
    ends = [json.loads(path.read_text("utf-8").splitlines()[-1])["logOffset"] + 1 for path in logged]
    assert ends[-1] == len(arrivals)
    spans = pairwise([0, *ends])
    return [[event for file in arrivals[begin:end] for event in file] for begin, end in spans]


@pytest.mark.spark
@pytest.mark.slow
def test_a_stream_that_is_killed_gives_what_an_uninterrupted_one_gives(tmp_path: Path) -> None:
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    arrivals = batches()
    for number, batch in enumerate(arrivals):
        put(source, number, batch)
    asked = ["stream", PATTERN, "--key", "user", "--intervals", source, "--lateness", LATENESS, "--files", 1, "--once"]
    command = [sys.executable, "-m", "remora", *map(str, [*asked, "--out", out, "--master", "local[2]"])]
    written = killed(command, out, more=1, delay=0.2)  # in the middle of its second micro-batch
    assert written < len(arrivals), "it was over before it was killed"
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert (ended.returncode, ended.stdout) == (0, ""), ended.stderr
    assert {kind for _, kind, _, _ in expected(parse(PATTERN), arrivals, LATENESS)} == {"detected", "late"}
    assert answer_of(lines_in(out)) == expected(parse(PATTERN), micro_batches(out, arrivals), LATENESS)
