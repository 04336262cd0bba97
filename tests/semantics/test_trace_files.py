"""Traces in files: what is read, what is refused and how the refusal reads, what is written."""

from __future__ import annotations

import datetime
import decimal
import io
import os
import random
import sys
import tempfile
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyarrow import parquet

from semantics.errors import InputError
from semantics.interpretations import interpretation
from semantics.occurrences import Occurrence, Value
from semantics.trace_files import (
    Format,
    Instant,
    ReadReport,
    Row,
    SameTime,
    TraceSource,
    admissible,
    read_interpretation,
    read_partitions,
    read_rows,
    unknown_events,
    write_trace,
)
from semantics.trace_rows import MAX_TIME, Origin

# ---------------------------------------------------------------------------------------------------- helpers


def file_of(folder: Path, content: str | bytes, name: str = "trace.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def cells(source: TraceSource, **options: Any) -> list[tuple[int, str, Value]]:
    return [(row.time, row.event, row.value) for row in read_rows(source, **options)]


def refusal(source: TraceSource, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        list(read_rows(source, **options))
    return caught.value


def instants(
    source: TraceSource,
    *,
    sort: bool = False,
    same_time: SameTime | None = None,
    report: ReadReport | None = None,
    partition_by: str | None = None,
) -> list[Instant]:
    rows = read_rows(source, partition_by=partition_by)
    return list(admissible(rows, sort=sort, same_time=same_time, report=report or ReadReport()))


def kept(found: Iterable[Instant]) -> list[tuple[int, str, Value]]:
    return [(row.time, row.event, row.value) for instant in found for row in instant.rows]


def parquet_of(folder: Path, **columns: pyarrow.Array) -> Path:
    path = folder / "trace.parquet"
    parquet.write_table(pyarrow.table(columns), path)
    return path


# ----------------------------------------------------------------------------------------------- what is read


def test_csv_columns_come_in_any_order_and_others_are_ignored(tmp_path: Path) -> None:
    path = file_of(tmp_path, "host,event,value,time\nh1,fail,root,3\nh2,ok,,4\n")
    assert cells(path) == [(3, "fail", "root"), (4, "ok", None)]


def test_csv_may_have_no_value_column(tmp_path: Path) -> None:
    assert cells(file_of(tmp_path, "time,event\n3,fail\n")) == [(3, "fail", None)]


def test_csv_values_stay_text(tmp_path: Path) -> None:
    assert cells(file_of(tmp_path, "time,event,value\n3,fail,07\n")) == [(3, "fail", "07")]


def test_csv_with_a_byte_order_mark_and_windows_line_ends_is_read(tmp_path: Path) -> None:
    path = file_of(tmp_path, b"\xef\xbb\xbftime,event,value\r\n3,fail,root\r\n\r\n4,ok,\r\n")
    assert cells(path) == [(3, "fail", "root"), (4, "ok", None)]


def test_a_header_alone_is_an_empty_trace(tmp_path: Path) -> None:
    assert cells(file_of(tmp_path, "time,event,value\n")) == []
    assert cells(file_of(tmp_path, "time,event,value")) == []


def test_a_row_knows_the_line_it_begins_in_although_cells_span_lines(tmp_path: Path) -> None:
    rows = list(read_rows(file_of(tmp_path, 'time,event,value\n\n1,a,"x\ny"\n2,b,\n')))
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


def test_parquet_scalars_that_json_can_hold_stay_what_they_are(tmp_path: Path) -> None:
    value: Value
    for value in (True, 7, 2.5, "x", None):
        path = parquet_of(
            tmp_path,
            value=pyarrow.array([value]),
            event=pyarrow.array([b"fail"]),
            time=pyarrow.array([3], pyarrow.uint8()),
        )
        assert cells(path) == [(3, "fail", value)]


def test_a_partition_is_the_cell_of_the_named_column_in_every_format(tmp_path: Path) -> None:
    csv = file_of(tmp_path, "time,event,host.name\n1,a,h1\n2,b,\n")
    json = '{"time":1,"event":"a","host.name":"h1"}\n{"time":2,"event":"b","host.name":null}\n'
    columns = {"time": [1, 2], "event": ["a", "b"], "host.name": ["h1", None]}
    arrays = {name: pyarrow.array(column) for name, column in columns.items()}
    for path in (csv, file_of(tmp_path, json, "trace.jsonl"), parquet_of(tmp_path, **arrays)):
        assert [row.partition for row in read_rows(path, partition_by="host.name")] == ["h1", None]
        assert [row.partition for row in read_rows(path)] == [None, None]


def test_the_value_may_be_the_partition(tmp_path: Path) -> None:
    rows = list(read_rows(file_of(tmp_path, "time,event,value\n1,a,x\n"), partition_by="value"))
    assert [(row.value, row.partition) for row in rows] == [("x", "x")]


def test_partitions_that_python_takes_for_equal_stay_apart(tmp_path: Path) -> None:
    lines = "".join(f'{{"time": 1, "event": "a", "case": {case}}}\n' for case in ("1", "1.0", "true"))
    found = read_partitions(file_of(tmp_path, lines, "trace.jsonl"), "case")
    assert list(found) == [1, "1.0", "true"]


# ----------------------------------------------------------------------------------------- which format it is


@pytest.mark.parametrize("name", ["trace", "trace.log"])
def test_a_file_without_a_known_suffix_is_recognised_by_its_content(tmp_path: Path, name: str) -> None:
    assert cells(file_of(tmp_path, "time,event\n1,a\n", name)) == [(1, "a", None)]
    assert cells(file_of(tmp_path, '\n {"time":1,"event":"a"}\n', name)) == [(1, "a", None)]
    path = parquet_of(tmp_path, time=pyarrow.array([1]), event=pyarrow.array(["a"])).rename(tmp_path / name)
    assert cells(path) == [(1, "a", None)]


def test_a_stated_format_wins_over_the_suffix(tmp_path: Path) -> None:
    path = file_of(tmp_path, '{"time":1,"event":"a"}\n', "trace.csv")
    assert cells(path, format="jsonl") == [(1, "a", None)]
    assert "no format 'xml'" in refusal_of_call(lambda: read_rows(path, format="xml")).reason  # type: ignore[arg-type]


def refusal_of_call(call: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        call()
    return caught.value


@pytest.mark.parametrize("text", ["time,event\n1,a\n", '\n{"time":1,"event":"a"}\n'])
def test_a_dash_is_standard_input_in_either_text_format(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert cells("-") == [(1, "a", None)]


def test_a_stream_of_text_is_a_trace() -> None:
    assert cells(io.StringIO("\ufefftime,event\n1,a\n")) == [(1, "a", None)]
    assert refusal(io.StringIO("time,event\n1,\ud800\n")).place == "stream:2"
    assert refusal(io.StringIO("time,event\n1,a\0\n")).place == "stream:2"
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
        found = admissible(read_rows(stream), report=ReadReport())
        assert [row.event for row in next(found).rows] == ["a", "b"]
        feed.write(b"3,a,\n")
        assert next(found).time == 2
        feed.close()
        assert [instant.time for instant in found] == [3]


def test_streaming_holds_a_line_and_not_the_file(tmp_path: Path) -> None:
    path = file_of(tmp_path, "time,event,value\n" + "".join(f"{i},a,{i}\n" for i in range(30_000)))
    report = ReadReport()
    tracemalloc.start()
    try:
        assert sum(len(instant.rows) for instant in admissible(read_rows(path), report=report)) == 30_000
        assert tracemalloc.get_traced_memory()[1] < 300_000
    finally:
        tracemalloc.stop()
    assert report.rows == 30_000


# -------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("", "missing"),
        ("  ", "missing"),
        ("-1", "negative"),
        ("-0", "sign"),
        ("+3", "sign"),
        ("3.0", "fraction"),
        ("3.5", "fraction"),
        ("-2.5", "fraction"),
        ("1e3", "exponent"),
        (" 3", "spaces"),
        ("abc", "not a number"),
        ("1_000", "not a number"),
        ("٣", "not a number"),
        ("²", "not a number"),
        ("nan", "not a number"),
        ("inf", "not a number"),
        ("2024-05-06T07:08:09", "not a number"),
        (str(MAX_TIME + 1), "greater than the limit"),
        ("9" * 10_000, "greater than the limit"),
    ],
)
def test_a_text_that_is_no_time_is_refused_with_its_own_reason(
    tmp_path: Path, cell: str, reason: str
) -> None:
    error = refusal(file_of(tmp_path, f"time,event\n1,a\n{cell},a\n"))
    assert reason in error.reason
    assert error.place == f"{tmp_path}/trace.csv:3"
    assert error.remedy
    assert len(error.reason) < 200


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("null", "missing"),
        ("-1", "negative"),
        ("3.0", "fraction"),
        ("1e3", "fraction or an exponent"),
        ('"3"', "text, not a number"),
        ('"abc"', "not a number"),
        ("true", "truth value"),
        ("NaN", "not a number"),
        ("Infinity", "not a number"),
        ("[3]", "not a number"),
        (str(MAX_TIME + 1), "greater than the limit"),
        ("9" * 10_000, "too many digits"),
    ],
)
def test_a_json_value_that_is_no_time_is_refused_with_its_own_reason(
    tmp_path: Path, cell: str, reason: str
) -> None:
    error = refusal(file_of(tmp_path, f'\n{{"time": {cell}, "event": "a"}}\n', "trace.jsonl"))
    assert reason in error.reason
    assert error.place == f"{tmp_path}/trace.jsonl:2"
    assert error.remedy


