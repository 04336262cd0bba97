"""Logs as they are: columns by name, compressed files, rows that are left out, types that no pattern mentions."""

import gzip
import io
import json
import sys
from decimal import Decimal
from pathlib import Path

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semantics.carlson_lisper.syntax import parse
from semantics.carlson_lisper.traces import read_instants
from semantics.errors import InputError
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading
from tests.semantics.traces.trace_reading import cells, file_of, parquet_of, refusal, rows_of

COLUMNS = {"time": "when", "event": "kind", "value": "x"}


def test_columns_are_found_by_the_names_that_are_given_in_every_format(tmp_path: Path) -> None:
    text = "event;kind;when;x;value\nno;pay.ok;3;1;2\n"
    csv = file_of(tmp_path, text)
    jsonl = file_of(tmp_path, '{"event": "no", "kind": "pay.ok", "when": 3, "x": "1", "value": 2}\n', "t.jsonl")
    arrays = {"event": ["no"], "kind": ["pay.ok"], "when": [3], "x": ["1"], "value": ["2"]}
    table = parquet_of(tmp_path, **{name: pyarrow.array(column) for name, column in arrays.items()})
    for path, more in ((csv, {"delimiter": ";"}), (jsonl, {}), (table, {})):
        assert cells(path, **COLUMNS, **more) == [(3, "pay.ok", "1")]
    tabs = file_of(tmp_path, text.replace(";", "\t"), "t.log")
    assert cells(tabs, delimiter="tab", **COLUMNS) == [(3, "pay.ok", "1")]
    assert "no column 'y'" in refusal(csv, delimiter=";", **COLUMNS | {"value": "y"}).reason
    assert "no --delimiter" in refusal(jsonl, delimiter=";", **COLUMNS).reason
    assert "no --delimiter" in refusal(table, delimiter=";", **COLUMNS).reason


@pytest.mark.parametrize("text", ["time,event\n1,a\n", '{"time":1,"event":"a"}\n'])
def test_what_is_compressed_is_known_by_its_content(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str) -> None:
    zipped, packed = gzip.compress(text.encode()), pyarrow.compress(text.encode(), "zstd", asbytes=True)
    for content in (zipped, packed):
        for name in ("t", "t.log", f"t.{'csv' if text[0] == 't' else 'jsonl'}.gz"):
            assert cells(file_of(tmp_path, content, name)) == [(1, "a", None)]
        assert cells(io.BytesIO(content)) == [(1, "a", None)]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert cells("-") == [(1, "a", None)]


BAD = (
    "x,a,\n",  # no time
    "5,,\n",  # no event type
    "5,a\n",  # too few cells
    "5,a,b,c\n",
    '5,a,"open\n',
    '5,a,"x"y\n',
    b"5,caf\xe9,\n",
    b"5,a,\0\n",
)


@given(st.lists(st.sampled_from(range(len(BAD))) | st.none(), max_size=12))
def test_of_csv_exactly_the_rows_that_cannot_be_read_are_left_out_and_told(kinds: list[int | None]) -> None:
    lines = [f"{number},a,\n" if kind is None else BAD[kind] for number, kind in enumerate(kinds)]
    content = b"".join(line if isinstance(line, bytes) else line.encode() for line in ["time,event,value\n", *lines])
    report = ReadReport()
    found = [row.time for row in rows_of(io.BytesIO(content), report, skip_bad=True)]
    assert found == [number for number, kind in enumerate(kinds) if kind is None]
    bad = [number + 2 for number, kind in enumerate(kinds) if kind is not None]
    assert report.bad == len(bad)
    assert len(report.messages()) == bool(bad)
    if bad:
        assert report.messages()[0].startswith(f"left out {len(bad)} row")


def test_a_row_that_cannot_be_read_is_told_once_also_after_a_blank_line(tmp_path: Path) -> None:
    report = ReadReport()
    path = file_of(tmp_path, 'time,event,u\n1,a,x\n\n4,b,"x\n5,b,x\n')
    assert [row.time for row in rows_of(path, report, skip_bad=True)] == [1, 5]
    assert (report.bad, report.first_bad.partition(": ")[0]) == (1, f"{path}:4")


def test_a_log_without_header_is_read_with_the_names_of_its_columns(tmp_path: Path) -> None:
    path = file_of(tmp_path, "1,a,x\n2,b,\n")
    assert "--header time,event." in refusal(path).remedy
    assert cells(path, header="time,event,value") == [(1, "a", "x"), (2, "b", None)]
    assert cells(path, header="t, kind, x", time="t", event="kind") == [(1, "a", None), (2, "b", None)]
    assert "no column 'event'" in refusal(path, header="time,x,value").reason
    assert refusal(file_of(tmp_path, "1,a\nx,b\n"), header="time,event").place.endswith("csv:2")
    jsonl = file_of(tmp_path, '{"time": 1, "event": "a"}\n', "t.jsonl")
    assert "no --header" in refusal(jsonl, header="time,event").reason


