"""What is refused in a trace, and how the refusal reads."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow
import pytest

from semantics.traces.rows import MAX_CELL, MAX_TIME
from tests.semantics.traces.trace_reading import cells, file_of, parquet_of, refusal


def assert_refused(path: Path, reason: str, *places: str) -> None:
    """That a trace is refused for a reason at one of some places behind its name, with a remedy."""
    error = refusal(path)
    assert reason in error.reason
    assert error.place in [f"{path}{place}" for place in places]
    assert error.remedy
    assert len(error.reason) < 200
    assert "\n" not in error.reason


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("", "missing"),
        ("  ", "missing"),
        ("-1", "negative"),
        ("-0", "sign"),
        ("+3", "sign"),
        ("3.5", "fraction"),
        ("-2.5", "fraction"),
        ("9007199254740993.0", "more digits than can be told"),
        ("1e400", "more digits than can be told"),
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
def test_a_text_that_is_no_time_is_refused_with_its_own_reason(tmp_path: Path, cell: str, reason: str) -> None:
    assert_refused(file_of(tmp_path, f"time,event\n1,a\n{cell},a\n"), reason, ":3")


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("null", "missing"),
        ("-1", "negative"),
        ("3.5", "fraction"),
        ("1e30", "more digits than can be told"),
        ('"three"', "not a number"),
        ('"abc"', "not a number"),
        ("true", "truth value"),
        ("NaN", "not a number"),
        ("Infinity", "not a number"),
        ("[3]", "not a number"),
        (str(MAX_TIME + 1), "greater than the limit"),
        ("9" * 10_000, "too many digits"),
    ],
)
def test_a_json_value_that_is_no_time_is_refused_with_its_own_reason(tmp_path: Path, cell: str, reason: str) -> None:
    assert_refused(file_of(tmp_path, f'\n{{"time": {cell}, "event": "a"}}\n', "trace.jsonl"), reason, ":2")


def test_the_greatest_time_and_leading_zeros_are_read(tmp_path: Path) -> None:
    path = file_of(tmp_path, f"time,event\n{'0' * 30}7,a\n{MAX_TIME},a\n")
    assert [time for time, _, _ in cells(path)] == [7, MAX_TIME]


@pytest.mark.parametrize("cell", ["null", '""', "[]", "{}", "NaN"])
def test_a_row_without_an_event_type_is_refused(tmp_path: Path, cell: str) -> None:
    assert "the event" in refusal(file_of(tmp_path, f'{{"time":1,"event":{cell}}}', "t.jsonl")).reason
    assert "the event is missing" in refusal(file_of(tmp_path, "time,event\n1,\n")).reason


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
        (b"\x1f\x8b\x08\x00", 1, "compressed is damaged, or cut off"),
        (gzip.compress(b"time,event\n1,a\n", mtime=0)[:-4], 1, "compressed is damaged, or cut off"),
        (gzip.compress(gzip.compress(b"time,event\n1,a\n", mtime=0), mtime=0), 1, "gzip twice"),
        (pyarrow.compress(b"time,event\n" * 9, "zstd", asbytes=True)[:-4], 1, "compressed is damaged"),
        (b"x" * 11_000_000, 1, "longer than"),
    ],
)
def test_csv_that_is_not_csv_is_refused_with_line_reason_and_remedy(
    tmp_path: Path, content: str | bytes, line: int | None, reason: str
) -> None:
    assert_refused(file_of(tmp_path, content), reason, f":{line}" if line else "")


def test_the_remedy_for_a_header_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    assert "--delimiter ';'" in refusal(file_of(tmp_path, "time;event;value\n1;a;x\n")).remedy
    assert "--delimiter tab" in refusal(file_of(tmp_path, "time\tevent\n1\ta\n")).remedy
    assert "--time Time" in refusal(file_of(tmp_path, "Time,event\n1,a\n")).remedy
    assert "--delimiter ', '" in refusal(file_of(tmp_path, "time, event\n1,a\n")).remedy
    for before in ("# exported today", "sep=;"):
        assert "tail -n +2" in refusal(file_of(tmp_path, f"{before}\ntime;event\n1;a\n")).remedy
    assert "--time COLUMN" in refusal(file_of(tmp_path, "when,event\n1,a\n")).remedy
    assert "no column 'when'" in refusal(file_of(tmp_path, "time,event\n1,a\n"), time="when").reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"time": 1, "event": "a"', "not JSON"),
        ("{'time': 1}", "at column 2"),
        ('{"time": 1, "event": "a"} x', "text after the JSON value: 'x'"),
        ('{"time": 1, "time": 2, "event": "a"}', "the key 'time' twice"),
        ('{"time": 1, "event": "a", "value": {"y": 1, "y": 2}}', "is an object"),
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
    assert_refused(file_of(tmp_path, f'{{"time": 0, "event": "a"}}\n{line}\n', "trace.jsonl"), reason, ":2")


def test_an_empty_file_is_refused_in_every_format(tmp_path: Path) -> None:
    for name in ("t.csv", "t.jsonl", "t.parquet", "t"):
        error = refusal(file_of(tmp_path, "", name))
        assert "nothing to read" in error.reason
        assert error.place == f"{tmp_path}/{name}"
        assert ("JSON Lines" if name.endswith("jsonl") else "header") in error.remedy


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
        ("time", pyarrow.array(["1", "two"]), "not a number"),
        ("time", pyarrow.array([1.0, 2.5]), "fraction"),
        ("time", pyarrow.array([1.0, float("nan")]), "not a number"),
        ("time", pyarrow.array([1, 2], pyarrow.timestamp("s")), "not a number"),
        ("event", pyarrow.array(["a", None]), "missing"),
    ],
)
def test_a_parquet_cell_that_breaks_a_rule_is_refused_with_its_row(
    tmp_path: Path, column: str, cell: pyarrow.Array, reason: str
) -> None:
    columns = {"time": pyarrow.array([1, 2]), "event": pyarrow.array(["a", "b"])}
    assert_refused(parquet_of(tmp_path, **(columns | {column: cell})), reason, ": row 1", ": row 2")


def test_a_damaged_parquet_file_is_refused(tmp_path: Path) -> None:
    path = parquet_of(tmp_path, time=pyarrow.array([1]), event=pyarrow.array(["a"]))
    path.write_bytes(path.read_bytes()[:-20])
    error = refusal(path)
    assert "cannot be read" in error.reason
    assert error.place == str(path)
    assert "no column 'event'" in refusal(parquet_of(tmp_path, time=pyarrow.array([1]))).reason


@pytest.mark.parametrize("column", ["event", "value"])
@pytest.mark.parametrize(
    ("cells_of", "what"), [(pyarrow.array([["a"], ["b"]]), "arrays"), (pyarrow.array([None, {"x": 1}]), "objects")]
)
def test_a_parquet_column_of_arrays_or_objects_is_refused_if_somebody_asks_for_it(
    tmp_path: Path, column: str, cells_of: pyarrow.Array, what: str
) -> None:
    columns = {"time": pyarrow.array([1, 2]), "event": pyarrow.array(["a", "b"])}
    path = parquet_of(tmp_path, **(columns | {column: cells_of}))
    assert refusal(path).reason == f"the column '{column}' holds {what}, and a cell is one scalar"
    assert len(cells(parquet_of(tmp_path, **columns, other=cells_of))) == 2


def test_a_small_parquet_file_with_a_great_cell_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    great = pyarrow.array(["x" * (MAX_CELL + 1)] * 2)
    columns = {"time": pyarrow.array([1, 2]), "event": pyarrow.array(["a", "b"]), "value": pyarrow.array(["x", "y"])}
    for name in ("event", "value"):
        path = parquet_of(tmp_path, **columns | {name: great})
        assert path.stat().st_size < MAX_CELL
        error = refusal(path)
        assert error.reason == f"a cell of the column '{name}' has more than 131,072 bytes"
    assert len(cells(parquet_of(tmp_path, **columns, other=great))) == 2
    mixed = pyarrow.array(["y"] * 9 + ["x" * (MAX_CELL + 1)])
    path = parquet_of(tmp_path, time=pyarrow.array(range(10)), event=pyarrow.array(["a"] * 10), value=mixed)
    assert "more than 131,072 bytes" in refusal(path).reason
    wide = pyarrow.array([b"x" * (MAX_CELL + 1)] * 2, pyarrow.binary(MAX_CELL + 1))
    assert "more than 131,072 bytes" in refusal(parquet_of(tmp_path, **columns | {"value": wide})).reason


def test_a_parquet_file_with_too_much_in_a_row_group_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("semantics.traces.tables.MOST_IN_GROUP", 1_000)
    numbers = {"time": pyarrow.array(range(9)), "event": pyarrow.array(["a"] * 9)}
    error = refusal(parquet_of(tmp_path, **numbers, value=pyarrow.array([f"{n}" * 200 for n in range(9)])))
    assert "'value' has " in error.reason and "at most 1,000" in error.reason
    assert error.remedy == "Write it with smaller row groups, or with shorter cells."


def test_a_text_that_a_parquet_file_has_many_times_is_held_once(tmp_path: Path) -> None:
    texts = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 10_000, "int32"), pyarrow.array(["x" * 100_000]))
    path = parquet_of(tmp_path, time=pyarrow.array(range(10_000)), event=pyarrow.array(["a"] * 10_000), value=texts)
    values = [value for _, _, value in cells(path)]  # a gigabyte, if each had its own
    assert len(values) == 10_000
    assert len({id(value) for value in values}) == 1


def test_a_header_of_very_many_columns_is_refused_at_once(tmp_path: Path) -> None:
    names = ",".join(f"c{number}" for number in range(300_000))
    error = refusal(file_of(tmp_path, f"time,event,{names}\n1,a,\n"))
    assert error.reason == "there are 300,002 columns; at most 10,000 are read"
    pairs = ", ".join(f'"c{number}": 1' for number in range(100_000))
    path = file_of(tmp_path, f'{{"time": 1, "event": "a", {pairs}, "c0": 1}}\n', "trace.jsonl")
    assert "the key 'c0' twice" in refusal(path).reason


def test_a_text_of_a_table_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    texts = pyarrow.array([b"caf\xe9"]).view("string")
    path = parquet_of(tmp_path, time=pyarrow.array([1]), event=pyarrow.array(["a"]), value=texts)
    assert refusal(path).reason == "a text of the column 'value' is not UTF-8"


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
