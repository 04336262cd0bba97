"""Guesses how a log is to be read: whatever was written plainly is guessed, and can be read so."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from semantics.traces.files import read_rows
from semantics.traces.guessing import guessed
from semantics.traces.reading import Reading
from tests.semantics.traces.trace_reading import file_of, parquet_of

BEGIN = datetime(2024, 3, 1, 10, tzinfo=UTC)

MOMENTS = [BEGIN + timedelta(seconds=7 * number) for number in range(9)]

WRITTEN: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "ticks": ([7 * number for number in range(9)], {}),
    "fractions": ([f"{each:%Y-%m-%dT%H:%M:%S}.120Z" for each in MOMENTS], {"tick": "1ms"}),
    "no zone": ([f"{each:%Y-%m-%d %H:%M:%S}" for each in MOMENTS], {"tick": "1s", "zone": "UTC"}),
    "floats": ([each.timestamp() + 0.5 for each in MOMENTS], {"tick": "1ms", "epoch": "s"}),
    "nanoseconds": (
        [int(each.timestamp()) * 10**9 + 1234 for each in MOMENTS],
        {"tick": "1us", "epoch": "ns", "round": True},
    ),
    "nanoseconds of pandas": (
        [int(each.timestamp()) * 10**9 + 1000 for each in MOMENTS],
        {"tick": "1us", "epoch": "ns"},
    ),
}

TYPES = ["login", "pay.ok", "login", "add-to-cart", "login", "login", "pay.ok", "login", "cancel"]

DAYS = "date,at,event\n2024-03-01,10:00:00,a\n2024-03-01,10:00:05,b\n"
"""To read the days alone would put all events at one time."""

USERS = [f"u{number}" for number in range(9)]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("times", WRITTEN)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=4)
@given(
    names=st.sampled_from([("time", "event"), ("when", "type"), ("ts", "action"), ("created_at", "activity")]),
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    has_header=st.booleans(),
    order=st.permutations(range(3)),
)
def test_the_columns_and_what_times_count_are_guessed(
    tmp_path: Path, form: str, times: str, names: tuple[str, str], delimiter: str, has_header: bool, order: list[int]
) -> None:
    cells, expected = WRITTEN[times]
    columns = [(names[0], cells), (names[1], TYPES), ("user", USERS)]
    columns = [columns[place] for place in order]
    rows = [
        dict(zip([name for name, _ in columns], row, strict=True))
        for row in zip(*(each for _, each in columns), strict=True)
    ]
    if form == "parquet":
        path = parquet_of(tmp_path, **{name: pyarrow.array(each) for name, each in columns})
    elif form == "jsonl":
        path = file_of(tmp_path, "".join(json.dumps(row) + "\n" for row in rows), "t.jsonl")
    else:
        stream = io.StringIO()
        csv.writer(stream, delimiter=delimiter).writerows(
            [*([row.keys() for row in rows[:1]] if has_header else []), *(row.values() for row in rows)]
        )
        path = file_of(tmp_path, stream.getvalue())
    found = guessed(str(path), Reading())
    assert found is not None
    stated = found.stated()
    said = ("tick", "epoch", "zone", "round")
    assert {name: stated.get(name) for name in said} == {name: expected.get(name) for name in said}
    if form == "csv" and not has_header:
        assert (found.names[order.index(0)], found.names[order.index(1)]) == ("time", "event")
    else:
        assert (found.time, found.event) == names
    assert [row.event for row in read_rows(str(path), found)] == TYPES


def test_what_is_stated_stays_and_disorder_is_seen(tmp_path: Path) -> None:
    path = file_of(tmp_path, "when,kind,other\n9,a,b\n3,c,d\n")
    found = guessed(str(path), Reading(event="other"))
    assert found is not None
    assert found.stated() == {"time": "when", "event": "other", "sort": True}


def test_spaces_behind_delimiters_and_a_broken_row_are_seen(tmp_path: Path) -> None:
    rows = "".join(f"{number}, a\n" for number in range(9))
    path = file_of(tmp_path, f"time, event\n{rows}oops, a\n")
    found = guessed(str(path), Reading())
    assert found is not None
    assert found.stated() == {"delimiter": ", ", "skip_bad": True}
    assert [row.event for row in read_rows(str(path), found)] == ["a"] * 9


@pytest.mark.parametrize(
    "text", ["", "\n", "a;b\n", "x,y\n1.3.2024,a\n", "{", DAYS, '{"a": 1}\n', "[1]\n", "\0\n", "1\n2\n"]
)
def test_where_nothing_fits_nothing_is_guessed(tmp_path: Path, text: str) -> None:
    for name in ("t.csv", "t.jsonl", "t.parquet", "t"):
        assert guessed(str(file_of(tmp_path, text, name)), Reading()) is None
    assert guessed("-", Reading()) is None
    assert guessed(str(tmp_path), Reading()) is None
