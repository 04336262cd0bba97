"""Polars and DuckDB: queries that somebody writes by hand for the patterns, in memory and from file to file.

A job from file to file is a process: `python -m benchmarks.peers TOOL JOB`.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

BY = "user"  # The column of partitions


def polars_query(
    shape: str, types: Mapping[str, str], bound: int, times: Callable[[str], Any], by: Sequence[str] = ()
) -> Any:
    """A lazy frame of `start` and `end`, and of the columns of partitions.

    Of an event type `times` gives a lazy frame with its sorted times in a column of its name.
    """
    import polars as pl

    def as_of(left: Any, right: Any, on: str, other: str, *, equal: bool = False) -> Any:
        """Each row of the left with the latest time of the right before it, or up to it if `equal`."""
        keys = {"left_on": on, "right_on": other, "by": list(by) or None}
        return left.join_asof(right, **keys, allow_exact_matches=equal, coalesce=False, check_sortedness=False)

    def repeated(name: str) -> Any:
        before = pl.col(name).shift(1)
        return times(name).with_columns(start=before.over(by) if by else before, end=name)

    start, end = pl.col("start"), pl.col("end")
    if shape == "sequence":
        a, b = types["A"], types["B"]
        found = repeated(a) if a == b else as_of(times(b), times(a), b, a).with_columns(start=a, end=b)
        found = found.drop_nulls("start")
        found = found.filter(end - start <= bound) if bound else found
    elif shape == "near repetition":
        found = repeated(types["B"]).filter(end - start <= bound)
        for name in (types["P"], types["T"]):
            found = as_of(found, times(name), "end", name, equal=True)
            found = found.filter((pl.col(name) < start).fill_null(True))
    elif shape == "conjunction":
        both = [(types["A"], types["B"]), (types["B"], types["A"])]
        sides = (as_of(times(on), times(at), on, at, equal=True).select(*by, start=at, end=on) for on, at in both)
        found = pl.concat(sides).filter(end - start <= bound).unique().sort("end")
    else:
        a, b, c = types["A"], types["B"], types["C"]
        inner = as_of(times(c), times(b), c, b).filter(pl.col(c) - pl.col(b) <= bound).sort(b)
        found = as_of(inner, times(a), b, a).drop_nulls(a).with_columns(start=a, end=c).sort("end")
    return found.select("start", "end", *by)


def duckdb_query(shape: str, types: Mapping[str, str], bound: int, *, by: bool = False) -> str:
    """SQL over a table for each event type, with its times in the column `t` and its partitions in `u`."""

    def user(table: str) -> str:
        return f", {table}.u AS {BY}" if by else ""

    def same(left: str, right: str) -> str:
        return f"{left}.u = {right}.u AND " if by else ""

    if shape == "sequence":
        limit = f"WHERE b.t - a.t <= {bound}" if bound else ""
        return (
            f'SELECT a.t AS start, b.t AS "end"{user("b")} FROM {types["B"]} b'
            f" ASOF JOIN {types['A']} a ON {same('b', 'a')}b.t > a.t {limit}"
        )
    if shape == "near repetition":
        window = f"OVER ({'PARTITION BY u ' if by else ''}ORDER BY t)"
        return (
            f'SELECT s AS start, e AS "end"{user("near")} FROM'
            f" (SELECT lag(t) {window} AS s, t AS e{', u' if by else ''} FROM {types['B']}"
            f" QUALIFY e - s <= {bound}) near"
            f" ASOF LEFT JOIN {types['P']} p ON {same('near', 'p')}near.e >= p.t"
            f" ASOF LEFT JOIN {types['T']} q ON {same('near', 'q')}near.e >= q.t"
            " WHERE (p.t IS NULL OR p.t < s) AND (q.t IS NULL OR q.t < s)"
        )
    if shape == "conjunction":
        return " UNION ".join(
            f'SELECT b.t AS start, a.t AS "end"{user("a")} FROM {types[last]} a'
            f" ASOF JOIN {types[first]} b ON {same('a', 'b')}a.t >= b.t WHERE a.t - b.t <= {bound}"
            for last, first in ("AB", "BA")
        )
    return (
        f'SELECT a.t AS start, e AS "end"{user("pair")} FROM'
        f" (SELECT b.t AS m, c.t AS e{', c.u' if by else ''} FROM {types['C']} c"
        f" ASOF JOIN {types['B']} b ON {same('c', 'b')}c.t > b.t WHERE c.t - b.t <= {bound}) pair"
        f" ASOF JOIN {types['A']} a ON {same('pair', 'a')}pair.m > a.t"
    )


def polars_job(job: Mapping[str, Any], types: Sequence[str]) -> None:
    """Read a log with Polars, find what its patterns say, and write it."""
    import polars as pl

    scan: Any = {"csv": pl.scan_csv, "parquet": pl.scan_parquet, "jsonl": pl.scan_ndjson}[job["form"]]
    by = [BY] if job["partitioned"] else []
    log = scan(job["log"]).select("time", "event", *by).filter(pl.col("event").is_in(types)).collect()

    def times(name: str) -> Any:
        return log.lazy().filter(pl.col("event") == name).select(*by, pl.col("time").set_sorted().alias(name))

    lazy = [polars_query(one["shape"], one["types"], one["bound"], times, by) for one in job["patterns"]]
    with Path(job["output"]).open("wb") as output:
        for found in pl.collect_all(lazy):
            found.write_ndjson(output)


def duckdb_job(job: Mapping[str, Any], types: Sequence[str]) -> None:
    """Read a log with DuckDB, find what its patterns say, and write it."""
    import duckdb

    by, connection = job["partitioned"], duckdb.connect(":memory:")
    read = {"csv": "read_csv", "parquet": "read_parquet", "jsonl": "read_json"}[job["form"]]
    connection.execute(
        f"CREATE TABLE log AS SELECT time AS t, event{', user AS u' if by else ''}"
        f" FROM {read}('{job['log']}') WHERE event IN {tuple(types)}"
    )
    for name in types:
        connection.execute(f"CREATE TABLE {name} AS SELECT * EXCLUDE event FROM log WHERE event = '{name}'")
    queries = (duckdb_query(one["shape"], one["types"], one["bound"], by=by) for one in job["patterns"])
    whole = " UNION ALL ".join(f"SELECT * FROM ({query})" for query in queries)
    connection.execute(f"COPY ({whole}) TO '{job['output']}' (FORMAT json)")


if __name__ == "__main__":
    asked = json.loads(sys.argv[2])
    found = {name for each in asked["patterns"] for name in each["types"].values()}
    {"Polars": polars_job, "DuckDB": duckdb_job}[sys.argv[1]](asked, sorted(found))