def test_the_greatest_time_and_leading_zeros_are_read(tmp_path: Path) -> None:
    path = file_of(tmp_path, f"time,event\n{'0' * 30}7,a\n{MAX_TIME},a\n")
    assert [time for time, _, _ in cells(path)] == [7, MAX_TIME]


@pytest.mark.parametrize(
    ("cell", "remedy"),
    [
        ("login ok", "login_ok"),
        (" fail", "fail would do"),
        ("9lives", "_9lives"),
        ("é", "ASCII"),
        ("a;b", "a_b"),
        ("", "names"),
        ("a\x1b[31m", "ASCII"),
    ],
)
def test_an_event_that_no_expression_can_mention_is_refused(tmp_path: Path, cell: str, remedy: str) -> None:
    error = refusal(file_of(tmp_path, f"time,event\n1,{cell}\n"))
    assert "the event" in error.reason
    assert remedy in error.remedy
    assert "\x1b" not in str(error)


@pytest.mark.parametrize("cell", ["5", "null", '""', "[]", "{}", "true"])
def test_a_json_event_that_is_no_name_is_refused(tmp_path: Path, cell: str) -> None:
    assert "the event" in refusal(file_of(tmp_path, f'{{"time":1,"event":{cell}}}', "t.jsonl")).reason


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("", None, "nothing to read"),
        ("\n\n", 1, "only blank lines"),
        ("event,value\na,x\n", 1, "no column 'time'; the columns are 'event', 'value'"),
        ("time,value\n1,x\n", 1, "no column 'event'"),
        ("time,event,event\n1,a,b\n", 1, "'event' is there 2 times"),
        ("time,event,x,x\n1,a,b,c\n", 1, "'x' is there 2 times"),
        ("time,event,value\n1,a\n", 2, "2 cells, too few for 3 columns"),
        ("time,event,value\n1,a,x\n2,a,x,y\n", 3, "4 cells, too many for 3 columns"),
        ("time,event\n1\n", 2, "1 cell, too few"),
        ('time,event,value\n1,a,x\n2,a,"x\n3,a,\n', 3, "not closed"),
        ('time,event,value\n1,a,"' + "x\n" * 200_000, 2, "not closed"),
        ('time,event,value\n1,a,"x"y\n', 2, "a closing quote"),
        ("time,event,value\n1,a,x\ry\n", 2, "carriage return"),
        ("time,event,value\r1,a,x\r", 1, "carriage return"),
        (b"time,event,value\n1,a,\0\n", 2, "NUL byte"),
        (b"time,event,value\n1,a,x\n2,a,caf\xe9\n", 3, "0xe9 is not UTF-8"),
        ("time,event,value\n1,a,x\n".encode("utf-16"), 1, "UTF-16"),
        (b"\x1f\x8b\x08\x00", 1, "gzip"),
        (b"x" * 11_000_000, 1, "longer than"),
    ],
)
def test_csv_that_is_not_csv_is_refused_with_line_reason_and_remedy(
    tmp_path: Path, content: str | bytes, line: int | None, reason: str
) -> None:
    error = refusal(file_of(tmp_path, content))
    assert reason in error.reason
    assert error.place == f"{tmp_path}/trace.csv" + (f":{line}" if line else "")
    assert error.remedy