@pytest.mark.parametrize(
    ("content", "name", "remedy"),
    [
        ('[{"time": 1, "event": "a"}]', "t.json", "jq -c"),
        ('[\n {"time": 1, "event": "a"}\n]', "t.json", "jq -c"),
        ("time,event\n1,a\n".encode("utf-16-le"), "t.csv", "iconv -f UTF-16LE"),
        ("time,event\n1,a\n".encode("utf-16-be"), "t.csv", "UTF-16BE"),
        (gzip.compress(b"time,event\n" + b"".join(b"%d,a\n" % n for n in range(999)))[:-99], "t.csv", "gzip -t"),
        (gzip.compress(b'{"time": 1, "event": "a"}\n' * 999)[:-9], "t.jsonl", "gzip -t"),
    ],
)
def test_no_row_is_left_out_of_a_file_that_is_no_log_or_cut_off(
    tmp_path: Path, content: str | bytes, name: str, remedy: str
) -> None:
    for options in ({}, {"skip_bad": True}):
        error = refusal(file_of(tmp_path, content, name), **options)
        assert remedy in error.remedy
        assert "--skip-bad" not in error.remedy


def test_a_decimal_that_is_a_whole_number_is_a_time(tmp_path: Path) -> None:
    times = pyarrow.array([Decimal("1.00"), Decimal("2.00")])
    columns = {"event": pyarrow.array(["a", "b"]), "value": pyarrow.array([Decimal("1.50")] * 2)}
    path = parquet_of(tmp_path, time=times, **columns)
    assert cells(path) == [(1, "a", "1.50"), (2, "b", "1.50")]
    assert [time for time, _, _ in cells(path, tick="1s", epoch="ticks")] == [1, 2]
    path = parquet_of(tmp_path, time=pyarrow.array([Decimal("1.00"), Decimal("2.50")]), **columns)
    assert "fraction" in refusal(path).reason


def test_rows_of_json_and_of_parquet_that_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    lines = ['{"time": 1, "event": "a"}', "{", '{"event": "a"}', "[]", '{"time": -1, "event": "a"}', ""]
    report = ReadReport()
    path = file_of(tmp_path, "\n".join([*lines, '{"time": 2, "event": "a"}\n']), "t.jsonl")
    assert cells(path, skip_bad=True, report=report) == [(1, "a", None), (2, "a", None)]
    first = f"left out 4 rows that cannot be read (--skip-bad), the first at {path}:2: "
    assert report.messages()[0].startswith(first)
    table = parquet_of(tmp_path, time=pyarrow.array([1, None, 2]), event=pyarrow.array(["a", "b", "a"]))
    report = ReadReport()
    assert cells(table, skip_bad=True, report=report) == [(1, "a", None), (2, "a", None)]
    assert "row 2: the time is missing" in report.messages()[0]


def test_what_an_option_settles_for_all_rows_is_not_left_out(tmp_path: Path) -> None:
    path = file_of(tmp_path, "time,event\n2017-03-09T12:00:00,a\n")
    assert "--tick" in refusal(path, skip_bad=True).remedy
    assert "--zone" in refusal(path, skip_bad=True, tick="1s").remedy
    path = file_of(tmp_path, '{"when": 1, "event": "a"}\n', "t.jsonl")
    assert "--time" in refusal(path, skip_bad=True).remedy


def test_rows_without_a_partition_are_told(tmp_path: Path) -> None:
    objects = ('"time": 1, "user": "x"', '"time": 2', '"time": 3, "user": null')
    lines = "".join(f'{{"event": "a", {members}}}\n' for members in objects)
    for name, text in (("t.csv", "time,event,user\n1,a,x\n2,a,\n3,a,\n"), ("t.jsonl", lines)):
        report = ReadReport()
        found = rows_of(file_of(tmp_path, text, name), report, partition_by="user")
        assert [row.partition for row in found] == ["x", None, None]
        assert report.messages() == ["2 rows without a value of 'user': together they are a trace of their own, (none)"]


ANY = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda name: name not in ("a", "b"))


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from("ab") | ANY | st.integers() | st.booleans()), max_size=12))
def test_event_types_that_a_pattern_does_not_mention_never_matter(rows: list[tuple[int, object]]) -> None:
    def read(given: list[tuple[int, object]]) -> list[tuple[int, str]] | str:
        lines = [
            {"time": time, "event": event} | ({} if event in ("a", "b") else {"value": [1], "start": "soon"})
            for time, event in sorted(given, key=lambda row: row[0])
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines) or "\n"
        try:
            instants = list(read_instants(io.StringIO(text), Reading(format="jsonl"), pattern=parse("a ; b")))
        except InputError as error:
            return error.reason.partition(",")[0]
        return [(row.time, row.event) for instant in instants for row in instant.rows if row.event in ("a", "b")]

    assert read(rows) == read([row for row in rows if row[1] in ("a", "b")])
