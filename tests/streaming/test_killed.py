"""That a stream which is killed goes on from its checkpoint: nothing lost, nothing repeated."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from semantics.carlson_lisper.syntax import parse
from tests.streaming.arrivals import Answer, Event, expected

PATTERN = "(a ; (b + c))[9] - (c ; a)"
LATENESS = 4
PATIENCE = 300.0
"""Seconds for a micro-batch to appear on a busy machine; it takes one."""


def batches() -> list[list[Event]]:
    random = Random(11)
    rows = {Event(f"k{random.randrange(4)}", random.randrange(90), random.choice("abcx")) for _ in range(400)}
    arrivals = sorted(sorted(rows), key=lambda event: event.time + random.randrange(3 * LATENESS))
    return [arrivals[place : place + 56] for place in range(0, len(arrivals), 56)]


def put(folder: Path, number: int, batch: Sequence[Event]) -> None:
    draft = folder.parent / "draft.csv"
    draft.write_text("user,event,time\n" + "".join(f"{key},{event},{time}\n" for key, time, event in batch))
    os.utime(draft, (1_000_000 + number, 1_000_000 + number))
    draft.replace(folder / f"{number:03}.csv")


def command(source: Path, out: Path) -> list[str]:
    arguments = ["stream", PATTERN, source, "--key", "user", "--lateness", LATENESS, "--intervals"]
    arguments += ["--files", 1, "--once", "--out", out, "--master", "local[2]"]
    return [sys.executable, "-m", "remora", *map(str, arguments)]


def killed(source: Path, out: Path, *, more: int, delay: float) -> int:
    """Run until so many more micro-batches are written, and a little longer, then kill all processes of it."""
    before = len(list(out.glob("batch=*")))
    process = subprocess.Popen(command(source, out), start_new_session=True, stderr=subprocess.PIPE)
    end = time.monotonic() + PATIENCE
    while process.poll() is None and len(list(out.glob("batch=*"))) < before + more:
        assert time.monotonic() < end, "no micro-batch came"
        time.sleep(0.02)
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGKILL)
    _, words = process.communicate()
    assert process.returncode == -signal.SIGKILL, words
    return len(list(out.glob("batch=*")))


def rows_in(out: Path) -> Answer:
    lines = [line for path in out.glob("*/*.jsonl") for line in path.read_text("utf-8").splitlines()]
    kinds = {"pending": "detected"}
    found = [json.loads(line) for line in lines]
    return sorted(
        (row["partition"], kinds.get(row["kind"], row["kind"]), row["start"], row["end"]) for row in found
    )


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.long
def test_a_stream_that_is_killed_twice_gives_what_an_uninterrupted_one_gives(tmp_path: Path) -> None:
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    arrivals = batches()
    for number, batch in enumerate(arrivals):
        put(source, number, batch)
    written = [killed(source, out, more=more, delay=delay) for more, delay in ((1, 0.3), (2, 0.0))]
    assert written[-1] < len(arrivals), "it was over before it was killed"
    ended = subprocess.run(command(source, out), capture_output=True, text=True, timeout=600)
    assert (ended.returncode, ended.stdout) == (0, ""), ended.stderr
    whole = expected(parse(PATTERN), arrivals, LATENESS)
    assert {kind for _, kind, _, _ in whole} == {"detected", "late"}
    assert rows_in(out) == whole


def test_the_comparison_notices_a_row_that_is_lost_and_one_that_is_repeated(tmp_path: Path) -> None:
    whole = expected(parse(PATTERN), batches(), LATENESS)
    lines = [
        json.dumps({"partition": key, "kind": kind, "start": start, "end": end})
        for key, kind, start, end in whole
    ]
    part = tmp_path / "batch=000000" / "part-000.jsonl"
    part.parent.mkdir()
    for wrong, same in ((lines, True), (lines[1:], False), ([*lines, lines[0]], False)):
        part.write_text("\n".join(wrong) + "\n")
        assert (rows_in(tmp_path) == whole) is same