def test_the_remedy_for_a_header_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    assert "commas" in refusal(file_of(tmp_path, "time;event;value\n1;a;x\n")).remedy
    assert "Write time for 'Time'" in refusal(file_of(tmp_path, "Time,event\n1,a\n")).remedy
    assert "Write event for ' event'" in refusal(file_of(tmp_path, "time, event\n1,a\n")).remedy


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"time": 1, "event": "a"', "not JSON"),
        ("{'time': 1}", "at column 2"),
        ('{"time": 1, "event": "a"} x', "text after the JSON value: 'x'"),
        ('{"time": 1, "time": 2, "event": "a"}', "the key 'time' twice"),
        ('{"time": 1, "event": "a", "x": {"y": 1, "y": 2}}', "the key 'y' twice"),
        ("[1, 2]", "not a JSON object"),
        ("3", "not a JSON object"),
        ('{"event": "a"}', "no column 'time'; the columns are 'event'"),
        ("{}", "the columns are none"),
        ('{"time": 1}', "no column 'event'"),
        ('{"time": 1, "event": "a", "value": {"x": 1}}', "is an object"),
        ('{"time": 1, "event": "a", "value": [1]}', "is an array"),
        ('{"time": 1, "event": "a", "value": "\\u0000"}', "NUL"),
        ('{"time": 1, "event": "a", "value": "\\ud800"}', "surrogate"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_line_that_is_no_row_of_json_is_refused(tmp_path: Path, line: str, reason: str) -> None:
    error = refusal(file_of(tmp_path, f'{{"time": 0, "event": "a"}}\n{line}\n', "trace.jsonl"))
    assert reason in error.reason
    assert error.place == f"{tmp_path}/trace.jsonl:2"
    assert error.remedy
    assert "\n" not in error.reason


def test_an_empty_file_is_refused_in_every_format(tmp_path: Path) -> None:
    for name in ("t.csv", "t.jsonl", "t.parquet", "t"):
        error = refusal(file_of(tmp_path, "", name))
        assert "nothing to read" in error.reason
        assert error.place == f"{tmp_path}/{name}"
        assert "header" in error.remedy


def test_a_missing_partition_column_is_refused_and_the_columns_are_named(tmp_path: Path) -> None:
    csv = file_of(tmp_path, "time,event,host\n1,a,h\n")
    json = file_of(tmp_path, '{"time":1,"event":"a","host":"h"}\n', "trace.jsonl")
    arrays = {"time": pyarrow.array([1]), "event": pyarrow.array(["a"]), "host": pyarrow.array(["h"])}
    for path in (csv, json, parquet_of(tmp_path, **arrays)):
        error = refusal(path, partition_by="user")
        assert "no column 'user' to partition by; the columns are 'time', 'event', 'host'" in error.reason
        assert "--partition-by" in error.remedy


@pytest.mark.parametrize(
    ("column", "cell", "reason"),
    [
        ("time", pyarrow.array([1, None]), "missing"),
        ("time", pyarrow.array([1, -1]), "negative"),
        ("time", pyarrow.array(["1", "2"]), "text, not a number"),
        ("time", pyarrow.array([1.0, 2.0]), "fraction"),
        ("time", pyarrow.array([1, 2], pyarrow.timestamp("s")), "not a number"),
        ("event", pyarrow.array(["a", None]), "missing"),
        ("event", pyarrow.array(["a", "a b"]), "not a name"),
        ("event", pyarrow.array([b"a", b"\xff"]), "not a name"),
        ("event", pyarrow.array([1, 2]), "not text"),
        ("value", pyarrow.array([None, [1]]), "array"),
        ("value", pyarrow.array([None, {"x": 1}]), "object"),
    ],
)
def test_a_parquet_cell_that_breaks_a_rule_is_refused_with_its_row(
    tmp_path: Path, column: str, cell: pyarrow.Array, reason: str
) -> None:
    columns = {"time": pyarrow.array([1, 2]), "event": pyarrow.array(["a", "b"])}
    error = refusal(parquet_of(tmp_path, **(columns | {column: cell})))
    assert reason in error.reason
    assert error.place in (f"{tmp_path}/trace.parquet: row 1", f"{tmp_path}/trace.parquet: row 2")
    assert error.remedy


def test_a_damaged_parquet_file_is_refused(tmp_path: Path) -> None:
    path = parquet_of(tmp_path, time=pyarrow.array([1]), event=pyarrow.array(["a"]))
    path.write_bytes(path.read_bytes()[:-20])
    error = refusal(path)
    assert "cannot be read" in error.reason
    assert error.place == str(path)
    assert "no column 'event'" in refusal(parquet_of(tmp_path, time=pyarrow.array([1]))).reason


def test_a_path_that_is_no_readable_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = refusal(tmp_path / "no.csv")
    assert (missing.place, missing.reason) == (f"{tmp_path}/no.csv", "there is no such file or directory")
    assert "directory" in refusal(tmp_path).reason
    folder = tmp_path / "part.parquet"
    folder.mkdir()
    assert "directory" in refusal(folder).reason

    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = file_of(tmp_path, "time,event\n")
    monkeypatch.setattr(Path, "open", forbidden)
    assert "no permission to read" in refusal(path).reason


# ------------------------------------------------------------------------------------- order and simultaneity


DISORDER = "time,event,value\n5,a,x\n9,b,x\n7,a,y\n7,c,x\n"
DUPLICATE = "time,event,value\n5,a,x\n5,b,x\n5,a,y\n6,a,z\n"


def test_rows_of_one_time_are_one_instant(tmp_path: Path) -> None:
    found = instants(file_of(tmp_path, "time,event\n1,b\n1,a\n4,a\n"))
    assert [(i.time, [row.event for row in i.rows]) for i in found] == [(1, ["b", "a"]), (4, ["a"])]


def test_rows_out_of_order_are_refused_and_the_option_is_named(tmp_path: Path) -> None:
    path = file_of(tmp_path, DISORDER)
    with pytest.raises(InputError) as caught:
        instants(path)
    assert caught.value.place == f"{path}:4"
    assert "time 7 comes after time 9 of line 3" in caught.value.reason
    assert "--sort" in caught.value.remedy


def test_sorting_is_stable_and_said(tmp_path: Path) -> None:
    report = ReadReport()
    found = kept(instants(file_of(tmp_path, DISORDER), sort=True, report=report))
    assert found == [(5, "a", "x"), (7, "a", "y"), (7, "c", "x"), (9, "b", "x")]
    assert (report.rows, report.dropped, report.out_of_order) == (4, 0, 1)
    assert report.messages() == ["sorted all rows by time: 1 row was out of order (--sort)"]


def test_an_event_type_twice_at_one_time_is_refused_with_both_lines_and_the_option(tmp_path: Path) -> None:
    path = file_of(tmp_path, DUPLICATE)
    with pytest.raises(InputError) as caught:
        instants(path)
    assert caught.value.place == f"{path}:4"
    assert "a occurs a second time at time 5, first in line 2" in caught.value.reason
    assert "Def. 3.4" in caught.value.reason
    assert "--same-time first or --same-time last" in caught.value.remedy
    assert "--partition-by" in caught.value.remedy


def test_the_first_or_the_last_of_simultaneous_rows_is_kept_and_the_others_are_counted(
    tmp_path: Path,
) -> None:
    path = file_of(tmp_path, DUPLICATE)
    report = ReadReport()
    first = kept(instants(path, same_time="first", report=report))
    assert first == [(5, "a", "x"), (5, "b", "x"), (6, "a", "z")]
    assert report.messages() == [
        "dropped 1 row of an event type that had occurred at the same time (--same-time first)"
    ]
    report = ReadReport()
    last = kept(instants(path, same_time="last", report=report))
    assert last == [(5, "b", "x"), (5, "a", "y"), (6, "a", "z")]
    assert report.messages() == [
        "dropped 1 row of an event type that occurred again at the same time (--same-time last)"
    ]
    assert report.events == {"a": 3, "b": 1}


def test_nothing_changed_is_nothing_said(tmp_path: Path) -> None:
    report = ReadReport()
    instants(file_of(tmp_path, "time,event\n1,a\n2,a\n"), sort=True, same_time="first", report=report)
    assert report.messages() == []


def test_partitions_may_share_an_event_type_at_one_time_but_not_repeat_it(tmp_path: Path) -> None:
    path = file_of(tmp_path, "time,event,case\n1,a,k\n1,a,l\n2,b,k\n")
    assert [len(instant.rows) for instant in instants(path, partition_by="case")] == [2, 1]
    found = read_partitions(path, "case")
    assert found == {
        "k": interpretation([Occurrence("a", 1), Occurrence("b", 2)]),
        "l": interpretation([Occurrence("a", 1)]),
    }
    path = file_of(tmp_path, "time,event,case\n1,a,k\n1,a,l\n1,a,k\n")
    with pytest.raises(InputError) as caught:
        instants(path, partition_by="case")
    assert "in partition 'k', first in line 2" in caught.value.reason
    assert "--partition-by" not in caught.value.remedy


def test_an_interpretation_is_read_from_a_file(tmp_path: Path) -> None:
    path = file_of(tmp_path, DUPLICATE)
    report = ReadReport()
    found = read_interpretation(path, same_time="last", report=report)
    expected = [Occurrence("b", 5, "x"), Occurrence("a", 5, "y"), Occurrence("a", 6, "z")]
    assert found == interpretation(expected)
    assert report.dropped == 1


def test_an_identifier_that_never_occurs_is_told_with_the_name_that_was_meant() -> None:
    assert unknown_events(["fail", "ok"], {"fail": 3, "ok": 1}) == []
    assert unknown_events(["Fail", "zzz", "fial"], ["fail", "ok"]) == [
        "Fail never occurs in the trace; did you mean fail?",
        "fial never occurs in the trace; did you mean fail?",
        "zzz never occurs in the trace",
    ]


# -------------------------------------------------------------------------------------------- what is written


def test_csv_is_written_with_the_header_and_quotes_where_they_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write_trace(path, [Occurrence("a", 1), Occurrence("b", 2, 'x,"y"'), Occurrence("c", 3, True)])
    assert path.read_text() == 'time,event,value\n1,a,\n2,b,"x,""y"""\n3,c,true\n'


def test_json_lines_leave_a_missing_value_out(tmp_path: Path) -> None:
    path = tmp_path / "t.ndjson"
    write_trace(path, [Occurrence("a", 1), Occurrence("b", 2, "é")])
    assert path.read_text("utf-8") == '{"time": 1, "event": "a"}\n{"time": 2, "event": "b", "value": "é"}\n'


def test_parquet_values_of_several_types_are_written_as_text(tmp_path: Path) -> None:
    path = tmp_path / "t.pq"
    write_trace(path, [Occurrence("a", 1, 5), Occurrence("b", 2, "x"), Occurrence("c", 3, True)])
    assert cells(path) == [(1, "a", "5"), (2, "b", "x"), (3, "c", "true")]
    write_trace(path, [Occurrence("a", 1, 2**70)])
    assert cells(path) == [(1, "a", str(2**70))]


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    def failing() -> Iterator[Occurrence]:
        yield Occurrence("a", 1)
        raise RuntimeError("the source broke")

    for name in ("t.csv", "t.jsonl", "t.parquet"):
        path = file_of(tmp_path, "old", name)
        with pytest.raises(RuntimeError):
            write_trace(path, failing())
        assert path.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.csv", "t.jsonl", "t.parquet"]


def test_what_could_not_be_read_back_is_not_written(tmp_path: Path) -> None:
    for occurrence in (Occurrence("a b", 1), Occurrence("a", -1), Occurrence("a", 1, "\0")):
        error = refusal_of_call(lambda o=occurrence: write_trace(tmp_path / "t.csv", [o]))
        assert error.place == f"{tmp_path}/t.csv: row 1"
    assert list(tmp_path.iterdir()) == []
    assert ".jsonl" in refusal_of_call(lambda: write_trace(tmp_path / "t.txt", [])).remedy
    assert "no such" in refusal_of_call(lambda: write_trace(tmp_path / "no" / "t.csv", [])).reason


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_trace(os.devnull, [Occurrence("a", 1)], format="csv")
    assert not Path(os.devnull).is_file()


# ------------------------------------------------------------------------------------------------- properties

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,5}", fullmatch=True)
TIMES = st.integers(0, 30) | st.integers(0, MAX_TIME)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
SCALARS = TEXTS | st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.none()


