"""`remora detect --state`: detection that goes on where it ended."""

import json
import random
import signal
from pathlib import Path
from typing import Any

import pytest

from remora.api.detecting.detection import ResultPrinter
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


OPTIONS = [(), ("--intervals",), ("--partition-by", "user"), ("--ties", "order", "--partition-by", "user")]


@pytest.mark.parametrize("options", [*OPTIONS, ("--ties", "order", "--intervals")])
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
        notes = [line for line in err.splitlines() if "left out" in line]
        assert (status, bool(notes)) == (0, again and begin > 0)
        assert not notes or f"left out {begin} rows up to time {times[begin - 1]}" in notes[0] or begin == 1
        found += out
    assert whole and found == whole


def test_a_new_row_at_the_last_instant_comes_too_late(remora: Remora, files: tuple[Path, Path]) -> None:
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
        (("fail ; ok", logins, "--tick", "1s", "--epoch", "s"), "belongs to the tick none, not to 1s"),
        (("fail ; ok", logins, "--detector", "figure2"), "belongs to the detector figure4, not to figure2"),
    ):
        assert said in refused(remora("detect", *arguments, "--state", state))
    data = json.loads(state.read_text())
    data["partitions"][0]["state"]["variables"] = {}
    state.write_text(json.dumps(data))
    assert "damaged" in refused(remora("detect", "fail ; ok", logins, "--state", state))
    assert remora("detect", "fail", logins, "--state", tmp_path / "no" / "s.json")[0] == 2


@pytest.mark.parametrize("ties", [(), ("--ties", "order")])
def test_interrupted_and_resumed_the_output_is_that_of_one_run(
    remora: Remora, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, ties: tuple[str, ...]
) -> None:
    (trace, state), printed, source, found = files, ResultPrinter.print, random.Random(4), list[tuple[int, str]]()
    write(trace, random_rows(9, 2000))
    whole = remora("detect", PATTERN, trace, *ties)[1]

    def interrupted(*given: Any) -> None:
        if source.random() < 0.05:
            signal.raise_signal(signal.SIGINT)
        printed(*given)

    monkeypatch.setattr(ResultPrinter, "print", interrupted)
    while not found or found[-1][0] == 130:
        found.append(remora("detect", PATTERN, trace, "--state", state, *ties)[:2])
    assert (len(found) > 3, found[-1][0], "".join(out for _, out in found) == whole) == (True, 0, True)
