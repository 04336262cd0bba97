import io
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

Remora = Callable[..., tuple[int, str, str]]

DETECTORS = """
from detectors.figure2 import Figure2
from semantics.errors import InputError
from semantics.finite import Interval
from semantics.occurrences import Instance, Occurrence

class Raises(Figure2):
    def step(self, time, occurrences):
        if time > 3:
            raise KeyError("boom")
        return super().step(time, occurrences)

class Exits(Figure2):
    def step(self, time, occurrences):
        raise SystemExit(0)

class Tuples(Figure2):
    def step(self, time, occurrences):
        return (time, time)

class Spans(Figure2):
    def step(self, time, occurrences):
        found = super().step(time, occurrences)
        return None if found is None else Interval(found.start, found.end)

class Late(Figure2):
    def step(self, time, occurrences):
        return Instance([Occurrence("fail", 0)])

class CannotBeMade:
    def __init__(self, expression):
        raise RuntimeError("no memory\\nleft")

class Refuses:
    def __init__(self, expression):
        raise InputError(f"{expression} has no bound", remedy="Write one.")

def nothing(expression):
    return None

number = 3
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The prefix of the names of detectors that lie in the current directory."""
    name = f"own_{abs(hash(tmp_path))}"
    (tmp_path / f"{name}.py").write_text(DETECTORS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return f"{name}:"


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def spans(text: str) -> list[tuple[int, int]]:
    return [(row["start"], row["end"]) for row in rows(text)]


# ---------------------------------------------------------------------------------------------------- results


def test_a_pipe_gets_one_json_object_per_detection_and_nothing_else(remora: Remora, logins: Path) -> None:
    status, out, err = remora("detect", "(fail ; fail)[60] - ok", logins)
    assert (status, err) == (0, "")
    assert rows(out) == [
        {
            "start": 1,
            "end": 3,
            "instance": [
                {"event": "fail", "time": 1, "value": "root"},
                {"event": "fail", "time": 3, "value": "root"},
            ],
        }
    ]


def test_people_get_text_on_standard_output_and_the_count_beside_it(remora: Remora, logins: Path) -> None:
    assert remora("detect", "(fail ; fail)[60] - ok", logins, "--format", "text") == (
        0,
        "[1, 3]  fail(root)@1  fail(root)@3\n",
        "note: 1 instance\n",
    )


def test_json_is_accepted_as_a_name_for_json_lines(remora: Remora, logins: Path) -> None:
    assert remora("detect", "fail", logins, "--format", "json") == remora(
        "detect", "fail", logins, "--format", "jsonl"
    )


def test_partitions_are_detected_apart_and_named(remora: Remora, logins: Path) -> None:
    _, out, _ = remora("detect", "fail ; ok", logins, "--partition-by", "user")
    assert [(row["partition"], row["start"], row["end"]) for row in rows(out)] == [("b", 3, 9), ("a", 12, 80)]


def test_a_missing_partition_is_one_of_its_own_and_text_and_numbers_stay_apart(
    remora: Remora, tmp_path: Path
) -> None:
    trace = tmp_path / "t.jsonl"
    cases: list[dict[str, object]] = [{"case": 1}, {"case": "1"}, {"case": None}, {"case": 1}, {"case": None}]
    trace.write_text("".join(json.dumps({"time": n, "event": "a", **c}) + "\n" for n, c in enumerate(cases)))
    _, out, _ = remora("detect", "a ; a", trace, "--partition-by", "case")
    assert [(row["partition"], row["end"]) for row in rows(out)] == [(1, 3), (None, 4)]
    _, out, _ = remora("detect", "a ; a", trace, "--partition-by", "case", "--format", "text")
    assert out.splitlines()[1].startswith("(none)  [2, 4]")


def test_parquet_and_json_lines_are_read_by_their_names(remora: Remora, tmp_path: Path) -> None:
    parquet.write_table(pyarrow.table({"time": [1, 4], "event": ["a", "b"]}), tmp_path / "t.parquet")
    (tmp_path / "t.jsonl").write_text('{"time": 1, "event": "a"}\n{"time": 4, "event": "b"}\n')
    for name in ("t.parquet", "t.jsonl"):
        assert spans(remora("detect", "a ; b", tmp_path / name)[1]) == [(1, 4)]


def test_a_minus_sign_is_standard_input(remora: Remora, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"time,event\n1,a\n2,b\n")))
    assert spans(remora("detect", "a ; b", "-")[1]) == [(1, 2)]


