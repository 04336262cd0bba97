"""Traces in files: what is written, and that it reads back."""

from __future__ import annotations

import io
import os
import random
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from semantics.carlson_lisper.interpretations import interpretation
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.errors import InputError
from semantics.traces.files import (
    Format,
    ReadReport,
    Row,
    SameTime,
    admissible,
    read_rows,
    write_trace,
)
from semantics.traces.rows import MAX_TIME, Origin
from tests.semantics.traces.trace_reading import cells, file_of, refusal_of_call


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
