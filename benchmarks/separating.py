"""Cases that separate this algebra from other engines: traces small enough to be followed by hand."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from benchmarks.peers.readings import Run, Small, duckdb, polars_query, reelay
from benchmarks.subjects import Absent


@dataclass(frozen=True)
class Cited:
    """What an engine that is not run here does, by its documentation.

    Attributes:
        says: what the source says, in our words, and what follows for the trace.
        source: where.
        ends: the ends of its matches; None if there is no such query, or the documentation leaves it open.
    """

    says: str
    source: str
    ends: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Reading:
    """How an expression is put to an engine, and what it answers.

    Attributes:
        engine: its name.
        query: what is asked, in its language.
        note: what to know of the query.
        run: runs it; None for an engine that is only cited.
        cited: what its documentation says; of an engine that is run, None.
        package: the Python package whose version is recorded.
    """

    engine: str
    query: str
    note: str = ""
    run: Run | None = None
    cited: Cited | None = None
    package: str | None = None


@dataclass(frozen=True)
class Case:
    """An expression and a trace on which engines differ.

    Attributes:
        id: a word.
        title: what it is about.
        about: what the trace decides.
        expression: in our syntax.
        trace: the times of each event type, in ticks.
        readings: how it is put to others.
    """

    id: str
    title: str
    about: str
    expression: str
    trace: Small
    readings: tuple[Reading, ...]


def _reelay(formula: str, note: str = "") -> Reading:
    return Reading("reelay", formula, note, reelay(formula), package="reelay")


def _duckdb(statement: str, note: str = "") -> Reading:
    return Reading("DuckDB", " ".join(statement.split()), note, duckdb(statement), package="duckdb")


def _cited(engine: str, query: str, says: str, source: str, ends: tuple[int, ...] | None = None) -> Reading:
    return Reading(engine, query, cited=Cited(says, source, ends))


ESPER = "Esper Reference, chapter EPL Reference: Patterns, sections Followed-by and Pattern Guards"
FLINK = "Apache Flink documentation, FlinkCEP, sections Combining Patterns and Groups of patterns"
FLINK_ORDER = "Apache Flink documentation, FlinkCEP, section Detecting Patterns"
SIDDHI = "Siddhi query guide, sections Pattern and Logical Patterns"
SNOOP = (
    "Galton and Augusto, Two Approaches to Event Definition, DEXA 2002; Adaikkalavan and Chakravarthy, SnoopIB:"
    " interval-based event specification and detection for active databases"
)

BY_DETECTION = (
    "Composed by the times at which the parts are detected, which is all that one operator sees of another."
)
WITH_STARTS = "The inner query hands on its starts as well, and the outer one looks at them."


def _join(left: Any, right: Any, equal: bool | None) -> Any:
    exact = {} if equal is None else {"allow_exact_matches": equal}
    return left.join_asof(right, left_on="B", right_on="A", coalesce=False, **exact).drop_nulls("A")


CASES: tuple[Case, ...] = (
    Case(
        "inner sequence",
        "A sequence within a sequence",
        "A comes before B, so that A;C has begun when B occurs: B is not followed by A;C as a whole. Who looks only at"
        " when A;C is detected sees B first and A;C later. The example is Galton and Augusto's.",
        "B;(A;C)",
        {"A": (1,), "B": (2,), "C": (3,)},
        (
            _cited(
                "Snoop",
                "B ; (A ; C)",
                "A composite event happens at the time of its last constituent; its start is not considered, so that"
                " B;(A;C) and A;(B;C) both are detected on A B C.",
                SNOOP,
                (3,),
            ),
            _reelay("({C} and once[1:]{A}) and once[1:]{B}", BY_DETECTION),
            _duckdb(
                """SELECT B.t AS s, i.t AS e FROM (SELECT C.t FROM C ASOF JOIN A ON C.t > A.t) AS i
                ASOF JOIN B ON i.t > B.t""",
                BY_DETECTION,
            ),
            _duckdb(
                """SELECT B.t AS s, i.e FROM (SELECT A.t AS s, C.t AS e FROM C ASOF JOIN A ON C.t > A.t) AS i
                ASOF JOIN B ON i.s > B.t""",
                WITH_STARTS,
            ),
            _cited(
                "Esper",
                "every b=B -> (a=A -> c=C)",
                "The right side of -> is evaluated only after the left side has become true, so that no A before B"
                " counts.",
                ESPER,
                (),
            ),
            _cited(
                "Flink CEP",
                "begin(B).followedBy(begin(A).followedBy(C))",
                "A pattern sequence takes its events in the order in which it is written; a group is a part of it.",
                FLINK,
                (),
            ),
        ),
    ),
    Case(
        "nested bound",
        "A bound on a part",
        "The bound is on B;C alone, which takes two ticks; the A that comes first may be as old as it likes.",
        "A;(B;C)[2]",
        {"A": (0,), "B": (5,), "C": (7,)},
        (
            _reelay("{C} and once[1:2]({B} and once[1:]{A})", "Only ends can be asked for."),
            _duckdb(
                """SELECT A.t AS s, e FROM (SELECT B.t AS m, C.t AS e FROM C ASOF JOIN B ON C.t > B.t
                WHERE C.t - B.t <= 2) AS i ASOF JOIN A ON i.m > A.t""",
                WITH_STARTS,
            ),
            _cited(
                "Flink CEP",
                "begin(A).followedBy(begin(B).followedBy(C).within(2))",
                "A pattern sequence has one temporal constraint only; of several on its parts the smallest applies. Two"
                " ticks for the whole are too few here.",
                FLINK,
                (),
            ),
            _cited(
                "Esper",
                "every a=A -> ((b=B -> c=C) where timer:within(2))",
                "The guard is a stopwatch of the sub-expression that it stands at, which is started when its evaluation"
                " is: after A, not at B. It has run out before B comes.",
                ESPER,
                (),
            ),
        ),
    ),
    Case(
        "tie",
        "Two events at one instant",
        "A sequence needs the one to end before the other starts, so that two events at one instant are none, in"
        " whichever order their rows come.",
        "A;B",
        {"A": (1,), "B": (1,)},
        (
            _reelay("{B} and once{A}", "Without a bound, once includes the present."),
            _reelay("{B} and once[1:]{A}", "With a bound of its own against it."),
            Reading(
                "Polars",
                "B.join_asof(A)",
                "An exact match is allowed unless it is forbidden.",
                polars_query(lambda _, frames: _renamed(_join(frames["B"], frames["A"], None))),
                package="polars",
            ),
            Reading(
                "Polars",
                "B.join_asof(A, allow_exact_matches=False)",
                "With the option against it.",
                polars_query(lambda _, frames: _renamed(_join(frames["B"], frames["A"], False))),
                package="polars",
            ),
            _duckdb("SELECT A.t AS s, B.t AS e FROM B ASOF JOIN A ON B.t >= A.t", "The query chooses."),
            _duckdb("SELECT A.t AS s, B.t AS e FROM B ASOF JOIN A ON B.t > A.t", "The query chooses."),
            _cited(
                "Flink CEP",
                "begin(A).followedBy(B)",
                "Events are put into an order first; those with the same timestamp are sorted by a comparator, if one"
                " is given. What is found depends on that order.",
                FLINK_ORDER,
            ),
        ),
    ),
    Case(
        "conjunction in order",
        "A conjunction after an event",
        "B and C may come in either order, and both come after A.",
        "A;(B+C)",
        {"A": (1,), "C": (2,), "B": (3,)},
        (
            _reelay("(({B} and once{C}) or ({C} and once{B})) and once[1:]{A}", BY_DETECTION),
            _cited(
                "Siddhi",
                "every e1=A -> e2=B and e3=C",
                "Two conditions joined by and are matched by two events in any order.",
                SIDDHI,
                (3,),
            ),
            _cited(
                "Flink CEP",
                "begin(A).followedBy(B).followedBy(C)",
                "A pattern sequence fixes the order of its parts, and there is no conjunction of two patterns: the"
                " other order needs a second pattern.",
                FLINK,
                (),
            ),
        ),
    ),
    Case(
        "conjunction begun before",
        "A conjunction that has begun already",
        "The same expression, with C before A: then B+C has begun before A has ended.",
        "A;(B+C)",
        {"C": (1,), "A": (2,), "B": (3,)},
        (
            _reelay("(({B} and once{C}) or ({C} and once{B})) and once[1:]{A}", BY_DETECTION),
            _duckdb(
                """SELECT A.t AS s, i.e FROM (SELECT B.t AS e FROM B ASOF JOIN C ON B.t >= C.t
                UNION SELECT C.t AS e FROM C ASOF JOIN B ON C.t >= B.t) AS i ASOF JOIN A ON i.e > A.t""",
                BY_DETECTION,
            ),
            _duckdb(
                """SELECT A.t AS s, i.e FROM (SELECT C.t AS s, B.t AS e FROM B ASOF JOIN C ON B.t >= C.t
                UNION SELECT B.t AS s, C.t AS e FROM C ASOF JOIN B ON C.t >= B.t) AS i ASOF JOIN A ON i.s > A.t""",
                WITH_STARTS,
            ),
            _cited(
                "Esper",
                "every a=A -> (b=B and c=C)",
                "The right side of -> is evaluated only after the left side has become true, so that no C before A"
                " counts.",
                ESPER,
                (),
            ),
        ),
    ),
    Case(
        "absence within a composite",
        "Nothing in between",
        "C lies between the first A and B, and not between the second A and B.",
        "(A;B) - C",
        {"A": (1, 3), "C": (2,), "B": (4,)},
        (
            _reelay(
                "{B} and not {C} and ((not {C}) since[1:] ({A} and not {C}))", "Only ends can be asked for."
            ),
            _duckdb(
                """SELECT i.s, i.e FROM (SELECT A.t AS s, B.t AS e FROM B ASOF JOIN A ON B.t > A.t) AS i
                ASOF LEFT JOIN C ON i.e >= C.t WHERE C.t IS NULL OR C.t < i.s""",
                WITH_STARTS,
            ),
            _cited(
                "Flink CEP",
                "begin(A).notFollowedBy(C).followedBy(B)",
                "notFollowedBy discards a partial match when the event comes in between; the second A has none.",
                FLINK,
                (4,),
            ),
        ),
    ),
    Case(
        "absence of a composite",
        "Absence of a composite event",
        "C comes before A, so that C;D does not lie within A;B although it is detected in between.",
        "(A;B) - (C;D)",
        {"C": (1,), "A": (2,), "D": (3,), "B": (4,)},
        (
            _reelay(
                "{B} and not ({D} and once[1:]{C}) and"
                " ((not ({D} and once[1:]{C})) since[1:] ({A} and not ({D} and once[1:]{C})))",
                BY_DETECTION,
            ),
            _duckdb(
                """SELECT i.s, i.e FROM (SELECT A.t AS s, B.t AS e FROM B ASOF JOIN A ON B.t > A.t) AS i
                ASOF LEFT JOIN (SELECT D.t FROM D ASOF JOIN C ON D.t > C.t) AS n ON i.e >= n.t
                WHERE n.t IS NULL OR n.t < i.s""",
                BY_DETECTION,
            ),
            _duckdb(
                """SELECT i.s, i.e FROM (SELECT A.t AS s, B.t AS e FROM B ASOF JOIN A ON B.t > A.t) AS i
                ASOF LEFT JOIN (SELECT C.t AS s, D.t AS e FROM D ASOF JOIN C ON D.t > C.t) AS n ON i.e >= n.e
                WHERE n.s IS NULL OR n.s < i.s""",
                WITH_STARTS,
            ),
            _cited(
                "Flink CEP",
                "",
                "A group of patterns may stand after begin, followedBy, followedByAny and next; a negative pattern is"
                " a single one.",
                FLINK,
            ),
            _cited(
                "Siddhi",
                "",
                "What follows not is an event of a stream with a filter, not a pattern.",
                SIDDHI,
            ),
        ),
    ),
)
"""From the textbook case to what most engines cannot say."""


def _renamed(frame: Any) -> Any:
    return frame.rename({"A": "start", "B": "end"})


def side_by_side(cases: Iterable[Case] = CASES) -> list[dict[str, Any]]:
    """What each engine answers, as plain data for a report; those that are installed are run."""
    return [
        {
            "id": case.id,
            "title": case.title,
            "about": case.about,
            "expression": case.expression,
            "trace": [
                {"event": event, "time": time, "value": None}
                for time, event in sorted(
                    (time, event) for event, times in case.trace.items() for time in times
                )
            ],
            "readings": [_reading_data(reading, case.trace) for reading in case.readings],
        }
        for case in cases
    ]


def _reading_data(reading: Reading, trace: Small) -> dict[str, Any]:
    data: dict[str, Any] = {
        "engine": reading.engine,
        "query": reading.query,
        "note": reading.note,
        "standing": "cited",
        "version": None,
        "intervals": None,
        "ends": None,
        "source": None,
        "detail": "",
    }
    if reading.cited is not None:
        ends = None if reading.cited.ends is None else list(reading.cited.ends)
        return {**data, "note": reading.cited.says, "source": reading.cited.source, "ends": ends}
    assert reading.run is not None
    try:
        answer = reading.run(trace)
    except Absent as error:
        return {**data, "standing": "not run", "detail": str(error)}
    except Exception as error:  # a tool from outside may do anything; the other readings are still shown
        return {**data, "standing": "failed", "detail": f"{type(error).__name__}: {error}"[:300]}
    starts = answer.starts
    intervals = None
    if starts is not None:
        intervals = [list(pair) for pair in zip(starts.tolist(), answer.ends.tolist(), strict=True)]
    version = None if reading.package is None else importlib.metadata.version(reading.package)
    return {
        **data,
        "standing": "run",
        "version": version,
        "intervals": intervals,
        "ends": answer.ends.tolist(),
    }
