"""Jobs from file to file with Polars and DuckDB, each a process: python -m benchmarks.peers.file_jobs TOOL JOB.

The queries are those that somebody writes by hand for the patterns of `benchmarks.files`; with partitions, a column
`user` says which. A detection is a line `{"start": …, "end": …}` of the output, with its `user`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

BY = "user"
"""The column of partitions."""


def polars_job(job: Mapping[str, Any]) -> None:
    """Read a log with Polars, find what its patterns say, and write it."""
    import polars as pl

    scan: Any = {"csv": pl.scan_csv, "parquet": pl.scan_parquet, "jsonl": pl.scan_ndjson}[job["form"]]
    by = [BY] if job["partitioned"] else []
    types = sorted({name for each in job["patterns"] for name in each["types"].values()})
    log = scan(job["log"]).select("time", "event", *by).filter(pl.col("event").is_in(types)).collect()

    def times(name: str) -> Any:
        """The rows of an event type, with their time in a column of its name."""
        return log.lazy().filter(pl.col("event") == name).select(*by, pl.col("time").set_sorted().alias(name))

    def as_of(left: Any, right: Any, on: str, other: str, *, equal: bool = False) -> Any:
        return left.join_asof(
            right,
            left_on=on,
            right_on=other,
            by=by or None,
            strategy="backward",
            allow_exact_matches=equal,
            coalesce=False,
            check_sortedness=False,
        )

    def query(shape: str, t: Mapping[str, str], bound: int) -> Any:
        if shape == "sequence":
            if t["A"] == t["B"]:
                shifted = pl.col(t["A"]).shift(1)
                found = times(t["A"]).with_columns(start=shifted.over(by) if by else shifted, end=t["A"])
            else:
                found = as_of(times(t["B"]), times(t["A"]), t["B"], t["A"]).with_columns(
                    start=t["A"], end=t["B"]
                )
            found = found.drop_nulls("start")
            return found.filter(pl.col("end") - pl.col("start") <= bound) if bound else found
        if shape == "near repetition":
            shifted = pl.col(t["B"]).shift(1)
            near = times(t["B"]).with_columns(start=shifted.over(by) if by else shifted, end=t["B"])
            near = near.filter(pl.col("end") - pl.col("start") <= bound)
            for name in (t["P"], t["T"]):
                near = as_of(near, times(name), "end", name, equal=True)
                near = near.filter((pl.col(name) < pl.col("start")).fill_null(True))
            return near
        if shape == "conjunction":
            a, b = times(t["A"]), times(t["B"])
            sides = []
            for left, right, on, other in ((a, b, t["A"], t["B"]), (b, a, t["B"], t["A"])):
                side = as_of(left, right, on, other, equal=True).with_columns(start=other, end=on)
                sides.append(
                    side.filter(pl.col("end") - pl.col("start") <= bound).select("start", "end", *by)
                )
            return pl.concat(sides).unique().sort("end")
        inner = as_of(times(t["C"]), times(t["B"]), t["C"], t["B"])
        inner = inner.filter(pl.col(t["C"]) - pl.col(t["B"]) <= bound).sort(t["B"])
        found = as_of(inner, times(t["A"]), t["B"], t["A"]).drop_nulls(t["A"])
        return found.with_columns(start=t["A"], end=t["C"]).sort("end")

    lazy = [
        query(each["shape"], each["types"], each["bound"]).select("start", "end", *by)
        for each in job["patterns"]
    ]
    with open(job["output"], "wb") as output:  # noqa: PTH123
        for found in pl.collect_all(lazy):
            found.write_ndjson(output)


def duckdb_job(job: Mapping[str, Any]) -> None:
    """Read a log with DuckDB, find what its patterns say, and write it."""
    import duckdb

    by, connection = job["partitioned"], duckdb.connect(":memory:")
    read = {"csv": "read_csv", "parquet": "read_parquet", "jsonl": "read_json"}[job["form"]]
    types = sorted({name for each in job["patterns"] for name in each["types"].values()})
    listed = ", ".join(f"'{name}'" for name in types)
    user = ", user AS u" if by else ""
    connection.execute(
        f"CREATE TABLE log AS SELECT time AS t, event{user} FROM {read}('{job['log']}') WHERE event IN ({listed})"
    )
    for name in types:
        connection.execute(f"CREATE TABLE {name} AS SELECT * EXCLUDE event FROM log WHERE event = '{name}'")
    queries = [_sql(each, by=by) for each in job["patterns"]]
    whole = " UNION ALL ".join(f"SELECT * FROM ({query})" for query in queries)
    connection.execute(f"COPY ({whole}) TO '{job['output']}' (FORMAT json)")


def _sql(pattern: Mapping[str, Any], *, by: bool) -> str:
    t, bound = pattern["types"], pattern["bound"]

    def same(left: str, right: str) -> str:
        return f"{left}.u = {right}.u AND " if by else ""

    def user(table: str) -> str:
        return f", {table}.u AS user" if by else ""

    window = f"OVER ({'PARTITION BY u ' if by else ''}ORDER BY t)"
    own = ", u" if by else ""
    match pattern["shape"]:
        case "sequence":
            a, b = t["A"], t["B"]
            limit = f"WHERE b.t - a.t <= {bound}" if bound else ""
            joined = f"{b} b ASOF JOIN {a} a ON {same('b', 'a')}b.t > a.t"
            return f'SELECT a.t AS start, b.t AS "end"{user("b")} FROM {joined} {limit}'
        case "near repetition":
            return (
                f'SELECT s AS start, e AS "end"{user("near")}'
                f" FROM (SELECT lag(t) {window} AS s, t AS e{own} FROM {t['B']}"
                f" QUALIFY e - s <= {bound}) near ASOF LEFT JOIN {t['P']} p ON {same('near', 'p')}near.e >= p.t"
                f" ASOF LEFT JOIN {t['T']} q ON {same('near', 'q')}near.e >= q.t"
                " WHERE (p.t IS NULL OR p.t < s) AND (q.t IS NULL OR q.t < s)"
            )
        case "conjunction":
            a, b = t["A"], t["B"]
            return (
                f'SELECT b.t AS start, a.t AS "end"{user("a")}'
                f" FROM {a} a ASOF JOIN {b} b ON {same('a', 'b')}a.t >= b.t"
                f" WHERE a.t - b.t <= {bound} UNION"
                f' SELECT a.t AS start, b.t AS "end"{user("b")}'
                f" FROM {b} b ASOF JOIN {a} a ON {same('b', 'a')}b.t >= a.t"
                f" WHERE b.t - a.t <= {bound}"
            )
        case _:
            return (
                f'SELECT a.t AS start, e AS "end"{user("pair")} FROM (SELECT b.t AS m, c.t AS e{", c.u" if by else ""}'
                f" FROM {t['C']} c ASOF JOIN {t['B']} b ON {same('c', 'b')}c.t > b.t WHERE c.t - b.t <= {bound}) pair"
                f" ASOF JOIN {t['A']} a ON {same('pair', 'a')}pair.m > a.t"
            )


JOBS = {"Polars": polars_job, "DuckDB": duckdb_job}


def main(arguments: Sequence[str]) -> None:
    """Do a job that is given as JSON; see `benchmarks.files.Job`."""
    tool, job = arguments
    JOBS[tool](json.loads(job))


if __name__ == "__main__":
    main(sys.argv[1:])
