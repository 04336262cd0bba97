"""`remora detect --state`: detection that goes on where it ended."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.remora.conftest import Remora, refused
from tests.remora.documents import spans

PATTERN = "(a ; b)[4] - c"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """The paths of a log and of a state."""
    return tmp_path / "t.csv", tmp_path / "state.json"


def random_rows(seed: int, count: int) -> list[str]:
    source, time, found = random.Random(seed), 0, list[str]()
    while len(found) < count:
        time += source.choice((1, 1, 2, 5))
        found += [f"{time},{name},x{time},{source.choice('uv')}\n" for name in "abcd" if source.random() < 0.4]
    return found[:count]


def write(path: Path, rows: list[str]) -> None:
    path.write_text("time,event,value,user\n" + "".join(rows))


@pytest.mark.parametrize("options", [(), ("--intervals",), ("--detector", "figure4"), ("--partition-by", "user")])
@pytest.mark.parametrize("again", [False, True], ids=["only new rows", "the whole log again"])
def test_inputs_one_after_the_other_are_one_detection(
    remora: Remora, files: tuple[Path, Path], options: tuple[str, ...], again: bool
) -> None:
    (trace, state), rows, found = files, random_rows(5, 120), ""
    times = [row.partition(",")[0] for row in rows]
    write(trace, rows)
    whole = remora("detect", PATTERN, trace, *options)[1]
    ends = [*[n for n in range(1, len(rows)) if times[n] != times[n - 1]][::9], len(rows)]
    for begin, end in zip([0, *ends], ends, strict=False):
        write(trace, rows[0 if again else begin : end])
        status, out, err = remora("detect", PATTERN, trace, *options, "--state", state)
        notes = [line for line in err.splitlines() if not line.startswith("warning")]
        assert (status, bool(notes)) == (0, again and begin > 0)
        assert not notes or f"left out {begin} rows up to time {times[begin - 1]}" in notes[0] or begin == 1
        found += out
    assert whole and found == whole


def test_a_new_row_at_the_last_instant_comes_too_late_and_a_known_one_does_not(
    remora: Remora, files: tuple[Path, Path]
) -> None:
    trace, state = files
    trace.write_text("time,event\n1,a\n4,a\n")
    assert remora("detect", "a ; b", trace, "--state", state)[0] == 0
    before = state.read_text()
    trace.write_text("time,event\n4,a\n4,z\n5,b\n")
    status, out, err = remora("detect", "a ; b", trace, "--state", state)
    assert (status, spans(out), "left out 2 rows up to time 4" in err) == (0, [(4, 5)], True)
    state.write_text(before)
    trace.write_text("time,event\n4,b\n5,b\n")
    err = refused(remora("detect", "a ; b", trace, "--state", state))
    assert state.read_text() == before
    assert f"{trace}:2: b at time 4 comes too late" in err and "with all the rows of its last time" in err


def test_what_was_done_before_a_wrong_row_is_not_done_again(remora: Remora, files: tuple[Path, Path]) -> None:
    trace, state = files
    for last, ended in (("x,b", (2, [(1, 2)])), ("4,b", (0, [(3, 4)]))):
        trace.write_text(f"time,event\n1,a\n2,b\n3,a\n{last}\n")
        status, out, _ = remora("detect", "a ; b", trace, "--state", state)
        assert (status, spans(out)) == ended


def test_the_state_of_something_else_is_bad_input(remora: Remora, logins: Path, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    assert remora("detect", "fail ; ok", logins, "--state", state)[0] == 0
    for arguments, said in (
        (("fail", logins), "belongs to the expression fail ; ok, not to fail"),
        (("fail ; ok", logins, "--intervals"), "belongs to the wanted instances, not to intervals"),
        (("fail ; ok", logins, "--partition-by", "user"), "belongs to the partition_by none, not to user"),
        (("fail ; ok", logins, "--detector", "figure2"), "belongs to the detector figure4, not to figure2"),
    ):
        assert said in refused(remora("detect", *arguments, "--state", state))
    data = json.loads(state.read_text())
    data["partitions"][0]["state"]["variables"] = {}
    state.write_text(json.dumps(data))
    assert "damaged" in refused(remora("detect", "fail ; ok", logins, "--state", state))
    assert remora("detect", "fail", logins, "--state", tmp_path / "no" / "s.json")[0] == 2


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_killed_at_random_points_and_resumed_the_output_is_that_of_one_run(files: tuple[Path, Path]) -> None:
    (trace, state), source = files, random.Random(4)
    write(trace, random_rows(9, 100_000))
    command = [sys.executable, "-m", "remora", "detect", PATTERN, str(trace)]
    whole = subprocess.run(command, capture_output=True, check=True).stdout
    found, kills = b"", 0
    for _ in range(40):
        with subprocess.Popen([*command, "--state", str(state)], stdout=subprocess.PIPE) as running:
            number = source.choice([signal.SIGINT, signal.SIGTERM])
            timer = threading.Timer(source.uniform(0.4, 1.3) if kills < 3 else 600, running.send_signal, [number])
            timer.start()
            found += running.communicate()[0]
            timer.cancel()
        if running.returncode == 0:
            break
        kills += 1
    assert (running.returncode, kills > 0, found == whole) == (0, True, True)