def traces(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Occurrence]]:
    return st.lists(st.builds(Occurrence, NAMES, TIMES, values), max_size=12)


def read_back(occurrences: list[Occurrence], suffix: str, format: Format | None = None) -> list[Occurrence]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"trace{suffix}"
        write_trace(path, occurrences, format=format)
        return [row.occurrence() for row in read_rows(path)]


def same(found: list[Occurrence], expected: list[Occurrence]) -> bool:
    """Equal with the types of values, since 1, 1.0 and True are equal in Python."""
    return found == expected and all(
        type(one.value) is type(other.value) for one, other in zip(found, expected, strict=True)
    )


@given(traces(TEXTS.filter(bool) | st.none()))
@example(
    [Occurrence("a", 1, text) for text in ("\r", "x\ry", "\n", "\r\n", " x ", '"', ",", "\x85", "\u2028")]
)
def test_csv_reads_back_as_written(occurrences: list[Occurrence]) -> None:
    assert same(read_back(occurrences, ".csv"), occurrences)


@given(traces(SCALARS))
def test_json_lines_read_back_as_written(occurrences: list[Occurrence]) -> None:
    assert same(read_back(occurrences, ".jsonl"), occurrences)


@given(
    st.sampled_from([TEXTS, st.integers(-(2**63), 2**63 - 1), st.booleans(), st.floats(allow_nan=False)])
    .map(lambda values: values.filter(lambda value: value not in (float("inf"), -float("inf"))))
    .flatmap(lambda values: traces(values | st.none()))
)
def test_parquet_with_values_of_one_type_reads_back_as_written(occurrences: list[Occurrence]) -> None:
    assert same(read_back(occurrences, ".parquet"), occurrences)


