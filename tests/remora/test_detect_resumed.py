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
from tests.remora.detections import LARGE_PATTERN, csv_text, random_rows, rows, spans


@pytest.mark.parametrize("options", [(), ("--intervals",), ("--detector", "figure4")])
@pytest.mark.parametrize("again", [False, True], ids=["only new rows", "the whole log again"])
def test_inputs_one_after_the_other_are_one_detection(
    remora: Remora, tmp_path: Path, options: tuple[str, ...], again: bool
) -> None:
    lines = random_rows(5, 120)
    trace, state = tmp_path / "t.csv", tmp_path / "state.json"
    trace.write_text(csv_text(lines))
    whole = remora("detect", LARGE_PATTERN, trace, *options)[1]
    cuts = [n for n in range(1, len(lines)) if lines[n][0] > lines[n - 1][0]]
    found = ""
    ends = [*cuts[::9], len(lines)]
    for begin, end in zip([0, *ends], ends, strict=False):
        trace.write_text(csv_text(lines[0 if again else begin : end]))
        status, out, err = remora("detect", LARGE_PATTERN, trace, *options, "--state", state)
        notes = [line for line in err.splitlines() if not line.startswith("warning")]
        assert status == 0
        assert bool(notes) is (again and begin > 0)
        assert not notes or f"left out {begin} rows up to time {lines[begin - 1][0]}" in notes[0] or begin == 1
        found += out
    assert found == whole


def test_partitions_go_on_each_from_its_own_state(remora: Remora, tmp_path: Path) -> None:
    trace, state = tmp_path / "t.csv", tmp_path / "state.json"
    header, lines = "time,event,user\n", ["1,a,x\n", "2,a,y\n", "5,b,y\n", "7,b,x\n"]
    for part in (lines[:2], lines[2:]):
        trace.write_text(header + "".join(part))
        _, out, _ = remora("detect", "a ; b", trace, "--state", state, "--partition-by", "user")
    assert [(r["partition"], r["start"], r["end"]) for r in rows(out)] == [("y", 2, 5), ("x", 1, 7)]


def test_a_new_row_at_the_last_instant_comes_too_late_and_a_known_one_does_not(remora: Remora, tmp_path: Path) -> None:
    trace, state = tmp_path / "t.csv", tmp_path / "state.json"
    trace.write_text("time,event\n1,a\n4,a\n")
    assert remora("detect", "a ; b", trace, "--state", state)[0] == 0
    before = state.read_text()
    trace.write_text("time,event\n4,a\n4,z\n5,b\n")
    status, out, err = remora("detect", "a ; b", trace, "--state", tmp_path / "state.json")
    assert (status, spans(out)) == (0, [(4, 5)])
    assert "left out 2 rows up to time 4" in err
    state.write_text(before)
    trace.write_text("time,event\n4,b\n5,b\n")
    status, out, err = remora("detect", "a ; b", trace, "--state", state)
    assert (status, out, state.read_text()) == (2, "", before)
    assert f"{trace}:2: b at time 4 comes too late" in err
    assert "with all the rows of its last time" in err


def test_what_was_done_before_a_wrong_row_is_not_done_again(remora: Remora, tmp_path: Path) -> None:
    trace, state = tmp_path / "t.csv", tmp_path / "state.json"
    trace.write_text("time,event\n1,a\n2,b\n3,a\nx,b\n")
    status, out, _ = remora("detect", "a ; b", trace, "--state", state)
    assert (status, spans(out)) == (2, [(1, 2)])
    trace.write_text("time,event\n1,a\n2,b\n3,a\n4,b\n")
    assert spans(remora("detect", "a ; b", trace, "--state", state)[1]) == [(3, 4)]


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
def test_killed_at_random_points_and_resumed_the_output_is_that_of_one_run(tmp_path: Path) -> None:
    lines = random_rows(9, 100_000)
    trace, state = tmp_path / "t.csv", tmp_path / "state.json"
    trace.write_text(csv_text(lines))
    command = [sys.executable, "-m", "remora", "detect", LARGE_PATTERN, str(trace)]
    whole = subprocess.run(command, capture_output=True, check=True).stdout
    source = random.Random(4)
    found, kills = b"", 0
    for _ in range(40):
        with subprocess.Popen([*command, "--state", str(state)], stdout=subprocess.PIPE) as running:
            number = source.choice([signal.SIGINT, signal.SIGTERM])
            seconds = source.uniform(0.4, 1.3) if kills < 3 else 600
            timer = threading.Timer(seconds, running.send_signal, [number])
            timer.start()
            found += running.communicate()[0]
            timer.cancel()
        if running.returncode == 0:
            break
        kills += 1
    assert running.returncode == 0
    assert kills
    assert found == whole
