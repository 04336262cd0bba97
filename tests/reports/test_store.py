"""Reports on disk: written as a whole or not at all, and refused with a reason."""

import json
import math
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from reports.store import read_report, write_report
from semantics.errors import InputError
from tests.reports.conftest import at


def test_what_is_written_reads_back_in_the_same_order(tmp_path: Path, report: dict[str, Any]) -> None:
    directory = tmp_path / "some" / "where"
    write_report(directory, report)
    assert read_report(directory) == report
    assert list(read_report(directory)) == list(report)
    assert sorted(path.name for path in directory.iterdir()) == ["report.html", "report.json"]
    text = (directory / "report.json").read_text("utf-8")
    assert text.startswith('{\n  "schema"') and "⊆" in text
    assert "● proved" in (directory / "report.html").read_text("utf-8")
    assert read_report((directory / "report.json").rename(tmp_path / "old.json")) == report


def test_a_report_that_does_not_render_replaces_nothing(
    tmp_path: Path, report: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_report(tmp_path, report)
    monkeypatch.setattr("reports.store.page_html", Mock(side_effect=RuntimeError("template")))
    with pytest.raises(RuntimeError):
        write_report(tmp_path, {**report, "seed": 1})
    assert read_report(tmp_path)["seed"] == 0


def test_numbers_and_characters_that_the_format_lacks_are_written_readably(
    tmp_path: Path, report: dict[str, Any]
) -> None:
    write_report(tmp_path, {**report, "new": math.nan, "warnings": [str(math.inf), "\ud800"], "later": [math.inf]})
    found = read_report(tmp_path)
    assert (found["new"], found["later"]) == ("nan", ["inf"])
    assert found["warnings"] == ["inf", "\ud800"]


def test_a_file_in_place_of_the_directory_is_refused(tmp_path: Path, report: dict[str, Any]) -> None:
    file = tmp_path / "file"
    file.touch()
    for directory in (file, file / "below"):
        with pytest.raises(InputError, match="a file, not a directory"):
            write_report(directory, report)
        with pytest.raises(InputError, match="no report here" if directory != file else "not JSON"):
            read_report(directory)


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        ("claims 1", {"standing": "so-so"}, "claims[1].standing"),
        ("claims 0 obligations 0", {"rlimit": -1}, "claims[0].obligations[0].rlimit"),
        ("campaign failures 0", {"expected": [[1]]}, "campaign.failures[0].expected[0]"),
    ],
)
def test_a_damaged_report_is_refused_with_the_place_in_it(
    tmp_path: Path, report: dict[str, Any], path: str, value: dict[str, object], place: str
) -> None:
    at(path, **value)(report)
    (tmp_path / "report.json").write_text(json.dumps(report), encoding="utf-8")
    with pytest.raises(InputError, match="the report is damaged") as caught:
        read_report(tmp_path)
    assert caught.value.place == f"{tmp_path / 'report.json'}: {place}"
    assert "remora verify" in caught.value.remedy


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{\n  broken", "not JSON: Expecting property name enclosed in double quotes: line 2 column 3"),
        (b"\xff\xfe", "not JSON: 'utf-8' codec can't decode byte 0xff in position 0"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[]", "its schema is None"),
        (b'{"schema": "remora/report/2"}', "its schema is 'remora/report/2', expected 'remora/report/1'"),
    ],
)
def test_what_is_no_report_is_refused_with_its_reason(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "report.json").write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_report(tmp_path)
    assert reason in caught.value.reason