def test_what_an_option_dropped_or_sorted_is_said_beside_the_results(remora: Remora, tmp_path: Path) -> None:
    trace = tmp_path / "t.csv"
    trace.write_text("time,event,value\n5,a,x\n2,b,\n5,a,y\n")
    status, out, err = remora("detect", "a", trace, "--sort", "--same-time", "last")
    assert (status, [row["instance"][0]["value"] for row in rows(out)]) == (0, ["y"])
    assert "sorted all rows by time: 1 row was out of order (--sort)" in err
    assert "dropped 1 row" in err


def test_an_event_that_never_occurs_is_a_warning_with_the_name_that_was_probably_meant(
    remora: Remora, logins: Path
) -> None:
    assert remora("detect", "Fail ; ok", logins) == (
        0,
        "",
        "warning: Fail never occurs in the trace; did you mean fail?\n",
    )


def test_a_trace_of_the_header_alone_is_empty(remora: Remora, tmp_path: Path) -> None:
    trace = tmp_path / "t.csv"
    trace.write_text("time,event,value\n")
    assert remora("detect", "a", trace) == (0, "", "warning: a never occurs in the trace\n")


# -------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("", "there is nothing to read"),
        ("a | ", "the text ends too early"),
        ("a | b + c", "or     a | (b + c)"),
        ("a[9999999999999999999999]", "No trace is that long"),
        ("größe", "A name is made of ASCII letters"),
        ("a[t]", "the bound t is not a number"),
        ("(" * 1000 + "a" + " | b)" * 1000, "more than 200 operators deep"),
        ("a" * 100_001, "more than the limit of 100,000"),
    ],
)
def test_a_wrong_expression_is_bad_input(remora: Remora, logins: Path, expression: str, said: str) -> None:
    status, out, err = remora("detect", expression, logins)
    assert (status, out) == (2, "")
    assert said in err
    assert err.startswith("error: ")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "there is nothing to read, not even a header"),
        ("time,event\n2,a\n1,b\n", "--sort"),
        ("time,event\n1,a\n1,a\n", "--same-time first"),
        ("when,what\n1,a\n", "there is no column 'time'"),
    ],
)
def test_a_wrong_trace_is_bad_input_that_names_the_file(
    remora: Remora, tmp_path: Path, content: str, said: str
) -> None:
    trace = tmp_path / "t.csv"
    trace.write_text(content)
    status, _, err = remora("detect", "a", trace)
    assert status == 2
    assert said in err
    assert str(trace) in err


def test_a_missing_file_a_folder_and_a_missing_column_are_bad_input(remora: Remora, logins: Path) -> None:
    for arguments, said in (
        (("a", logins.parent / "no.csv"), "there is no such file"),
        (("a", logins.parent), "this is a directory"),
        (("a", ""), "the path is empty"),
        (("a", logins, "--partition-by", "host"), "there is no column 'host' to partition by"),
    ):
        status, out, err = remora("detect", *arguments)
        assert (status, out, said in err) == (2, "", True)


def test_expressions_that_are_deep_in_parentheses_or_have_great_bounds_are_fine(
    remora: Remora, logins: Path
) -> None:
    status, out, _ = remora("detect", "(" * 5000 + "ok" + ")" * 5000 + "[99999999999999]", logins)
    assert (status, spans(out)) == (0, [(9, 9), (80, 80)])


# ------------------------------------------------------------------------------------------ detectors from outside


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Raises", "failed at time 9: KeyError: 'boom'"),
        ("Exits", "failed at time 1: SystemExit: 0"),
        ("Tuples", "reported (1, 1) at time 1, which is of type tuple; expected is Instance or None"),
        ("Late", "reported {fail@0} at time 1, which ends at time 0"),
        ("CannotBeMade", "failed when it was made for fail ; fail: RuntimeError: no memory left"),
        ("nothing", "failed at time 1: AttributeError"),
    ],
)
def test_a_detector_that_breaks_the_protocol_is_wrong_and_named(
    remora: Remora, logins: Path, own: str, name: str, said: str
) -> None:
    status, _, err = remora("detect", "fail ; fail", logins, "--detector", own + name)
    assert status == 1
    assert err.startswith(f"error: the detector {own}{name} {said}")
    assert "Traceback" not in err


