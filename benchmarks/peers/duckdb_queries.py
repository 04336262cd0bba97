"""DuckDB on one thread: joins as of a time, in SQL."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.subjects import Answer, NoQuery, Pattern, Prepared, Subject, load
from benchmarks.traces import Trace
from semantics.carlson_lisper.expressions import identifiers

QUERIES: Mapping[str, str] = {
    "i": """
        SELECT s, e
        FROM (SELECT lag(t) OVER (ORDER BY t) AS s, t AS e FROM B QUALIFY e - s <= 2) AS near
        ASOF LEFT JOIN P ON near.e >= P.t
        ASOF LEFT JOIN T ON near.e >= T.t
        WHERE (P.t IS NULL OR P.t < s) AND (T.t IS NULL OR T.t < s)
        ORDER BY e
    """,
    "ii": "SELECT A.t AS s, B.t AS e FROM B ASOF JOIN A ON B.t > A.t ORDER BY e",
    "iii": """
        SELECT s, e
        FROM (
            SELECT B.t AS s, A.t AS e FROM A ASOF JOIN B ON A.t >= B.t WHERE A.t - B.t <= 10
            UNION ALL
            SELECT A.t AS s, B.t AS e FROM B ASOF JOIN A ON B.t >= A.t WHERE B.t - A.t BETWEEN 1 AND 10
        )
        ORDER BY e
    """,
    "iv": """
        SELECT A.t AS s, e
        FROM (SELECT B.t AS m, C.t AS e FROM C ASOF JOIN B ON C.t > B.t WHERE C.t - B.t <= 5) AS pair
        ASOF JOIN A ON pair.m > A.t
        ORDER BY e
    """,
}
"""By pattern; a table for each event type, with its times in the column `t`."""


def _prepare(pattern: Pattern, trace: Trace) -> Prepared:
    if pattern.id not in QUERIES:
        raise NoQuery
    connection = load("duckdb").connect(":memory:")
    connection.execute("SET threads = 1")
    for name in sorted(identifiers(pattern.expression)):
        connection.register("given", {"t": trace.columns[name]})
        connection.execute(f"CREATE TABLE {name} AS SELECT t FROM given")
        connection.unregister("given")
    statement = QUERIES[pattern.id]

    def run() -> Answer:
        found = connection.execute(statement).fetchnumpy()
        return Answer(found["s"], found["e"])

    return lambda: run


SUBJECTS: tuple[Subject, ...] = (Subject("duckdb asof", "DuckDB", "columns", _prepare, package="duckdb"),)
