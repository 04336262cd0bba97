"""Guesses how a log is to be read: whatever was written plainly is guessed, and can be read so."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from semantics.traces.files import read_rows
from semantics.traces.guessing import guessed
from semantics.traces.reading import Reading
from tests.semantics.traces.trace_reading import file_of, parquet_of

MOMENTS = [datetime(2024, 3, 1, 10, tzinfo=UTC) + timedelta(seconds=7 * number) for number in range(9)]
SECONDS = [int(each.timestamp()) for each in MOMENTS]

WRITTEN: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "ticks": ([7 * number for number in range(9)], {}),
    "fractions": ([f"{each:%Y-%m-%dT%H:%M:%S}.120Z" for each in MOMENTS], {"tick": "1ms"}),
    "no zone": ([f"{each:%Y-%m-%d %H:%M:%S}" for each in MOMENTS], {"tick": "1s", "zone": "UTC"}),
    "floats": ([each + 0.5 for each in SECONDS], {"tick": "1ms", "epoch": "s"}),
    "nanoseconds": ([each * 10**9 + 1234 for each in SECONDS], {"tick": "1us", "epoch": "ns", "round": True}),
    "nanoseconds of pandas": ([each * 10**9 + 1000 for each in SECONDS], {"tick": "1us", "epoch": "ns"}),
}

TYPES = ["login", "pay.ok", "login", "add-to-cart", "login", "login", "pay.ok", "login", "cancel"]

DAYS = "date,at,event\n2024-03-01,10:00:00,a\n2024-03-01,10:00:05,b\n"
"""To read the days alone would put all events at one time."""


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
    columns = [(names[0], cells), (names[1], TYPES), ("user", [f"u{number}" for number in range(9)])]
    table = dict(columns[place] for place in order)
    rows = [*zip(*table.values(), strict=True)]
    if form == "parquet":
        path = parquet_of(tmp_path, **table)
    elif form == "jsonl":
        lines = [json.dumps(dict(zip(table, row, strict=True))) for row in rows]
        path = file_of(tmp_path, "\n".join(lines), "t.jsonl")
    else:
        lines = [delimiter.join(map(str, row)) for row in [*([tuple(table)] if has_header else []), *rows]]
        path = file_of(tmp_path, "\n".join(lines))
    found = guessed(str(path), Reading())
    assert found is not None
    stated = found.stated()
    assert {name: stated[name] for name in ("tick", "epoch", "zone", "round") if name in stated} == expected
    if form == "csv" and not has_header:
        assert (found.names[order.index(0)], found.names[order.index(1)]) == ("time", "event")
    else:
        assert (found.time, found.event) == names
    assert [row.event for row in read_rows(str(path), found)] == TYPES


@pytest.mark.parametrize(
    ("text", "stated", "expected"),
    [
        ("when,kind,other\n9,a,b\n3,c,d\n", {"event": "other"}, {"time": "when", "event": "other", "sort": True}),
        ("time, event\n1, a\n2, a\n3, a\n4, b\noops, a\n", {}, {"delimiter": ", ", "skip_bad": True}),
    ],
)
def test_what_is_stated_stays_and_disorder_spaces_and_broken_rows_are_seen(
    tmp_path: Path, text: str, stated: dict[str, Any], expected: dict[str, Any]
) -> None:
    found = guessed(str(file_of(tmp_path, text)), Reading(**stated))
    assert found is not None
    assert found.stated() == expected


@pytest.mark.parametrize(
    "text", ["", "\n", "a;b\n", "x,y\n1.3.2024,a\n", "{", DAYS, '{"a": 1}\n', "[1]\n", "\0\n", "1\n2\n"]
)
def test_where_nothing_fits_nothing_is_guessed(tmp_path: Path, text: str) -> None:
    for name in ("t.csv", "t.jsonl", "t.parquet", "t"):
        assert guessed(str(file_of(tmp_path, text, name)), Reading()) is None
    assert guessed("-", Reading()) is None
    assert guessed(str(tmp_path), Reading()) is None
