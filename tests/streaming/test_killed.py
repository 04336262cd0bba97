"""That a stream which is killed goes on from its checkpoint: nothing lost, nothing repeated."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from semantics.bry_eckert.checking import parse as parse_program
from semantics.bry_eckert.denotation import denotation
from semantics.carlson_lisper.syntax import parse
from semantics.events import Event as Logged
from tests.streaming.arrivals import Answer, Event, expected

PATTERN = "(a ; (b + c))[9] - (c ; a)"
LATENESS = 4
PATIENCE = 300.0
"""Seconds for a micro-batch to appear on a busy machine; it takes one."""


def batches() -> list[list[Event]]:
    random = Random(13)
    rows = {Event(f"k{random.randrange(4)}", random.randrange(90), random.choice("abcx")) for _ in range(160)}
    arrivals = sorted(sorted(rows), key=lambda event: event.time + random.randrange(3 * LATENESS))
    return [arrivals[place : place + 56] for place in range(0, len(arrivals), 56)]


def put(folder: Path, number: int, batch: Sequence[Event]) -> None:
    draft = folder.parent / "draft.csv"
    draft.write_text("user,event,time\n" + "".join(f"{key},{event},{time}\n" for key, time, event in batch))
    os.utime(draft, (1_000_000 + number, 1_000_000 + number))
    draft.replace(folder / f"{number:03}.csv")


def command(source: Path, out: Path, *what: object) -> list[str]:
    sought = what or (PATTERN, "--key", "user", "--intervals")
    arguments = ["stream", *sought, source, "--lateness", LATENESS, "--files", 1, "--once", "--out", out]
    return [sys.executable, "-m", "remora", *map(str, [*arguments, "--master", "local[2]"])]


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


def rows_in(out: Path) -> Answer:
    lines = [line for path in out.glob("*/*.jsonl") for line in path.read_text("utf-8").splitlines()]
    kinds = {"pending": "detected"}
    found = [json.loads(line) for line in lines]
    return sorted((row["partition"], kinds.get(row["kind"], row["kind"]), row["start"], row["end"]) for row in found)


def micro_batches(out: Path, arrivals: list[list[Event]]) -> list[list[Event]]:
    """The files as Spark put them into micro-batches.

    Spark notes the files of a micro-batch before the micro-batch itself. Where it is killed between the two, the
    next run takes those files together with the next ones, and what is late depends on that.
    """
    logged = sorted((out / ".checkpoint" / "offsets").glob("[0-9]*"), key=lambda path: int(path.name))
    ends = [json.loads(path.read_text("utf-8").splitlines()[-1])["logOffset"] + 1 for path in logged]
    assert ends[-1] == len(arrivals)
    spans = pairwise([0, *ends])
    return [[event for file in arrivals[begin:end] for event in file] for begin, end in spans]


def killed_once(command: list[str], out: Path, batches: int) -> None:
    """Kill a stream in the middle of its second micro-batch, and let it come to its end."""
    written = killed(command, out, more=1, delay=0.2)
    assert written < batches, "it was over before it was killed"
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert (ended.returncode, ended.stdout) == (0, ""), ended.stderr


@pytest.mark.spark
@pytest.mark.slow
def test_a_stream_that_is_killed_gives_what_an_uninterrupted_one_gives(tmp_path: Path) -> None:
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    arrivals = batches()
    for number, batch in enumerate(arrivals):
        put(source, number, batch)
    killed_once(command(source, out), out, len(arrivals))
    assert {kind for _, kind, _, _ in expected(parse(PATTERN), arrivals, LATENESS)} == {"detected", "late"}
    assert rows_in(out) == expected(parse(PATTERN), micro_batches(out, arrivals), LATENESS)


@pytest.mark.spark
@pytest.mark.long
def test_rules_on_a_stream_that_is_killed_give_each_answer_once(tmp_path: Path) -> None:
    source, out, rules = tmp_path / "in", tmp_path / "out", tmp_path / "chain.rules"
    source.mkdir()
    rules.write_text(
        "event a(user: str)\nevent b(user: str)\nevent c(user: str)\n"
        "pair(u) <- x: a(u), y: b(u), {x, y} within 9\n"
        "lost(u) <- p: pair(u), w: extend(p, 20), while w: not c(u)\n"
    )
    history = sorted((event for batch in batches() for event in batch), key=lambda event: event.time)
    parts = [history[place : place + 56] for place in range(0, len(history), 56)]
    for number, part in enumerate(parts):
        put(source, number, part)
    killed_once(command(source, out, rules), out, len(parts))
    program = parse_program(rules.read_text())
    whole = denotation(program, [Logged(event, time, time, {"user": key}) for key, time, event in history])
    assert {answer.type for answer in whole} == {"pair", "lost"}
    lines = [line for path in out.glob("*/*.jsonl") for line in path.read_text("utf-8").splitlines()]
    found = sorted((row["event"], row["start"], row["time"], row["u"]) for row in map(json.loads, lines))
    assert found == sorted((one.type, one.start, one.time, one.attributes["u"]) for one in whole)