def test_a_detector_from_outside_may_report_intervals_where_these_are_wanted(
    remora: Remora, logins: Path, own: str
) -> None:
    detected = remora("detect", "fail ; fail", logins, "--intervals", "--detector", f"{own}Spans")
    assert spans(detected[1]) == spans(remora("detect", "fail ; fail", logins, "--intervals")[1])
    status, _, err = remora("detect", "fail ; fail", logins, "--detector", f"{own}Spans")
    assert (status, "of type Interval; expected is Instance or None" in err) == (1, True)


def test_what_a_wrong_detector_found_before_it_broke_is_printed(
    remora: Remora, logins: Path, own: str
) -> None:
    assert spans(remora("detect", "fail ; fail", logins, "--detector", f"{own}Raises")[1]) == [(1, 3)]


def test_an_expression_that_a_detector_does_not_take_is_bad_input(
    remora: Remora, logins: Path, own: str
) -> None:
    status, _, err = remora("detect", "fail", logins, "--detector", f"{own}Refuses")
    assert (status, err) == (2, "error: fail has no bound\n  Write one.\n")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("figure9", "no detector is called 'figure9'"),
        ("no_such_module:x", "ModuleNotFoundError"),
        ("mutant:none", "no mutant is called 'none'"),
    ],
)
def test_a_detector_that_does_not_exist_is_bad_input(
    remora: Remora, logins: Path, name: str, said: str
) -> None:
    status, out, err = remora("detect", "fail", logins, "--detector", name)
    assert (status, out, said in err) == (2, "", True)


def test_a_detector_that_is_no_factory_is_bad_input(remora: Remora, logins: Path, own: str) -> None:
    status, _, err = remora("detect", "fail", logins, "--detector", f"{own}number")
    assert (status, "is not callable" in err) == (2, True)


# ------------------------------------------------------------------------------------------- starts and ends alone


LARGE_PATTERN = "(a ; b)[4] - c"


def random_rows(seed: int, count: int, names: str = "abcd") -> list[tuple[int, str]]:
    source = random.Random(seed)
    time = 0
    found: list[tuple[int, str]] = []
    while len(found) < count:
        time += source.choice((1, 1, 2, 5))
        found += [(time, name) for name in names if source.random() < 0.4]
    return found[:count]


def csv_text(lines: list[tuple[int, str]]) -> str:
    return "time,event,value\n" + "".join(f"{time},{event},x{time}\n" for time, event in lines)


def intervals_of(text: str) -> list[tuple[int, int]]:
    found = rows(text)
    assert all(set(row) <= {"start", "end", "partition"} for row in found)
    return [(row["start"], row["end"]) for row in found]


@pytest.mark.parametrize("detector", ["auto", "generated", "register-machine", "figure2", "figure3"])
def test_intervals_are_the_starts_and_ends_of_the_instances(
    remora: Remora, logins: Path, detector: str
) -> None:
    for arguments in (("fail ; ok", logins), ("fail ; ok", logins, "--partition-by", "user")):
        instances = remora("detect", *arguments)[1]
        status, out, err = remora("detect", *arguments, "--intervals", "--detector", detector)
        assert (status, err, intervals_of(out)) == (0, "", spans(instances))
        assert [row.get("partition") for row in rows(out)] == [r.get("partition") for r in rows(instances)]
    assert remora("detect", "fail", logins, "--intervals", "--format", "text")[1].startswith(
        "[1, 1]\n[3, 3]\n"
    )


def test_a_detector_of_intervals_finds_no_instances(remora: Remora, logins: Path) -> None:
    status, out, err = remora("detect", "fail", logins, "--detector", "generated")
    assert (status, out) == (2, "")
    assert "Add --intervals" in err


def test_which_detector_was_taken_is_said_to_those_who_ask(remora: Remora, logins: Path) -> None:
    said = remora("detect", "fail ; ok", logins, "--intervals", "--verbose")[2]
    assert said.startswith("note: the detector is generated: code generated for the expression")
    assert "figure3" in remora("detect", "fail ; ok", logins, "--verbose")[2]


