from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.peers.readings import duckdb, reelay
from benchmarks.separating import CASES, Query, SeparatingCase, side_by_side
from benchmarks.subjects import Absent
from reports.carlson_lisper.separating_cases import Reading
from semantics.carlson_lisper.intervals import interval_denotation
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.syntax import parse

BY_DETECTION = (
    "Composed by the times at which the parts are detected, which is all that one operator sees of another."
)
WITH_STARTS = "The inner query hands on its starts as well, and the outer one looks at them."


def ours(case: SeparatingCase) -> list[tuple[int, int]]:
    trace = interpretation(Occurrence(event, time) for event, times in case.trace.items() for time in times)
    return [
        (found.start, found.end) for found in interval_denotation(parse(case.expression), trace).restricted()
    ]


def run() -> Iterator[tuple[SeparatingCase, Query, Reading]]:
    for case, recorded in zip(CASES, side_by_side(), strict=True):
        for query, found in zip(case.queries, recorded.readings, strict=True):
            if found.standing == "not run":
                pytest.skip(found.detail)
            yield case, query, found


def test_our_answers_are_those_of_the_literature() -> None:
    assert [ours(case) for case in CASES] == [[], [(0, 7)], [], [(1, 3)], [], [(3, 4)], [(2, 4)]]


def test_everything_that_is_installed_was_run_without_error() -> None:
    for case, query, found in run():
        assert found.standing == ("run" if query.run else "cited"), (case.id, found.detail)
        assert found.version if query.run else found.source


def test_queries_that_hand_on_starts_agree_and_each_case_by_detection_alone_that_differs_is_shown() -> None:
    differing = set()
    for case, _, found in run():
        if found.note == WITH_STARTS:
            assert list(found.intervals or ()) == ours(case), case.id
        if found.note == BY_DETECTION and list(found.ends or ()) != [end for _, end in ours(case)]:
            differing.add(case.id)
    assert differing == {"inner sequence", "conjunction begun before", "absence of a composite"}


def test_a_citation_says_where_and_never_counts_as_run() -> None:
    for recorded in side_by_side():
        for found in recorded.readings:
            assert (found.standing == "cited") == bool(found.source)
            if found.standing == "cited":
                assert found.note and not found.version


def test_a_tool_that_is_missing_or_fails_is_said() -> None:
    def absent(_: object) -> Any:
        raise Absent("tool is not installed")

    def broken(_: object) -> Any:
        raise RuntimeError("no")

    case = CASES[0]
    queries = tuple(Query(Reading("tool", "?", "not run"), one) for one in (absent, broken))
    (found,) = side_by_side([replace(case, queries=queries)])
    assert [(one.standing, one.detail, one.ends) for one in found.readings] == [
        ("not run", "tool is not installed", None),
        ("failed", "RuntimeError: no", None),
    ]


def test_readings_are_run_on_the_trace_that_they_are_given() -> None:
    try:
        assert reelay("{B} and once[1:]{A}")({"A": (1,), "B": (0, 2)}).ends.tolist() == [2]
        found = duckdb("SELECT A.t AS s, B.t AS e FROM B ASOF JOIN A ON B.t > A.t")(
            {"A": (1, 4), "B": (0, 2, 5)}
        )
    except Absent as error:
        pytest.skip(str(error))
    assert found.starts is not None
    assert (found.starts.tolist(), found.ends.tolist()) == ([1, 4], [2, 5])
