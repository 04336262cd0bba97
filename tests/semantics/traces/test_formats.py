"""What is read from traces in files of each format, and which format a file has."""

import datetime
import decimal
import io
import os
import sys
import tracemalloc
from pathlib import Path

import pyarrow
import pytest

from semantics.carlson_lisper.occurrences import Value
from semantics.carlson_lisper.traces import read_instants, read_partitions
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading
from tests.semantics.traces.trace_reading import cells, file_of, parquet_of, refusal, rows_of


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        # columns come in any order, and others are ignored; an empty value is none
        ("host,event,value,time\nh1,fail,root,3\nh2,ok,,4\n", [(3, "fail", "root"), (4, "ok", None)]),
        ("time,event\n3,fail\n", [(3, "fail", None)]),
        ("time,event,value\n3,fail,07\n", [(3, "fail", "07")]),  # values stay text
        (  # a byte order mark, and line ends of Windows
            b"\xef\xbb\xbftime,event,value\r\n3,fail,root\r\n\r\n4,ok,\r\n",
            [(3, "fail", "root"), (4, "ok", None)],
        ),
        ("time,event,value\n", []),  # a header alone
        ("time,event,value", []),
    ],
)
def test_what_is_read_of_csv(content: str | bytes, expected: list[tuple[int, str, Value]], tmp_path: Path) -> None:
    assert cells(file_of(tmp_path, content)) == expected


def test_a_row_knows_the_line_it_begins_in_although_cells_span_lines(tmp_path: Path) -> None:
    rows = list(rows_of(file_of(tmp_path, 'time,event,value\n\n1,a,"x\ny"\n2,b,\n')))
    assert [row.number for row in rows] == [3, 5]
    assert rows[0].value == "x\ny"
    assert rows[1].place == f"{tmp_path}/trace.csv:5"


def test_json_lines_keep_the_types_of_values(tmp_path: Path) -> None:
    lines = [
        '{"time": 1, "event": "a", "value": "x"}',
        '{"event": "b", "time": 2, "value": 7, "host": {"name": ["h"]}}',
        "",
        '{"time": 3, "event": "c", "value": true}',
        '{"time": 4, "event": "d", "value": 2.5}',
        '{"time": 5, "event": "e", "value": null}',
        '  {"time": 6, "event": "f"}  ',
        '{"time": 7, "event": "g", "value": NaN}',
        '{"time": 8, "event": "h", "value": -1e999}',
    ]
    found = cells(file_of(tmp_path, "\n".join(lines), "trace.jsonl"))
    assert [value for _, _, value in found] == ["x", 7, True, 2.5, None, None, "nan", "-inf"]
    assert [time for time, _, _ in found] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_parquet_scalars_that_json_cannot_hold_become_text(tmp_path: Path) -> None:
    scalars: dict[str, pyarrow.Array] = {
        "2024-05-06": pyarrow.array([datetime.date(2024, 5, 6)]),
        "1.50": pyarrow.array([decimal.Decimal("1.50")]),
        "text": pyarrow.array([b"text"]),
        "ff": pyarrow.array([b"\xff"]),
        "inf": pyarrow.array([float("inf")]),
        "2024-05-06 07:08:09.000000001": pyarrow.array([1714979289000000001], pyarrow.timestamp("ns")),
        "dictionary": pyarrow.array(["dictionary"]).dictionary_encode(),
    }
    for text, column in scalars.items():
        path = parquet_of(tmp_path, time=pyarrow.array([3]), event=pyarrow.array(["fail"]), value=column)
        assert cells(path) == [(3, "fail", text)]


def test_a_partition_is_the_cell_of_the_named_column_in_every_format(tmp_path: Path) -> None:
    csv = file_of(tmp_path, "time,event,host.name\n1,a,h1\n2,b,\n")
    json = '{"time":1,"event":"a","host.name":"h1"}\n{"time":2,"event":"b","host.name":null}\n'
    columns = {"time": [1, 2], "event": ["a", "b"], "host.name": ["h1", None]}
    arrays = {name: pyarrow.array(column) for name, column in columns.items()}
    for path in (csv, file_of(tmp_path, json, "trace.jsonl"), parquet_of(tmp_path, **arrays)):
        assert [row.partition for row in rows_of(path, partition_by="host.name")] == ["h1", None]
        assert [row.partition for row in rows_of(path)] == [None, None]


def test_partitions_that_python_takes_for_equal_stay_apart(tmp_path: Path) -> None:
    lines = "".join(f'{{"time": 1, "event": "a", "case": {case}}}\n' for case in ("1", "1.0", "true"))
    found = read_partitions(file_of(tmp_path, lines, "trace.jsonl"), Reading(partition_by="case"))
    assert list(found) == [1, "1.0", "true"]


@pytest.mark.parametrize("name", ["trace", "trace.log"])
def test_a_file_without_a_known_suffix_is_recognised_by_its_content(tmp_path: Path, name: str) -> None:
    assert cells(file_of(tmp_path, "time,event\n1,a\n", name)) == [(1, "a", None)]
    assert cells(file_of(tmp_path, '\n {"time":1,"event":"a"}\n', name)) == [(1, "a", None)]
    path = parquet_of(tmp_path, time=pyarrow.array([1]), event=pyarrow.array(["a"])).rename(tmp_path / name)
    assert cells(path) == [(1, "a", None)]


def test_a_stated_format_wins_over_the_suffix(tmp_path: Path) -> None:
    path = file_of(tmp_path, '{"time":1,"event":"a"}\n', "trace.csv")
    assert cells(path, format="jsonl") == [(1, "a", None)]
    assert "no format 'xml'" in refusal(path, format="xml").reason


def test_a_stream_of_text_is_a_trace() -> None:
    assert cells(io.StringIO("\ufefftime,event\n1,a\n")) == [(1, "a", None)]
    assert refusal(io.StringIO("time,event\n1,\ud800\n")).place == "stream:2"
    assert refusal(io.TextIOWrapper(io.BytesIO(b"time,event\n\xff"), "ascii")).place == "stream:1"


def test_parquet_is_not_read_from_standard_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = parquet_of(tmp_path, time=pyarrow.array([1]), event=pyarrow.array(["a"]))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    error = refusal("-")
    assert error.reason == "this is a Parquet file"
    assert "path" in error.remedy
    assert "stream" in refusal("-", format="parquet").reason


def test_an_instant_is_there_before_the_stream_goes_on() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb", buffering=0) as feed:
        feed.write(b"time,event,value\n1,a,\n1,b,\n2,")
        feed.write(b"a,\n")
        found = read_instants(stream)
        assert [row.event for row in next(found).rows] == ["a", "b"]
        feed.write(b"3,a,\n")
        assert next(found).time == 2
        feed.close()
        assert [instant.time for instant in found] == [3]


def test_streaming_holds_a_line_and_not_the_file(tmp_path: Path) -> None:
    path = file_of(tmp_path, "time,event,value\n" + "".join(f"{i},a,{i}\n" for i in range(5_000)))
    report = ReadReport()
    tracemalloc.start()
    try:
        assert sum(len(instant.rows) for instant in read_instants(path, report=report)) == 5_000
        assert tracemalloc.get_traced_memory()[1] < 300_000
    finally:
        tracemalloc.stop()
    assert report.rows == 5_000
