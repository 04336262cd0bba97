"""What is read from traces in files of each format, which format a file has, and which rows are left out."""

import datetime
import gzip
import io
import json
import os
import sys
import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from hypothesis import example, given, settings, strategies as st

from semantics.carlson_lisper.occurrences import Occurrence, Value
from semantics.carlson_lisper.syntax import parse
from semantics.carlson_lisper.traces import form_of, occurrence_of
from semantics.errors import InputError
from semantics.events import Event
from semantics.traces.files import read_instants, read_rows
from semantics.traces.reading import Format, Reading
from semantics.traces.rows import MAX_TIME, ReadReport
from tests.semantics.traces.trace_reading import cells, file_of, parquet_of, refusal, rows_of, written

TIMES = st.integers(0, 30) | st.integers(0, MAX_TIME)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
OF_ONE_TYPE = st.sampled_from([TEXTS, st.integers(-(2**63), 2**63 - 1), st.booleans(), FLOATS])
HARD = [Occurrence("a", 1, text) for text in ("\r", "x\ry", "\n", "\r\n", " x ", '"', ",", "\x85", "\u2028")]


def traces(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Occurrence]]:
    return st.lists(
        st.builds(Occurrence, st.from_regex(r"[A-Za-z_]\w{0,5}", fullmatch=True), TIMES, values | st.none()),
        max_size=12,
    )


@pytest.mark.slow
@given(
    st.tuples(st.just(".csv"), traces(TEXTS.filter(bool)))
    | st.tuples(st.just(".jsonl"), traces(TEXTS | st.integers() | st.booleans() | FLOATS))
    | st.tuples(st.just(".parquet"), OF_ONE_TYPE.flatmap(traces))
)
@example((".csv", HARD))
def test_what_is_written_reads_back(case: tuple[str, list[Occurrence]]) -> None:
    suffix, occurrences = case
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"trace{suffix}"
        written(path, occurrences)
        assert repr([occurrence_of(row) for row in rows_of(path)]) == repr(occurrences)  # 1, 1.0 and True are equal


@settings(max_examples=100)
@given(
    st.binary(max_size=80) | st.text(max_size=40).map(lambda text: f"time,event,value\n{text}".encode()),
    st.sampled_from([None, "csv", "jsonl"]),
)
def test_whatever_bytes_a_file_has_it_is_read_or_refused(content: bytes, format: Format | None) -> None:
    try:
        list(rows_of(io.BytesIO(content), format=format))
    except InputError as error:
        assert error.place.startswith("stream")


def test_an_event_takes_the_time_from_its_start_and_carries_every_other_column(tmp_path: Path) -> None:
    def events(path: Path) -> list[Event]:
        return [Event(row.event, row.start, row.time, row.attributes) for row in read_rows(path)]

    csv = file_of(tmp_path, "id,start,time,event\n7,1,3,a\n,,4,b\n")
    assert events(csv) == [Event("a", 1, 3, {"id": "7"}), Event("b", 4, 4, {"id": None})]
    lines = '{"time": 3, "start": 1, "event": "a", "id": 7}\n{"time": 4, "event": "b"}\n'
    assert events(file_of(tmp_path, lines, "t.jsonl")) == [Event("a", 1, 3, {"id": 7}), Event("b", 4, 4)]
    table = parquet_of(tmp_path, time=[3, 4], start=[1, None], event=["a", "b"], id=[7, None])
    assert events(table) == [Event("a", 1, 3, {"id": 7}), Event("b", 4, 4, {"id": None})]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("host,event,value,time\nh1,fail,root,3\nh2,ok,,4\n", [(3, "fail", "root"), (4, "ok", None)]),
        (b"\xef\xbb\xbftime,event,value\r\n3,fail,07\r\n\r\n4,ok,\r\n", [(3, "fail", "07"), (4, "ok", None)]),
        ("time,event,value", []),
        (f"time,event\n{'0' * 30}7,a\n{MAX_TIME},a\n", [(7, "a", None), (MAX_TIME, "a", None)]),
        ("time,event\n3,a\n4.0,a\n5e0,a\n", [(3, "a", None), (4, "a", None), (5, "a", None)]),
    ],
)
def test_what_is_read_of_csv(content: str | bytes, expected: list[tuple[int, str, Value]], tmp_path: Path) -> None:
    assert cells(file_of(tmp_path, content)) == expected


def test_a_row_knows_the_line_it_begins_in_although_cells_span_lines() -> None:
    rows = rows_of(io.StringIO('time,event,value\n\n1,a,"x\ny"\n2,b,\n'))
    assert [(row.number, row.value) for row in rows] == [(3, "x\ny"), (5, None)]


