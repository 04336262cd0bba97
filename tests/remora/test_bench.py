"""`remora bench`: a table of speeds, with every answer checked, and the same as JSON."""

from pathlib import Path

import pytest

from benchmarks import files
from remora.systems.carlson_lisper import bench as benching
from tests.benchmarks.test_throughput import fake, too_early
from tests.remora.conftest import Remora, refused
from tests.remora.documents import of_its_schema

ARGUMENTS = ("bench", "--quick", "--density", "0.1")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces the subjects by some that need no time, one of which is wrong."""
    monkeypatch.setattr(benching, "INSTANTS", 200_000)
    subjects = (fake("ours"), fake("theirs", "Polars"), fake("early", change=too_early))
    monkeypatch.setattr(benching, "SUBJECTS", subjects)


@pytest.mark.slow
def test_the_table_has_a_line_for_each_subject_on_each_pattern(remora: Remora) -> None:
    status, out, err = remora(*ARGUMENTS)
    assert status == 1
    assert sum(line.split()[2:3] == ["ours"] for line in out.splitlines()) == 4
    assert next(line for line in out.splitlines() if "early" in line).split()[-1] == "wrong"
    assert "early on A;B, 0.1 is wrong: found [" in err


@pytest.mark.slow
def test_json_has_everything_of_the_subjects_or_tools_that_are_named(remora: Remora) -> None:
    asked = (*ARGUMENTS, "ii", "(fail ; fail)[60] - ok", "--only", "ours", "--only", "POLARS")
    status, out, _ = remora(*asked, "--seed", "3", "--format", "json")
    document = of_its_schema(out)
    assert (status, document["schema"], document["seed"]) == (0, "remora/bench/3", 3)
    assert [one["case"]["pattern"] for one in document["rows"]] == 2 * ["A;B"] + 2 * ["(fail ; fail)[60] - ok"]
    found = [(one["subject"], one["status"]) for one in document["rows"][:2]]
    assert found == [("ours", "measured"), ("theirs", "measured")]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--only", "nobody"), "no subject and no tool is called 'nobody'"),
        (("--files", "x ; y"), "'a hundred'"),
        (("--rows", "1000"), "--files"),
    ],
)
def test_what_is_not_measured_is_refused(remora: Remora, arguments: tuple[str, ...], said: str) -> None:
    assert said in refused(remora("bench", *arguments))


@pytest.mark.slow
def test_whole_jobs_write_the_same_and_are_timed(remora: Remora, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "FORMS", ("jsonl",))
    monkeypatch.setattr(files, "USERS", 5)
    arguments = ("--rows", "2000", "--density", "0.5", "--repetitions", "1", "--format", "json")
    status, out, _ = remora("bench", "--files", "iii", *arguments)
    rows = of_its_schema(out)["rows"]
    assert (status, [one["subject"] for one in rows]) == (0, 2 * list(files.TOOLS))
    for case in (rows[:3], rows[3:]):
        assert len({one["found"] for one in case}) == 1 and case[0]["found"] > 50
        assert all(len(one["seconds"]) == 1 and one["status"] == "measured" for one in case)


def test_a_tool_with_another_answer_has_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(arguments: list[str], output: Path) -> tuple[float, float, int]:
        tool = next(name for name in files.TOOLS if name in arguments)
        rows = 3 if tool == "Polars" else 2
        (output.parent / tool).write_text("".join(f'{{"start": {n}, "end": {n + 1}}}\n' for n in range(rows)))
        return 1.0, 50.0, 3 if tool == "DuckDB" else 0

    monkeypatch.setattr(files, "_run", run)
    (found,) = files.measured([files.Cell("csv", 0.5, False, "ii")], 1000, 1, 0)
    assert [one.detail for one in found] == ["", "it has another answer", "it ended with status 3"]
    assert [one.seconds for one in found] == [(1.0,), (), ()]
