"""`remora detect`: what it prints, and what it refuses."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.remora.conftest import Process, Remora, refused
from tests.remora.detections import intervals_of, rows, spans


def test_a_pipe_gets_one_json_object_per_detection_and_nothing_else(remora: Remora, logins: Path) -> None:
    status, out, err = remora("detect", "(fail ; fail)[60] - ok", logins)
    assert (status, err) == (0, "")
    instance = [{"event": "fail", "time": time, "value": "root"} for time in (1, 3)]
    assert rows(out) == [{"start": 1, "end": 3, "instance": instance}]


def test_who_reads_a_pipe_gets_no_count_however_much_of_it(process: Process, logins: Path, tmp_path: Path) -> None:
    asked = ("detect", "fail", logins, "--format", "text")
    assert process(*asked).stderr == b""
    with (tmp_path / "found").open("wb") as file:
        command = [sys.executable, "-m", "remora", *map(str, asked)]
        assert subprocess.run(command, stdout=file, stderr=subprocess.PIPE, check=True).stderr == (
            b"note: 4 instances\n"
        )


def test_json_is_accepted_as_a_name_for_json_lines(remora: Remora, logins: Path) -> None:
    assert remora("detect", "fail", logins, "--format", "json") == remora("detect", "fail", logins, "--format", "jsonl")


def test_a_missing_partition_is_one_of_its_own_and_text_and_numbers_stay_apart(remora: Remora, tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    cases: list[dict[str, object]] = [{"case": 1}, {"case": "1"}, {"case": None}, {"case": 1}, {"case": None}]
    trace.write_text("".join(json.dumps({"time": n, "event": "a", **c}) + "\n" for n, c in enumerate(cases)))
    _, out, _ = remora("detect", "a ; a", trace, "--partition-by", "case")
    assert [(row["partition"], row["end"]) for row in rows(out)] == [(1, 3), (None, 4)]
    _, out, _ = remora("detect", "a ; a", trace, "--partition-by", "case", "--format", "text")
    assert out.splitlines()[1].startswith("(none)  [2, 4]")


def test_what_an_option_dropped_or_sorted_is_said_beside_the_results(remora: Remora, tmp_path: Path) -> None:
    trace = tmp_path / "t.csv"
    trace.write_text("time,event,value\n5,a,x\n2,b,\n5,a,y\n")
    status, out, err = remora("detect", "a", trace, "--sort", "--same-time", "last")
    assert (status, [row["instance"][0]["value"] for row in rows(out)]) == (0, ["y"])
    assert "sorted 1 row out of order (--sort)" in err
    assert "dropped 1 row" in err


def test_an_event_that_never_occurs_is_a_warning_with_the_name_that_was_probably_meant(
    remora: Remora, logins: Path
) -> None:
    assert remora("detect", "Fail ; ok", logins) == (
        0,
        "",
        "warning: Fail never occurs in the trace; did you mean fail?\n",
    )


@pytest.mark.parametrize("detector", ["auto", "columns", "generated", "figure2", "figure4"])
def test_intervals_are_the_starts_and_ends_of_the_instances(remora: Remora, logins: Path, detector: str) -> None:
    for arguments in (("fail ; ok", logins), ("fail ; ok", logins, "--partition-by", "user")):
        instances = remora("detect", *arguments)[1]
        status, out, err = remora("detect", *arguments, "--intervals", "--detector", detector)
        assert (status, err, intervals_of(out)) == (0, "", spans(instances))
        assert [row.get("partition") for row in rows(out)] == [r.get("partition") for r in rows(instances)]
    text = remora("detect", "fail", logins, "--intervals", "--detector", detector, "--format", "text")[1]
    assert text.startswith("[1, 1]\n[3, 3]\n")


def test_a_detector_of_intervals_finds_no_instances(remora: Remora, logins: Path) -> None:
    assert "Add --intervals" in refused(remora("detect", "fail", logins, "--detector", "generated"))


def test_which_detector_was_taken_is_said_to_those_who_ask(remora: Remora, logins: Path) -> None:
    said = remora("detect", "fail ; ok", logins, "--verbose", "--engine", "columns")[2]
    assert said.startswith("note: the detector is columns: queries of Polars")
    steps = ("detect", "fail ; ok", logins, "--verbose", "--engine", "steps")
    assert "is generated: code generated for the expression" in remora(*steps, "--intervals")[2]
    assert "is figure4" in remora(*steps)[2]