def test_json_lines_keep_the_types_of_values(tmp_path: Path) -> None:
    values = ['"x"', '7, "host": {"name": ["h"]}', "true", "2.5", "null", "NaN", "-1e999"]
    lines = "".join(f' {{"time": 1.0, "event": "a", "value": {value}}} \n\n' for value in values)
    found = [value for _, _, value in cells(file_of(tmp_path, lines, "trace.jsonl"))]
    assert repr(found) == repr(["x", 7, True, 2.5, None, "nan", "-inf"])
    keys = [row.partition for row in rows_of(tmp_path / "trace.jsonl", partition_by="value")]
    assert keys == ["x", 7, "true", "2.5", None, "nan", "-inf"]  # which Python takes for equal stay apart


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("2024-05-06", pyarrow.array([datetime.date(2024, 5, 6)])),
        ("1.50", pyarrow.array([Decimal("1.50")])),
        ("text", pyarrow.array([b"text"])),
        ("ff", pyarrow.array([b"\xff"])),
        ("inf", pyarrow.array([float("inf")])),
        ("2024-05-06 07:08:09.000000001", pyarrow.array([1714979289000000001], pyarrow.timestamp("ns"))),
        ("dictionary", pyarrow.array(["dictionary"]).dictionary_encode()),
    ],
)
def test_parquet_scalars_that_json_cannot_hold_become_text(tmp_path: Path, text: str, column: pyarrow.Array) -> None:
    for time in (3, 3.0, Decimal("3.00")):
        assert cells(parquet_of(tmp_path, time=[time], event=["fail"], value=column)) == [(3, "fail", text)]


def test_a_partition_is_the_cell_of_the_named_column_in_every_format(tmp_path: Path) -> None:
    csv = file_of(tmp_path, "time,event,host.name\n1,a,h1\n2,b,\n")
    json = '{"time":1,"event":"a","host.name":"h1"}\n{"time":2,"event":"b"}\n'
    columns = {"time": [1, 2], "event": ["a", "b"], "host.name": ["h1", None]}
    for path in (csv, file_of(tmp_path, json, "trace.jsonl"), parquet_of(tmp_path, **columns)):
        report = ReadReport()
        assert [row.partition for row in rows_of(path, report, partition_by="host.name")] == ["h1", None]
        told = "1 row without a value of 'host.name': together they are a trace of their own, (none)"
        assert report.messages() == [told]
        assert [row.partition for row in rows_of(path)] == [None, None]
        error = refusal(path, partition_by="user")
        assert "no column 'user'; the columns are 'time', 'event', 'host.name'" in error.reason
        assert "--partition-by" in error.remedy


def test_a_file_without_a_known_suffix_is_recognised_by_its_content(tmp_path: Path) -> None:
    assert cells(file_of(tmp_path, "time,event\n1,a\n", "t.log")) == [(1, "a", None)]
    lines = file_of(tmp_path, '\n {"time":1,"event":"a"}\n', "t.log")
    assert cells(lines) == [(1, "a", None)]
    assert cells(lines.rename(tmp_path / "t.csv"), format="jsonl") == [(1, "a", None)]
    assert "no format 'xml'" in refusal(lines, format="xml").reason
    assert cells(parquet_of(tmp_path, time=[1], event=["a"]).rename(tmp_path / "t.log")) == [(1, "a", None)]


def test_a_stream_of_text_is_a_trace() -> None:
    assert cells(io.StringIO("\ufefftime,event\n1,a\n")) == [(1, "a", None)]
    assert refusal(io.StringIO("time,event\n1,\ud800\n")).place == "stream:2"
    assert refusal(io.TextIOWrapper(io.BytesIO(b"time,event\n\xff"), "ascii")).place == "stream:1"
    assert "from a stream" in refusal(io.BytesIO(), format="parquet").reason


