"""What is refused in a trace, and how the refusal reads."""

import gzip
from pathlib import Path

import pyarrow
import pytest

from semantics.traces.rows import MAX_CELL, MAX_TIME
from tests.semantics.traces.trace_reading import cells, file_of, parquet_of, refusal

TWO = {"time": pyarrow.array([1, 2]), "event": pyarrow.array(["a", "b"])}


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
        *((cell, "missing") for cell in ("", "  ")),
        *((cell, "has a sign, or is negative") for cell in ("-1", "-0", "+3", "-2.5")),
        *((cell, "a fraction, or more digits than") for cell in ("3.5", "9007199254740993.0")),
        *((cell, "not a number") for cell in (" 3", "abc", "1_000", "٣", "²", "nan", "inf", "2024-05-06T07:08:09")),
        *((cell, "greater than the limit") for cell in (str(MAX_TIME + 1), "9" * 10_000, "1e400")),
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
        ("1e17", "more digits than can be told"),
        *((cell, "not a number") for cell in ('"three"', "true", "NaN", "Infinity", "[3]")),
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
        ("time,event,x,x\n1,a,b,c\n", 1, "'x' is there 2 times"),
        ("time,event,value\n1,a\n", 2, "the number of cells is 2, and that of columns 3"),
        ("time,event,value\n1,a,x\n2,a,x,y\n", 3, "the number of cells is 4, and that of columns 3"),
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
        (f"time,event,{','.join(map(str, range(300_000)))}\n1,a,\n", 1, "300,002 columns; at most 10,000 are read"),
    ],
)
def test_csv_that_is_not_csv_is_refused_with_line_reason_and_remedy(
    tmp_path: Path, content: str | bytes, line: int | None, reason: str
) -> None:
    assert_refused(file_of(tmp_path, content), reason, f":{line}" if line else "")


