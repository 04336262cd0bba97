"""`remora report`: every format of a report, and two reports compared."""

import json
from pathlib import Path
from typing import Any

import pytest

from reports.store import write_report
from tests.remora.conftest import Remora, refused
from tests.remora.documents import of_its_schema
from tests.reports.conftest import REPORT
from tests.reports.formats import read_junit, read_markdown


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_report(tmp_path / "old", REPORT)
    return tmp_path / "old"


def test_html_is_written_beside_the_json(remora: Remora, folder: Path) -> None:
    (folder / "report.html").unlink()
    assert remora("report", folder / "report.json")[:2] == (0, f"{folder / 'report.html'}\n")
    assert (folder / "report.html").is_file()


def test_the_other_formats_are_all_that_is_printed(remora: Remora, folder: Path) -> None:
    shown = {}
    for form in ("markdown", "json", "junit"):
        status, shown[form], err = remora("report", folder, "--format", form)
        assert (status, err) == (0, "")
    assert read_markdown(shown["markdown"]).headings[0] == "✕ One claim is refuted."
    assert json.loads(shown["json"]) == json.loads((folder / "report.json").read_text("utf-8"))
    assert read_junit(shown["junit"]).get("failures") == "3"


def test_a_report_does_not_make_its_reader_import_what_it_names(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "explosive.py").write_text("raise SystemExit(77)\n")
    monkeypatch.syspath_prepend(tmp_path)
    failure = {**REPORT["campaign"]["failures"][0], "detector": "explosive:Any"}
    write_report(tmp_path / "far", {**REPORT, "campaign": {**REPORT["campaign"], "failures": [failure]}})
    status, out, _ = remora("report", tmp_path / "far", "--format", "junit")
    assert (status, "explosive:Any" in out) == (0, True)


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_two_reports_are_compared(remora: Remora, folder: Path, tmp_path: Path, form: str) -> None:
    worse: dict[str, Any] = json.loads((folder / "report.json").read_text("utf-8"))
    worse["claims"][0]["standing"] = "refuted"
    worse["seed"] = 9
    write_report(tmp_path / "new", worse)
    option = ("--format", form)
    status, out, err = remora("report", "--compare", folder, tmp_path / "new" / "report.json", *option)
    assert (status, err) == (1, "")
    assert "law:14" in out
    if form == "json":
        found = of_its_schema(out)
        assert found["differences"] and found["circumstances"]
    status, out, _ = remora("report", "--compare", tmp_path / "new", folder, *option)
    assert status == 0
    same = remora("report", "--compare", folder, folder, *option)
    assert (same[0], "Nothing changed." in same[1]) == (0, True)


def test_a_damaged_report_is_bad_input(remora: Remora, folder: Path) -> None:
    (folder / "report.json").write_text('{"schema": "remora/report/1", "claims": 5}')
    err = refused(remora("report", folder))
    assert "the report is damaged" in err and str(folder / "report.json") in err and "remora verify" in err
