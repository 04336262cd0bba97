"""What is refused in a trace, and how the refusal reads."""

import gzip
import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from semantics.traces.rows import MAX_CELL, MAX_TIME
from semantics.traces.times import ticks_of
from tests.semantics.traces.trace_reading import cells, file_of, parquet_of, refusal, refusal_of_call
from tests.tables import table

TWO = {"time": [1, 2], "event": ["a", "b"]}


def assert_refused(path: Path, reason: str, place: str) -> None:
    """That a trace is refused for a reason at a place behind its name, with a remedy."""
    error = refusal(path)
    assert reason in error.reason
    assert error.place == f"{path}{place}"
    assert error.remedy
    assert len(error.reason) < 200
    assert "\n" not in error.reason


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        *((cell, "missing") for cell in ("", "  ", None)),
        *((cell, "has a sign, or is negative") for cell in ("-1", "-0", "+3", "-2.5", -1, -0.5, Decimal(-1))),
        *((cell, "a fraction, or more digits than") for cell in ("3.5", "9007199254740993.0", 3.5, 1e17)),
        *((cell, "not a number") for cell in (" 3", "1_000", "٣", "²", "nan", "inf", "2024-05-06T07:08:09")),
        *((cell, "not a number") for cell in (True, math.nan, math.inf, [3], Decimal("NaN"), b"3")),
        *((cell, "greater than the limit") for cell in (str(MAX_TIME + 1), MAX_TIME + 1, "9" * 10_000, "1e400")),
    ],
)
def test_a_cell_that_is_no_time_is_refused_with_its_own_reason(cell: object, reason: str) -> None:
    error = refusal_of_call(lambda: ticks_of(cell))
    assert reason in error.reason
    assert error.remedy


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("", None, "nothing to read"),
        ("\n\n", None, "nothing to read"),
        ("time,value\n1,x\n", 1, "no column 'event'; the columns are 'time', 'value'"),
        ("time,event,x,x\n1,a,b,c\n", 1, "'x' is there 2 times"),
        ("time,event,value\n1,\n", 2, "the number of cells is 2, and that of columns 3"),
        ("time,event\n1,\n", 2, "the event is missing"),
        ('time,event,value\n1,a,x\n2,a,"x\n3,a,\n', 3, "unexpected end"),
        ('time,event,value\n1,a,"' + "x\n" * 200_000, 2, "field limit"),
        ('time,event,value\n1,a,"x"y\n', 2, "expected after"),
        ("time,event,value\n1,a,x\ry\n", 2, "new-line character"),
        ("time,event,value\r1,a,x\r", 1, "new-line character"),
        (b"time,event,value\n1,a,\0\n", 2, "NUL byte"),
        (b"time,event,value\n1,a,x\n2,a,caf\xe9\n", 3, "0xe9 is not UTF-8"),
        ("time,event,value\n1,a,x\n".encode("utf-16"), 1, "UTF-16"),
        (b"PAR1", 1, "this is a Parquet file"),
        (gzip.compress(gzip.compress(b"time,event\n1,a\n", mtime=0), mtime=0), 1, "compressed twice"),
        (pyarrow.compress(b"time,event\n" * 9, "zstd", asbytes=True)[:-4], 1, "compressed is damaged"),
        (b"x" * 11_000_000, 1, "longer than"),
        (f"time,event,{','.join(map(str, range(300_000)))}\n1,a,\n", 1, "300,002 columns; at most 10,000 are read"),
        ("start,time,event\n1,3,a\n", 2, "takes time, from 1 to its end; the events of this algebra are points"),
        ("start,time,event\n5,3,a\n", 2, "the event starts at 5, after its end"),
    ],
)
def test_csv_that_is_no_trace_is_refused_with_line_reason_and_remedy(
    tmp_path: Path, content: str | bytes, line: int | None, reason: str
) -> None:
    assert_refused(file_of(tmp_path, content), reason, f":{line}" if line else "")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        *table(__file__, "no-row"),
        (f'{{"time": {"9" * 10_000}, "event": "a"}}', "10,000 digits"),
        *((f'{{"time": 1, "event": {cell}}}', "the event") for cell in ("null", '""', "[]", "{}", "NaN")),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_line_that_is_no_row_of_json_is_refused(tmp_path: Path, line: str, reason: str) -> None:
    assert_refused(file_of(tmp_path, f'{{"time": 0, "event": "a"}}\n{line}\n', "trace.jsonl"), reason, ":2")


GREAT = "x" * (MAX_CELL + 1)


@pytest.mark.parametrize(
    ("column", "cells_of", "reason", "row"),
    [
        ("time", [1, None], "missing", ": row 2"),
        ("time", pyarrow.array([1, 2], pyarrow.timestamp("s")), "not a number", ": row 1"),
        ("event", ["a", None], "missing", ": row 2"),
        ("time", pyarrow.array([1, 2], pyarrow.duration("s")), "holds arrays, objects or lengths of time", ""),
        ("event", [["a"], ["b"]], "the column 'event' holds arrays, objects", ""),
        ("event", [GREAT] * 2, "the column 'event' has a cell of more than 131,072 bytes", ""),
        ("value", pyarrow.array([GREAT.encode()] * 2, pyarrow.binary(len(GREAT))), "more than 131,072 bytes", ""),
        (
            "value",
            pyarrow.array([b"caf\xe9"] * 2).view("string"),
            "the column 'value' has a text that is not UTF-8",
            "",
        ),
    ],
)
def test_a_parquet_cell_or_column_that_breaks_a_rule_is_refused(
    tmp_path: Path, column: str, cells_of: Any, reason: str, row: str
) -> None:
    assert_refused(parquet_of(tmp_path, **(TWO | {column: cells_of})), reason, row)
    assert len(cells(parquet_of(tmp_path, **TWO, other=cells_of))) == 2  # which nobody asks for


def test_a_parquet_file_that_is_damaged_lacks_a_column_or_has_too_much_in_a_row_group_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = parquet_of(tmp_path, **TWO)
    path.write_bytes(path.read_bytes()[:-20])
    assert_refused(path, "cannot be read", "")
    assert_refused(parquet_of(tmp_path, time=[1]), "no column 'event'", "")
    numbers: dict[str, Any] = {"time": range(10), "event": ["a"] * 10}
    assert_refused(parquet_of(tmp_path, **numbers, value=["y"] * 9 + [GREAT]), "more than 131,072 bytes", "")
    monkeypatch.setattr("semantics.traces.tables.MOST_IN_GROUP", 1_000)  # which is seen before it is unpacked
    values = [f"{n}" * 200 for n in range(10)]
    assert_refused(parquet_of(tmp_path, **numbers, value=values), "'value' has more than 1,000 bytes", "")


def test_a_text_that_a_parquet_file_has_many_times_is_held_once(tmp_path: Path) -> None:
    texts = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 10_000, "int32"), pyarrow.array(["x" * 100_000]))
    path = parquet_of(tmp_path, time=range(10_000), event=["a"] * 10_000, value=texts)
    values = [value for _, _, value in cells(path)]  # a gigabyte, if each had its own
    assert len(values) == 10_000
    assert len({id(value) for value in values}) == 1


def test_a_path_that_is_no_readable_file_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "part.parquet"
    folder.mkdir()
    assert_refused(tmp_path / "no.csv", "no such file or directory", "")
    assert_refused(folder, "Is a directory", "")
    for name in ("t.jsonl", "t.parquet", "t"):
        assert_refused(file_of(tmp_path, "", name), "nothing to read", "")
