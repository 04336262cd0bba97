"""Evaluation by arrays: it finds the very instances that the detectors find, however a trace is cut into blocks."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeAlias, cast

import numpy as np
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.carlson_lisper import arrays
from detectors.carlson_lisper.blocks import Blocks
from detectors.carlson_lisper.source.figure2 import Figure2
from laws.carlson_lisper.checks.strategies import expressions
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse
from semantics.traces.columns import Rows, Values

Row: TypeAlias = tuple[int, int, int]
"""The time, the partition, and the number of the event type."""

NAMES = ("A", "B", "C")

Found: TypeAlias = dict[tuple[int, int, int], frozenset[Row]]
"""Occurrences by pattern, end and partition."""


def by_detectors(patterns: Sequence[Expression], rows: Sequence[Row]) -> Found:
    running: dict[tuple[int, int], Figure2] = {}
    found: Found = {}
    instants: dict[tuple[int, int], dict[str, Any]] = {}
    for row in rows:
        instants.setdefault(row[:2], {})[NAMES[row[2]]] = row
    for (time, partition), values in instants.items():
        for number, pattern in enumerate(patterns):
            detector = running.setdefault((number, partition), Figure2(pattern))
            report = detector.step(time, values)
            if report is not None:
                found[number, time, partition] = frozenset(
                    cast(Row, each.value) for each in report.occurrences
                )
    return found


def by_arrays(patterns: Sequence[Expression], rows: Sequence[Row], cuts: Sequence[int]) -> Found:
    blocks = Blocks(patterns, NAMES, instances=True)
    found: Found = {}
    bounds = [0, *sorted(time + 1 for time in cuts), 10**9]
    for begin, stop in pairwise(bounds):
        block = [row for row in rows if begin <= row[0] < stop]
        if not block:
            continue
        times, partitions, types = np.array(block, np.int64).T
        values = Values(pyarrow.array([str(row) for row in block]))
        for detected in (*blocks.detect(Rows(times, types, partitions, values)), *blocks.finish()):
            members = detected.members
            assert members is not None
            of = members.of
            for number in range(len(detected)):
                own = members.rows[members.owners == number]
                assert int(of.times[own].min()) == detected.starts[number]
                which = of.partitions
                assert which is not None and detected.partitions is not None
                found[
                    int(detected.patterns[number]),
                    int(detected.ends[number]),
                    int(detected.partitions[number]),
                ] = frozenset((int(of.times[row]), int(which[row]), int(of.types[row])) for row in own)
    return found


PATTERNS = st.lists(expressions(NAMES, max_bound=9), min_size=1, max_size=3)

ROWS = st.sets(st.tuples(st.integers(0, 25), st.integers(0, 2), st.integers(0, 2)), max_size=40).map(sorted)


@given(PATTERNS, ROWS, st.lists(st.integers(0, 25), max_size=4))
def test_each_instance_is_that_which_a_detector_finds(
    patterns: list[Expression], rows: list[Row], cuts: list[int]
) -> None:
    assert by_arrays(patterns, rows, cuts) == by_detectors(patterns, rows)


@pytest.mark.parametrize(
    ("pattern", "kept"),
    [("A ; B", 2), ("(A ; B)[3]", 1), ("A + B", 3), ("A - B", 0), ("(A ; B) ; C", 4), ("A ; (B ; C)[2]", 2)],
)
def test_only_what_may_still_be_used_is_kept(pattern: str, kept: int) -> None:
    rows = [(0, 0), (1, 1), (2, 1), (5, 0), (6, 1), (7, 0), (10, 1), (11, 0), (20, 2)]
    times, types = np.array(rows, np.int64).T
    blocks = Blocks([parse(pattern)], NAMES, instances=False)
    list(blocks.detect(Rows(times, types, None, None)))
    list(blocks.finish())
    assert blocks.kept == kept


@pytest.mark.parametrize(("rows", "traces"), [(0, 1), (1, 1), (1000, 3), (100_000, 90_000), (30, 10**6)])
def test_rows_of_a_trace_keep_their_order_whether_they_are_counted_or_sorted(
    rows: int, traces: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "is_compiled", lambda kernel: True)
    numbers = np.random.default_rng(rows).integers(0, traces, rows)
    expected = np.argsort(numbers, kind="stable").tolist()
    assert arrays.order_of(numbers).tolist() == expected
    assert arrays.order_by_digits(numbers).tolist() == expected