@pytest.fixture
def by_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files are read by columns as well, a few rows at a time."""
    monkeypatch.setattr("remora.commands.detect.LARGE", 0)
    monkeypatch.setattr("semantics.trace_columns.BLOCK", 64)
    monkeypatch.setattr("semantics.trace_columns.BATCH_ROWS", 7)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("seed", range(6))
def test_a_file_that_is_read_by_columns_has_the_same_detections(
    remora: Remora, tmp_path: Path, by_columns: None, ending: str, seed: int
) -> None:
    lines = random_rows(seed, 60 + 30 * seed)
    trace = tmp_path / f"t.{ending}"
    if ending == "csv":
        trace.write_text(csv_text(lines))
    else:
        times, events = map(list, zip(*lines, strict=True))
        parquet.write_table(pyarrow.table({"time": times, "event": events}), trace)
    by_rows = spans(remora("detect", LARGE_PATTERN, trace)[1])
    assert by_rows
    assert intervals_of(remora("detect", LARGE_PATTERN, trace, "--intervals")[1]) == by_rows
    assert "q never occurs" in remora("detect", "a ; q", trace, "--intervals")[2]


UNUSUAL = {
    "order": "40,a,x\n3,b,x\n",
    "twice": "50,a,x\n50,b,x\n50,a,x\n",
    "sign": "+50,a,x\n",
    "fraction": "50.0,a,x\n",
    "great": f"{10**19},a,x\n",
    "no time": ",a,x\n",
    "no event": "50,,x\n",
    "no name": "50,a b,x\n",
    "few cells": "50,a\n",
    "many cells": "50,a,x,y\n",
    "spaces": " 50,a,x\n",
    "quoted": '50,"a",x\n51,b,"say ""no"""\n',
    "open quote": '50,a,"x\n51,b,y\n',
    "blank": "\n\n50,a,x\n  \n51,b,y\n",
    "return": "50,a,x\r51,b,x\n",
    "returns": "50,a,x\r\n51,b,x\r\n",
    "not ascii": "50,a,Größe\n51,b,x\n",
    "name not ascii": "50,ä,x\n",
    "nul": "50,a,\0\n",
    "no last end": "50,a,x\n51,b,x",
    "zeros": "0050,a,x\n0051,b,x\n",
    "long": f"50,a,{'x' * 140_000}\n",
}


