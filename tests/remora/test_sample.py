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
    assert "no log: disjunction-not-left-alone: with b in" in remora("sample", "b | (a ; b)")[1]


def test_files_have_each_log_with_what_is_expected(remora: Remora, tmp_path: Path) -> None:
    pattern, lines = '("x,y" ; b)[3]', tmp_path / "cases.jsonl"
    status, out, _ = remora("sample", pattern, "--out", tmp_path, "--case-lines", lines, "--format", "json")
    document = json.loads((tmp_path / "samples.json").read_text("utf-8"))
    assert (status, document) == (0, json.loads(out))
    samples = document["samples"]
    assert {path.stem for path in tmp_path.glob("*.csv")} == {sample["name"] for sample in samples}
    for sample in samples:
        found = api.detect(pattern, tmp_path / f"{sample['name']}.csv")
        assert [one.interval for one in found] == [(one["start"], one["end"]) for one in sample["detections"]]
    cases, answers = (
        [json.loads(line) for line in (tmp_path / name).read_text("utf-8").splitlines()]
        for name in ("cases.jsonl", "cases.answers.jsonl")
    )
    assert [one["case"] for one in cases] == [one["case"] for one in answers] == list(range(len(samples)))
    assert [(one["pattern"], one["events"]) for one in cases] == [(pattern, one["events"]) for one in samples]
    assert [one["detections"] for one in answers] == [one["detections"] for one in samples]


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after", "status"), [("", "", 0), ("max", "min", 1)])
def test_the_module_of_pytest_tells_right_detectors_from_wrong_ones(
    remora: Remora, tmp_path: Path, before: str, after: str, status: int
) -> None:
    module = tmp_path / "test_engine.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(module)]
    assert remora("sample", "a ; b", "--pytest", module)[0] == 0
    text = module.read_text("utf-8")
    if before == after == "":
        assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 1, "not filled in"
    filled = text.replace("\n\n@pytest", RIGHT.replace(before, after) + "\n\n@pytest")
    module.write_text(filled)
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == status
    assert "may have a detector of yours in it" in refused(remora("sample", "a", "--pytest", module))
    assert module.read_text() == filled


def test_what_is_no_pattern_is_refused_with_what_to_use(remora: Remora) -> None:
    assert "remora campaign run" in refused(remora("sample", "orders.rules"))


def test_what_is_undecided_is_said_and_the_status_is_3(remora: Remora) -> None:
    status, out, _ = remora("sample", "(a + b)[30]", "--steps", "30")
    assert status == 3 and "undecided: detected-twice: deciding this takes more than 30 steps" in out
    assert "on-bound-30\njust matches: with (a + b)[29] in the place of (a + b)[30] it would not (perhaps not a" in out
