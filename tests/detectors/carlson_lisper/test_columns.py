"""The plan of a pattern finds the very instances that Figure 4 detects, whatever runs it, however rows are cut."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl
import pytest
from hypothesis import example, given, settings, strategies as st
from pyspark.sql import SparkSession

from detectors.carlson_lisper.columns import plan
from detectors.carlson_lisper.columns.batches import BatchDetection, Unsuitable
from detectors.carlson_lisper.columns.plan import Starts, plan_of
from detectors.carlson_lisper.columns.sql_plan import found_by_duckdb, found_by_spark
from detectors.carlson_lisper.protocol import Detector
from detectors.carlson_lisper.source.figure2 import figure4
from laws.carlson_lisper.checks.strategies import expressions
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation
from semantics.carlson_lisper.syntax import parse
from semantics.errors import LimitExceeded

Row: TypeAlias = tuple[int, str, str | None]  # time, event type and partition
Found: TypeAlias = list[tuple[int, int, str, int, list[int]]]  # end, pattern, partition, start, rows
NAMES = ("A", "B", "C")


def frame(rows: Sequence[Row]) -> pl.DataFrame:
    schema = {"row": pl.Int64, "time": pl.Int64, "event": pl.String, "value": pl.String, "partition": pl.String}
    cells = [(number, time, event, f"v{number}", partition) for number, (time, event, partition) in enumerate(rows)]
    return pl.DataFrame(cells, schema, orient="row")


def detected(patterns: Sequence[Expression], rows: Sequence[Row], *, with_rows: bool = True) -> Found:
    """What Figure 4 detects, instant by instant."""
    running: dict[tuple[int, str | None], Detector] = {}
    instants: dict[tuple[int, str | None], dict[str, Any]] = {}
    for number, (time, event, partition) in enumerate(rows):
        instants.setdefault((time, partition), {})[event] = number
    found = []
    for (time, partition), values in instants.items():
        for number, pattern in enumerate(patterns):
            detector = running.setdefault((number, partition), figure4(pattern))
            report = detector.step(time, values)
            if report is not None:
                members: list[Any] = sorted(one.value for one in report.occurrences) if with_rows else []
                found.append((time, number, partition or "", report.start, members))
    return sorted(found)


def listed(found: pl.DataFrame) -> Found:
    return [
        (each["end"], each["pattern"], each.get("partition") or "", each["start"], sorted(m["row"] for m in members))
        for each in found.iter_rows(named=True)
        for members in [each.get("instance", ())]
    ]


PATTERNS = st.lists(expressions(NAMES, max_leaves=7, max_bound=9), min_size=1, max_size=3)

ROWS = st.builds(
    lambda cells, keys: sorted(((time, event, keys[key]) for time, event, key in cells), key=lambda row: row[:2]),
    st.sets(st.tuples(st.integers(0, 25), st.sampled_from(NAMES), st.integers(0, 2)), max_size=40),
    st.sampled_from(((None, "x", "y"), ("x", "yy", "z"))),
)

ALONE: list[Row] = [(1, "A", None), (2, "B", None), (2, "C", None), (4, "A", None), (30, "B", None)]


@pytest.mark.slow
@settings(max_examples=40)
@given(PATTERNS, ROWS, st.lists(st.integers(0, 25), max_size=4))
@example([parse("A ; (B + C)"), parse("A + (B ; C)")], ALONE, [1, 2])
@example([parse("(A + B)[1]"), parse("A - (B | C)"), parse("A ; A")], ALONE, [3])
def test_polars_finds_what_figure_4_detects(patterns: list[Expression], rows: list[Row], cuts: list[int]) -> None:
    table, bounds = frame(rows), sorted({-1, *cuts, 10**9})
    partitioned = any(partition is not None for _, _, partition in rows)
    for with_rows in (False, True):
        detection = BatchDetection(plan_of(patterns), with_rows=with_rows, partitioned=partitioned)
        found: Found = []
        for begin, stop in pairwise(bounds):
            some = table.filter(pl.col("time") > begin, pl.col("time") <= stop)
            found += listed(detection.found(some, last=stop == bounds[-1]))
        assert found == detected(patterns, rows, with_rows=with_rows)


@pytest.mark.slow
@settings(max_examples=8)
@given(PATTERNS, ROWS)
@example([parse("A ; (B | C)"), parse("(A | B) + (B | C)")], ALONE)
def test_duckdb_finds_what_figure_4_detects(patterns: list[Expression], rows: list[Row]) -> None:
    table = frame(rows)
    for with_rows in (False, True):
        found = found_by_duckdb(plan_of(patterns), [table[:5], table[5:]], with_rows=with_rows, partitioned=True)
        assert listed(found) == detected(patterns, rows, with_rows=with_rows)


@pytest.mark.slow
@pytest.mark.spark
def test_spark_finds_what_figure_4_detects(spark: SparkSession, tmp_path: Path) -> None:
    patterns = [parse(text) for text in ("(A | B) ; (B + C)[7]", "A + ((B ; C) - A)", "(C - (A ; B))[9] | B")]
    places = [(time, number) for time in range(30) for number in (time, 2 * time + 1)]
    rows = sorted({(time, NAMES[number % 3], "xyz"[time % 2 + number % 2]) for time, number in places})
    frame(rows).write_parquet(tmp_path / "rows.parquet")
    table = spark.read.parquet(str(tmp_path))
    found = found_by_spark(plan_of(patterns), table, spark, with_rows=True, partitioned=True)
    assert listed(found) == detected(patterns, rows)


def test_an_operator_without_a_query_is_refused_and_taken_for_no_other() -> None:
    with pytest.raises(LimitExceeded, match="no query is stated for the operator xor"):
        plan._starts_of("xor", [Starts.POINTS, Starts.POINTS], None)


def test_common_parts_are_one_step_and_a_negated_disjunction_is_two_negations() -> None:
    plan = plan_of([parse("(A ; B)[5] - C"), parse("C + (A ; B)[5]")])
    short = Operation("seq", (Identifier("A"), Identifier("B")), 5)
    assert plan.results == (short - Identifier("C"), Identifier("C") + short)
    assert plan.steps == (*map(Identifier, "AB"), short, Identifier("C"), *plan.results)
    assert plan.leaves[plan.results[1]] == ("C", "A", "B")
    assert plan.remembered == [Identifier("A"), short, Identifier("C")]
    assert plan_of([parse("A - (B | C)")]).results == (parse("(A - B) - C"),)


@pytest.mark.parametrize(
    ("starts", "patterns"),
    [
        (Starts.POINTS, ["A | B", "(A - (B ; C))[3]"]),
        (Starts.NONDECREASING, ["A + B", "(A | (A ; B)) ; C"]),
        (Starts.ANY, ["A | (A ; B)", "A ; (A | (A ; B))"]),
    ],
)
def test_what_is_known_of_the_starts_of_a_step(starts: Starts, patterns: list[str]) -> None:
    plan = plan_of([parse(pattern) for pattern in patterns])
    assert [plan.starts[result] for result in plan.results] == [starts, starts]


@pytest.mark.parametrize(
    ("batches", "partitioned"),
    [
        ([[(2, "A", None), (1, "B", None)]], False),
        ([[(2, "A", None), (2, "A", None)]], False),
        ([[(2, "A", "x"), (2, "A", "x")]], True),
        ([[(0, "A", "x"), (1 << 61, "A", "y")]], True),  # a span that one axis cannot hold
        ([[(5, "A", None)], [(5, "A", None)]], False),
    ],
)
def test_rows_that_do_not_fit_are_refused(batches: list[list[Row]], partitioned: bool) -> None:
    detection = BatchDetection(plan_of([parse("A ; B")]), with_rows=True, partitioned=partitioned)
    for rows in batches[:-1]:
        detection.found(frame(rows))
    with pytest.raises(Unsuitable):
        detection.found(frame(batches[-1]), last=True)


@pytest.mark.parametrize("pattern", ["A ; B", "(A + B) ; (C - A)", "A ; (B ; C)", "A ; ((B + C) ; A)"])
@pytest.mark.parametrize("partitioned", [False, True])
def test_what_is_carried_does_not_grow_with_the_log(pattern: str, partitioned: bool) -> None:
    detection = BatchDetection(plan_of([parse(pattern)]), with_rows=True, partitioned=partitioned)
    for begin in range(0, 1000, 100):
        detection.found(frame([(time, NAMES[time * time % 3], "x") for time in range(begin, begin + 100)]))
        assert sum(map(len, detection.carried.values())) <= 8
