import json
import subprocess
import sys
from pathlib import Path

import pytest

import remora as api
from tests.remora.conftest import Remora, refused

RIGHT = """
def detect(pattern, events):
    ends = sorted({time for time, event, value in events if event == "b"})
    before = {end: [time for time, event, value in events if event == "a" and time < end] for end in ends}
    return [(max(before[end]), end) for end in ends if before[end]]
"""
"""A right detector of `a ; b`."""


def test_samples_are_drawn_with_what_they_show_and_what_no_log_shows(remora: Remora) -> None:
    status, out, _ = remora("sample", "(fail ; fail)[60] - ok")
    assert status == 0
    assert "on-bound-60\njust matches: with (fail ; fail)[59] in the place of (fail ; fail)[60] it would not" in out
    assert "detected  ●━━━━━●  {fail@0, fail@60}" in out
    assert "just fails: with (fail ; fail)[61] in the place of (fail ; fail)[60] it would match" in out
    assert "no log: tie-matches: " in out


def test_files_have_each_log_and_one_document(remora: Remora, tmp_path: Path) -> None:
    status, out, _ = remora("sample", '"x,y" ; b', "--out", tmp_path, "--format", "json")
    document = json.loads((tmp_path / "samples.json").read_text("utf-8"))
    assert (status, document) == (0, json.loads(out))
    names = {sample["name"] for sample in document["samples"]}
    assert {path.stem for path in tmp_path.glob("*.csv")} == names
    for sample in document["samples"]:
        found = api.detect('"x,y" ; b', tmp_path / f"{sample['name']}.csv")
        assert [one.interval for one in found] == [(one["start"], one["end"]) for one in sample["detections"]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "status"), [(("", ""), 0), (("time < end", "time <= end"), 1), (("max", "min"), 1), ((RIGHT, ""), 1)]
)
def test_the_module_of_pytest_tells_right_detectors_from_wrong_ones(
    remora: Remora, tmp_path: Path, change: tuple[str, str], status: int
) -> None:
    module = tmp_path / "test_engine.py"
    assert remora("sample", "a ; b", "--pytest", module)[0] == 0
    head, rest = module.read_text("utf-8").split("def detect", 1)
    unfilled = "def detect" + rest.split("@pytest", 1)[0]
    filled = RIGHT.replace(*change) if change[1] or not change[0] else unfilled
    module.write_text(head + filled + "\n\n@pytest" + rest.split("@pytest", 1)[1])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(module)]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == status


def test_a_module_that_is_there_is_not_written_over(remora: Remora, tmp_path: Path) -> None:
    module = tmp_path / "test_engine.py"
    module.write_text(RIGHT)
    assert "may have a detector of yours in it" in refused(remora("sample", "a", "--pytest", module))
    assert module.read_text() == RIGHT


def test_case_lines_are_what_programs_take_and_the_answers_what_they_owe(remora: Remora, tmp_path: Path) -> None:
    lines = tmp_path / "cases.jsonl"
    assert remora("sample", "(a ; b)[3] - c", "--case-lines", lines)[0] == 0
    cases = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    answers = [json.loads(line) for line in (tmp_path / "cases.answers.jsonl").read_text("utf-8").splitlines()]
    assert [one["case"] for one in cases] == [one["case"] for one in answers] == list(range(len(cases)))
    for given, owed in zip(cases, answers, strict=True):
        found = api.detect(given["pattern"], [api.Occurrence(event, time) for time, event, _ in given["events"]])
        assert [one.interval for one in found] == [(one["start"], one["end"]) for one in owed["detections"]]


def test_what_is_no_pattern_is_refused_with_what_to_use(remora: Remora) -> None:
    assert "remora campaign run" in refused(remora("sample", "orders.rules"))
    assert "symbolic" not in refused(remora("sample", "a ;;"))


def test_what_is_undecided_is_said_and_the_status_is_3(remora: Remora) -> None:
    status, out, _ = remora("sample", "(a + b)[30]", "--steps", "30")
    assert status == 3 and "undecided: " in out
