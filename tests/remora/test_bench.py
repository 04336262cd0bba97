import json
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks import checks
from benchmarks.subjects import OURS, Absent, Subject
from benchmarks.timing import Effort
from remora.commands.benchmarks import bench
from tests.benchmarks.fakes import fake, too_early
from tests.remora.conftest import Remora


def missing(*_: object) -> Any:
    raise Absent("tool is not installed")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Replaces the subjects by some that need no time; nothing here depends on how long they take."""
    monkeypatch.setattr(bench, "QUICK", Effort(repetitions=2, seconds=1e-9, instants=2_000))
    monkeypatch.setattr(checks, "DENOTED", 60)

    def replace(*subjects: Subject) -> None:
        monkeypatch.setattr(bench, "SUBJECTS", subjects)

    replace(fake("ours"), fake("theirs", family="Other"), Subject("gone", "Gone", "columns", missing))
    return replace


ARGUMENTS = ("bench", "--quick", "--no-scaling", "--density", "0.1")


@pytest.mark.long
@pytest.mark.usefixtures("quick")
def test_the_table_has_a_column_for_each_pattern_and_says_what_is_not_compared(remora: Remora) -> None:
    status, out, err = remora(*ARGUMENTS)
    assert status == 0
    head = next(line for line in out.splitlines() if line.startswith("subject"))
    assert head.split()[1:5] == ["i", "ii", "iii", "iv"]
    assert "The best of ours is so many times as fast" in out
    assert "not compared: gone: tool is not installed" in err


def test_a_wrong_answer_is_shown_instead_of_a_speed_and_ends_with_status_1(
    remora: Remora, quick: Callable[..., None]
) -> None:
    quick(fake("ours"), fake("theirs", family="Other", change=too_early))
    status, out, err = remora(*ARGUMENTS, "ii")
    assert status == 1
    assert next(line for line in out.splitlines() if line.startswith("theirs")).split()[1] == "wrong"
    assert "theirs is wrong on A ; B at probability 0.1: at " in err
    assert "expected [" in err


@pytest.mark.parametrize(("family", "expected"), [(OURS, 1), ("Other", 5)])
def test_a_breakdown_is_ours_or_another_tools(
    remora: Remora, quick: Callable[..., None], family: str, expected: int
) -> None:
    def broken(*_: object) -> Any:
        raise RuntimeError("no")

    quick(fake("ours"), Subject("broken", family, "columns", broken))
    status, _, err = remora(*ARGUMENTS, "ii")
    assert status == expected
    assert "broken broke down on A ; B: RuntimeError: no" in err


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("option", [("--json",), ("--format", "json")])
def test_json_has_everything(remora: Remora, option: tuple[str, ...]) -> None:
    status, out, _ = remora(*ARGUMENTS, "ii", "i", "--seed", "3", *option)
    document = json.loads(out)
    assert (status, document["schema"], document["seed"]) == (0, "remora/bench/1", 3)
    assert [result["pattern"] for result in document["results"]] == ["ii", "i"]
    assert [one["status"] for one in document["results"][0]["subjects"]] == ["measured", "measured", "absent"]


@pytest.mark.usefixtures("quick")
def test_an_expression_of_ones_own_is_measured_with_its_own_events(remora: Remora) -> None:
    status, out, _ = remora(*ARGUMENTS, "(fail ; fail)[60] - ok", "--json")
    assert status == 0
    assert json.loads(out)["results"][0]["expression"] == "(fail ; fail)[60] - ok"


@pytest.mark.usefixtures("quick")
def test_only_some_subjects_or_all_of_a_tool(remora: Remora) -> None:
    _, out, _ = remora(*ARGUMENTS, "ii", "--json", "--only", "OTHER")
    assert [one["name"] for one in json.loads(out)["results"][0]["subjects"]] == ["theirs"]
    status, _, err = remora(*ARGUMENTS, "--only", "nobody")
    assert status == 2
    assert "no subject and no tool is called 'nobody'" in err
    assert "theirs" in err


def test_the_scaling_table_says_flat_or_how_it_grows(
    remora: Remora, quick: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "QUICK", Effort(repetitions=1, seconds=1e-9, instants=10_000))
    quick(fake("figure2"))
    _, out, _ = remora("bench", "--quick", "--density", "0.1", "ii")
    assert "Nanoseconds per instant by the trace's length: A ; B at probability 0.1" in out
    _, out, _ = remora("bench", "--quick", "--density", "0.1", "ii", "--json")
    assert [one["subject"] for one in json.loads(out)["scaling"]] == ["figure2"]


def test_an_oracle_that_differs_from_the_definition_ends_with_status_4(
    remora: Remora, quick: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = checks.oracle
    monkeypatch.setattr(checks, "oracle", lambda *arguments: too_early(real(*arguments)))
    status, out, err = remora(*ARGUMENTS, "ii")
    assert (status, out) == (4, "")
    assert "Figure 2 is wrong on A ; B" in err


@pytest.mark.long
def test_the_real_subjects_are_measured_and_right(remora: Remora) -> None:
    length = ("--instants", "5000", "--repetitions", "1")
    status, out, err = remora(*ARGUMENTS, *length, "--json")
    document = json.loads(out)
    subjects = [one for result in document["results"] for one in result["subjects"]]
    assert [one for one in subjects if one["status"] in ("wrong", "failed")] == []
    assert status == 0, err
