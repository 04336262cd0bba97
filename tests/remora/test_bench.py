"""`remora bench`: a table of speeds, with every answer checked, and the same as JSON."""

import json

import pytest

from benchmarks.throughput import Effort
from remora.systems.carlson_lisper import bench as benching
from tests.benchmarks.test_throughput import fake, too_early
from tests.remora.conftest import Remora

ARGUMENTS = ("bench", "--quick", "--density", "0.1")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces the subjects by some that need no time; nothing here depends on how long they take."""
    monkeypatch.setattr(benching, "QUICK", Effort(repetitions=2, seconds=1e-9, instants=2_000))
    subjects = (fake("ours"), fake("theirs", "Polars"), fake("gone", "Gone"))
    monkeypatch.setattr(benching, "SUBJECTS", subjects)


def test_the_table_has_a_column_for_each_pattern_and_says_what_is_not_compared(remora: Remora) -> None:
    status, out, err = remora(*ARGUMENTS)
    assert status == 0
    head = next(line for line in out.splitlines() if line.startswith("subject"))
    assert head.split()[1:5] == ["i", "ii", "iii", "iv"]
    assert "The best of ours is so many times as fast" in out
    assert "not compared: gone: Gone is not installed" in err


def test_a_wrong_answer_is_shown_instead_of_a_speed_and_ends_with_status_1(
    remora: Remora, monkeypatch: pytest.MonkeyPatch
) -> None:
    subjects = (fake("ours"), fake("theirs", "Polars", change=too_early))
    monkeypatch.setattr(benching, "SUBJECTS", subjects)
    status, out, err = remora(*ARGUMENTS, "ii")
    assert status == 1
    assert next(line for line in out.splitlines() if line.startswith("theirs")).split()[1] == "wrong"
    assert "theirs on A;B at 0.1 is wrong: at " in err


def test_json_has_everything(remora: Remora) -> None:
    status, out, _ = remora(*ARGUMENTS, "ii", "(fail ; fail)[60] - ok", "--seed", "3", "--format", "json")
    document = json.loads(out)
    assert (status, document["schema"], document["seed"]) == (0, "remora/bench/2", 3)
    assert [one["expression"] for one in document["results"]] == ["A;B", "(fail ; fail)[60] - ok"]
    assert [one["status"] for one in document["results"][0]["subjects"]] == ["measured", "measured", "absent"]


def test_only_some_subjects_or_all_of_a_tool(remora: Remora) -> None:
    _, out, _ = remora(*ARGUMENTS, "ii", "--format", "json", "--only", "POLARS")
    assert [one["name"] for one in json.loads(out)["results"][0]["subjects"]] == ["theirs"]
    status, _, err = remora(*ARGUMENTS, "--only", "nobody")
    assert status == 2
    assert "no subject and no tool is called 'nobody'" in err
    assert "theirs" in err
