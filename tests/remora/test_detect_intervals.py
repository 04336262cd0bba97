"""`remora detect --intervals`: starts and ends alone, by rows and by columns."""

from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from tests.remora.conftest import Remora, refused
from tests.remora.detections import LARGE_PATTERN, csv_text, intervals_of, random_rows, rows, spans


@pytest.mark.parametrize("detector", ["auto", "generated", "figure2", "figure4"])
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
    assert "Add --intervals" in refused(remora("detect", "fail", logins, "--detector", "generated"))


def test_which_detector_was_taken_is_said_to_those_who_ask(remora: Remora, logins: Path) -> None:
    said = remora("detect", "fail ; ok", logins, "--intervals", "--verbose")[2]
    assert said.startswith("note: the detector is generated: code generated for the expression")
    assert "is figure4" in remora("detect", "fail ; ok", logins, "--verbose")[2]


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
    monkeypatch.setattr("remora.commands.detect._worth_while", lambda: 0)
    for block in (16, 64, 1 << 20):
        monkeypatch.setattr("semantics.traces.text_columns.BLOCK", block)
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
    monkeypatch.setattr("remora.commands.detect._by_columns", lambda *_: (-1, False))
    assert remora("detect", "a ; b", trace, "--intervals") == found