@given(traces(SCALARS))
def test_every_format_holds_the_same_texts(occurrences: list[Occurrence]) -> None:
    def texts(found: list[Occurrence]) -> list[tuple[int, str, str]]:
        return [(o.time, o.event, str(o.value).lower() if o.value not in (None, "") else "") for o in found]

    expected = texts(read_back(occurrences, ".jsonl"))
    assert texts(read_back(occurrences, ".csv")) == expected
    of_two_types = [Occurrence("a", 1, "text"), Occurrence("b", 1, 1)]
    assert texts(read_back([*of_two_types, *occurrences], ".parquet"))[2:] == expected


def rows_of(occurrences: Iterable[Occurrence]) -> list[Row]:
    origin = Origin("trace")
    return [Row(o.time, o.event, o.value, None, origin, number) for number, o in enumerate(occurrences, 1)]


@given(traces(SCALARS).map(lambda found: {(o.event, o.time): o for o in found}), st.randoms())
def test_a_shuffled_trace_that_is_sorted_is_the_original(
    unique: dict[tuple[str, int], Occurrence], chance: random.Random
) -> None:
    original = sorted(unique.values(), key=Occurrence.sort_key)
    shuffled = list(original)
    chance.shuffle(shuffled)
    found = list(admissible(rows_of(shuffled), sort=True, report=ReadReport()))
    assert interpretation(row.occurrence() for i in found for row in i.rows) == interpretation(original)
    assert [instant.time for instant in found] == sorted({o.time for o in original})


