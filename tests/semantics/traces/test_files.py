"""Traces in files: what is written by the libraries of each format reads back."""

import io
import tempfile
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.traces import FORM, occurrence_of
from semantics.errors import InputError
from semantics.events import Event
from semantics.traces import files, instants
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Format, SameTime
from semantics.traces.rows import MAX_TIME, Origin, Row
from tests.semantics.traces.trace_reading import file_of, parquet_of, refusal, written
from tests.semantics.traces.trace_reading import rows_of as rows_in

admissible = partial(instants.admissible, form=FORM)

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,5}", fullmatch=True)
TIMES = st.integers(0, 30) | st.integers(0, MAX_TIME)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)


def traces(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Occurrence]]:
    return st.lists(st.builds(Occurrence, NAMES, TIMES, values), max_size=12)


def read_back(occurrences: list[Occurrence], suffix: str) -> list[Occurrence]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"trace{suffix}"
        written(path, occurrences)
        return [occurrence_of(row) for row in rows_in(path)]


def same(found: list[Occurrence], expected: list[Occurrence]) -> bool:
    """Equal with the types of values, since 1, 1.0 and True are equal in Python."""
    return found == expected and all(
        type(one.value) is type(other.value) for one, other in zip(found, expected, strict=True)
    )


FLOATS = st.floats(allow_nan=False, allow_infinity=False)
OF_ONE_TYPE = st.sampled_from([TEXTS, st.integers(-(2**63), 2**63 - 1), st.booleans(), FLOATS])
HARD = [Occurrence("a", 1, text) for text in ("\r", "x\ry", "\n", "\r\n", " x ", '"', ",", "\x85", "\u2028")]


@settings(max_examples=60)
@given(
    st.tuples(st.just(".csv"), traces(TEXTS.filter(bool) | st.none()))
    | st.tuples(st.just(".jsonl"), traces(TEXTS | st.integers() | st.booleans() | FLOATS | st.none()))
    | st.tuples(st.just(".parquet"), OF_ONE_TYPE.flatmap(lambda values: traces(values | st.none())))
)
@example((".csv", HARD))
def test_what_is_written_reads_back(case: tuple[str, list[Occurrence]]) -> None:
    suffix, occurrences = case
    assert same(read_back(occurrences, suffix), occurrences)


def rows_of(occurrences: Iterable[Occurrence]) -> list[Row]:
    origin = Origin("trace")
    return [
        Row(o.time, o.event, o.time, {"value": o.value}, None, origin, number)
        for number, o in enumerate(occurrences, 1)
    ]


@given(
    st.lists(st.builds(Occurrence, st.sampled_from("ab"), st.integers(0, 4), st.integers(0, 9)), max_size=20),
    st.sampled_from(["first", "last"]),
)
def test_every_row_is_either_yielded_or_counted_as_dropped(occurrences: list[Occurrence], same_time: SameTime) -> None:
    report = ReadReport()
    found = admissible(rows_of(occurrences), sort=True, same_time=same_time, report=report)
    kept_rows = [row for instant in found for row in instant.rows]
    assert len(kept_rows) + report.dropped == report.rows == len(occurrences) == sum(report.events.values())
    choose = min if same_time == "first" else max
    for row in kept_rows:
        rivals = [r.number for r in rows_of(occurrences) if (r.event, r.time) == (row.event, row.time)]
        assert row.number == choose(rivals)
    interpretation(occurrence_of(row) for row in kept_rows)


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


@settings(max_examples=50)
@given(st.binary(max_size=80) | st.text(max_size=40).map(lambda text: f"time,event,value\n{text}".encode()))
def test_whatever_bytes_a_file_has_it_is_read_or_refused(content: bytes) -> None:
    format: Format | None
    for format in (None, "csv", "jsonl"):
        try:
            list(rows_in(io.BytesIO(content), format=format))
        except InputError as error:
            assert error.place.startswith("stream")
            assert error.reason


def as_event(row: Row) -> Event:
    return Event(row.event, row.start, row.time, row.attributes)


def test_an_event_takes_the_time_from_its_start_and_carries_every_other_column(tmp_path: Path) -> None:
    path = file_of(tmp_path, "id,start,time,event,q\n7,1,3,order,2.5\n,,4,ping,\n")
    assert [as_event(row) for row in files.read_rows(path)] == [
        Event("order", 1, 3, {"id": "7", "q": "2.5"}),
        Event("ping", 4, 4, {"id": None, "q": None}),
    ]
    lines = '{"time": 3, "start": 1, "event": "order", "id": 7}\n{"time": 4, "event": "ping"}\n'
    assert [as_event(row) for row in files.read_rows(file_of(tmp_path, lines, "t.jsonl"))] == [
        Event("order", 1, 3, {"id": 7}),
        Event("ping", 4, 4),
    ]
    times, starts = pyarrow.array([3, 4]), pyarrow.array([1, None])
    path = parquet_of(tmp_path, time=times, start=starts, event=pyarrow.array(["a", "b"]), id=times)
    assert [as_event(row) for row in files.read_rows(path)] == [
        Event("a", 1, 3, {"id": 3}),
        Event("b", 4, 4, {"id": 4}),
    ]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("1,3,a", "the event takes time, from 1 to its end; the events of this algebra are points"),
        ("5,3,a", "the event starts at 5, after its end"),
        ("x,3,a", "the time 'x' is not a number"),
    ],
)
def test_an_interval_is_refused_where_events_are_points_and_so_is_a_start_that_is_none(
    tmp_path: Path, row: str, reason: str
) -> None:
    error = refusal(file_of(tmp_path, f"start,time,event\n{row}\n"))
    assert error.reason == reason
    assert error.place.endswith("trace.csv:2")