@pytest.mark.parametrize(
    ("header", "remedy"),
    [
        ("time;event;value", "--delimiter ';'"),
        ("time\tevent", "--delimiter tab"),
        ("Time,event", "--time Time"),
        ("time, event", "--delimiter ', '"),
        ("when,event", "--time COLUMN"),
    ],
)
def test_the_remedy_for_a_header_says_what_is_wrong_with_it(tmp_path: Path, header: str, remedy: str) -> None:
    assert remedy in refusal(file_of(tmp_path, f"{header}\n")).remedy


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"time": 1, "event": "a"', "not JSON"),
        ("{'time': 1}", "at column 2"),
        ('{"time": 1, "event": "a"} x', "text after the JSON value: 'x'"),
        ('{"time": 1, "time": 2, "event": "a"}', "the key 'time' twice"),
        ("[1, 2]", "not a JSON object"),
        ("3", "not a JSON object"),
        ('{"event": "a"}', "no column 'time'; the columns are 'event'"),
        ("{}", "the columns are none"),
        ('{"time": 1}', "no column 'event'"),
        ('{"time": 1, "event": "a", "value": {"x": 1, "x": 2}}', "is an object"),
        ('{"time": 1, "event": "a", "value": [1]}', "is an array"),
        ('{"time": 1, "event": "a", "value": "\\u0000"}', "NUL"),
        ('{"time": 1, "event": "a", "value": "\\ud800"}', "surrogate"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_line_that_is_no_row_of_json_is_refused(tmp_path: Path, line: str, reason: str) -> None:
    assert_refused(file_of(tmp_path, f'{{"time": 0, "event": "a"}}\n{line}\n', "trace.jsonl"), reason, ":2")


def test_an_empty_file_is_refused_in_every_format(tmp_path: Path) -> None:
    for name in ("t.jsonl", "t.parquet", "t"):
        assert_refused(file_of(tmp_path, "", name), "nothing to read", "")


def test_a_missing_partition_column_is_refused_and_the_columns_are_named(tmp_path: Path) -> None:
    csv = file_of(tmp_path, "time,event,host\n1,a,h\n")
    json = file_of(tmp_path, '{"time":1,"event":"a","host":"h"}\n', "trace.jsonl")
    arrays = {"time": pyarrow.array([1]), "event": pyarrow.array(["a"]), "host": pyarrow.array(["h"])}
    for path in (csv, json, parquet_of(tmp_path, **arrays)):
        error = refusal(path, partition_by="user")
        assert "no column 'user'; the columns are 'time', 'event', 'host'" in error.reason
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
    assert_refused(parquet_of(tmp_path, **(TWO | {column: cell})), reason, ": row 1", ": row 2")


def test_a_damaged_parquet_file_is_refused(tmp_path: Path) -> None:
    path = parquet_of(tmp_path, **TWO)
    path.write_bytes(path.read_bytes()[:-20])
    assert_refused(path, "cannot be read", "")
    assert "no column 'event'" in refusal(parquet_of(tmp_path, time=pyarrow.array([1]))).reason


GREAT = "x" * (MAX_CELL + 1)


@pytest.mark.parametrize(
    ("column", "cells_of", "reason"),
    [
        ("event", pyarrow.array([["a"], ["b"]]), "the column 'event' holds arrays or objects"),
        ("value", pyarrow.array([None, {"x": 1}]), "the column 'value' holds arrays or objects"),
        ("event", pyarrow.array([GREAT] * 2), "a cell of the column 'event' has more than 131,072 bytes"),
        ("value", pyarrow.array([GREAT] * 2), "a cell of the column 'value' has more than 131,072 bytes"),
        ("value", pyarrow.array([GREAT.encode()] * 2, pyarrow.binary(len(GREAT))), "more than 131,072 bytes"),
        ("value", pyarrow.array([b"caf\xe9"] * 2).view("string"), "a text of the column 'value' is not UTF-8"),
    ],
)
def test_a_parquet_column_of_no_short_scalars_is_refused_if_somebody_asks_for_it(
    tmp_path: Path, column: str, cells_of: pyarrow.Array, reason: str
) -> None:
    path = parquet_of(tmp_path, **(TWO | {column: cells_of}))
    assert path.stat().st_size < MAX_CELL
    assert reason in refusal(path).reason
    assert len(cells(parquet_of(tmp_path, **TWO, other=cells_of))) == 2


def test_a_great_cell_among_small_ones_is_refused(tmp_path: Path) -> None:
    mixed = pyarrow.array(["y"] * 9 + [GREAT])
    path = parquet_of(tmp_path, time=pyarrow.array(range(10)), event=pyarrow.array(["a"] * 10), value=mixed)
    assert "more than 131,072 bytes" in refusal(path).reason


def test_a_parquet_file_with_too_much_in_a_row_group_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("semantics.traces.tables.MOST_IN_GROUP", 1_000)
    numbers = {"time": pyarrow.array(range(9)), "event": pyarrow.array(["a"] * 9)}
    error = refusal(parquet_of(tmp_path, **numbers, value=pyarrow.array([f"{n}" * 200 for n in range(9)])))
    assert "'value' has more than 1,000 bytes" in error.reason


def test_a_text_that_a_parquet_file_has_many_times_is_held_once(tmp_path: Path) -> None:
    texts = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 10_000, "int32"), pyarrow.array(["x" * 100_000]))
    path = parquet_of(tmp_path, time=pyarrow.array(range(10_000)), event=pyarrow.array(["a"] * 10_000), value=texts)
    values = [value for _, _, value in cells(path)]  # a gigabyte, if each had its own
    assert len(values) == 10_000
    assert len({id(value) for value in values}) == 1


def test_a_path_that_is_no_readable_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing, folder = tmp_path / "no.csv", tmp_path / "part.parquet"
    folder.mkdir()
    assert_refused(missing, "no such file or directory", "")
    assert_refused(folder, "Is a directory", "")

    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = file_of(tmp_path, "time,event\n")
    monkeypatch.setattr(Path, "open", forbidden)
    assert_refused(path, "Permission denied", "")