@pytest.mark.parametrize("content", UNUSUAL.values(), ids=UNUSUAL.keys())
def test_what_is_unusual_is_found_and_said_as_by_rows(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    trace = tmp_path / "t.csv"
    before = csv_text([(time, event) for time, event in random_rows(1, 12) if time < 30])
    after = "60,a,x\n61,b,x\n" if content.endswith("\n") else ""
    trace.write_bytes((before + content + after).encode())
    by_rows = remora("detect", LARGE_PATTERN, trace, "--intervals")
    monkeypatch.setattr("remora.commands.detect.LARGE", 0)
    for block in (16, 64, 1 << 20):
        monkeypatch.setattr("semantics.trace_columns.BLOCK", block)
        assert remora("detect", LARGE_PATTERN, trace, "--intervals") == by_rows


@pytest.mark.parametrize(
    "columns",
    [
        {"time": [1, 5, 3], "event": ["a", "b", "a"]},
        {"time": [1, 5, 5], "event": ["a", "b", "b"]},
        {"time": [1, None, 5], "event": ["a", "b", "b"]},
        {"time": [1, -2, 5], "event": ["a", "b", "b"]},
        {"time": [1.0, 2.0, 5.0], "event": ["a", "b", "b"]},
        {"time": [1, 2, 5], "event": ["a", None, "b"]},
        {"time": [1, 2, 5], "event": ["a", "b c", "b"]},
        {"time": [1, 2, 5], "event": ["a", "b", "c"], "value": [[1], [2], [3]]},
        {"time": [1, 2, 5], "event": ["a", "b", "c"], "value": ["x", "\0", ""]},
        {"time": [1, 2, 5], "event": ["a", "b", "c"], "value": [b"x", b"y", None]},
        {"when": [1, 2, 5], "event": ["a", "b", "c"]},
    ],
)
def test_unusual_parquet_is_found_and_said_as_by_rows(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: dict[str, list[Any]]
) -> None:
    trace = tmp_path / "t.parquet"
    parquet.write_table(pyarrow.table(columns), trace)
    found = remora("detect", "a ; b", trace, "--intervals")
    monkeypatch.setattr("remora.commands.detect._by_columns", lambda *_: False)
    assert remora("detect", "a ; b", trace, "--intervals") == found


# -------------------------------------------------------------------------------------------- going on from a state


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
        assert (
            not notes or f"left out {begin} rows up to time {lines[begin - 1][0]}" in notes[0] or begin == 1
        )
        found += out
    assert found == whole


def test_partitions_go_on_each_from_its_own_state(remora: Remora, tmp_path: Path) -> None:
    trace, state = tmp_path / "t.csv", tmp_path / "state.json"
    header, lines = "time,event,user\n", ["1,a,x\n", "2,a,y\n", "5,b,y\n", "7,b,x\n"]
    for part in (lines[:2], lines[2:]):
        trace.write_text(header + "".join(part))
        _, out, _ = remora("detect", "a ; b", trace, "--state", state, "--partition-by", "user")
    assert [(r["partition"], r["start"], r["end"]) for r in rows(out)] == [("y", 2, 5), ("x", 1, 7)]


def test_a_new_row_at_the_last_instant_comes_too_late_and_a_known_one_does_not(
    remora: Remora, tmp_path: Path
) -> None:
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


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"schema": "remora/state/2"}', '{"schema": "remora/state/1"}']
)
def test_a_damaged_state_is_bad_input(remora: Remora, logins: Path, tmp_path: Path, content: str) -> None:
    state = tmp_path / "state.json"
    state.write_text(content)
    status, out, err = remora("detect", "fail", logins, "--state", state)
    assert (status, out, state.read_text()) == (2, "", content)
    assert str(state) in err
    assert "begin anew" in err


def test_the_state_of_something_else_is_bad_input(remora: Remora, logins: Path, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    assert remora("detect", "fail ; ok", logins, "--state", state)[0] == 0
    for arguments, said in (
        (("fail", logins), "belongs to the expression fail ; ok, not to the expression fail"),
        (
            ("fail ; ok", logins, "--intervals"),
            "belongs to whole instances, not to starts and ends alone (--intervals)",
        ),
        (
            ("fail ; ok", logins, "--partition-by", "user"),
            "belongs to a trace that is not partitioned, not to a trace partitioned by user",
        ),
        (("fail ; ok", logins, "--detector", "figure2"), "belongs to the detector figure3, not to figure2"),
    ):
        status, out, err = remora("detect", *arguments, "--state", state)
        assert (status, out, said in err) == (2, "", True), err
    data = json.loads(state.read_text())
    data["partitions"][0]["state"]["variables"] = {}
    state.write_text(json.dumps(data))
    status, _, err = remora("detect", "fail ; ok", logins, "--state", state)
    assert (status, "damaged" in err) == (2, True)
    assert remora("detect", "fail", logins, "--state", tmp_path / "no" / "s.json")[0] == 2


def test_a_detector_without_snapshots_has_no_state(
    remora: Remora, logins: Path, own: str, tmp_path: Path
) -> None:
    status, out, err = remora(
        "detect", "fail", logins, "--detector", f"{own}nothing", "--state", tmp_path / "s"
    )
    assert (status, out) == (2, "")
    assert "cannot be stored" in err


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("options", [(), ("--intervals",)])
def test_killed_at_random_points_and_resumed_the_output_is_that_of_one_run(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    lines = random_rows(9, 400_000)
    trace, state = tmp_path / "t.csv", tmp_path / "state.json"
    trace.write_text(csv_text(lines))
    command = [sys.executable, "-m", "remora", "detect", LARGE_PATTERN, str(trace), *options]
    whole = subprocess.run(command, capture_output=True, check=True).stdout
    source = random.Random(4)
    found, kills = b"", 0
    for _ in range(40):
        with subprocess.Popen([*command, "--state", str(state)], stdout=subprocess.PIPE) as running:
            number = source.choice([signal.SIGINT, signal.SIGTERM])
            seconds = source.uniform(0.8, 2.5) if kills < 6 else 600
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
