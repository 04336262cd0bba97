"""`remora bench --files`: whole jobs in processes, whose answers are compared."""

import json
from pathlib import Path

import pytest

from benchmarks import files
from tests.remora.conftest import Remora, refused


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pattern", "forms"), [("iii", ("csv", "parquet")), pytest.param("a hundred", ("jsonl",), marks=pytest.mark.long)]
)
def test_the_tools_write_the_same_and_are_timed(
    remora: Remora, monkeypatch: pytest.MonkeyPatch, pattern: str, forms: tuple[files.Form, ...]
) -> None:
    pytest.importorskip("polars")
    monkeypatch.setattr("remora.systems.carlson_lisper.bench.FORMS", forms)
    arguments = ("--rows", "2000", "--density", "0.5", "--repetitions", "1", "--format", "json")
    status, out, _ = remora("bench", "--files", pattern, *arguments)
    document = json.loads(out)
    assert status == 0
    assert len(document["cells"]) == 2 * len(forms)
    for cell in document["cells"]:
        assert [one["tool"] for one in cell["tools"]] == list(files.TOOLS)
        assert len({one["detections"] for one in cell["tools"]}) == 1
        assert all(len(one["seconds"]) == 1 and not one["problem"] for one in cell["tools"])
    assert any(cell["tools"][0]["detections"] > 100 for cell in document["cells"])


def test_a_tool_with_another_answer_has_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(arguments: list[str], output: Path) -> tuple[float, float, int]:
        tool = next(name for name in files.TOOLS if name in arguments)
        rows = 3 if tool == "Polars" else 2
        (output.parent / tool).write_text("".join(f'{{"start": {n}, "end": {n + 1}}}\n' for n in range(rows)))
        return 1.0, 50.0, 3 if tool == "DuckDB" else 0

    monkeypatch.setattr(files, "_run", run)
    cell = files.Cell("csv", 0.5, False, "ii")
    (found,) = files.measured([cell], 1000, 1, 0, lambda _: None)
    assert [one.problem for one in found] == ["", "it has another answer", "it ended with status 3"]
    assert [one.median for one in found] == [1.0, 0.0, 0.0]


def test_patterns_of_the_table_alone_have_queries_of_other_tools(remora: Remora) -> None:
    assert "'a hundred'" in refused(remora("bench", "--files", "x ; y"))
    assert "--files" in refused(remora("bench", "--rows", "1000"))