@given(
    st.lists(st.builds(Occurrence, st.sampled_from("ab"), st.integers(0, 4), st.integers(0, 9)), max_size=20),
    st.sampled_from(["first", "last"]),
)
def test_every_row_is_either_yielded_or_counted_as_dropped(
    occurrences: list[Occurrence], same_time: SameTime
) -> None:
    report = ReadReport()
    found = admissible(rows_of(occurrences), sort=True, same_time=same_time, report=report)
    kept_rows = [row for instant in found for row in instant.rows]
    assert len(kept_rows) + report.dropped == report.rows == len(occurrences) == sum(report.events.values())
    choose = min if same_time == "first" else max
    for row in kept_rows:
        rivals = [r.number for r in rows_of(occurrences) if (r.event, r.time) == (row.event, row.time)]
        assert row.number == choose(rivals)
    interpretation(row.occurrence() for row in kept_rows)


@given(st.lists(st.builds(Occurrence, st.sampled_from("ab"), st.integers(0, 9)), max_size=8))
@example([Occurrence("a", 1), Occurrence("b", 0)])
def test_without_options_a_trace_is_accepted_exactly_if_it_is_in_order_and_admissible(
    occurrences: list[Occurrence],
) -> None:
    times = [o.time for o in occurrences]
    fine = times == sorted(times) and len({(o.event, o.time) for o in occurrences}) == len(occurrences)
    try:
        found = list(admissible(rows_of(occurrences), report=ReadReport()))
    except InputError as error:
        assert not fine
        assert error.place.startswith("trace:")
        assert "--sort" in error.remedy or "--same-time" in error.remedy
    else:
        assert fine
        assert [row for instant in found for row in instant.rows] == rows_of(occurrences)


@given(st.binary(max_size=80) | st.text(max_size=40).map(lambda text: f"time,event,value\n{text}".encode()))
def test_whatever_bytes_a_file_has_it_is_read_or_refused(content: bytes) -> None:
    format: Format | None
    for format in (None, "csv", "jsonl"):
        try:
            list(read_rows(io.BytesIO(content), format=format))
        except InputError as error:
            assert error.place.startswith("stream")
            assert error.reason