def test_what_is_compressed_is_known_by_its_content(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = b"time,event\n1,a\n"
    for content in (gzip.compress(text), pyarrow.compress(text, "zstd", asbytes=True)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        for source in (file_of(tmp_path, content, "t.log"), io.BytesIO(content), "-"):
            assert cells(source) == [(1, "a", None)]


def test_an_instant_is_there_before_the_stream_goes_on() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb", buffering=0) as feed:
        feed.write(b"time,event,value\n1,a,\n1,b,\n2,a,\n")
        found = read_instants(stream)
        assert [row.event for row in next(found).rows] == ["a", "b"]
        feed.write(b"3,a,\n")
        assert next(found).time == 2
        feed.close()
        assert [instant.time for instant in found] == [3]


def test_columns_are_found_by_the_names_that_are_given_in_every_format(tmp_path: Path) -> None:
    row, names = {"event": "no", "kind": "pay.ok", "when": 3, "x": "1"}, {"time": "when", "event": "kind", "value": "x"}
    csv = file_of(tmp_path, "event;kind;when;x\nno;pay.ok;3;1\n")
    tabs = file_of(tmp_path, "event\tkind\twhen\tx\nno\tpay.ok\t3\t1\n", "t.log")
    jsonl = file_of(tmp_path, json.dumps(row), "t.jsonl")
    table = parquet_of(tmp_path, **{name: [cell] for name, cell in row.items()})
    for path, sign in ((csv, ";"), (tabs, "tab"), (jsonl, None), (table, None)):
        assert cells(path, None, delimiter=sign, **names) == [(3, "pay.ok", "1")]
    assert "no column 'y'" in refusal(csv, delimiter=";", **names | {"value": "y"}).reason
    for path in (jsonl, table):
        assert "no --delimiter" in refusal(path, delimiter=";", **names).reason
        assert "no --header" in refusal(path, header="time,event").reason


def test_a_log_without_header_is_read_with_the_names_of_its_columns(tmp_path: Path) -> None:
    path = file_of(tmp_path, "1,a,x\n2,b,\n")
    assert cells(path, header="time,event,value") == [(1, "a", "x"), (2, "b", None)]
    assert cells(path, header="t, kind, x", time="t", event="kind") == [(1, "a", None), (2, "b", None)]
    assert "no column 'event'" in refusal(path, header="time,x,value").reason
    assert refusal(file_of(tmp_path, "1,a\nx,b\n"), header="time,event").place.endswith("csv:2")


BAD = (b"x,a,", b"5,,", b"5,a", b"5,a,b,c", b'5,a,"open', b'5,a,"x"y', b"5,caf\xe9,", b"5,a,\0")
"""No time, no type, too few and too many cells, quotes, and bytes that are no text."""


@given(st.lists(st.sampled_from(BAD) | st.none() | st.just(b""), max_size=12))
@example([None, b"", b'4,b,"x', None])
def test_of_csv_exactly_the_rows_that_cannot_be_read_are_left_out_and_told(kinds: list[bytes | None]) -> None:
    lines = [b"%d,a," % number if kind is None else kind for number, kind in enumerate(kinds)]
    report = ReadReport()
    source = io.BytesIO(b"".join(line + b"\n" for line in [b"time,event,value", *lines]))
    good = [number for number, kind in enumerate(kinds) if kind is None]
    bad = [number for number, kind in enumerate(kinds, 2) if kind]
    if bad and not good:
        with pytest.raises(InputError, match="no row can be read; the first one: "):
            cells(source, report, skip_bad=True)
    else:
        assert [time for time, _, _ in cells(source, report, skip_bad=True)] == good
    assert report.bad == len(bad)
    if bad:
        assert int(report.first_bad.split(":")[1]) in bad


@pytest.mark.parametrize(
    ("content", "name", "remedy"),
    [
        ('[\n {"time": 1, "event": "a"}\n]', "t.json", "jq -c"),
        ("time,event\n1,a\n".encode("utf-16-le"), "t.csv", "iconv -f UTF-16LE"),
        ("time,event\n1,a\n".encode("utf-16-be"), "t.csv", "UTF-16BE"),
        (gzip.compress(b"time,event\n" + b"".join(b"%d,a\n" % n for n in range(999)))[:-99], "t.csv", "gzip -t"),
        ("time;event\n1;a\n", "t.csv", "--delimiter ';'"),
        ("1,a\n2,b\n", "t.csv", "--header time,event"),
        ("time,event\n2017-03-09T12:00:00,a\n", "t.csv", "--tick"),
        ('{"when": 1, "event": "a"}\n', "t.jsonl", "--time"),
    ],
)
def test_no_row_is_left_out_of_a_file_that_is_no_log_or_cut_off_or_needs_an_option(
    tmp_path: Path, content: str | bytes, name: str, remedy: str
) -> None:
    for options in ({}, {"skip_bad": True}):
        error = refusal(file_of(tmp_path, content, name), **options)
        assert remedy in error.remedy
        assert "--skip-bad" not in error.remedy


def test_rows_of_json_and_of_parquet_that_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    lines = ['{"time": 1, "event": "a"}', "{", '{"event": "a"}', "[]", '{"time": -1, "event": "a"}', ""]
    path = file_of(tmp_path, "\n".join([*lines, '{"time": 2, "event": "a"}\n']), "t.jsonl")
    table = parquet_of(tmp_path, time=[1, None, 2], event=["a", "b", "a"])
    first = f"left out 4 rows that cannot be read (--skip-bad), the first at {path}:2: "
    for source, said in ((path, first), (table, "left out 1 row that")):
        report = ReadReport()
        assert cells(source, report, skip_bad=True) == [(1, "a", None), (2, "a", None)]
        assert report.messages()[0].startswith(said)


def test_event_types_that_a_pattern_does_not_mention_never_matter() -> None:
    odd = '{"time": 1, "event": "x", "value": [1], "start": "soon"}\n'
    lines = f'{{"time": 1, "event": "a"}}\n{odd}{odd}{{"time": 2, "event": "b"}}\n'
    found = read_instants(io.StringIO(lines), Reading(format="jsonl"), form=form_of(parse("a ; b")))
    assert [[row.event for row in instant.rows] for instant in found] == [["a", "x", "x"], ["b"]]
